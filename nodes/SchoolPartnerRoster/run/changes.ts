/** The output Changes: what became of each change that was planned. Pure. */
import { failureData } from '../../shared/actions/nodeFailure';
import type { Failure } from '../../shared/failure';
import type { Change, ChangeState } from '../planning/change';
import type { Hold } from '../planning/holds';
import type { Done } from '../sending/batch';
import type { ChangeResult } from '../sending/result';

import { failuresOf } from './failures';
import type { RecordNames } from './names';

/** Items of Changes at most: n8n keeps them with the execution. */
export const MOST_CHANGES = 20_000;

export interface SettledChange {
	change: Change;
	state: ChangeState;
	/** Why it was not done; absent for what was done, is held, or was not meant to be sent. */
	failure?: Failure;
}

/** Everything that was planned: what was not done comes first. */
export function settledChanges(
	planned: readonly Change[],
	done: readonly Done[],
	holds: readonly Hold[],
	isPreview: boolean,
): SettledChange[] {
	const sent = done.map(({ change, state, result }) => ({ change, state, failure: whyNot(result, state) }));
	const unsent = ({ forbiddenIn }: Change) =>
		isPreview
			? {}
			: ({
					state: 'not tried',
					failure: forbiddenIn !== undefined ? whyUndone.schoolForbidden : whyUndone.notTried,
				} as const);
	// Trap: what was left out may stand before what was sent.
	const tried = new Set(done.map(({ change }) => change));
	const rest = planned
		.filter((change) => !tried.has(change))
		.map((change) => ({ change, state: change.state, ...unsent(change) }));
	const heldChanges = holds.flatMap(({ changes }) =>
		changes.map((change) => ({ change, state: 'held' as const })),
	);
	const all: SettledChange[] = [...sent, ...rest, ...heldChanges];
	return [
		...all.filter(({ state }) => !AS_WANTED.has(state)),
		...all.filter(({ state }) => AS_WANTED.has(state)),
	];
}

const AS_WANTED = new Set<ChangeState>(['applied', 'removed', 'missing', 'planned']);

function whyNot(result: ChangeResult, state: ChangeState): Failure | undefined {
	switch (result.kind) {
		case 'done':
			return undefined;
		case 'failed':
			return AS_WANTED.has(state) ? undefined : result.failure;
		case 'notTried':
			return whyUndone.notTried;
		case 'waiting':
			return whyUndone.waitsForUnconfirmed(result.by);
		case 'blocked':
			return whyUndone.blocked(result.by);
	}
}

const whyUndone = failuresOf('n8n', {
	blocked: (key: string) => ({
		message: `It needs ${key}, which is not there`,
		next: 'Nothing was sent for this one. It comes when that record is there, in a run whose export holds it.',
	}),
	waitsForUnconfirmed: (key: string) => ({
		message: `It needs ${key}, whose account was not seen yet`,
		next: 'Nothing was sent for this one. It comes in a run that sees the account, and whose export holds it.',
	}),
	notTried: {
		message: 'It was not sent: the run ended before, or others were refused alike',
		next: 'The next run whose export holds it goes on with it.',
	},
	schoolForbidden: {
		message: 'It was not sent: the service forbids such changes, or what it needs, in a school (403)',
		next: 'Ask the operator of the service. The next run whose export holds it tries again.',
	},
});

export function changeItem(
	{ change, state, failure }: SettledChange,
	{ runId, sequence, names }: { runId: string; sequence: number; names: RecordNames },
) {
	const { action, kind, key, school_external_id, why, send, source, hold } = change;
	return {
		...{ run_id: runId, sequence, action, kind, key, ...names, school_external_id },
		...{ state, why, send, source },
		...(hold !== undefined && { hold_id: hold }),
		...(failure !== undefined && {
			error: `${failure.message}\n${failure.next}`,
			failure: failureData(failure),
		}),
	};
}
