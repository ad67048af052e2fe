/** Why an operation does not begin, or a run does not come to its end; and how the node ends then. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { byCode, failed, inputFailure, type Failure, type Outcome, type Words } from '../../shared/failure';
import type { Sent } from '../night/changeSender';
import type { Done } from '../sending/batch';
import { StoreError } from '../store/store';
import type { OperationName } from '../panel/operation';
import { isTool } from '../../shared/actions/isTool';
import { labelOf } from '../../shared/actions/properties';

/** Failures without any effect, as a table by their codes. */
export const failuresOf = <Table extends Words<Pick<Failure, 'message' | 'next'>>>(
	origin: Failure['origin'],
	table: Table,
) => byCode<Failure, Table>({ origin, effect: 'none' }, table);

/** Of an operation that needs a ledger, and does not make one. */
export const ledgerAbsent = (name: string): Failure =>
	inputFailure({
		code: 'ledgerAbsent',
		message: `There is no ledger "${name}" yet`,
		next: 'Run Sync first, which makes it. Look whether Ledger and Ledger Name are those of Sync.',
	});

const MOST_KEYS = 50;

/** Of a run whose ledger could not be written: it names what has no row. */
export function unwritten({ unwritten: lost }: Sent, failure: Failure): Failure {
	const isSent = ({ change, result, isAskedLater }: Done) =>
		change.action !== 'note' && (result.kind === 'done' || result.kind === 'failed') && !isAskedLater;
	const sent = lost.filter(isSent);
	if (sent.length === 0) return { ...failure, next: `${failure.next} Nothing was sent without a row.` };
	const named = sent.slice(0, MOST_KEYS).map(({ change, state }) => `${change.key} (${state})`);
	const others = sent.length > MOST_KEYS ? ` and ${sent.length - MOST_KEYS} more` : '';
	return {
		...failure,
		effect: 'unknown',
		message: `The ledger could not be told what came of ${sent.length} changes. ${failure.message}`,
		next: `${failure.next}\nNothing more was sent. The next run reports these as uncertain, each by its key: ${named.join(', ')}${others}.`,
	};
}

/** Of what a person has said, and the ledger may have taken although its answer was lost. Trap: said twice, it counts twice. */
export function maybeNoted(thrown: unknown): never {
	if (!(thrown instanceof StoreError) || !thrown.failure.isPassing) throw thrown;
	const next = `It may have been noted all the same: look with Explain before you say it again. ${thrown.failure.next}`;
	throw new StoreError({ ...thrown.failure, effect: 'unknown', next });
}

/** Of a run that fails before it sends anything. */
export function nothingSent(thrown: unknown): never {
	if (!(thrown instanceof StoreError)) throw thrown;
	throw new StoreError({ ...thrown.failure, next: `Nothing was sent. ${thrown.failure.next}` });
}

/** What an AI agent may do with this node: look, and nothing else. */
const FOR_AGENTS: readonly OperationName[] = ['explain', 'preview', 'readFiles'];

/** They change nothing in the service, and nothing that counts in the ledger. */
export const LOOK_ONLY: readonly OperationName[] = [...FOR_AGENTS, 'verify'];

export function notForAgents(context: IExecuteFunctions, name: OperationName): Outcome<never> | undefined {
	if (!isTool(context) || FOR_AGENTS.includes(name)) return undefined;
	return failed(
		inputFailure({
			code: 'notForAgents',
			message: `The operation ${labelOf(name)} is not for AI agents`,
			next: 'As a tool, this node has Explain, Preview and Read Files. Start what sends from a schedule, and let a person approve. Nothing was sent.',
		}),
	);
}

export function noSuchOperation(name: string): Outcome<never> {
	return failed(
		inputFailure({
			code: 'noSuchOperation',
			message: `There is no operation "${name}" in this version of the package`,
			next: 'Pick an operation in the node, or install the version of the package that the workflow was made with. Nothing was sent.',
		}),
	);
}

/**
 * Makes what is thrown next the end of the run, whatever the node's On Error says.
 *
 * Trap: with On Error set to Continue, n8n (2.4.8 to 2.40.7) passes the **input** items through the first output of a node that throws: the files
 * of the roster would come out of Summary, and who reads that would take the night for done. n8n looks at the setting after the throw, on the
 * node of this execution; the saved workflow is another object.
 */
export function endsTheRun(context: IExecuteFunctions): void {
	const { node } = context.getExecuteData();
	node.onError = 'stopWorkflow';
	node.continueOnFail = false;
}

/**
 * What was asked before anything is sent has failed. Where the sign-on or the way to the service is to blame, asking less is no help.
 * @param otherwise how to do without that question
 */
export function lookupFailure(failure: Failure, asked: string, otherwise: string): Failure {
	const { origin, message, next } = failure;
	if (origin !== 'service') return { ...failure, next: `${next}\nNothing was sent.` };
	return {
		...failure,
		message: `The service could not be asked ${asked}. ${message}`,
		next: `${next}\nNothing was sent. ${otherwise}`,
	};
}
