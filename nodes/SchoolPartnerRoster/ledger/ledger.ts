/** The ledger as a table gave it, and what it says: what is there, and how the runs before came to an end. */
import { failed, success, type Outcome } from '../../shared/failure';

import { shortDigestOf } from './digest';
import { fold, type LedgerEntry, type Folded } from './fold';
import { isOfRecord, isOutcome, isSameRow, readRow, type LedgerRow } from './row';
import { reachOf, scopeOf, type RunRows, type Scope } from './runs';
import { ledgerStop } from './stop';
import type { Turns } from '../roster/turns';

export interface Ledger {
	/** Items with something in them, whether they count or not. */
	items: number;
	/** Rows that count: not twice, not forgotten by a compaction. */
	rows: number;
	/** The greatest id of a run, of those that do not count too; '' when there is none. */
	greatest: string;
	/** What is known of each record, by key. */
	entries: Map<string, LedgerEntry>;
	/** '' for the whole ledger, or the schools whose journals it holds. */
	scopes: Map<string, Scope>;
	/** Short digests of what runs without an end may have created, and these runs. */
	uncertain: Map<string, string[]>;
	/** Those of them that no row names, of runs that are the last ones. */
	nameless: Set<string>;
}

/** Which journals a ledger is read for: `whole`, one for all; `asWritten`, what its rows say; or those of some schools, and no other rows. */
export type Scoping = 'whole' | 'asWritten' | ReadonlySet<string>;

/** What all rows say, before they are folded. */
interface Gathered {
	items: number;
	greatest: string;
	/** A list only where a key has more than one: most have one. */
	byKey: Map<string, LedgerRow | LedgerRow[]>;
	/** By school ('' where the row has none), then by run. */
	bySchool: Map<string, Map<string, RunRows>>;
}

/** Whether the service may have a record. */
export function isThere(ledger: Ledger, key: string): boolean {
	const entry = ledger.entries.get(key);
	return entry === undefined ? isUncertain(ledger, key) : entry.there !== 'no';
}

/** Whether a run without an end may have created something that the ledger has no row of. */
export function isUncertain(ledger: Ledger, key: string): boolean {
	return ledger.uncertain.size > 0 && ledger.uncertain.has(shortDigestOf(key));
}

/**
 * Reads all rows of a ledger. What cannot be believed stops.
 * @param look is shown the rows that each entry follows from, in the order of the table
 */
export async function readLedger(
	items: readonly unknown[],
	scoping: Scoping,
	turns: Turns,
	look: (folded: Folded) => void = () => {},
): Promise<Outcome<Ledger>> {
	const read = await gather(items, scoping, turns);
	if (!read.ok) return read;
	const gathered = read.value;
	const parted = partedIntoScopes(gathered, scoping);
	if (!parted.ok) return parted;
	const scopes = new Map<string, Scope>();
	const reach = reachOf([...parted.value.values()]);
	for (const [school, runs] of parted.value) {
		const scope = scopeOf(school, runs, reach);
		if (!scope.ok) return scope;
		scopes.set(school, scope.value);
	}
	const uncertain = new Map<string, string[]>();
	for (const { runId, digests } of [...scopes.values()].flatMap((scope) => scope.uncertain)) {
		for (const digest of digests) uncertain.set(digest, [...(uncertain.get(digest) ?? []), runId]);
	}
	const nameless = new Set(
		[...scopes.values()].flatMap(({ isInterrupted, uncertain: runs }) =>
			isInterrupted ? (runs.at(-1)?.digests ?? []) : [],
		),
	);
	const entries = await entriesOf(gathered, scopes, uncertain, turns, (folded) => {
		if (nameless.size > 0) nameless.delete(shortDigestOf(folded.entry.key));
		look(folded);
	});
	const rows = [...scopes.values()].reduce((sum, scope) => sum + scope.rows, 0);
	return success({
		items: gathered.items,
		rows,
		greatest: gathered.greatest,
		entries,
		scopes,
		uncertain,
		nameless,
	});
}

async function gather(items: readonly unknown[], scoping: Scoping, turns: Turns): Promise<Outcome<Gathered>> {
	const gathered: Gathered = { items: 0, greatest: '', byKey: new Map(), bySchool: new Map() };
	let foreign = 0;
	for (const item of items) {
		if (turns.areDue()) await turns.give();
		const row = readRow(item);
		if (row === 'empty') continue;
		gathered.items += 1;
		if (row === 'foreign') foreign += 1;
		else if (row === 'broken') return failed(brokenRow(gathered.items));
		else if (typeof scoping === 'string' || scoping.has(row.school_external_id)) add(gathered, row);
		else if (isOfAll(row)) return failed(WRITTEN_FOR_ALL);
	}
	return foreign > 0 ? failed(foreignItems(foreign, gathered.items)) : success(gathered);
}

/** A row of a run that was not planned for one school alone. */
function isOfAll(row: LedgerRow): boolean {
	return !isOfRecord(row) && row.school_external_id === '';
}

function add(gathered: Gathered, row: LedgerRow): void {
	// Rows of runs have all the same key: among them only those of the same run can be the same.
	const name = isOfRecord(row) ? row.key : `${row.run_id} ${row.school_external_id} ${row.key}`;
	const known = gathered.byKey.get(name);
	const ofKey = rowsIn(known);
	if (ofKey.some((other) => isSameRow(other, row))) return;
	// Before the row itself is among them.
	const isFirstOfRun = !ofKey.some((other) => other.run_id === row.run_id && isOutcome(other));
	if (known === undefined) gathered.byKey.set(name, row);
	else if (Array.isArray(known)) known.push(row);
	else gathered.byKey.set(name, [known, row]);
	if (row.run_id > gathered.greatest) gathered.greatest = row.run_id;
	const run = runOf(gathered.bySchool, row.school_external_id, row.run_id);
	run.count += 1;
	if (row.kind === 'run') run.run = row;
	else if (row.kind === 'compaction') run.compaction = row;
	else if (row.kind === 'batch') run.batches.push(row);
	else if (isOutcome(row)) {
		run.outcomes.push(row);
		if (isFirstOfRun) run.settled += 1;
	}
}

function rowsIn(known: LedgerRow | LedgerRow[] | undefined): readonly LedgerRow[] {
	if (known === undefined) return [];
	return Array.isArray(known) ? known : [known];
}

function runOf(bySchool: Gathered['bySchool'], school: string, id: string): RunRows {
	let runs = bySchool.get(school);
	if (runs === undefined) bySchool.set(school, (runs = new Map<string, RunRows>()));
	let run = runs.get(id);
	if (run === undefined) runs.set(id, (run = { id, count: 0, batches: [], outcomes: [], settled: 0 }));
	return run;
}

/** One journal for all rows, or one for each school. */
function partedIntoScopes({ bySchool }: Gathered, scoping: Scoping): Outcome<Gathered['bySchool']> {
	if (typeof scoping !== 'string') return success(bySchool);
	const has = (isWanted: (school: string) => boolean) =>
		[...bySchool].some(
			([school, runs]) =>
				isWanted(school) &&
				[...runs.values()].some(({ run, compaction }) => run !== undefined || compaction !== undefined),
		);
	const isOfSchools = has((school) => school !== '');
	if (isOfSchools && has((school) => school === '')) return failed(MIXED);
	if (isOfSchools) return scoping === 'whole' ? failed(WRITTEN_FOR_SCHOOLS) : success(bySchool);
	const whole = new Map<string, RunRows>();
	for (const runs of bySchool.values()) for (const run of runs.values()) merge(whole, run);
	return success(new Map(whole.size === 0 ? [] : [['', whole]]));
}

function merge(runs: Map<string, RunRows>, run: RunRows): void {
	const known = runs.get(run.id);
	if (known === undefined) {
		runs.set(run.id, run);
		return;
	}
	known.count += run.count;
	known.settled += run.settled;
	known.run ??= run.run;
	known.compaction ??= run.compaction;
	// Trap: spreading a hundred thousand rows into push() overflows the stack, and concat() copies them again for each school.
	for (const row of run.batches) known.batches.push(row);
	for (const row of run.outcomes) known.outcomes.push(row);
}

async function entriesOf(
	{ byKey }: Gathered,
	scopes: ReadonlyMap<string, Scope>,
	uncertain: ReadonlyMap<string, readonly string[]>,
	turns: Turns,
	look: (folded: Folded) => void,
): Promise<Map<string, LedgerEntry>> {
	const entries = new Map<string, LedgerEntry>();
	const whole = scopes.get('');
	for (const [key, known] of byKey) {
		if (turns.areDue()) await turns.give();
		let rows = rowsIn(known).filter(
			(row) => isOfRecord(row) && counts(row, whole ?? scopes.get(row.school_external_id)),
		);
		if (rows.length === 0) continue;
		if (uncertain.size > 0) rows = withUncertain(rows, uncertain.get(shortDigestOf(key)) ?? []);
		const folded = fold(rows);
		look(folded);
		entries.set(key, folded.entry);
	}
	return entries;
}

/** A run without an end that has no row of this record may have created it all the same. */
function withUncertain(rows: LedgerRow[], runIds: readonly string[]): LedgerRow[] {
	const silent = runIds.filter((runId) => !rows.some((row) => row.run_id === runId));
	return rows.concat(
		silent.map((runId) => ({
			...rows[0],
			run_id: runId,
			state: 'uncertain',
			hash: '',
			service_id: '',
			detail: '',
		})),
	);
}

function counts(row: LedgerRow, scope: Scope | undefined): boolean {
	return scope !== undefined && row.run_id >= scope.from && !scope.ignored.has(row.run_id);
}

function brokenRow(item: number) {
	return ledgerStop(
		'ledgerRowUnreadable',
		`Item ${item} of the ledger cannot be read as a row of it`,
		'Each row needs run_id, kind, key and state as they were written. Give the table these columns as text, and restore the row if it was changed.',
	);
}

function foreignItems(foreign: number, items: number) {
	return ledgerStop(
		'ledgerOfOther',
		`${foreign} of ${items} items at the input Ledger are no rows of a ledger: they have none of its columns filled`,
		'Check that the input reads the table of the ledger, with the columns run_id, sequence, kind, key, school_external_id, state, hash, service_id, missing_since, detail and at.',
	);
}

const WRITTEN_FOR_ALL = ledgerStop(
	'ledgerWrittenForAll',
	'This ledger was written for all schools together, and this run is for some schools only',
	'Leave the option Only Schools empty, or keep a ledger of its own for runs that have it.',
);

const WRITTEN_FOR_SCHOOLS = ledgerStop(
	'ledgerWrittenForSchools',
	'This ledger was written one school at a time, and this run is for all schools together',
	'Name the schools in the option Only Schools, or keep a ledger of its own for runs without it.',
);

const MIXED = ledgerStop(
	'ledgerMixed',
	'This ledger was written both for all schools together and one school at a time',
	'Keep a ledger of its own for each of the two ways: rows of one say nothing to the other.',
);
