/** What a person should see: one item for each thing, with what can be done about it. */
import { idsIn } from '../ledger/key';
import type { Kind } from '../roster/record';
import type { Finding } from '../roster/finding';
import type { Hold } from '../planning/holds';
import type { Done } from '../sending/batch';

import { blockedCounts, type Settled } from './outcomes';

/** Item of the output Needs Attention. */
export interface Attention {
	severity: Finding['severity'];
	code: string;
	message: string;
	what_to_do: string;
	kind?: Kind;
	key?: string;
	external_id?: string;
	school_external_id?: string;
	/** How many others wait for it. */
	blocks?: number;
	/** How many rows it is about, and the first of them. */
	count?: number;
	places?: Finding['places'];
	file?: string;
	line?: number;
	hold_id?: string;
}

/** What is grouped in the output Summary. */
export interface Cause {
	code: string;
	severity: Finding['severity'];
	count: number;
	message: string;
	what_to_do: string;
}

/** Items about single changes: what is beyond this number is only counted. */
const MOST_ITEMS = 1_000;

export function attentionItems(
	settled: readonly Settled[],
	done: readonly Done[],
	holds: readonly Hold[],
	findings: readonly Finding[],
): Attention[] {
	const waiting = blockedCounts(done);
	const undone = settled.filter(({ failure }) => failure !== undefined && failure.code !== 'blocked');
	const tried = undone.filter(({ state }) => state !== 'not tried');
	const items = [
		...holds.map(heldItem),
		...tried.slice(0, MOST_ITEMS).map((one) => undoneItem(one, waiting)),
		...notTried(undone.length - tried.length),
		...more(tried.length - MOST_ITEMS),
		...findings.map(findingItem),
	];
	const order = ['error', 'warning', 'information'];
	return items.sort((one, other) => order.indexOf(one.severity) - order.indexOf(other.severity));
}

function findingItem(finding: Finding): Attention {
	return finding.key === undefined ? finding : { ...finding, ...idsIn(finding.key) };
}

function heldItem({ hold_id, school_external_id, reason, what_to_do, changes }: Hold): Attention {
	return {
		...{ severity: 'warning', code: 'held', message: reason, what_to_do },
		...(school_external_id !== '' && { school_external_id }),
		...{ hold_id, count: changes.length },
	};
}

const AFTERWARDS: Readonly<Record<string, string>> = {
	uncertain:
		'Nobody knows whether the service has it: look there, and run the operation Resolve with its key. The next runs tell it until it is settled.',
	exists:
		"It may be somebody else's, so what needs it waits. Look into the service, and run the operation Resolve with its key.",
};

function undoneItem({ change, state, failure }: Settled, waiting: ReadonlyMap<string, number>): Attention {
	const { kind, key, school_external_id, source } = change;
	const blocks = waiting.get(key);
	const after = AFTERWARDS[state] ?? 'The next run tries it again.';
	return {
		...{ severity: 'error', code: state === 'failed' ? (failure?.code ?? 'failed') : state },
		message: failure?.message ?? '',
		what_to_do: [failure?.next, after].filter(Boolean).join('\n'),
		...{ kind, key, ...idsIn(key), school_external_id },
		...(blocks !== undefined && { blocks }),
		...(source !== null && { file: source.file, line: source.line }),
	};
}

function notTried(count: number): Attention[] {
	if (count === 0) return [];
	const message = `${count} changes were not sent: the run was ended, or the service was in trouble too many times in a row`;
	const what_to_do = 'Start the workflow again: the next run goes on with them.';
	return [{ severity: 'warning', code: 'notTried', message, what_to_do, count }];
}

function more(count: number): Attention[] {
	if (count <= 0) return [];
	const message = `${count} more changes were not done`;
	return [
		{ severity: 'error', code: 'more', message, what_to_do: 'The output Changes has all of them.', count },
	];
}

/** Items by code, the most frequent first. */
export function causesOf(items: readonly Attention[]): Cause[] {
	const causes = new Map<string, Cause>();
	for (const { code, severity, message, what_to_do, count = 1 } of items) {
		const known = causes.get(code);
		if (known === undefined) causes.set(code, { code, severity, count, message, what_to_do });
		else known.count += count;
	}
	return [...causes.values()].sort((one, other) => other.count - one.count);
}
