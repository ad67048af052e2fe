/** What the node can do, and what follows from it on the canvas: outputs, the line below the node, notices. */
import { NodeConnectionTypes, type ExpressionString, type INodeProperties } from 'n8n-workflow';

import { labelOf } from '../../shared/actions/properties';

/** Of the operations that compare a roster with the ledger. */
const OF_A_NIGHT = ['Summary', 'Needs Attention', 'Changes'];

/** An output without a label where there is only one. */
const UNLABELLED = [''];

const OPERATIONS = {
	approve: {
		outputs: UNLABELLED,
		action: 'Approve what is held',
		description: 'Let go what a run has held, after a person has looked at it. The next Sync sends it.',
	},
	explain: {
		outputs: UNLABELLED,
		action: 'Explain where a person is',
		description:
			'Say why somebody is, or is not, in the service and in a class, and what to do: from the ledger, and on request from the service',
	},
	preview: {
		outputs: OF_A_NIGHT,
		action: 'Preview changes of roster',
		description: 'Say what Sync would do with this roster. Nothing is sent, and nothing is written.',
	},
	readFiles: {
		outputs: ['Records', 'Findings'],
		action: 'Read roster files',
		description:
			'Read OneRoster or SDS files, or the rows of a sheet, into records for other nodes. Nothing is sent.',
	},
	recordAccess: {
		outputs: UNLABELLED,
		action: 'Record access events',
		description:
			'Note who has gained or lost access, from the events of School Partner Trigger. It holds up nothing: a night may be under way.',
	},
	resolve: {
		outputs: UNLABELLED,
		action: 'Resolve uncertain records',
		description:
			'Note what was found out about single records: whether the service has them. The next Sync goes by it.',
	},
	sync: {
		outputs: OF_A_NIGHT,
		action: 'Sync roster',
		description:
			'Compare the roster with what was done before, send what is different, once, and remember it. What is too much waits for a person.',
	},
	takeOver: {
		outputs: OF_A_NIGHT,
		action: 'Take over schools',
		description:
			'Note that the service has everything in this roster already, for schools that are new here. Nothing is sent.',
	},
	verify: {
		outputs: ['Summary', 'Differences'],
		action: 'Verify people in service',
		description:
			'Compare what was done with what the service shows of each person whose account is known. Nothing is sent, and nothing is healed.',
	},
} as const;

/** The operations of the node, by their names in saved workflows. */
export type OperationName = keyof typeof OPERATIONS;

const NAMES = Object.keys(OPERATIONS) as OperationName[];

/** A new node syncs: that is what nearly every workflow wants. */
export const operation: INodeProperties = {
	displayName: 'Operation',
	name: 'operation',
	type: 'options',
	noDataExpression: true,
	options: NAMES.map((value) => {
		const { action, description } = OPERATIONS[value];
		return { name: labelOf(value), value, action, description };
	}),
	default: 'sync',
};

/**
 * The operation, as a collection asks for it. Trap: when a parameter changes that a collection names, n8n's editor looks for the names of all parameters in
 * that collection, and drops what is filled in: Mapping was empty when Preview became Sync. It does not take `/operation` for `operation`.
 */
export const KEPT_OPERATION = '/operation';

/** The expression by which n8n works out something of a node from its operation. */
function byOperation(what: (name: OperationName) => unknown): ExpressionString {
	const table = Object.fromEntries(NAMES.map((name) => [name, what(name)]));
	return `={{ (${JSON.stringify(table)})[$parameter.operation] }}`;
}

export const OUTPUTS = byOperation((name) =>
	OPERATIONS[name].outputs.map((displayName) => ({
		type: NodeConnectionTypes.Main,
		...(displayName !== '' && { displayName }),
	})),
);
export const SUBTITLE = byOperation(labelOf);

const notice = (operationName: OperationName, displayName: string): INodeProperties => ({
	...{ displayName, name: `${operationName}Notice`, type: 'notice', default: '' },
	displayOptions: { show: { operation: [operationName] } },
});

/** What a person has to know before anything is filled in. */
export const notices: INodeProperties[] = [
	notice(
		'sync',
		'The node keeps its ledger itself. The <b>first run</b> is held once: look at the output <b>Summary</b>, run the operation <b>Approve</b> with its <b>hold_id</b>, and start again.',
	),
	notice(
		'approve',
		'Each item of the input needs the fields <b>hold_id</b> (from the output Summary of Sync), <b>approve</b> (true, or false to withdraw it) and <b>by</b> (who has looked at it)',
	),
	notice(
		'recordAccess',
		'Connect both outputs of <b>School Partner Trigger</b>: access that was granted, and access that was revoked. The ledger must be there: run Sync or Take Over first.',
	),
	notice(
		'resolve',
		'Each item of the input needs the fields <b>key</b> (from the outputs of Sync), <b>is</b> (inService or notInService) and <b>by</b> (who has looked). Items without <b>is</b> are skipped.',
	),
];
