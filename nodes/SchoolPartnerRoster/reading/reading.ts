/** What the steps of reading files share: the tables, what was asked for, and how rows are told apart. */
import { findingTypes, rowsDiffer } from '../roster/finding';
import type { Findings } from '../roster/findings';
import type { Kind, Place } from '../roster/record';
import type { Turns } from '../roster/turns';

import type { Collector } from './collector';
import type { FileName, Format } from './formats';
import type { Rules } from './mapping';
import { fieldsThatDiffer } from './sameRecord';
import { forEachRow, type RowState, type Table, type TableRow } from './table';

export interface RosterReading {
	format: Format['name'];
	tables: Partial<Record<FileName, Table>>;
	rules: Rules;
	findings: Findings;
	collector: Collector;
	turns: Turns;
}

/** The entries of a cell that is a list (`05,06`). */
export function listIn(cell: string): string[] {
	const entries = cell.split(',').map((entry) => entry.trim());
	return entries.filter((entry) => entry !== '');
}

/** true, 1 and yes in any case; nothing when it is neither true nor false, or empty. */
export function isTrue(cell: string): boolean | undefined {
	const text = cell.toLowerCase();
	if (['true', '1', 'yes'].includes(text)) return true;
	return ['false', '0', 'no'].includes(text) ? false : undefined;
}

const NOTHING_GONE = 'Until then, what this file is about does not count as gone because it is not there.';

const rowErrors = findingTypes('error', 'any', {
	tooManyCells: {
		message: 'A row has more cells than its header has names',
		what_to_do: `Look for a comma that is not in quotes, and have the file exported again. ${NOTHING_GONE}`,
	},
	idMissing: {
		message: 'A row has no id (sourcedId)',
		what_to_do: 'Give the row its id where the roster comes from. Until then, what it may be about stays.',
	},
	statusNotKnown: {
		message: 'The status of a row is neither empty nor active nor tobedeleted',
		what_to_do: `Correct it where the roster comes from. ${NOTHING_GONE}`,
	},
	idTwice: {
		message: 'One id (sourcedId) stands in rows that differ',
		what_to_do:
			'Give each its own id where the roster comes from. Nobody can say which row is meant, so none is used.',
	},
});

/** What cannot be told whole any longer when a row of the file cannot be used. */
const KIND_OF_FILE: Partial<Record<FileName, Kind>> = {
	...{ users: 'user', roles: 'user', classes: 'class', enrollments: 'bond' },
};

/** By the status of a row, in small letters. */
const STATE_OF_STATUS: ReadonlyMap<string, RowState> = new Map([
	['', 'here'],
	['active', 'here'],
	['tobedeleted', 'gone'],
]);

/** Gives every row its state. */
export async function readRowStates(reading: RosterReading): Promise<void> {
	const { tables, findings, turns, collector } = reading;
	for (const [file, table] of Object.entries(tables) as Array<[FileName, Table]>) {
		const kind = KIND_OF_FILE[file];
		const overlong = table.overlongRows();
		await forEachRow(table, turns, (row, index) => {
			const isOverlong = overlong.has(index);
			const state = isOverlong ? undefined : STATE_OF_STATUS.get(row.cell('status').toLowerCase());
			table.states.push(state ?? 'unusable');
			if (state !== undefined) return;
			findings.add(isOverlong ? rowErrors.tooManyCells : rowErrors.statusNotKnown, row.place);
			if (kind !== undefined) collector.incompleteKinds.add(kind);
		});
	}
}

/** The rows of a table by their sourcedId. */
export interface Index {
	/** Those that can be used, whether here or gone. */
	rows: Map<string, TableRow>;
	/** Ids of rows that cannot be used, and the first place of each. */
	unusable: Map<string, Place>;
	/** Rows that are there, but for their id. */
	withoutId: TableRow[];
}

/**
 * Columns in which rows with one id may differ, and the first row counts (ROSTER.md section 3, rule 2). With others it may be somebody else, or another
 * school or year.
 */
const MAY_DIFFER: Readonly<Partial<Record<FileName, readonly string[]>>> = {
	users: ['familyName', 'email', 'sms', 'phone', 'grades', 'agentSourcedIds'],
	classes: ['title', 'grades'],
	orgs: ['name'],
};

/** Whether a row is about the same as the one before with its id, which counts then, and takes from it what it leaves blank. */
function isOneWith(before: TableRow, row: TableRow, file: FileName, findings: Findings): boolean {
	const [mayDiffer, kind] = [MAY_DIFFER[file] ?? [], KIND_OF_FILE[file]];
	const differing = fieldsThatDiffer(before.cells, row.cells);
	if (before.state !== row.state || !differing.every((name) => mayDiffer.includes(name))) return false;
	const told = differing.filter((name) => name !== 'agentSourcedIds');
	if (kind !== undefined && told.length > 0) findings.add(rowsDiffer(kind, told), row.place);
	before.fillFrom(row);
	return true;
}

/** Each id once: rows that say the same are one, of those that may be about different ones none counts. */
export async function indexOf(reading: RosterReading, file: FileName): Promise<Index> {
	const { tables, findings, turns } = reading;
	const index: Index = { rows: new Map(), unusable: new Map(), withoutId: [] };
	const { rows, unusable, withoutId } = index;
	await forEachRow(tables[file], turns, (row) => {
		const id = row.cell('sourcedId');
		const before = rows.get(id);
		if (id === '') {
			if (row.state === 'unusable') return;
			findings.add(rowErrors.idMissing, row.place);
			withoutId.push(row);
		} else if (row.state === 'unusable' || unusable.has(id)) {
			rows.delete(id);
			if (!unusable.has(id)) unusable.set(id, row.place);
		} else if (before === undefined) rows.set(id, row);
		else if (!isOneWith(before, row, file, findings)) {
			rows.delete(id);
			unusable.set(id, before.place);
			for (const { place } of [before, row]) findings.add(rowErrors.idTwice, place);
		}
	});
	return index;
}

/** Where the day that counts lies in the time from a first day to a last one: both belong to it. */
export function whenIs(row: TableRow, { asOf, dateOf }: Rules): 'now' | 'ended' | 'later' | 'unreadable' {
	const [begin, end] = [row.cell('beginDate'), row.cell('endDate')];
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
