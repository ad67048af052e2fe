/** One row of the ledger: flat text, so that any table holds it. No names, no documents, no dates of birth. */
import { KINDS, type Kind } from '../roster/record';

export const COLUMNS = [
	'run_id',
	'sequence',
	'kind',
	'key',
	'school_external_id',
	'state',
	'hash',
	'service_id',
	'missing_since',
	'detail',
	'at',
] as const;

/** Every column is text; '' where there is nothing to say. */
export type LedgerRow = Record<(typeof COLUMNS)[number], string>;

/** What can have come of a change, in the order in which the later one counts where a run says two things of one key. */
export const OUTCOMES = [
	'not tried',
	'blocked',
	'failed',
	'uncertain',
	'missing',
	'removed',
	'applied',
] as const;

export type OutcomeState = (typeof OUTCOMES)[number];

/** Rows of the run itself, beside the kinds of record. */
export const OWN_KINDS = ['run', 'batch', 'compaction'] as const;

/** The state of rows of the run itself. */
export const PLANNED = 'planned';

const STATES = new Set<string>([...OUTCOMES, PLANNED]);
const ALL_KINDS = new Set<string>([...KINDS, ...OWN_KINDS]);

/** A row of the run itself; who writes it adds run, sequence and time. */
export function ownRow(
	kind: (typeof OWN_KINDS)[number],
	key: string,
	school: string,
	detail: object,
): LedgerRow {
	return {
		run_id: '',
		sequence: '',
		kind,
		key,
		school_external_id: school,
		state: PLANNED,
		hash: '',
		service_id: '',
		missing_since: '',
		detail: JSON.stringify(detail),
		at: '',
	};
}

/** Why an item is no row: `empty`, nothing in it; `foreign`, other columns only; `broken`, a row of ours that cannot be read. */
export type NoRow = 'empty' | 'foreign' | 'broken';

/** A row of a table, read tolerantly: other columns are ignored, null is empty, numbers are text. */
export function readRow(item: unknown): LedgerRow | NoRow {
	if (typeof item !== 'object' || item === null) return 'empty';
	const cells = item as Record<string, unknown>;
	const row = {} as LedgerRow;
	let isFilled = false;
	for (const column of COLUMNS) {
		row[column] = textOf(cells[column]);
		// A table of somebody else may well have a column "key" or "at".
		isFilled ||= row[column] !== '';
	}
	if (!isFilled) return Object.values(cells).some((value) => textOf(value) !== '') ? 'foreign' : 'empty';
	if (row.run_id === '' && row.state === '' && row.hash === '') return 'foreign';
	return row.run_id !== '' && row.key !== '' && STATES.has(row.state) && ALL_KINDS.has(row.kind)
		? row
		: 'broken';
}

function textOf(value: unknown): string {
	if (typeof value === 'string') return value;
	if (value === null || value === undefined) return '';
	// A database may give a date for a column that somebody made one, and an object for JSON.
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	return typeof value === 'object'
		? JSON.stringify(value)
		: String(value as string | number | boolean | bigint);
}

export function isOutcome(row: LedgerRow): boolean {
	return isOfRecord(row) && row.state !== PLANNED;
}

/** Whether it is about a record, and not about the run itself. */
export function isOfRecord(row: LedgerRow): row is LedgerRow & { kind: Kind } {
	return (KINDS as readonly string[]).includes(row.kind);
}

export function isSameRow(one: LedgerRow, other: LedgerRow): boolean {
	return COLUMNS.every((column) => one[column] === other[column]);
}

/**
 * Which of two rows of a key counts more, the later one: by run, then an outcome over a plan, then by sequence. What is equal in all
 * that is told apart by the rest, so that the order in which a table gives its rows means nothing.
 */
export function byWeight(one: LedgerRow, other: LedgerRow): number {
	return (
		compared(one.run_id, other.run_id) ||
		Number(one.state !== PLANNED) - Number(other.state !== PLANNED) ||
		Number(one.sequence) - Number(other.sequence) ||
		OUTCOMES.indexOf(one.state as OutcomeState) - OUTCOMES.indexOf(other.state as OutcomeState) ||
		compared(JSON.stringify(one), JSON.stringify(other))
	);
}

/** Trap: `localeCompare` puts capitals and digits where a person looks for them, not where ids of runs need them. */
export function compared(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}
