/** What the ledger says of the runs themselves: what they planned, how far they came, and whether their rows are all there. */
import * as z from 'zod/v4-mini';

import { failed, success, type Failure, type Outcome } from '../../shared/failure';
import type { Kind } from '../roster/record';

import { parted } from './digest';
import { momentOf } from './runId';
import { compared, type LedgerRow } from './row';
import { ledgerStop } from './stop';

export const ACTIONS = ['create', 'remove', 'note'] as const;

/** `note`: only the ledger learns something. */
export type Action = (typeof ACTIONS)[number];

/**
 * How many changes, by kind, action and school, under names like "user create school-1". What is not there is 0.
 * Trap: a school may be called `__proto__`; behind the other words no name of it is one of JavaScript's.
 */
export type Tally = Record<string, number>;

export function tallyAdd(tally: Tally, school: string, kind: Kind, action: Action, count: number): void {
	const name = `${kind} ${action} ${school}`;
	tally[name] = (tally[name] ?? 0) + count;
}

export function tallied(tally: Tally, school: string, kind: Kind, action: Action): number {
	return tally[`${kind} ${action} ${school}`] ?? 0;
}

const count = z.int().check(z.gte(0));

/** What a `run` row says, as JSON in its `detail`. */
const runDetail = z.object({
	/** How many rows the ledger had before it. */
	rows: count,
	/** Digests of the service's address, of the client, and of the options that say where ids come from. '': not known. */
	service: z.string(),
	client: z.string(),
	identity: z.string(),
	user_keys: z.string(),
	/** Names of the files of the export. */
	files: z.array(z.string()),
	batch_size: count,
	/** How many `batch` rows belong to it. */
	batches: count,
	changes: count,
	/** What was left to the next run. */
	left: z.record(z.string(), count),
});

export type RunDetail = z.infer<typeof runDetail>;

const digests = z.optional(z.string());

/**
 * What a `batch` row says: the short digests of its keys by action, so that it is known what was planned, and what may have been done when nothing more
 * was written. A batch with records of several journals has a row in each.
 */
const batchDetail = z.object({ create: digests, remove: digests, note: digests });

export type BatchDetail = z.infer<typeof batchDetail>;

/** What a `compaction` row says. `read`: how many rows it stands for; `follow`: how many follow it; `last`: of the last run. */
const compactionDetail = z.object({ read: count, follow: count, last: z.optional(runDetail) });

export type CompactionDetail = z.infer<typeof compactionDetail>;

function detailOf<T>(schema: z.ZodMiniType<T>, row: LedgerRow): Outcome<T> {
	let json: unknown;
	try {
		json = JSON.parse(row.detail);
	} catch {
		json = undefined;
	}
	const checked = schema.safeParse(json);
	if (checked.success) return success(checked.data);
	return failed(
		ledgerStop(
			'ledgerDetailUnreadable',
			`The ledger's ${row.kind} row of run ${row.run_id} cannot be read`,
			'Its column "detail" must come back as it was written. Make the column a text without a limit, and restore the row.',
		),
	);
}

/** The rows of one run in one scope. */
export interface RunRows {
	id: string;
	count: number;
	run?: LedgerRow;
	compaction?: LedgerRow;
	batches: LedgerRow[];
	/** What came of its changes. */
	outcomes: LedgerRow[];
	/** Of how many records it says what came of them: a batch that was applied twice has two rows of each. */
	settled: number;
}

/**
 * A journal of its own: the whole ledger, or with one school at a time that of one school.
 */
export interface Scope {
	/** '' for the whole ledger. */
	school: string;
	/** The greatest id of a run, of those that do not count too. */
	greatest: string;
	/** When the newest row was written, of those that do not count too, in milliseconds since 1970. */
	newest: number;
	/** Rows that count. */
	rows: number;
	/** Runs before this one are forgotten; '' when nothing is. */
	from: string;
	/** Runs that do not count: compactions that were not written to their end. */
	ignored: ReadonlySet<string>;
	last?: { id: string; detail: RunDetail };
	/** True when the last run did not come to its end. */
	isInterrupted: boolean;
	/** True when rows were written beside the last run. */
	isDoubled: boolean;
	/** What the last run left over, which may come without being held. */
	left: Tally;
	/** What the last run planned if it did not come to its end, as short digests by action: that may come, too. */
	unfinished: Record<Action, Set<string>>;
	/** When the newest row of a run without an end, that no later run has taken for ended, was written, in milliseconds since 1970. */
	unfinishedSince?: number;
	/** Runs without an end, and the short digests of what each may have created or removed. */
	uncertain: Array<{ runId: string; digests: string[] }>;
}

/** The last batch of a run that may have been begun, by the run's id. */
type Reach = (runId: string) => number;

/** How far runs came, in all journals that were read: a batch may have records of several, and follows one that has none of a journal. */
export function reachOf(journals: ReadonlyArray<ReadonlyMap<string, RunRows>>): Reach {
	const known = new Map<string, number>();
	return (runId) => {
		const reach = known.get(runId) ?? lastBegun(journals.flatMap((runs) => runs.get(runId) ?? []));
		known.set(runId, reach);
		return reach;
	};
}

/** Batches follow one another, each written before the next begins. */
function lastBegun(runs: readonly RunRows[]): number {
	let reached = 0;
	for (const { outcomes } of runs)
		for (const { sequence } of outcomes) reached = Math.max(reached, Number(sequence));
	let next = Infinity;
	for (const { batches } of runs)
		for (const batch of batches) if (Number(batch.sequence) > reached) next = Math.min(next, numberOf(batch));
	return next;
}

function numberOf(batch: LedgerRow): number {
	return Number(batch.key.slice('batch:'.length));
}

/** Reads a journal: which rows count, and what its last run left behind. */
export function scopeOf(school: string, runs: ReadonlyMap<string, RunRows>, reach: Reach): Outcome<Scope> {
	const inOrder = [...runs.values()].sort((one, other) => compared(one.id, other.id));
	const newest = inOrder.reduce((last, run) => Math.max(last, newestOf(run)), -Infinity);
	const scope: Scope = {
		school,
		greatest: inOrder.at(-1)?.id ?? '',
		newest,
		rows: 0,
		from: '',
		ignored: new Set(),
		isInterrupted: false,
		isDoubled: false,
		left: {},
		unfinished: plannedIn([]),
		uncertain: [],
	};
	const base = baseOf(inOrder);
	if (!base.ok) return base;
	const { compaction, ignored } = base.value;
	scope.ignored = ignored;
	// The rows of a compaction stand for more than they are: a run that was planned before it was written counted those.
	let more = 0;
	if (compaction !== undefined) {
		const { run, detail } = compaction;
		const beside = inOrder.find(
			(other) => other.id < run.id && newestOf(other) > Date.parse(run.compaction?.at ?? ''),
		);
		if (beside !== undefined) return failed(writtenBeside(beside.id));
		scope.from = run.id;
		scope.rows = run.count;
		more = detail.read - run.count;
		if (detail.last !== undefined) follow(scope, run.id, detail.last);
		const batches = detailsOf(run.batches);
		if (!batches.ok) return batches;
		scope.uncertain.push({ runId: run.id, digests: doneIn(batches.value) });
	}
	for (const run of inOrder) {
		if (run.id <= scope.from || ignored.has(run.id)) continue;
		const trouble = takeRun(scope, run, more, reach);
		if (trouble !== undefined) return failed(trouble);
		scope.rows += run.count;
	}
	return success(scope);
}

interface Base {
	compaction?: { run: RunRows; detail: CompactionDetail };
	ignored: Set<string>;
}

/** The last compaction that was written to its end. */
function baseOf(inOrder: readonly RunRows[]): Outcome<Base> {
	const base: Base = { ignored: new Set() };
	for (const run of inOrder) {
		if (run.compaction === undefined) continue;
		const detail = detailOf(compactionDetail, run.compaction);
		if (!detail.ok) return detail;
		if (run.count === detail.value.follow + 1) base.compaction = { run, detail: detail.value };
		else base.ignored.add(run.id);
	}
	return success(base);
}

function follow(scope: Scope, id: string, detail: RunDetail): void {
	scope.last = { id, detail };
	scope.left = detail.left;
	scope.unfinished = plannedIn([]);
	scope.isInterrupted = false;
	scope.isDoubled = false;
}

/** Takes up the next run of a journal; gives why it cannot be believed. */
function takeRun(scope: Scope, run: RunRows, more: number, reach: Reach): Failure | undefined {
	if (run.run === undefined) return withoutRunRow(run.id);
	const read = detailOf(runDetail, run.run);
	if (!read.ok) return read.failure;
	const detail = read.value;
	const isAsItWas = scope.rows === detail.rows || scope.rows + more === detail.rows;
	if (!isAsItWas && scope.rows < detail.rows) return rowsAreGone(run.id, scope.rows, detail.rows);
	follow(scope, run.id, detail);
	scope.isDoubled = !isAsItWas;
	// It was planned with all rows that runs before it have, when they were known to have ended.
	if (!scope.isDoubled) scope.unfinishedSince = undefined;
	// Looked at every night: a table that cuts them should not be found out by a crash.
	const batches = detailsOf(run.batches);
	if (!batches.ok) return batches.failure;
	if (run.settled >= detail.changes) return undefined;
	scope.isInterrupted = true;
	// Trap: a ledger that was not read to its end looks like a plan that was not written to its end. It excuses nothing.
	if (batches.value.length >= detail.batches) scope.unfinished = plannedIn(batches.value);
	scope.unfinishedSince = Math.max(scope.unfinishedSince ?? -Infinity, newestOf(run));
	const begun = begunOf(run, detail, batches.value, reach);
	if (!begun.ok) return begun.failure;
	scope.uncertain.push({ runId: run.id, digests: doneIn(begun.value) });
	return undefined;
}

function newestOf(run: RunRows): number {
	let newest = momentOf(run.id) ?? -Infinity;
	for (const row of [run.run, ...run.batches, ...run.outcomes]) {
		const at = Date.parse(row?.at ?? '');
		if (at > newest) newest = at;
	}
	return newest;
}

/** What a run without an end may have begun. */
function begunOf(
	run: RunRows,
	detail: RunDetail,
	batches: readonly BatchDetail[],
	reach: Reach,
): Outcome<BatchDetail[]> {
	if (batches.length < detail.batches) {
		// The rows of the plan were not written to their end, and nothing is sent before they are.
		return run.outcomes.length === 0 ? success([]) : failed(batchesAreGone(run.id));
	}
	return success(batches.filter((_batch, index) => numberOf(run.batches[index]) <= reach(run.id)));
}

function detailsOf(rows: readonly LedgerRow[]): Outcome<BatchDetail[]> {
	const batches: BatchDetail[] = [];
	for (const row of rows) {
		const batch = detailOf(batchDetail, row);
		if (!batch.ok) return batch;
		batches.push(batch.value);
	}
	return success(batches);
}

/** The short digests of what batches may have done at the service. */
function doneIn(batches: readonly BatchDetail[]): string[] {
	return batches.flatMap(({ create, remove }) => [...parted(create), ...parted(remove)]);
}

function plannedIn(batches: readonly BatchDetail[]): Scope['unfinished'] {
	const of = (action: Action) => new Set(batches.flatMap((batch) => parted(batch[action])));
	return { create: of('create'), remove: of('remove'), note: of('note') };
}

function withoutRunRow(runId: string) {
	return ledgerStop(
		'ledgerRunRowMissing',
		`The ledger has rows of run ${runId}, but not the one that says what that run had planned`,
		'The rows of Plan Changes (output Ledger Rows) must be written into the table before Apply Changes begins: correct the workflow if it does not do so. ' +
			`If rows were lost from the table, restore them. Else write those that Plan Changes gave in the execution of run ${runId} (output Ledger Rows) into the table now. ` +
			'Where n8n does not have that execution any more, these rows name what was created (of one batch more, only the service knows): delete them, and take these records up with Take as Done, from an input Roster that ' +
			'holds them alone. With the whole roster, what that run had not come to would be taken for done too.',
	);
}

function writtenBeside(runId: string) {
	return ledgerStop(
		'ledgerWrittenBeside',
		`Run ${runId} wrote into the ledger after it was compacted, and was planned before a run that had ended by then: two ran at once`,
		'See that the workflow never runs twice at the same time. The rows of that run are forgotten, and name what was created: delete them, and take these records up with Take as Done, ' +
			'from an input Roster that holds them alone.',
	);
}

function rowsAreGone(runId: string, rows: number, expected: number) {
	return ledgerStop(
		'ledgerCut',
		`The ledger has lost rows: run ${runId} found ${expected} rows before its own, now there are ${rows}`,
		'If an n8n Data Table or a database gives the ledger: read all rows (switch Return All on, set no limit and no filter). If rows were deleted, restore them. ' +
			'Only a compacted ledger may have fewer.',
	);
}

function batchesAreGone(runId: string) {
	return ledgerStop(
		'ledgerBatchMissing',
		`The ledger has lost rows of run ${runId}: it did not come to its end, and not all rows of its plan are there`,
		'Read all rows of the table (switch Return All on), and write all rows of the output Ledger Rows before Apply Changes begins. If rows were deleted, restore them.',
	);
}
