/** What the steps of reading files share: the tables, what was asked for, and how rows are told apart. */
import { findingTypes } from '../roster/finding';
import type { Findings } from '../roster/findings';
import type { Kind, Place } from '../roster/record';
import type { Completeness } from '../roster/roster';
import type { Turns } from '../roster/turns';

import type { Collector } from './collector';
import type { FileName, Format } from './formats';
import type { Rules } from './mapping';
import { cellOf, placeOf, type Table } from './table';

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

/** The entries of a cell that is a list (`05,06`). */
export function listOf(cell: string): string[] {
	if (cell === '') return [];
	if (!cell.includes(',')) return [cell];
	const entries = cell.split(',').map((entry) => entry.trim());
	return entries.filter((entry) => entry !== '');
}

/** true, 1 and yes in any case; nothing when it is neither true nor false. */
export function isTrue(cell: string): boolean | undefined {
	const text = cell.toLowerCase();
	if (['true', '1', 'yes'].includes(text)) return true;
	return ['false', '0', 'no', ''].includes(text) ? false : undefined;
}

/** What is absent of this kind is not gone: rows that cannot be told may be it. */
function isNoLongerWhole({ completeness }: RosterReading, kind: Kind | undefined): void {
	if (kind !== undefined && completeness[kind] === 'whole') completeness[kind] = 'changes';
}

const UNTOLD = 'Until then, what this file is about does not count as gone because it is not there.';

const rowErrors = findingTypes('error', 'any', {
	tooManyCells: {
		message: 'A row has more cells than its header has names',
		what_to_do: `Look for a comma that is not in quotes, and have the file exported again. ${UNTOLD}`,
	},
	idMissing: {
		message: 'A row has no id (sourcedId)',
		what_to_do: 'Give the row its id where the roster comes from. Until then, what it may be about stays.',
	},
	statusNotKnown: {
		message: 'The status of a row is neither empty nor active nor tobedeleted',
		what_to_do: `Correct it where the roster comes from. ${UNTOLD}`,
	},
	idTwice: {
		message: 'One id (sourcedId) stands in rows that differ',
		what_to_do:
			'Give each its own id where the roster comes from. Nobody can say which row is meant, so none is used.',
	},
});

const rowWarnings = findingTypes('warning', 'any', {
	statusMissing: {
		message: 'The status of a row is empty, where an export of changes says active or tobedeleted',
		what_to_do: 'Nothing: it is taken as active. Whoever left without a row is not noticed.',
	},
	sameTwice: { message: 'The same row is there twice', what_to_do: 'Nothing: it counts once.' },
});

/** Whether a row says that what it is about is there; `unusable`: it cannot be told, and a finding says so. */
export type RowStanding = 'here' | 'gone' | 'unusable';

/** The standing of every row of a table. `kind`: what is not whole any longer when one cannot be used, if anything. */
export async function standings(reading: RosterReading, file: FileName, kind?: Kind): Promise<RowStanding[]> {
	const { tables, deltas, format, findings, turns } = reading;
	const table = tables[file];
	if (table === undefined) return [];
	const needsStatus = format !== 'SDS v2.1' && deltas.has(file);
	const found: RowStanding[] = [];
	await turns.forEach(table.lines, (_, row) => {
		const status = cellOf(table, 'status', row).toLowerCase();
		const isKnown = status === '' || status === 'active' || status === 'tobedeleted';
		if (table.overlong.has(row) || !isKnown) {
			const { tooManyCells, statusNotKnown } = rowErrors;
			findings.add(table.overlong.has(row) ? tooManyCells : statusNotKnown, placeOf(table, row));
			isNoLongerWhole(reading, kind);
			found.push('unusable');
		} else found.push(status === 'tobedeleted' ? 'gone' : 'here');
		if (needsStatus && status === '') findings.add(rowWarnings.statusMissing, placeOf(table, row));
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
	/** Rows that are there, but for their id. */
	withoutId: number[];
}

/** What a file is about, by sourcedId. */
export interface Known<Read> {
	known: ReadonlyMap<string, Read>;
	/** Ids of rows that cannot be used. */
	unusable: ReadonlyMap<string, Place>;
}

/** Each id once: equal rows are one, of different ones none counts. */
export async function indexOf(reading: RosterReading, file: FileName, kind?: Kind): Promise<Index> {
	const { tables, findings, turns } = reading;
	const standing = await standings(reading, file, kind);
	const [rowOf, unusable, withoutId] = [new Map<string, number>(), new Map<string, Place>(), [] as number[]];
	const table = tables[file];
	const ids = table?.columns.sourcedId;
	if (table === undefined || ids === undefined) return { rowOf, standing, unusable, withoutId };
	const columns = Object.values(table.columns) as string[][];
	await turns.forEach(ids, (id, row) => {
		const before = rowOf.get(id);
		if (id === '') {
			if (standing[row] === 'unusable') return;
			findings.add(rowErrors.idMissing, placeOf(table, row));
			withoutId.push(row);
		} else if (standing[row] === 'unusable' || unusable.has(id)) {
			rowOf.delete(id);
			if (!unusable.has(id)) unusable.set(id, placeOf(table, row));
		} else if (before === undefined) rowOf.set(id, row);
		else if (columns.every((column) => column[row] === column[before])) {
			findings.add(rowWarnings.sameTwice, placeOf(table, row));
		} else {
			rowOf.delete(id);
			unusable.set(id, placeOf(table, before));
			findings.add(rowErrors.idTwice, placeOf(table, before));
			findings.add(rowErrors.idTwice, placeOf(table, row));
		}
	});
	return { rowOf, standing, unusable, withoutId };
}

/** Where the day that counts lies in the time from a first day to a last one: both belong to it. */
export type When = 'now' | 'ended' | 'later' | 'unreadable';

export function whenIs(begin: string, end: string, { asOf, dateOf }: Rules): When {
	const [first, last] = [begin && dateOf(begin), end && dateOf(end)];
	if (first === undefined || last === undefined) return 'unreadable';
	if (last !== '' && last < asOf) return 'ended';
	return first > asOf ? 'later' : 'now';
}

export const { dateNotRead } = findingTypes('error', 'any', {
	dateNotRead: (file: string, column: string, format: string) => ({
		message: `${file}: ${column} is not a date written as ${format}`,
		what_to_do:
			'Choose under Mapping → Date Format how this export writes its dates, or correct it where the roster comes from.',
	}),
});
