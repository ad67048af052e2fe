/** One row of the ledger: flat text, so that any table holds it. No names, no documents, no dates of birth. */
import { KINDS, type Kind } from '../roster/record';

export const LEDGER_COLUMNS = [
	'run_id',
	'sequence',
	'kind',
	'key',
	'school_external_id',
	'state',
	'fields',
	'service_id',
	'account_id',
	'since',
	'detail',
	'at',
] as const;

/** Every column is text; '' where there is nothing to say. */
export type LedgerRow = Record<(typeof LEDGER_COLUMNS)[number], string>;

export interface StoredRow extends LedgerRow {
	/** Given by the store, greater than those given before. Trap: on PostgreSQL a row can become visible after one with a greater id. */
	id: number;
	/** Of a copy, whose `id` is that of its original: the id under which it lies in the store. */
	storedId?: number;
}

/** What can have come of a change. */
export const OUTCOMES = [
	'not tried',
	'blocked',
	'waiting',
	'failed',
	'uncertain',
	'unconfirmed',
	'exists',
	'missing',
	'removed',
	'applied',
] as const;

export type OutcomeState = (typeof OUTCOMES)[number];

/** Rows of the runs themselves, of which the lease counts how many there must be. */
export const RUN_KINDS = ['run', 'batch', 'hold', 'told'] as const;

/** Rows that people, events and Verify add at any time. */
export const NOTE_KINDS = ['approve', 'resolve', 'access', 'seen'] as const;

/** The one row that changes: who may send (lease.ts). */
export const LEASE = 'lease';

const ALL_KINDS = new Set<string>([...KINDS, ...RUN_KINDS, ...NOTE_KINDS, LEASE]);

const EMPTY_ROW = Object.fromEntries(LEDGER_COLUMNS.map((column) => [column, ''])) as LedgerRow;

export function ledgerRow(cells: Partial<LedgerRow>): LedgerRow {
	return { ...EMPTY_ROW, ...cells };
}

/** A row of a table as text in our columns; undefined when it is none of ours. */
export function readStoredRow(cells: Readonly<Record<string, unknown>>): StoredRow | undefined {
	const row = { id: Number(cells.id) } as StoredRow;
	for (const column of LEDGER_COLUMNS) row[column] = cellText(cells[column]);
	return Number.isSafeInteger(row.id) && row.key !== '' && ALL_KINDS.has(row.kind) ? row : undefined;
}

function cellText(value: unknown): string {
	if (typeof value === 'string') return value;
	if (value === null || value === undefined) return '';
	return typeof value === 'object'
		? JSON.stringify(value)
		: String(value as string | number | boolean | bigint);
}

/** Whether it is about a record, and not about the run itself. */
export function isOfRecord(row: LedgerRow): row is LedgerRow & { kind: Kind } {
	return (KINDS as readonly string[]).includes(row.kind);
}

/** Whether it was written by a run, so that the lease counts it. */
export function isOfRun({ kind = '' }: Partial<LedgerRow>): boolean {
	return ([...KINDS, ...RUN_KINDS] as string[]).includes(kind);
}

/** Trap: `localeCompare` puts capitals and digits where a person looks for them, not where ids need them. */
export function compared(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}

/** The id of a run grows with its lease, so that it needs no clock to tell which of two runs came later. @param beat of the lease when the run took it @param wall milliseconds since 1970 @param tail random letters and digits */
export function runIdOf(beat: number, wall: number, tail: string): string {
	const time = new Date(wall).toISOString().replace(/[-:]|\.\d+/g, '');
	return `r${beat}-${time}-${tail}`;
}

/** The beat in the id of a run; 0 in one that was not written here. */
export function beatOf(runId: string): number {
	return Number(/^r(\d+)-/.exec(runId)?.[1] ?? 0);
}
