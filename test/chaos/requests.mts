/** The part of the matrix in which a fault strikes single requests: one run of an operation for a family of faults. */
import { setTimeout as wait } from 'node:timers/promises';

import type { Session } from '../../playground/n8n-client.mts';

import { findingsOf, saysServiceWords, shortOf, type Cell, type KeySeen } from './cell.mts';
import {
	EXPECTATIONS,
	longestRequest,
	MAX_RETRIES,
	type Expectation,
	type Family,
	type Variation,
} from './expectations.mts';
import { ELSEWHERE, faultNamed, type Fault } from './faults.mts';
import type { Key } from './keys.mts';
import type { OperationCase } from './operations.mts';
import { arrivalsByKey, run, seenRun, workflowOf, type RunOptions, type RunSeen } from './runs.mts';
import type { Lane } from './stage.mts';

const FAMILIES: Record<Family, { timeout: number; longestRetryAfterMs: number }> = {
	refusals: { timeout: 5_000, longestRetryAfterMs: 0 },
	busy: { timeout: 5_000, longestRetryAfterMs: 4_000 },
	lost: { timeout: 1_500, longestRetryAfterMs: 0 },
	content: { timeout: 5_000, longestRetryAfterMs: 0 },
};

/** A busy machine: what n8n itself needs beside the requests. */
const SLACK_MS = 4_000;
const CONCURRENCY = 20;

/** That nothing happens to, behind those that are refused: the run goes on, so that it is plain that these alone are refused. */
const OTHERS = 3 * CONCURRENCY;

/** Runs of which each tells about all of its faults. */
export interface Job {
	operation: OperationCase;
	family: Family;
	expectations: readonly Expectation[];
}

interface Strike {
	expectation: Expectation;
	fault: Fault;
	variation: Variation;
}

/** Undefined: nothing strikes, and the item must be done as if nothing were. */
type Entry = Strike | undefined;

export function jobsOf(operations: readonly OperationCase[]): Job[] {
	const families = Object.keys(FAMILIES) as Family[];
	const jobs = operations.flatMap((operation) =>
		families.flatMap((family): Job[] => {
			const expectations = EXPECTATIONS.filter(
				({ family: of, fault }) =>
					of === family && (fault !== 'wrong type' || operation.goodAnswer !== undefined),
			);
			// A run is one client: refusals of one kind hold it, and those of fifteen kinds together would hold it for minutes.
			if (!operation.alone && family !== 'busy') return [{ operation, family, expectations }];
			return expectations.map((one) => ({ operation, family, expectations: [one] }));
		}),
	);
	// Long ones first, so that no lane is left with one at the end.
	const order: Family[] = ['lost', 'busy', 'refusals', 'content'];
	return jobs.sort((one, other) => order.indexOf(one.family) - order.indexOf(other.family));
}

export async function performJob(session: Session, lane: Lane, job: Job): Promise<Cell[]> {
	const { operation, expectations } = job;
	const strikes = expectations.flatMap((expectation) =>
		(['once', 'always'] as const).map(
			(variation): Strike => ({
				expectation,
				fault: faultNamed(expectation.fault, operation.goodAnswer),
				variation,
			}),
		),
	);
	const seen: Array<Seen & { strike: Strike }> = [];
	if (operation.alone) {
		for (const strike of strikes) {
			const [one] = await performRun(session, lane, job, [strike]);
			if (one !== undefined) seen.push({ ...one, strike });
		}
	} else {
		const others = Array.from({ length: othersOf(job) }, () => undefined);
		const all = await performRun(session, lane, job, [undefined, ...strikes, undefined, ...others]);
		strikes.forEach((strike, index) => {
			const one = all[index + 1];
			if (one !== undefined) seen.push({ ...one, strike });
		});
	}
	return expectations.map((expectation) => {
		const [once, always] = seen.filter(({ strike }) => strike.expectation === expectation);
		const findings = [once, always].flatMap((one) => one?.findings ?? ['it was not tried']);
		return {
			operation: operation.name,
			column: expectation.fault,
			short: shortOf(operation.kind, once?.seen, always?.seen),
			findings,
			details: {
				promised: expectation.verdicts[operation.kind],
				once: detailsOf(once),
				always: detailsOf(always),
			},
		};
	});
}

/** What is asked of the sign-on spends its retries whatever becomes of the others; and where all items are one request, there are none. */
function othersOf({ family, operation: { kind, alone } }: Job): number {
	return family === 'busy' && kind !== 'redeem' && !alone ? OTHERS : 0;
}

interface Seen {
	seen: KeySeen;
	findings: string[];
	nodeMs: number;
	boundMs: number;
}

function detailsOf(one: Seen | undefined) {
	if (one === undefined) return {};
	const { seen, nodeMs, boundMs } = one;
	const [item] = seen.items;
	return {
		arrived: seen.arrivals.length,
		outcome: item?.outcome,
		message: item?.message,
		done: seen.done,
		nodeMs,
		boundMs,
	};
}

async function performRun(
	session: Session,
	lane: Lane,
	job: Job,
	entries: readonly Entry[],
): Promise<Seen[]> {
	const { operation } = job;
	const { timeout, longestRetryAfterMs } = FAMILIES[job.family];
	const { admin } = lane.sandbox;
	await admin.reset();
	const keys = await operation.keys(lane.sandbox, entries.length);
	const armed = entries.map(
		(entry) => entry && { ...entry, fault: faultNamed(entry.expectation.fault, operation.goodAnswer) },
	);
	for (const [index, entry] of armed.entries()) {
		if (entry === undefined) continue;
		const once = entry.variation === 'once' ? { times: 1 } : {};
		await admin.addFault({ ...keys[index]?.match, ...once }, entry.fault.action);
	}
	await admin.clearRequests();
	const options: RunOptions = { timeout, maxRetries: MAX_RETRIES, concurrency: CONCURRENCY };
	const workflow = workflowOf(operation, keys, lane.credentials[operation.credential], options);
	const ended = seenRun(await run(session, workflow), keys.length * operation.itemsPerKey);
	// Work that was on its way at a timeout is done meanwhile.
	if (job.family === 'lost') await wait(100);
	// Others are answered at once.
	const slow = keys.length - othersOf(job);
	const boundMs = boundOf(operation, slow, longestRequest(timeout, MAX_RETRIES, longestRetryAfterMs));
	return await seenKeys(lane, operation, keys, armed, ended, boundMs);
}

/** All requests, `CONCURRENCY` at a time, each as long as it may take; updates that are halved take three turns. */
function boundOf({ kind }: OperationCase, keys: number, longest: number): number {
	const requests = kind === 'parts' ? keys * 6 : keys;
	const turns = Math.ceil(requests / CONCURRENCY) * (kind === 'change' ? 3 : 1);
	return turns * longest + SLACK_MS;
}

async function seenKeys(
	{ sandbox }: Lane,
	operation: OperationCase,
	keys: readonly Key[],
	entries: readonly Entry[],
	ended: RunSeen,
	boundMs: number,
): Promise<Seen[]> {
	const arrived = await arrivalsByKey(sandbox, keys);
	const done = await operation.done?.(sandbox.admin, keys);
	const followed = await sandbox.admin.countRequests({ path: ELSEWHERE });
	const seenOf = ({ id }: Key, index: number): KeySeen => ({
		variation: entries[index]?.variation ?? 'once',
		arrivals: (arrived.get(id) ?? []).map(({ at }) => Date.parse(at)),
		items: ended.items.slice(index * operation.itemsPerKey, (index + 1) * operation.itemsPerKey),
		done: done?.has(id),
		...notBefore(entries[index]),
	});
	const seen = keys.map(seenOf);
	const ofRun = [
		...seen.flatMap((one, index) => (entries[index] === undefined ? healthyFindings(one) : [])),
		...(ended.status === 'success' ? [] : [`the run ended as ${ended.status}: ${ended.error}`]),
		...(ended.nodeMs <= boundMs ? [] : [`the run took ${ended.nodeMs} ms, its bound is ${boundMs} ms`]),
		...(followed === 0 ? [] : ['a redirect was followed']),
	];
	return seen.map((one, index): Seen => {
		const entry = entries[index];
		const findings = entry === undefined ? [] : struckFindings(operation, entry, one);
		return { seen: one, findings: [...ofRun, ...findings], nodeMs: ended.nodeMs, boundMs };
	});
}

function notBefore(entry: Entry): { notBefore?: number } {
	const after = entry?.expectation.fault === 'after date' ? entry.fault.action.retryAfter : undefined;
	return typeof after === 'string' ? { notBefore: Date.parse(after) } : {};
}

function healthyFindings({ arrivals, items, done }: KeySeen): string[] {
	const isDone =
		arrivals.length === 1 && items.every(({ outcome }) => outcome === 'success') && done !== false;
	return isDone ? [] : ['an item that nothing happened to was not done exactly once'];
}

function struckFindings({ kind }: OperationCase, { expectation, fault }: Strike, seen: KeySeen): string[] {
	const findings = findingsOf(kind, expectation, fault.does, seen);
	const isWorded = fault.action.body !== undefined && expectation.family === 'refusals' && kind !== 'redeem';
	const silent = isWorded && seen.items.some((item) => item.outcome === 'failure' && !saysServiceWords(item));
	return silent ? [...findings, 'the words of the service are lost'] : findings;
}
