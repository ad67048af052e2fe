/** What one run has to tell, before it is held against what was told in the nights before. Pure. */
import { idsIn } from '../ledger/key';
import type { Hold } from '../planning/holds';
import type { Plan } from '../planning/plan';
import { hasLeft, type LeftRecord } from '../planning/recordFindings';
import { doneLater, eachDoneLater } from '../planning/refused';
import type { Finding } from '../roster/finding';
import { SAME_ROSTER, type Roster } from '../roster/roster';
import type { Done } from '../sending/batch';

import type { SettledChange } from './changes';

/** What a person should see, as far as the run alone says it. */
export interface Remark extends Omit<Finding, 'count' | 'places'> {
	external_id?: string;
	school_external_id?: string;
	/** How many others wait for it. */
	blocks?: number;
	/** How many rows it is about, and where they stand. */
	count?: number;
	places?: Finding['places'];
	hold_id?: string;
	/** It is refused again and again: one thing, whether it was tried tonight or not. */
	isRefusal?: true;
}

/** What a run has planned, done and found. */
export interface RunOutcome {
	roster: Roster;
	plan: Plan;
	done: readonly Done[];
	findings: readonly Finding[];
}

/** Items about single changes, and of who has left, at most: what is beyond is only counted. */
export const MOST_ITEMS = 1_000;

/** All of a run but who has left, the most severe first. */
export function remarksOf(
	settled: readonly SettledChange[],
	{ plan, done, findings, roster }: RunOutcome,
): Remark[] {
	const waiting = new WaitingChanges(done, plan.waitsFor);
	const undone = settled.filter(({ failure }) => failure !== undefined && !OF_OTHERS.has(failure.code));
	const tried = undone.filter(({ state }) => state !== 'not tried');
	const [leftOver, more] = [undone.length - tried.length, tried.length - MOST_ITEMS];
	const remarks = [
		...plan.holds.map((hold) => heldRemark(hold, waiting)),
		...tried.slice(0, MOST_ITEMS).map((change) => undoneRemark(change, waiting, roster)),
		...(leftOver > 0 ? [notTried(leftOver, roster)] : []),
		...(more > 0 ? [notListed(more)] : []),
		...findings.map((finding) => findingRemark(finding, waiting)),
	];
	const others = waiting.ofNoRemark();
	if (others > 0) remarks.push(waits(others, roster));
	const order = ['error', 'warning', 'information'];
	return remarks.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

/** The code of those that only wait, where what they wait for has no item. */
export const WAITS = 'waits';

/** What only waits for another is counted with that one, or with its school. */
const OF_OTHERS = new Set<string | undefined>(['blocked', 'waitsForUnconfirmed', 'schoolForbidden']);

function findingRemark(finding: Finding, waiting: WaitingChanges): Remark {
	const { key, isOfOne, count } = finding;
	if (key === undefined) return finding;
	return { ...finding, ...idsIn(key), ...(isOfOne || count === 1 ? waiting.blockedBy([key]) : {}) };
}

function heldRemark(
	{ hold_id, school_external_id, reason, what_to_do, changes }: Hold,
	waiting: WaitingChanges,
): Remark {
	return {
		...{ severity: 'warning', code: 'held', message: reason, what_to_do },
		...(school_external_id !== '' && { school_external_id }),
		...{ hold_id, count: changes.length },
		...waiting.blockedBy(changes.map(({ key }) => key)),
	};
}

const AFTERWARDS: Readonly<Record<string, string>> = {
	uncertain:
		'Nobody knows whether the service has it: look there, and run the operation Resolve with its key. The next runs tell it until it is settled.',
	exists:
		"It may be somebody else's, so what needs it waits. Look into the service, and run the operation Resolve with its key.",
};

function undoneRemark(
	{ change, state, failure }: SettledChange,
	waiting: WaitingChanges,
	roster: Roster,
): Remark {
	const { action, kind, key, school_external_id, source } = change;
	// A removal is done again by itself.
	const settled = action === 'remove' ? undefined : AFTERWARDS[state];
	const advice = (after: string) => [failure?.next, after].filter(Boolean).join('\n');
	return {
		...{ severity: 'error', code: state === 'failed' ? (failure?.code ?? 'failed') : state },
		message: failure?.message ?? '',
		what_to_do: advice(settled ?? doneLater(change, roster)),
		...(settled === undefined &&
			change.refused !== undefined && { ofSeveral: { what_to_do: advice(eachDoneLater(change, roster)) } }),
		...{ kind, key, ...idsIn(key), school_external_id, isOfOne: true },
		...(action !== 'note' && { action }),
		...waiting.blockedBy([key]),
		// What exists is told as such on the nights that follow, too.
		...(change.refused !== undefined && state !== 'exists' && { isRefusal: true }),
		...(source !== null && { file: source.file, line: source.line }),
	};
}

/** Changes that wait for others that were not done. Each is told with the one it waits for, directly or through others. */
class WaitingChanges {
	/** How many wait for each, by key. */
	private readonly counts = new Map<string, number>();
	private readonly told = new Set<string>();

	constructor(done: readonly Done[], waitsFor: ReadonlyMap<string, string>) {
		const blockers = new Map(waitsFor);
		for (const { change, result } of done) {
			if (result.kind === 'blocked' || result.kind === 'waiting') blockers.set(change.key, result.by);
		}
		for (const key of blockers.keys()) {
			let root = key;
			for (let next = blockers.get(root); next !== undefined; next = blockers.get(root)) root = next;
			this.counts.set(root, (this.counts.get(root) ?? 0) + 1);
		}
	}

	/** How many wait for these, for the remark about them. */
	blockedBy(keys: readonly string[]): Pick<Remark, 'blocks'> {
		for (const key of keys) this.told.add(key);
		const blocks = keys.reduce((sum, key) => sum + (this.counts.get(key) ?? 0), 0);
		return blocks > 0 ? { blocks } : {};
	}

	/** How many wait for something without a remark of its own, such as one of many bonds with the same error. */
	ofNoRemark(): number {
		return [...this.counts].reduce((sum, [key, count]) => (this.told.has(key) ? sum : sum + count), 0);
	}
}

const waits = (count: number, roster: Roster): Remark => ({
	severity: 'warning',
	code: WAITS,
	message: `${count} more wait for something that has an error, or is not there yet`,
	what_to_do: roster.comesOnce
		? `When the other is there, start Sync again ${SAME_ROSTER}.`
		: 'Nothing for these: they come by themselves in the run after the other is there.',
	count,
});

const notTried = (count: number, roster: Roster): Remark => ({
	severity: 'warning',
	code: 'notTried',
	message: `${count} changes were not sent: the run ended, the service was in trouble, or others were refused alike`,
	what_to_do: roster.comesOnce
		? `Start Sync again ${SAME_ROSTER}.`
		: 'Start the workflow again: the next run goes on with them.',
	count,
});

const notListed = (count: number): Remark => ({
	severity: 'error',
	code: 'more',
	message: `${count} more changes were not done`,
	what_to_do: 'The output Changes has all of them.',
	count,
});

export function leftRemark(left: LeftRecord): Remark {
	const { key, school: school_external_id } = left;
	return { ...hasLeft(left), key, ...idsIn(key), school_external_id };
}
