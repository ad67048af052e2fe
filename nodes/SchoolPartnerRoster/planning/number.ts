/** From what may go to what goes tonight: cut, numbered, in batches, and the rows that are written before anything is sent. */
import { joined, shortDigestOf } from '../ledger/digest';
import type { Ledger } from '../ledger/ledger';
import { ownRow, type LedgerRow } from '../ledger/row';
import { tallyAdd, type BatchDetail, type RunDetail, type Tally } from '../ledger/runs';
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
	planned: Tally;
	left: Tally;
	changes: number;
	createsTo: number;
	removesTo: number;
	batches: LedgerRow[];
}

export async function numbered(given: Given): Promise<Numbered> {
	const { going, options, runId, planId, turns } = given;
	const isBySchool = options.onlySchools.length > 0;
	const inOrder = isBySchool ? bySchool(going) : going;
	const parts = new Map<string, Part>();
	const partOf = (school: string) => {
		const scope = isBySchool ? school : '';
		const part = parts.get(scope) ?? { planned: {}, left: {}, changes: 0, createsTo: 0, removesTo: 0, batches: [] };
		parts.set(scope, part);
		return part;
	};
	const changes: Change[] = [];
	let batch: Change[] = [];
	let batches = 0;
	const close = () => {
		if (batch.length > 0) addBatchRow(partOf(batch[0].school_external_id), batch, isBySchool);
		batch = [];
	};
	for (const candidate of inOrder.slice(0, options.mostChanges)) {
		if (turns.areDue()) await turns.give();
		const { school_external_id: school, kind, action } = candidate;
		if (batch.length >= options.batchSize || (isBySchool && batch.length > 0 && batch[0].school_external_id !== school)) close();
		if (batch.length === 0) batches += 1;
		const change = changeOf(candidate, runId, planId, batches, changes.length + 1);
		batch.push(change);
		changes.push(change);
		const part = partOf(school);
		part.changes += 1;
		tallyAdd(part.planned, school, kind, action, 1);
		if (action === 'create') part.createsTo = change.sequence;
		if (action !== 'note') part.removesTo = change.sequence;
	}
	close();
	const rest = inOrder.slice(options.mostChanges);
	for (const { isNew, school_external_id: school, kind, action } of rest) tallyAdd(partOf(school).left, school, kind, action, Number(isNew));
	return { changes, ledgerRows: rowsOf(parts, given), batches, left: rest.length };
}

/** One school after another: each has a journal of its own. */
function bySchool(going: readonly Candidate[]): Candidate[] {
	const schools = new Map<string, Candidate[]>();
	for (const candidate of going) {
		const known = schools.get(candidate.school_external_id);
		if (known === undefined) schools.set(candidate.school_external_id, [candidate]);
		else known.push(candidate);
	}
	return [...schools.values()].flat();
}

export function changeOf(candidate: Candidate, runId: string, planId: string, batch: number, sequence: number): Change {
	const { action, kind, key, school_external_id, hash, why, send, source, state, missing_since, detail } = candidate;
	const change = { run_id: runId, plan_id: planId, batch, sequence, action, kind, key, school_external_id, hash, why, send, source };
	return action === 'note' ? { ...change, state, missing_since, detail } : change;
}

function addBatchRow(part: Part, batch: readonly Change[], isBySchool: boolean): void {
	const creates = batch.filter(({ action }) => action === 'create').map(({ key }) => shortDigestOf(key));
	if (creates.length === 0) return;
	const detail: BatchDetail = { from: batch[0].sequence, to: batch[batch.length - 1].sequence, creates: joined(creates) };
	const school = isBySchool ? batch[0].school_external_id : '';
	part.batches.push({ ...ownRow('batch', `batch:${batch[0].batch}`, school, detail), sequence: String(detail.from) });
}

/** Rows of the runs first: those of batches are worth nothing without them. */
function rowsOf(parts: ReadonlyMap<string, Part>, { ledger, options, marks, files, runId, at }: Given): LedgerRow[] {
	const runs = [...parts].map(([school, part]) => {
		const detail: RunDetail = {
			rows: ledger.scopes.get(school)?.rows ?? 0,
			...marksFor(marks, ledger.scopes.get(school)?.last?.detail),
			files: [...files],
			batch_size: options.batchSize,
			batches: part.batches.length,
			changes: part.changes,
			creates_to: part.createsTo,
			removes_to: part.removesTo,
			planned: part.planned,
			left: part.left,
		};
		return { ...ownRow('run', 'run', school, detail), sequence: '0' };
	});
	return [...runs, ...[...parts.values()].flatMap(({ batches }) => batches)].map((row) => ({ ...row, run_id: runId, at }));
}
