/** What stands around the node on the canvas: inputs, outputs and the line below it, each as the operation has them. */
import { NodeConnectionTypes, type ExpressionString } from 'n8n-workflow';

/** A port without a label where there is only one. */
const UNLABELLED = [''];

const PORTS = {
	readFiles: { subtitle: 'Read Files', inputs: UNLABELLED, outputs: ['Records', 'Findings'] },
	plan: {
		subtitle: 'Plan Changes',
		inputs: ['Roster', 'Ledger'],
		outputs: ['Changes', 'Ledger Rows', 'Held', 'Findings', 'Summary'],
	},
	apply: { subtitle: 'Apply Changes', inputs: UNLABELLED, outputs: ['Ledger Rows', 'Failed'] },
	compact: { subtitle: 'Compact Ledger', inputs: UNLABELLED, outputs: UNLABELLED },
} as const;

/** The operations of the node, by their names in saved workflows. */
export type OperationName = keyof typeof PORTS;

const portsOf = (labels: readonly string[]) =>
	labels.map((displayName) => ({
		type: NodeConnectionTypes.Main,
		...(displayName !== '' && { displayName }),
	}));

/** The expression by which n8n works out something of a node from its operation. */
function byOperation(what: (name: OperationName) => unknown): ExpressionString {
	const table = Object.fromEntries(Object.keys(PORTS).map((name) => [name, what(name as OperationName)]));
	return `={{ (${JSON.stringify(table)})[$parameter.operation] }}`;
}

export const INPUTS = byOperation((name) => portsOf(PORTS[name].inputs));
export const OUTPUTS = byOperation((name) => portsOf(PORTS[name].outputs));
export const SUBTITLE = byOperation((name) => PORTS[name].subtitle);
