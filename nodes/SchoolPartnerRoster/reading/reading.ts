/** What the steps of reading share: the tables, what was asked for, and how rows are told apart. */
import type { Kind, Place } from '../roster/record';
import type { Completeness } from '../roster/roster';

import type { Collector } from './collector';
import type { Cause, Findings } from '../roster/findings';
import type { FileName, Format } from './formats';
import type { Rules } from './mapping';
import type { Table } from './table';
import type { Turns } from '../roster/turns';

export interface RosterReading {
	format: Format['name'];
	tables: Partial<Record<FileName, Table>>;
	/** Files that hold only what has changed. */
	deltas: ReadonlySet<FileName>;
	rules: Rules;
	/** Becomes less where rows cannot be told: what is not there is then no longer gone. */
	completeness: Record<Kind, Completeness>;
	findings: Findings;
	collector: Collector;
	turns: Turns;
}

/** The cell of a row, without blanks around it; '' when the file has no such column. */
export function cellOf(table: Table | undefined, column: string, row: number): string {
	return table?.columns[column]?.[row] ?? '';
}

export function placeOf(table: Table, row: number): Place {
	return { file: table.file, line: table.lines[row] };
}

/** The entries of a cell that is a list (`05,06`). */
export function listOf(cell: string): string[] {
	if (cell === '') return [];
	if (!cell.includes(',')) return [cell];
	return cell
		.split(',')
		.map((entry) => entry.trim())
		.filter((entry) => entry !== '');
}

/** What is absent of this kind is not gone: rows that cannot be told may be it. */
export function isNoLongerWhole(reading: RosterReading, kind: Kind | undefined): void {
	if (kind !== undefined && reading.completeness[kind] === 'whole') reading.completeness[kind] = 'changes';
}

const UNTOLD = 'Until then, what this file is about does not count as gone because it is not there.';

const overlong: Cause = {
	severity: 'error',
	code: 'tooManyCells',
	message: 'A row has more cells than its header has names',
	what_to_do: `Look for a comma that is not in quotes, and have the file exported again. ${UNTOLD}`,
};

const withoutId: Cause = {
	severity: 'error',
	code: 'idMissing',
	message: 'A row has no id (sourcedId)',
	what_to_do: `Give the row its id where the roster comes from. ${UNTOLD}`,
};

const unknownStatus: Cause = {
	severity: 'error',
	code: 'statusNotKnown',
	message: 'The status of a row is neither empty nor active nor tobedeleted',
	what_to_do: `Correct it where the roster comes from. ${UNTOLD}`,
};

const activeInBulk: Cause = {
	severity: 'warning',
	code: 'activeInBulk',
	message: 'The status of a row is "active", where a whole export leaves it empty',
	what_to_do: 'Nothing: it is taken as empty.',
};

const statusMissing: Cause = {
	severity: 'warning',
	code: 'statusMissing',
	message: 'The status of a row is empty, where an export of changes says active or tobedeleted',
	what_to_do: 'Nothing: it is taken as active. Whoever left without a row is not noticed.',
};

/** Whether a row says that what it is about is there; `unusable`: it cannot be told, and a finding says so. */
export type RowStanding = 'here' | 'gone' | 'unusable';

/** The standing of every row of a table. `kind`: what is not whole any longer when one cannot be used, if anything. */
export async function standings(reading: RosterReading, file: FileName, kind?: Kind): Promise<RowStanding[]> {
	const table = reading.tables[file];
	if (table === undefined) return [];
	const [isDelta, found]: [boolean, RowStanding[]] = [reading.deltas.has(file), []];
	const isOneRoster = reading.format !== 'SDS v2.1';
	const refuse = (cause: Cause, row: number) => {
		reading.findings.add(cause, placeOf(table, row));
		isNoLongerWhole(reading, kind);
		return 'unusable' as const;
	};
	await reading.turns.forEach(table.size, (row) => {
		const status = cellOf(table, 'status', row).toLowerCase();
		if (table.overlong.has(row)) found.push(refuse(overlong, row));
		else if (status === 'tobedeleted') found.push('gone');
		else if (status !== '' && status !== 'active') found.push(refuse(unknownStatus, row));
		else found.push('here');
		if (isOneRoster && isDelta && status === '') reading.findings.add(statusMissing, placeOf(table, row));
		if (!isDelta && status === 'active') reading.findings.add(activeInBulk, placeOf(table, row));
	});
	return found;
}

/** The rows of a table by their id. */
export interface Index {
	/** Of rows that can be used, whether here or gone. */
	rowOf: Map<string, number>;
	standing: RowStanding[];
	/** Ids of rows that cannot be used, and the first place of each. */
	unusable: Map<string, Place>;
}

/** Each id once: equal rows are one, of different ones none counts. */
export async function indexOf(reading: RosterReading, file: FileName, kind?: Kind): Promise<Index> {
	const index: Index = {
		rowOf: new Map(),
		standing: await standings(reading, file, kind),
		unusable: new Map(),
	};
	const table = reading.tables[file];
	const ids = table?.columns.sourcedId;
	if (table === undefined || ids === undefined) return index;
	const columns = Object.values(table.columns) as string[][];
	await reading.turns.forEach(table.size, (row) => {
		const id = ids[row];
		if (id === '') {
			if (index.standing[row] !== 'unusable') reading.findings.add(withoutId, placeOf(table, row));
			isNoLongerWhole(reading, kind);
			return;
		}
		if (index.standing[row] === 'unusable' || index.unusable.has(id)) {
			index.rowOf.delete(id);
			if (!index.unusable.has(id)) index.unusable.set(id, placeOf(table, row));
			return;
		}
		const before = index.rowOf.get(id);
		if (before === undefined) index.rowOf.set(id, row);
		else if (columns.every((column) => column[row] === column[before]))
			reading.findings.add(equalRows, placeOf(table, row));
		else {
			index.rowOf.delete(id);
			index.unusable.set(id, placeOf(table, before));
			reading.findings.add(differentRows, placeOf(table, before));
			reading.findings.add(differentRows, placeOf(table, row));
		}
	});
	return index;
}

const equalRows: Cause = {
	severity: 'warning',
	code: 'sameTwice',
	message: 'The same row is there twice',
	what_to_do: 'Nothing: it counts once.',
};

const differentRows: Cause = {
	severity: 'error',
	code: 'idTwice',
	message: 'One id (sourcedId) stands in rows that differ',
	what_to_do:
		'Give each its own id where the roster comes from. Nobody can say which row is meant, so none is used.',
};

/** Where a day lies that something runs from and to: both days belong to it. */
export type When = 'now' | 'ended' | 'later' | 'unreadable';

/**
 * Whether something that runs from one day to another runs on the day that counts.
 * @param dateOf how a cell becomes YYYY-MM-DD; nothing when it does not
 */
export function whenIs(
	begin: string,
	end: string,
	asOf: string,
	dateOf: (cell: string) => string | undefined,
): When {
	const [first, last] = [begin === '' ? '' : dateOf(begin), end === '' ? '' : dateOf(end)];
	if (first === undefined || last === undefined) return 'unreadable';
	if (last !== '' && last < asOf) return 'ended';
	return first !== '' && first > asOf ? 'later' : 'now';
}

/** A reader of dates that remembers: a roster has few days, in many rows. */
export function remembering(
	dateOf: (cell: string) => string | undefined,
): (cell: string) => string | undefined {
	const known = new Map<string, string | undefined>();
	return (cell) => {
		if (known.has(cell)) return known.get(cell);
		const date = dateOf(cell);
		// Bounded: a column of moments has a different one in every row.
		if (known.size < 10_000) known.set(cell, date);
		return date;
	};
}

/** A date that cannot be read. */
export function dateNotRead(file: string, column: string, format: string): Cause {
	return {
		severity: 'error',
		code: 'dateNotRead',
		message: `${file}: ${column} is not a date written as ${format}`,
		what_to_do:
			'Choose under Mapping → Date Format how this export writes its dates, or correct it where the roster comes from.',
	};
}
