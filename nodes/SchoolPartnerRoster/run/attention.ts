/** What a person should see: one remark for each thing, with what can be done about it. Pure. */
import { idsIn } from '../ledger/key';
import type { Finding } from '../roster/finding';
import { triedAgain } from '../planning/findingsOfRecords';
import { hasLeft, type LeftRecord } from '../planning/left';
import type { Hold } from '../planning/holds';
import { nextTry } from '../planning/refused';
import type { Done } from '../sending/batch';

import { blockedCounts, type Settled } from './outcomes';

/** An item of Needs Attention, as far as tonight alone says it. */
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

/** Items about single changes: what is beyond this number is only counted. */
const MOST_ITEMS = 1_000;

/** All of a run but who has left, the most severe first. */
export function remarksOf(
	settled: readonly Settled[],
	done: readonly Done[],
	holds: readonly Hold[],
	findings: readonly Finding[],
	waitsFor: ReadonlyMap<string, string>,
): Remark[] {
	const waiting = blockedCounts(done, waitsFor);
	const undone = settled.filter(({ failure }) => failure !== undefined && !OF_OTHERS.has(failure.code));
	const tried = undone.filter(({ state }) => state !== 'not tried');
	const items: Remark[] = holds.map((hold) => heldItem(hold, waiting));
	for (const one of tried.slice(0, MOST_ITEMS)) items.push(undoneItem(one, waiting));
	const [leftOver, more] = [undone.length - tried.length, tried.length - MOST_ITEMS];
	if (leftOver > 0) items.push(notTried(leftOver));
	if (more > 0) items.push(notListed(more));
	for (const one of findings) items.push(findingItem(one, waiting));
	const untold = waitingUntold(items, holds, waiting);
	if (untold > 0) items.push(waits(untold));
	const order = ['error', 'warning', 'information'];
	return items.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

/** The code of those that only wait, where what they wait for has no item. */
export const WAITS = 'waits';

/** What only waits for another is counted with that one. */
const OF_OTHERS = new Set<string | undefined>(['blocked', 'waitsForUnconfirmed']);

function findingItem(finding: Finding, waiting: ReadonlyMap<string, number>): Remark {
	if (finding.key === undefined) return finding;
	const blocks = finding.isOfOne || finding.count === 1 ? waiting.get(finding.key) : undefined;
	return { ...finding, ...idsIn(finding.key), ...(blocks !== undefined && { blocks }) };
}

function heldItem(
	{ hold_id, school_external_id, reason, what_to_do, changes }: Hold,
	waiting: ReadonlyMap<string, number>,
): Remark {
	const blocks = changes.reduce((sum, { key }) => sum + (waiting.get(key) ?? 0), 0);
	return {
		...{ severity: 'warning', code: 'held', message: reason, what_to_do },
		...(school_external_id !== '' && { school_external_id }),
		...{ hold_id, count: changes.length },
		...(blocks > 0 && { blocks }),
	};
}

const AFTERWARDS: Readonly<Record<string, string>> = {
	uncertain:
		'Nobody knows whether the service has it: look there, and run the operation Resolve with its key. The next runs tell it until it is settled.',
	exists:
		"It may be somebody else's, so what needs it waits. Look into the service, and run the operation Resolve with its key.",
};

function undoneItem({ change, state, failure }: Settled, waiting: ReadonlyMap<string, number>): Remark {
	const { kind, key, school_external_id, source } = change;
	const blocks = waiting.get(key);
	const again =
		change.refused === undefined
			? 'The next run tries it again.'
			: triedAgain(change, nextTry(change.refused));
	const after = AFTERWARDS[state] ?? again;
	return {
		...{ severity: 'error', code: state === 'failed' ? (failure?.code ?? 'failed') : state },
		message: failure?.message ?? '',
		what_to_do: [failure?.next, after].filter(Boolean).join('\n'),
		...{ kind, key, ...idsIn(key), school_external_id, isOfOne: true },
		...(blocks !== undefined && { blocks }),
		// What exists is told as such on the nights that follow, too.
		...(change.refused !== undefined && state !== 'exists' && { isRefusal: true }),
		...(source !== null && { file: source.file, line: source.line }),
	};
}

/** How many wait for something that has no item of its own, such as one of many bonds with the same error. */
function waitingUntold(
	items: readonly Remark[],
	holds: readonly Hold[],
	waiting: ReadonlyMap<string, number>,
): number {
	const told = new Set(items.flatMap(({ key, blocks }) => (blocks === undefined ? [] : key)));
	for (const { changes } of holds) for (const { key } of changes) told.add(key);
	return [...waiting].reduce((sum, [key, count]) => (told.has(key) ? sum : sum + count), 0);
}

const waits = (count: number): Remark => ({
	severity: 'warning',
	code: WAITS,
	message: `${count} more wait for something that has an error, or is not there yet`,
	what_to_do: 'Nothing for these: they come by themselves in the run after the other is there.',
	count,
});

const notTried = (count: number): Remark => ({
	severity: 'warning',
	code: 'notTried',
	message: `${count} changes were not sent: the run was ended, or the service was in trouble too many times in a row`,
	what_to_do: 'Start the workflow again: the next run goes on with them.',
	count,
});

const notListed = (count: number): Remark => ({
	severity: 'error',
	code: 'more',
	message: `${count} more changes were not done`,
	what_to_do: 'The output Changes has all of them.',
	count,
});

export function remarkOfLeft(left: LeftRecord): Remark {
	const { key, school: school_external_id, source } = left;
	return { ...hasLeft(left), key, ...idsIn(key), school_external_id, ...source };
}

/** Who has left beyond those that are named. They are named in the runs that follow. */
export const moreLeft = (kind: LeftRecord['kind'], count: number): Remark => ({
	...hasLeft({ kind }),
	message: `${count} more of the kind ${kind} are no longer in the export`,
	what_to_do: 'Nothing for now: the next runs name them.',
	isOfOne: undefined,
	count,
});
