/** Rows of a sheet become a roster: one row for each student, with its class and up to three responsible persons. */
import { success, type Outcome } from '../../shared/failure';
import { KINDS, type Fields, type Kind, type Place } from '../roster/record';
import type { Completeness, Roster } from '../roster/roster';

import { gradeNotMapped } from './classCauses';
import { Collector, rosterOf, type Advice } from './collector';
import { Findings, type Cause } from '../roster/findings';
import { rulesOf, type Mapping, type Rules } from './mapping';
import { responsibleWithoutId } from './peopleCauses';
import { dayOf } from './readFiles';
import { dateNotRead } from './reading';
import { Turns, type Host } from '../roster/turns';

/** A row: what the resource mapper gives, by the names of {@link ROW_FIELDS}. */
export type Row = Readonly<Record<string, unknown>>;

const PERSON = [
	'external_id',
	'full_name',
	'first_name',
	'last_name',
	'birth_date',
	'document_type',
	'document_value',
	'ddi',
	'cell_phone',
	'email',
] as const;
const CLASS = [
	'external_id',
	'name',
	'code',
	'educational_stage',
	'grade',
	'year',
	'shift',
	'course',
	'description',
] as const;
const RESPONSIBLES = ['responsible_1', 'responsible_2', 'responsible_3'] as const;

/**
 * What a row may hold: `school_external_id`, `student_…`, `class_…` and `responsible_1_…` to `responsible_3_…`. A `…_full_name`
 * stands for two names. A `class_grade` without a `class_educational_stage` is a code of the table of grades.
 */
export const ROW_FIELDS: readonly string[] = [
	'school_external_id',
	...PERSON.map((field) => `student_${field}`),
	...CLASS.map((field) => `class_${field}`),
	...RESPONSIBLES.flatMap((who) => PERSON.map((field) => `${who}_${field}`)),
];

/** What a name like "Ana Maria Souza" is in the service: the first word, and the rest. */
export function splitName(name: string): { first_name: string; last_name: string } {
	const [, first, rest] = /^(\S+)\s*([\s\S]*)$/.exec(name.trim()) ?? ['', '', ''];
	return { first_name: first, last_name: rest };
}

/**
 * A roster from rows; one that could not be read is undefined.
 * @param sheet what the rows are called in findings; a line is the number of the row, from 1
 */
export async function readRows(
	rows: ReadonlyArray<Row | undefined>,
	mapping: Mapping,
	completeness: Exclude<Completeness, 'silent'>,
	host: Host,
	sheet = 'Row',
): Promise<Outcome<Roster>> {
	const rules = rulesOf(mapping, dayOf(host));
	if (!rules.ok) return rules;
	const [turns, findings] = [new Turns(host), new Findings()];
	const collector = new Collector(findings, rules.value.userKeys, adviceFor(rules.value, sheet), 'quiet');
	await turns.forEach(rows.length, (index) => {
		const row = rows[index];
		if (row !== undefined) readRow(row, { file: sheet, line: index + 1 }, rules.value, collector, findings);
		// Nobody can say what it was about.
		else for (const kind of KINDS) collector.untold.add(kind);
	});
	return success(await rosterOf(collector, findings, completeness, turns));
}

type Part = Record<string, Fields[string]>;

function readRow(row: Row, source: Place, rules: Rules, collector: Collector, findings: Findings): void {
	const school = { school_external_id: textOf(row.school_external_id) };
	const responsibles = RESPONSIBLES.map((who) => personOf(row, who)).filter(isFilled);
	const student = personOf(row, 'student');
	const ofClass = classOf(row, school.school_external_id, rules);
	const give = (kind: Kind, label: string, fields: Part) => {
		if (kind !== 'bond' && (fields.external_id ?? '') === '') {
			findings.add(withoutId(kind, label), source);
			collector.untold.add(kind).add('bond');
			return;
		}
		collector.add(kind, { ...fields, ...school }, source);
	};
	if (isFilled(ofClass)) give('class', 'class', ofClass);
	for (const person of responsibles)
		give('user', 'responsible person', { ...person, profiles: ['responsible'] });
	if (isFilled(student)) {
		const ids = responsibles
			.map(({ external_id: id }) => id)
			.filter((id): id is string => typeof id === 'string');
		const named = [...new Set(ids)].sort();
		// Without that person the student cannot be created: the service offers no way to add one later.
		if (ids.length < responsibles.length && student.external_id !== undefined) {
			collector.refuse('user', { ...student, ...school }, source, { ...responsibleWithoutId, kind: 'user' });
		} else {
			give('user', 'student', {
				...student,
				...(named.length > 0 && { responsible_external_id: named }),
				profiles: ['student'],
			});
		}
	}
	if (textOf(student.external_id) !== '' && textOf(ofClass.external_id) !== '') {
		const ends = { class_external_id: ofClass.external_id, user_external_id: student.external_id };
		give('bond', 'bond', { ...ends, profile_name: 'student' });
	}
}

/** What may be fixed under Columns, the same in every row: alone it says of nobody. */
const SAYS_NOTHING_ALONE = ['document_type', 'ddi'];

const isFilled = (part: Part) => Object.keys(part).some((field) => !SAYS_NOTHING_ALONE.includes(field));

/** A cell as text: sheets give numbers for ids and years. Anything else that is no text stands as it is, and is refused. */
function textOf(cell: unknown): Fields[string] {
	if (cell === undefined || cell === null) return '';
	if (typeof cell === 'string') return cell.trim();
	return Number.isSafeInteger(cell) ? String(cell) : (cell as Fields[string]);
}

/** The fields of a row that begin so and hold something. */
function partOf(row: Row, start: string, fields: readonly string[]): Part {
	const part: Part = {};
	for (const field of fields) {
		const cell = textOf(row[`${start}_${field}`]);
		if (cell !== '') part[field] = cell;
	}
	return part;
}

function personOf(row: Row, start: string): Part {
	const { full_name: fullName, ...person } = partOf(row, start, PERSON);
	return typeof fullName === 'string' ? { ...splitName(fullName), ...person } : person;
}

function classOf(row: Row, school: Fields[string], rules: Rules): Part {
	const part = partOf(row, 'class', CLASS);
	if (!isFilled(part)) return part;
	const found =
		part.educational_stage === undefined
			? rules.gradeOf(String(part.grade ?? ''), String(school))
			: undefined;
	return {
		...part,
		...(found && { educational_stage: found.educationalStage, grade: found.gradeName }),
		...(part.code === undefined && part.name !== undefined && { code: part.name }),
		...(rules.year !== undefined && { year: rules.year }),
	};
}

const withoutId = (kind: Kind, label: string): Cause => ({
	severity: 'error',
	code: 'idMissing',
	kind,
	message: `A row has values of a ${label}, but not its external id`,
	what_to_do:
		'Fill in the id, or say under Columns which column it is. Until then, nothing counts as gone because it is not in the rows.',
});

const adviceFor =
	({ dateFormat }: Rules, sheet: string): Advice =>
	(kind, field, { code, fields }) => {
		if (field === 'birth_date' && code === 'fieldRefused') return dateNotRead(sheet, field, dateFormat);
		if (field === 'educational_stage' && fields[field] === undefined && fields.grade !== undefined)
			return gradeNotMapped(String(fields.grade));
		if (field === 'educational_stage')
			return 'Say under Columns which column is the stage, or add a row for the grade under Mapping → Grades.';
		if (kind === 'class' && field === 'year')
			return 'Say under Columns which column is the year, or set Mapping → Year.';
		if (code === 'zerosLost')
			return "Format the column as text before it is filled in, or give the zeros back under Columns: {{ String($json.cpf).padStart(11, '0') }}. The record is left out until then.";
		return 'Correct the value in the sheet, or say under Columns which column it is. The record is left out until then.';
	};
