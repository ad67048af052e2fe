/** What stands around the node on the canvas: outputs and the line below it, each as the operation has them. */
import { NodeConnectionTypes, type ExpressionString } from 'n8n-workflow';

/** A port without a label where there is only one. */
const UNLABELLED = [''];

/** Of the operations that compare a roster with the ledger. */
const OF_A_NIGHT = ['Summary', 'Needs Attention', 'Changes'];

const OUTPUTS_OF = {
	approve: UNLABELLED,
	preview: OF_A_NIGHT,
	readFiles: ['Records', 'Findings'],
	resolve: UNLABELLED,
	sync: OF_A_NIGHT,
	takeOver: OF_A_NIGHT,
} as const satisfies Record<string, readonly string[]>;

/** The operations of the node, by their names in saved workflows. */
export type OperationName = keyof typeof OUTPUTS_OF;

export const OPERATION_NAMES: Record<OperationName, string> = {
	approve: 'Approve',
	preview: 'Preview',
	readFiles: 'Read Files',
	resolve: 'Resolve',
	sync: 'Sync',
	takeOver: 'Take Over',
};

const outputsOf = (labels: readonly string[]) =>
	labels.map((displayName) => ({
		type: NodeConnectionTypes.Main,
		...(displayName !== '' && { displayName }),
	}));

/** The expression by which n8n works out something of a node from its operation. */
function byOperation(what: (name: OperationName) => unknown): ExpressionString {
	const names = Object.keys(OUTPUTS_OF) as OperationName[];
	const table = Object.fromEntries(names.map((name) => [name, what(name)]));
	return `={{ (${JSON.stringify(table)})[$parameter.operation] }}`;
}

export const OUTPUTS = byOperation((name) => outputsOf(OUTPUTS_OF[name]));
export const SUBTITLE = byOperation((name) => OPERATION_NAMES[name]);
