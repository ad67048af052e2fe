/** One row of the ledger: flat text, so that any table holds it. No names, no documents, no dates of birth. */
import { KINDS, type Kind } from '../roster/record';

export const COLUMNS = [
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
export type LedgerRow = Record<(typeof COLUMNS)[number], string>;

export interface StoredRow extends LedgerRow {
	/** Given by the store, greater than those given before. Trap: on PostgreSQL a row can become visible after one with a greater id. */
	id: number;
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

const EMPTY_ROW = Object.fromEntries(COLUMNS.map((column) => [column, ''])) as LedgerRow;

export function ledgerRow(cells: Partial<LedgerRow>): LedgerRow {
	return { ...EMPTY_ROW, ...cells };
}

/** A row of a table as text in our columns; undefined when it is none of ours. */
export function readRow(cells: Readonly<Record<string, unknown>>): StoredRow | undefined {
	const row = { id: Number(cells.id) } as StoredRow;
	for (const column of COLUMNS) row[column] = textOf(cells[column]);
	return Number.isSafeInteger(row.id) && row.key !== '' && ALL_KINDS.has(row.kind) ? row : undefined;
}

function textOf(value: unknown): string {
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
