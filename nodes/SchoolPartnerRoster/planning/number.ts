/** From what may go to what goes tonight: cut, numbered, in batches, and the rows that are written before anything is sent. */
import { joined, shortDigestOf } from '../ledger/digest';
import type { Ledger } from '../ledger/ledger';
import { compared, ownRow, type LedgerRow } from '../ledger/row';
import { ACTIONS, tallyAdd, type BatchDetail, type RunDetail, type Tally } from '../ledger/runs';
import type { Turns } from '../roster/turns';

import { marksFor, type Marks } from './admit';
import type { Candidate, Change } from './change';
import type { PlanOptions } from './options';

export interface Numbered {
	changes: Change[];
	ledgerRows: LedgerRow[];
	batches: number;
	/** How many are left to the next run. */
	left: number;
}

interface Given {
	/** What may go, in order. */
	going: readonly Candidate[];
	ledger: Ledger;
	options: PlanOptions;
	marks: Marks;
	files: readonly string[];
	runId: string;
	planId: string;
	/** When it was planned, ISO 8601. */
	at: string;
	turns: Turns;
}

/** What one journal is told of a run. */
interface Part {
	left: Tally;
	changes: number;
	/** Its changes of each batch. */
	batches: Map<number, Change[]>;
}

export async function numbered(given: Given): Promise<Numbered> {
	const { going, options, runId, planId, turns } = given;
	const parts = new Map<string, Part>();
	const partOf = (school: string) => {
		const scope = options.onlySchools.length > 0 ? school : '';
		const part = parts.get(scope) ?? { left: {}, changes: 0, batches: new Map<number, Change[]>() };
		parts.set(scope, part);
		return part;
	};
	const changes: Change[] = [];
	const { now, rest } = await cut(going, options.mostChanges, turns);
	for (const candidate of now) {
		if (turns.areDue()) await turns.give();
		// Loop Over Items counts items: a batch is full before the next begins, whatever journals its changes belong to.
		const batch = Math.floor(changes.length / options.batchSize) + 1;
		const change = changeOf(candidate, runId, planId, batch, changes.length + 1);
		changes.push(change);
		const part = partOf(change.school_external_id);
		part.changes += 1;
		const inBatch = part.batches.get(batch);
		if (inBatch === undefined) part.batches.set(batch, [change]);
		else inBatch.push(change);
	}
	for (const { isNew, school_external_id: school, kind, action } of rest)
		tallyAdd(partOf(school).left, school, kind, action, Number(isNew));
	return {
		changes,
		ledgerRows: rowsOf(parts, given),
		batches: changes.at(-1)?.batch ?? 0,
		left: rest.length,
	};
}

/**
 * The first so many, in their order. What was tried before and was not done stands behind the rest, with all that needs it, what was tried
 * longest ago first: refused every night, it would otherwise keep everything else from coming.
 */
async function cut(
	going: readonly Candidate[],
	most: number,
	turns: Turns,
): Promise<{ now: readonly Candidate[]; rest: readonly Candidate[] }> {
	if (going.length <= most) return { now: going, rest: [] };
	const late = new Map<string, string>();
	const lateAt = new Map<string, string[]>();
	for (const { key, triedAt, needs } of going) {
		if (turns.areDue()) await turns.give();
		// As late as what it needs, or it would be sent without that.
		const at = [triedAt, ...needs.map((needed) => late.get(needed))]
			.filter((time) => time !== undefined)
			.sort(compared)
			.at(-1);
		if (at === undefined) continue;
		late.set(key, at);
		const keys = lateAt.get(at);
		if (keys === undefined) lateAt.set(at, [key]);
		else keys.push(key);
	}
	let places = Math.min(most, going.length - late.size);
	const ofLate = new Set(
		[...lateAt.keys()]
			.sort(compared)
			.flatMap((at) => lateAt.get(at) ?? [])
			.slice(0, most - places),
	);
	const [now, rest]: [Candidate[], Candidate[]] = [[], []];
	for (const candidate of going) {
		if (turns.areDue()) await turns.give();
		const isTaken = late.has(candidate.key) ? ofLate.has(candidate.key) : places-- > 0;
		(isTaken ? now : rest).push(candidate);
	}
	return { now, rest };
}

export function changeOf(
	candidate: Candidate,
	runId: string,
	planId: string,
	batch: number,
	sequence: number,
): Change {
	const {
		action,
		kind,
		key,
		school_external_id,
		hash,
		needs,
		why,
		send,
		source,
		state,
		missing_since,
		detail,
	} = candidate;
	const change = {
		run_id: runId,
		plan_id: planId,
		batch,
		sequence,
		action,
		kind,
		key,
		school_external_id,
		hash,
		needs,
		why,
		send,
		source,
	};
	if (candidate.counted === 'changed') return { ...change, changed: true };
	return action === 'note' ? { ...change, state, missing_since, detail } : change;
}

function batchRow(school: string, batch: readonly Change[]): LedgerRow {
	const detail: BatchDetail = {};
	for (const action of ACTIONS) {
		const keys = batch.filter((change) => change.action === action).map(({ key }) => shortDigestOf(key));
		if (keys.length > 0) detail[action] = joined(keys);
	}
	return {
		...ownRow('batch', `batch:${batch[0].batch}`, school, detail),
		sequence: String(batch[0].sequence),
	};
}

/** Rows of the runs first: those of batches are worth nothing without them. */
function rowsOf(
	parts: ReadonlyMap<string, Part>,
	{ ledger, options, marks, files, runId, at }: Given,
): LedgerRow[] {
	const runs = [...parts].map(([school, { batches, changes, left }]) => {
		const detail: RunDetail = {
			rows: ledger.scopes.get(school)?.rows ?? 0,
			...marksFor(marks, ledger.scopes.get(school)?.last?.detail),
			files: [...files],
			batch_size: options.batchSize,
			batches: batches.size,
			changes,
			left,
		};
		return { ...ownRow('run', 'run', school, detail), sequence: '0' };
	});
	const batches = [...parts].flatMap(([school, part]) =>
		[...part.batches.values()].map((batch) => batchRow(school, batch)),
	);
	return [...runs, ...batches].map((row) => ({ ...row, run_id: runId, at }));
}
