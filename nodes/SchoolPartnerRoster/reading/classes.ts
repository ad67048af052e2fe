/** Classes, with the stage, grade, year and course that the service wants of them. */
import type { FindingType } from '../roster/finding';
import { bounded } from '../roster/madeId';
import type { Fields, RosterRecord } from '../roster/record';

import { classErrors, classNotes, gradeFromStudents, gradeNotMapped } from './classFindings';
import { isLeftOut, type GradeRow } from './mapping';
import { isNoId } from './mention';
import type { PeopleById, Person } from './person';
import { indexOf, listIn, whenIs, type Index, type RosterReading } from './reading';
import type { School, Schools } from './schools';
import { forEachRow, type TableRow } from './table';

/** A row of classes.csv while it becomes a class. */
export interface ClassRead {
	row: TableRow;
	/** In the service; '' when the column that was chosen is empty, or the year that belongs to it is not known. */
	id: string;
	school: School;
	/** `out`: of a type that was not asked for, or of a grade that is left out on purpose. */
	state: 'here' | 'gone' | 'out';
	course: TableRow | undefined;
	year: string;
	/** Codes of its own grades, else of those of its course. */
	grades: string[];
}

/** Reads all classes, and gives them to the collector. */
export async function readClasses(
	reading: RosterReading,
	schools: Schools,
	people: PeopleById,
): Promise<ReadonlyMap<string, ClassRead>> {
	const { rules, collector, turns } = reading;
	const { rows, unusable, withoutId } = await indexOf(reading, 'classes');
	const known = new Map<string, ClassRead>();
	if (reading.tables.classes === undefined) return known;
	for (const [sourcedId, source] of unusable) {
		const id = rules.classIdFrom === 'sourcedId' ? sourcedId : '';
		collector.refuse({ kind: 'class', fields: { external_id: id }, source });
	}
	for (const row of withoutId) {
		const { id = '' } = schools.of(row.cell('schoolSourcedId'));
		collector.refuse({ kind: 'class', fields: { school_external_id: id }, source: row.place });
	}
	const courses = await indexOf(reading, 'courses');
	const yearOf = yearReader(reading, await indexOf(reading, 'academicSessions'));
	for (const [sourcedId, row] of rows)
		known.set(sourcedId, newClass(row, reading, { schools, courses, yearOf }));
	const votes = await gradesOfStudents(reading, people, known);
	const asked = new Map<ClassRead, GradeFound>();
	await turns.forEach(known, ([sourcedId, one]) => {
		const { findings } = reading;
		if (one.state === 'out') return findings.add(classNotes.classTypeLeftOut, one.row.place);
		const grade = gradeOfClass(one, votes.get(sourcedId), reading);
		if (grade !== 'leftOut') return void asked.set(one, grade);
		one.state = 'out';
		findings.add(classNotes.gradeLeftOut('its bonds'), one.row.place);
	});
	const twice = keysTwice([...asked.keys()], reading);
	await turns.forEach(asked, ([one, grade]) => collectClass(one, grade, { courses, twice }, reading));
	return known;
}

const idsOfClass = ({ school, id }: ClassRead): Fields => ({
	school_external_id: school.id ?? '',
	external_id: id,
});

/** Keys of which several classes are here. Trap: rows that are alike in everything are classes of their own nevertheless, by their sourcedIds. */
function keysTwice(
	classes: readonly ClassRead[],
	{ collector }: RosterReading,
): ReadonlySet<string | undefined> {
	const [once, twice] = [new Set<string>(), new Set<string>()];
	for (const one of classes) {
		const key =
			one.state === 'here' ? collector.keyOf({ kind: 'class', fields: idsOfClass(one) }) : undefined;
		if (key !== undefined) (once.has(key) ? twice : once).add(key);
	}
	return twice;
}

const idColumn = ({ rules }: RosterReading) =>
	rules.classIdFrom === 'sourcedId' ? 'sourcedId' : 'classCode';

function newClass(
	row: TableRow,
	reading: RosterReading,
	{ schools, courses, yearOf }: { schools: Schools; courses: Index; yearOf: ReturnType<typeof yearReader> },
): ClassRead {
	const { rules } = reading;
	const course = courses.rows.get(row.cell('courseSourcedId'));
	const year = String(rules.year ?? yearOf(row, course));
	const id = row.cell(idColumn(reading));
	const type = row.cell('classType').toLowerCase();
	const isAsked = !['homeroom', 'scheduled'].includes(type) || rules.classTypes.has(type);
	const ownGrades = listIn(row.cell('grades'));
	return {
		row,
		id: rules.classIdFrom === 'identifierAndYear' ? idWithYear(id, year) : id,
		school: schools.of(row.cell('schoolSourcedId')),
		state: row.state === 'gone' ? 'gone' : isAsked ? 'here' : 'out',
		course,
		year,
		grades: ownGrades.length > 0 ? ownGrades : listIn(course?.cell('grades') ?? ''),
	};
}

/** Gives a class to the collector. */
function collectClass(
	one: ClassRead,
	grade: GradeFound,
	{ courses, twice }: { courses: Index; twice: ReturnType<typeof keysTwice> },
	reading: RosterReading,
): void {
	const { collector, findings } = reading;
	const { row, id, state, course, year } = one;
	const [source, title] = [row.place, row.cell('title')];
	const ids = idsOfClass(one);
	if (state === 'gone') return void collector.leave({ kind: 'class', fields: ids, source });
	const fields: Fields = {
		...ids,
		...grade.fields,
		year,
		code: row.cell('classCode') || title,
		name: title,
		course: course?.cell('title') ?? '',
	};
	const record: RosterRecord = { kind: 'class', fields, source };
	if (twice.has(collector.keyOf(record))) return collector.refuseAmbiguous(record);
	const isUnusable = courses.unusable.has(row.cell('courseSourcedId'));
	const problem = idProblem(id, row, reading) ?? (isUnusable ? classErrors.courseUnusable : grade.problem);
	if (problem !== undefined) return collector.refuse(record, problem);
	if (grade.note !== undefined) findings.add(grade.note, source);
	collector.add(record);
}

function idProblem(id: string, row: TableRow, reading: RosterReading): FindingType | undefined {
	if (id !== '') return undefined;
	const column = idColumn(reading);
	return row.cell(column) === '' ? classErrors.idMissing(column) : classErrors.yearOfIdMissing;
}

/** An id that comes again each year, with the year behind it; '' where one of them is not known. One that is no id stays as it is, and is refused. */
export function idWithYear(id: string, year: string): string {
	if (isNoId(id)) return id;
	return id === '' || year === '' ? '' : bounded(`${id}-${year}`);
}

/** What is sent as stage and grade, or why there is none; and what is to be told of where they come from. */
interface GradeFound {
	fields?: Fields;
	note?: FindingType;
	problem?: FindingType;
}

/** Stage and grade: of the class, else of its course, else of most of its students. */
function gradeOfClass(
	{ school, state, grades }: ClassRead,
	votes: ReadonlyMap<string, number> | undefined,
	{ rules, collector }: RosterReading,
): GradeFound | 'leftOut' {
	if (state !== 'here') return {};
	if (school.problem !== undefined) return { problem: school.problem };
	const isOne =
		new Set(grades.map((code) => stageAndGrade(rules.gradeOf(code, school.id)) ?? code)).size === 1;
	const code = isOne ? grades[0] : mostOf(votes);
	if (code === undefined || (grades.length > 0 && !grades.includes(code)))
		return { problem: grades.length === 0 ? classErrors.gradeMissing : classErrors.severalGrades };
	const found = rules.gradeOf(code, school.id);
	if (found === undefined) {
		collector.lacksGrade(code, school.id);
		// Of students no grade is shown.
		return { problem: gradeNotMapped(isOne ? code : '') };
	}
	if (isLeftOut(found)) return 'leftOut';
	return {
		fields: { educational_stage: found.educationalStage, grade: found.gradeName },
		note: isOne ? undefined : gradeFromStudents,
	};
}

function stageAndGrade(row: GradeRow | undefined): string | undefined {
	return row && JSON.stringify([row.educationalStage, row.gradeName]);
}

/** The grade that more students have than any other; nothing when two are equal. */
function mostOf(votes: ReadonlyMap<string, number> | undefined): string | undefined {
	const [first, second] = [...(votes ?? [])].sort(([, one], [, other]) => other - one);
	return first !== undefined && first[1] !== second?.[1] ? first[0] : undefined;
}

/** Students of a class by their grade: those who are in it, who come later, and who have left. */
type Votes = Record<'now' | 'later' | 'ended', Map<string, number>>;

/**
 * How many students of each grade are in a class, for classes whose own and course's grade is not one. Trap: who has left, or comes next year, may be
 * in another grade. They count only where nobody is in the class now, as between two years.
 */
async function gradesOfStudents(
	{ tables, rules, turns }: RosterReading,
	people: PeopleById,
	classes: ReadonlyMap<string, ClassRead>,
): Promise<Map<string, Map<string, number>>> {
	const votes = new Map<string, Votes>();
	for (const [sourcedId, { grades }] of classes)
		if (grades.length !== 1) votes.set(sourcedId, { now: new Map(), later: new Map(), ended: new Map() });
	if (votes.size === 0) return new Map();
	await forEachRow(tables.enrollments, turns, (row) => {
		const ofClass = votes.get(row.cell('classSourcedId'));
		const person = people.get(row.cell('userSourcedId'));
		if (ofClass !== undefined && person !== undefined) vote(row, person, ofClass, rules);
	});
	const counted = ({ now, later, ended }: Votes) => [now, later].find(({ size }) => size > 0) ?? ended;
	return new Map([...votes].map(([sourcedId, ofClass]) => [sourcedId, counted(ofClass)]));
}

function vote(row: TableRow, person: Person, votes: Votes, rules: RosterReading['rules']): void {
	if (row.state !== 'here' || rules.profileOf(row.cell('role')) !== 'student') return;
	const when = person.state === 'gone' ? 'ended' : whenIs(row, rules);
	const [code, ...others] = listIn(person.grade ?? person.row.cell('grades'));
	if (when === 'unreadable' || code === undefined || others.length > 0) return;
	votes[when].set(code, (votes[when].get(code) ?? 0) + 1);
}

/** The row of the school year that a session belongs to. */
function schoolYearOf(session: TableRow, sessions: Index): TableRow {
	let at = session;
	for (let steps = 0; steps < 10 && at.cell('type').toLowerCase() !== 'schoolyear'; steps++) {
		const parent = sessions.rows.get(at.cell('parentSourcedId'));
		if (parent === undefined) break;
		at = parent;
	}
	return at;
}

/** Gives the year of a class, from its session, else from the session of its course; '' when there is none. */
function yearReader({ rules: { yearFrom, dateOf } }: RosterReading, sessions: Index) {
	const yearOfSession = (id: string): string => {
		const row = sessions.rows.get(id);
		if (row === undefined) return '';
		const schoolYear = schoolYearOf(row, sessions);
		const given = row.cell('schoolYear') || schoolYear.cell('schoolYear');
		if (yearFrom === 'asGiven') return given;
		const [, start, end] = /^(\d{4})\s*[-/–]\s*(\d{4})$/.exec(given) ?? [];
		if (start !== undefined) return yearFrom === 'start' ? start : end;
		return dateOf(schoolYear.cell(`${yearFrom}Date`))?.slice(0, 4) ?? '';
	};
	return (row: TableRow, course: TableRow | undefined): string => {
		const terms = listIn(row.cell('termSourcedIds'));
		const ids = terms.length > 0 ? terms : listIn(course?.cell('schoolYearSourcedId') ?? '');
		const found = new Set(ids.map(yearOfSession).filter((year) => year !== ''));
		// Of several years none is the one.
		return found.size === 1 ? [...found][0] : '';
	};
}
