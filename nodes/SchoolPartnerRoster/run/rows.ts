/** The rows of a sheet, under the names of the fields that its columns were mapped to. */
import type { INodeExecutionData } from 'n8n-workflow';

import type { Expressions } from '../../shared/actions/expressions';
import { parameterReader, type HearsNothing } from '../../shared/actions/parameters';
import { holdsNothing } from '../../shared/contract/blocks';
import { whyUnreadable } from '../../shared/engine/unexpected';
import { inputFailure, ThrownFailure, type Failure } from '../../shared/failure';
import type { Turns } from '../roster/turns';
import { labelOf } from '../../shared/actions/properties';
import { dayOfExcel, readDate, type DateFormat } from '../reading/dates';
import { ROW_FIELDS, SHEET, type Row } from '../reading/readRows';
import type { Finding, FindingType } from '../roster/finding';
import { Findings } from '../roster/findings';

import { rowsByHeading } from './rowsByHeading';

/** What the rows say, and what is to be told about them. A row that cannot be read is undefined. */
export interface Sheet {
	rows: Array<Row | undefined>;
	findings: Finding[];
}

/**
 * What each item says. Columns that a person dragged to a field are references, and read without n8n's expression engine (0.4 ms for
 * each cell); what is computed is n8n's to compute.
 */
export async function sheetOf(
	context: Expressions,
	items: readonly INodeExecutionData[],
	dateFormat: DateFormat,
	turns: Turns,
): Promise<Sheet> {
	const mode = parameterReader(context, items, 'columns.mappingMode', 'autoMapInputData')(0);
	const findings = new Findings();
	const byHeading = mode === 'autoMapInputData' ? await rowsByHeading(items, findings, turns) : undefined;
	const read = byHeading ?? parameterReader(context, items, 'columns.value', {});
	const readRow = (item: number, onNothing: HearsNothing) =>
		withDates((read(item, onNothing) ?? {}) as Row, dateFormat);
	const { rows, thrown } = await rowsOfItems(items, readRow, findings, turns);
	// What fails for every row is not the fault of a row.
	if (thrown !== undefined && rows.every((row) => row === undefined))
		throw new ThrownFailure(unreadableForAll(thrown));
	const isFilled = rows.some(
		(row) => row !== undefined && ROW_FIELDS.some((field) => !holdsNothing(row[field])),
	);
	if (!isFilled) throw new ThrownFailure(mode === 'autoMapInputData' ? OTHER_NAMES : NOTHING_MAPPED);
	return { rows, findings: findings.list() };
}

/** @returns `thrown`: what n8n threw for the first row that cannot be read */
async function rowsOfItems(
	items: readonly INodeExecutionData[],
	readRow: (item: number, onNothing: HearsNothing) => Row,
	findings: Findings,
	turns: Turns,
): Promise<{ rows: Sheet['rows']; thrown: unknown }> {
	const rows: Sheet['rows'] = [];
	let first: unknown;
	await turns.forEach(items, (_, item) => {
		const place = { file: SHEET, line: item + 1 };
		const onNothing: HearsNothing = ([field]) => findings.add(cellWithoutValue(String(field)), place);
		try {
			rows.push(readRow(item, onNothing));
		} catch (thrown) {
			first ??= thrown;
			rows.push(undefined);
			findings.add(UNREADABLE, place);
		}
	});
	return { rows, thrown: first };
}

const BIRTH_DATES = ROW_FIELDS.filter((field) => field.endsWith('_birth_date'));

/** A row with its dates as the service writes them. One that is no date in the format that is said stays as it is, and is refused. */
function withDates(row: Row, format: DateFormat): Row {
	const dates = BIRTH_DATES.flatMap((field): Array<[string, string]> => {
		const date = dateIn(row[field], format);
		return date === undefined ? [] : [[field, date]];
	});
	return dates.length === 0 ? row : { ...row, ...Object.fromEntries(dates) };
}

function dateIn(cell: unknown, format: DateFormat): string | undefined {
	if (typeof cell === 'number') return dayOfExcel(cell);
	return typeof cell === 'string' ? readDate(cell, format) : undefined;
}

/** Left out without a word, what was computed would be lost: a date that cannot be read gives null. */
const cellWithoutValue = (field: string): FindingType => ({
	severity: 'warning',
	code: 'expressionGivesNothing',
	message: `The expression for ${labelOf(field)} under Columns gives nothing for some rows`,
	what_to_do:
		'Look at these rows. The field is left out there. Where it may be empty, let the expression give an empty text.',
});

const UNREADABLE: FindingType = {
	severity: 'error',
	code: 'columnUnreadable',
	message: 'An expression under Columns cannot be evaluated for some rows',
	what_to_do:
		'Look at these rows, or let the expression take what they hold. They are left out until then, and nothing counts as gone because it is not in the rows.',
};

function unreadableForAll(thrown: unknown): Failure {
	return inputFailure({
		code: 'columnUnreadable',
		message: 'An expression under Columns cannot be evaluated for any row',
		next: `${whyUnreadable(thrown)}\nCorrect it under Columns. Nothing was planned.`,
	});
}

const NOTHING_MAPPED = inputFailure({
	code: 'noColumns',
	message: 'No row of the input gives anything: no column is mapped, or all that are mapped are empty',
	next: 'Drag the columns of the sheet to their fields under Columns, or choose Map Automatically there. Nothing was planned.',
});

const OTHER_NAMES = inputFailure({
	code: 'noColumns',
	message: 'No item of the input has a field that Map Automatically knows',
	next: 'Look whether the first line of the sheet has the headings. Rename the columns, for example to school_external_id, student_external_id, student_full_name and class_external_id, or choose Map Each Column Manually under Columns. Nothing was planned.',
});
