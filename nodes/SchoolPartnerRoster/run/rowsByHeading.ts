/** The rows of a sheet whose columns nobody has dragged: Map Automatically. */
import type { INodeExecutionData } from 'n8n-workflow';

import { asData, type Reader } from '../../shared/actions/parameters';
import { isEmpty } from '../../shared/contract/blocks';
import { quoted } from '../../shared/contract/quoted';
import { inputFailure, ThrownFailure, type Failure } from '../../shared/failure';
import { labelOf } from '../../shared/actions/properties';
import { matchHeadings, type HeadingConflict, type MatchedHeadings } from '../reading/headings';
import { findingTypes, type FindingType } from '../roster/finding';
import type { Findings } from '../roster/findings';
import type { Turns } from '../roster/turns';

/** Reads each item by what its headings say. Tells which heading became which field, and which are not used. */
export async function rowsByHeading(
	items: readonly INodeExecutionData[],
	findings: Findings,
	turns: Turns,
): Promise<Reader> {
	// Empty cells may have been left out: no item alone has all headings.
	const headings = new Set<string>();
	await turns.forEach(items, ({ json }) => {
		for (const heading of Object.keys(json)) headings.add(heading);
	});
	const matched = matchHeadings(headings);
	if (!matched.ok) throw new ThrownFailure(conflict(matched.failure));
	const { headingOf, left } = matched.value;
	if ([...headingOf].some(([field, heading]) => field !== heading)) findings.add(columnsMatched(headingOf));
	const missing = withoutColumn(headingOf);
	if (headingOf.size > 0 && missing.length > 0) findings.add(columnMissing(missing));
	if (headingOf.size > 0 && left.length > 0) findings.add(columnsLeft(left));
	return (item) => rowOf(items[item].json, matched.value);
}

function rowOf(json: INodeExecutionData['json'], { headingOf, implied }: MatchedHeadings) {
	const row: Record<string, unknown> = {};
	for (const [field, heading] of headingOf) {
		// Trap: `constructor` and the like must not be found where the item has no such field.
		if (!Object.hasOwn(json, heading)) continue;
		row[field] = asData(json[heading]);
		const also = implied.get(field);
		if (also !== undefined && !headingOf.has(also[0]) && !isEmpty(row[field])) row[also[0]] = also[1];
	}
	return row;
}

const MOST_HEADINGS = 40;

const quotedHeading = (heading: string) => `"${quoted(heading, 60)}"`;

function headingList(names: readonly string[]): string {
	const more = names.length - MOST_HEADINGS;
	return names.slice(0, MOST_HEADINGS).join(', ') + (more > 0 ? ` and ${more} more` : '');
}

const { columnsMatched, columnsLeft } = findingTypes('information', 'any', {
	columnsMatched: (headingOf: MatchedHeadings['headingOf']) => ({
		message: `Map Automatically took the columns by their headings: ${headingList([...headingOf].map(([field, heading]) => `${quotedHeading(heading)} is ${labelOf(field)}`))}`,
		what_to_do:
			'Look whether each is what it says. If one is not, rename it in the sheet, or choose Map Each Column Manually under Columns.',
	}),
	columnsLeft: (left: readonly string[]) => ({
		message: `Map Automatically does not use these columns: ${headingList(left.map(quotedHeading))}`,
		what_to_do:
			'Nothing, where the service does not need them. Otherwise rename the column to the field that it is, or choose Map Each Column Manually under Columns.',
	}),
});

/** Without these nothing of a row can be used, or nothing of its class. */
const NEEDED = ['school_external_id', 'student_external_id', 'class_external_id'];

/** The needed fields that no heading is, where a heading is another field of the same. */
function withoutColumn(headingOf: MatchedHeadings['headingOf']): string[] {
	const fields = [...headingOf.keys()];
	const isOfSame = (field: string) => fields.some((one) => one.startsWith(field.split('_')[0]));
	return NEEDED.filter((field) => !headingOf.has(field) && (field === NEEDED[0] || isOfSame(field)));
}

const columnMissing = (missing: readonly string[]): FindingType => ({
	severity: 'warning',
	code: 'columnMissing',
	message: `Map Automatically knows no heading of the sheet as ${missing.map(labelOf).join(' and ')}`,
	what_to_do:
		'Rename the column that it is to this name, or choose Map Each Column Manually under Columns. columnsLeft has the columns that are not used.',
});

const conflict = ({ field, headings }: HeadingConflict): Failure =>
	inputFailure({
		code: 'headingTwice',
		message: `Map Automatically cannot tell which column is ${labelOf(field)}: ${headingList(headings.map(quotedHeading))}`,
		next: 'Rename one of them in the sheet, or take it out before this node; or choose Map Each Column Manually under Columns. Nothing was planned.',
	});
