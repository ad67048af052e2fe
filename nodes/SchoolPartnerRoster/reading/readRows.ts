/** Rows of a sheet become a roster: one row for each student, with its class and up to three responsible persons. */
import { holdsNothing, isEmpty } from '../../shared/contract/blocks';
import { userCreation } from '../../shared/contract/provisioning';
import { findingTypes, type FindingType } from '../roster/finding';
import { Findings } from '../roster/findings';
import { idInRowOf, idOfDigest } from '../roster/madeId';
import { KINDS, type Fields, type Kind, type Place, type RosterRecord } from '../roster/record';
import { asList, ofEachKind, type Roster } from '../roster/roster';
import { Turns, type Host } from '../roster/turns';

import { idWithYear } from './classes';
import { classErrors, classNotes, gradeNotMapped } from './classFindings';
import { Collector, CPF_DIGITS, type Advice } from './collector';
import { HALF_MAPPED } from './fileFindings';
import { isLeftOut, rulesOf, type Mapping, type Rules } from './mapping';
import { isQuantity, isRounded } from './mention';
import { firstAndLastName, firstNameBeside, lastNameBeside } from './personNames';
import { dateNotRead } from './reading';
import { dropWhatSaysNothing, isDocument, plainDocument } from './sameRecord';
import { windows1252Of } from './text';
import { userErrors } from './userFindings';

/** A row: what the resource mapper gives, by the names of {@link ROW_FIELDS}. */
export type Row = Readonly<Record<string, unknown>>;

/** The school stands in the row once; profiles and responsible persons follow from the row. */
const NO_COLUMN = ['external_id', 'school_external_id', 'profiles', 'responsible_external_id'];
const PERSON = [
	...['external_id', 'full_name'],
	...Object.keys(userCreation.shape).filter((field) => !NO_COLUMN.includes(field)),
];
const CLASS_COLUMNS = [
	...['external_id', 'name', 'code', 'educational_stage', 'grade'],
	...['year', 'shift', 'course', 'description'],
];
/** Trap: the year, the stage and the shift stand in the rows of students too who have no class yet. */
const NAMES_A_CLASS = ['external_id', 'name', 'code', 'grade'];
const RESPONSIBLES = ['responsible_1', 'responsible_2', 'responsible_3'];

/**
 * What a row may hold: `school_external_id`, `student_…`, `class_…` and `responsible_1_…` to `responsible_3_…`. A `…_full_name`
 * stands for two names. A `class_grade` without a `class_educational_stage` is a code of the table of grades.
 */
export const ROW_FIELDS: readonly string[] = [
	'school_external_id',
	...PERSON.map((field) => `student_${field}`),
	...CLASS_COLUMNS.map((field) => `class_${field}`),
	...RESPONSIBLES.flatMap((who) => PERSON.map((field) => `${who}_${field}`)),
];

/** What rows are called in the place of a file: the line is the number of the row, from 1. */
export const SHEET = 'Row';

const LEFT_OUT = classNotes.gradeLeftOut('its students and their responsible persons');

/** A roster from rows; one that could not be read is undefined. */
export async function readRows(
	rows: ReadonlyArray<Row | undefined>,
	mapping: Mapping,
	completeness: 'whole' | 'partial',
	host: Host,
): Promise<Roster> {
	const [rules, turns] = [rulesOf(mapping), new Turns(host)];
	const collector = new Collector(new Findings(), rules.userKeys, adviceFor(rules));
	await turns.forEach(rows, (row, index) => {
		const source = { file: SHEET, line: index + 1 };
		if (row !== undefined) readRow(row, source, rules, collector);
		// Nobody can say what it was about.
		else for (const kind of KINDS) collector.incompleteKinds.add(kind);
	});
	return asList(await collector.roster(ofEachKind(completeness), turns), completeness);
}

function readRow(row: Row, source: Place, rules: Rules, collector: Collector): void {
	const code = textInRow(row.school_external_id);
	const school = typeof code === 'string' ? rules.schoolOf(code) : code;
	const record: RecordOfRow = (kind, fields) => ({
		...{ kind, source },
		fields: { ...fields, school_external_id: school },
	});
	const ofClass = classOf(row, String(school), rules, collector);
	// Created, nobody could remove a student who is in no class of the service.
	if (ofClass === 'left out')
		return collector.report(record('class', filledFields(row, 'class', CLASS_COLUMNS)), LEFT_OUT);
	const student = personInRow(row, 'student');
	const responsibles = responsiblesInRow(row, student, rules);
	const collect = (kind: 'class' | 'user', fields: Fields, problem: FindingType) => {
		if ((fields.external_id ?? '') === '') collector.refuse(record(kind, fields), problem);
		else collector.add(record(kind, fields));
	};
	const lacksYear = ofClass.year === undefined && textInRow(row.class_external_id) !== '';
	if (isFilled(ofClass))
		collect('class', ofClass, lacksYear ? classErrors.yearOfIdMissing : idMissing('class'));
	for (const person of responsibles)
		collect('user', { ...person, profiles: ['responsible'] }, idMissing('responsible person'));
	const ids = responsibles.map(({ external_id: id }) => id).filter((id) => typeof id === 'string');
	const links = ids.length > 0 && { responsible_external_id: [...new Set(ids)].sort() };
	// Without that person the student cannot be created: the service offers no way to add one later.
	if (ids.length < responsibles.length && student.external_id !== undefined)
		collector.refuse(record('user', student), userErrors.responsibleWithoutId);
	else if (isFilled(student))
		collect('user', { ...student, ...links, profiles: ['student'] }, idMissing('student'));
	collectBond(ofClass, student, record, collector);
}

/** A record of a row: all have its school. */
type RecordOfRow = (kind: Kind, fields: Fields) => RosterRecord;

/** That the student of a row is in its class. */
function collectBond(ofClass: Fields, student: Fields, record: RecordOfRow, collector: Collector): void {
	const [classId, userId] = [ofClass.external_id ?? '', student.external_id ?? ''];
	const ends = { class_external_id: classId, user_external_id: userId, profile_name: 'student' };
	if (classId !== '' && userId !== '') collector.add(record('bond', ends));
	// The student may be anybody, or in any class.
	else if (isFilled(student) && (userId === '' || isFilled(ofClass)))
		collector.refuse(record('bond', { ...student, ...ends }));
}

const isFilled = (fields: Fields) => Object.keys(fields).length > 0;

/** A cell as text: sheets give numbers for ids and years. Anything else that is no text stands as it is, and is refused. */
function textInRow(cell: unknown): Fields[string] {
	if (holdsNothing(cell)) return '';
	if (typeof cell === 'string') return cell.replaceAll(OF_WINDOWS_1252, windows1252Of).trim();
	return Number.isSafeInteger(cell) ? String(cell) : (cell as Fields[string]);
}

/** n8n's reader has no windows-1252: read as Latin1, its quotes and dashes are control characters. Behind these letters they are what is left of UTF-8. */
const OF_WINDOWS_1252 = /(?<![ÃÂâ\x80-\x9F])[\x80-\x9F]/g;

/** The fields of a row that begin so and hold something. */
function filledFields(row: Row, start: string, names: readonly string[]): Record<string, Fields[string]> {
	const fields: Record<string, Fields[string]> = {};
	for (const name of names) {
		const cell = textInRow(row[`${start}_${name}`]);
		if (cell !== '') fields[name] = cell;
	}
	return fields;
}

function personInRow(row: Row, start: string): Fields {
	const { full_name: fullName, ...person } = filledFields(row, start, PERSON);
	// What may be fixed under Columns, the same in every row.
	dropWhatSaysNothing(person);
	if (typeof fullName !== 'string') return person;
	const { first_name: first, last_name: last } = person;
	if (typeof last === 'string') return { first_name: firstNameBeside(fullName, last), ...person };
	if (typeof first === 'string') return { ...person, last_name: lastNameBeside(fullName, first) };
	return { ...firstAndLastName(fullName), ...person };
}

function responsiblesInRow(row: Row, student: Fields, rules: Rules): Fields[] {
	return RESPONSIBLES.map((who) => personInRow(row, who)).flatMap((person, place) =>
		isFilled(person) ? [withMadeId(person, place + 1, student, rules)] : [],
	);
}

function classOf(row: Row, school: string, rules: Rules, collector: Collector): Fields | 'left out' {
	const fields = filledFields(row, 'class', CLASS_COLUMNS);
	if (!NAMES_A_CLASS.some((field) => field in fields)) return {};
	if (fields.educational_stage === undefined && fields.grade !== undefined) {
		const code = String(fields.grade);
		const found = rules.gradeOf(code, school);
		if (found && isLeftOut(found)) return 'left out';
		if (found) Object.assign(fields, { educational_stage: found.educationalStage, grade: found.gradeName });
		else collector.lacksGrade(code, school);
	}
	if (fields.name !== undefined) fields.code ??= fields.name;
	if (rules.year !== undefined) fields.year = rules.year;
	if (rules.classIdFrom !== 'identifierAndYear' || typeof fields.external_id !== 'string') return fields;
	const { external_id: id, ...rest } = fields;
	const made = idWithYear(id as string, String(fields.year ?? ''));
	return made === '' ? rest : { ...rest, external_id: made };
}

/** A responsible person with the id that the mapping asks for: of the document, else of the student and the place in the row. */
function withMadeId(person: Fields, place: number, student: Fields, { responsibleIds }: Rules): Fields {
	if (responsibleIds === 'column') return person;
	const withId = (id: string): Fields => ({ ...person, external_id: id });
	const [type, value] = [person.document_type, person.document_value].map(plainDocument);
	if (responsibleIds === 'document' && isOfOnePerson(type, value, person))
		return withId(idOfDigest(`${type} ${value}`));
	const { external_id: id } = student;
	// The student is told, and so is this person.
	return withId(typeof id === 'string' ? idInRowOf(id, place) : '');
}

/** Trap: strangers share one that a sheet has rounded, too. */
function isOfOnePerson(type: string, value: string, { document_value: written }: Fields): boolean {
	if (isRounded(written) || isQuantity(written) || !isDocument(value)) return false;
	const { length: digits } = value.replaceAll(/\D/g, '');
	return !type.includes('cpf') || digits === CPF_DIGITS || (type !== 'cpf' && digits > CPF_DIGITS);
}

const { idMissing } = findingTypes('error', 'any', {
	idMissing: (label: string) => ({
		message: `A row has values of a ${label}, but not its external id`,
		what_to_do:
			'Fill in the id, or say under Columns which column it is. Until then, what it may be about stays.',
	}),
});

const adviceFor =
	({ dateFormat }: Rules): Advice =>
	(kind, field, { code, fields }) => {
		if (field === 'birth_date' && code === 'fieldRefused')
			return { ...dateNotRead(SHEET, field, dateFormat), isOfOne: true };
		// Empty cells are not among the fields.
		if (
			['educational_stage', 'grade'].includes(field) &&
			fields[field] !== undefined &&
			isEmpty(fields[field])
		)
			return HALF_MAPPED;
		if (field === 'educational_stage' && fields[field] === undefined && fields.grade !== undefined)
			return gradeNotMapped(String(fields.grade));
		if (field === 'educational_stage')
			return 'Say under Columns which column is the stage, or add a row for the grade under Mapping → Grades.';
		if (kind === 'class' && field === 'year')
			return 'Say under Columns which column is the year, or set Mapping → Year.';
		if (code === 'zerosLost')
			return "Format the column as text before it is filled in, or give the zeros back under Columns: {{ $json.cpf ? String($json.cpf).padStart(11, '0') : '' }}. The record is left out until then.";
		return 'Correct the value in the sheet, or say under Columns which column it is. The record is left out until then.';
	};
