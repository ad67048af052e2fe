/** What a run tells: what became of each change, what a person should see, and the sums. Pure. */
import type { Failure } from '../../shared/failure';
import type { Change, ChangeState } from '../planning/change';
import type { Hold } from '../planning/holds';
import type { Done } from '../sending/batch';
import type { Result } from '../sending/result';

export interface Settled {
	change: Change;
	state: ChangeState;
	/** Why it was not done; undefined for what was done, is held, or was not meant to be sent. */
	failure: Failure | undefined;
}

/** Everything that was planned, with what became of it: what was not done comes first. */
export function settledChanges(
	planned: readonly Change[],
	done: readonly Done[],
	holds: readonly Hold[],
	isPreview: boolean,
): Settled[] {
	const sent = done.map(({ change, state, result }) => ({ change, state, failure: whyNot(result, state) }));
	const rest = planned.slice(done.length).map((change): Settled => {
		if (!isPreview) return { change, state: 'not tried', failure: NOT_TRIED };
		return { change, state: change.state, failure: undefined };
	});
	const held = holds.flatMap(({ changes }) =>
		changes.map((change): Settled => ({ change, state: 'held', failure: undefined })),
	);
	const all: Settled[] = [...sent, ...rest, ...held];
	return all.filter(({ state }) => !DONE.has(state)).concat(all.filter(({ state }) => DONE.has(state)));
}

const DONE = new Set<ChangeState>(['applied', 'removed', 'missing', 'planned']);

function whyNot(result: Result, state: ChangeState): Failure | undefined {
	if (result.kind === 'failed') return DONE.has(state) ? undefined : result.failure;
	if (result.kind === 'notTried') return NOT_TRIED;
	if (result.kind === 'done') return undefined;
	return result.kind === 'waiting' ? waitsFor(result.by) : blockedBy(result.by);
}

const blockedBy = (key: string): Failure => ({
	...NOT_SENT,
	code: 'blocked',
	message: `It needs ${key}, which is not there`,
	next: 'Nothing was sent for this one. It comes again when that record is there.',
});

const waitsFor = (key: string): Failure => ({
	...NOT_SENT,
	code: 'waitsForUnconfirmed',
	message: `It needs ${key}, whose account was not seen yet`,
	next: 'Nothing was sent for this one. It comes in the run that sees the account.',
});

const NOT_SENT = { origin: 'n8n', effect: 'none' } as const;

const NOT_TRIED: Failure = {
	...NOT_SENT,
	code: 'notTried',
	message: 'It was not sent: the run ended before',
	next: 'The next run goes on with it.',
};

/** How many changes wait for each that was not done, directly or through others, by key. */
export function blockedCounts(
	done: readonly Done[],
	waitsFor: ReadonlyMap<string, string>,
): Map<string, number> {
	const blockers = new Map(waitsFor);
	for (const { change, result } of done) {
		if (result.kind === 'blocked' || result.kind === 'waiting') blockers.set(change.key, result.by);
	}
	const counts = new Map<string, number>();
	for (const key of blockers.keys()) {
		let root = key;
		for (let next = blockers.get(root); next !== undefined; next = blockers.get(root)) root = next;
		counts.set(root, (counts.get(root) ?? 0) + 1);
	}
	return counts;
}
