/** Classes, with the stage, grade, year and course that the service wants of them. */
import type { FindingType } from '../roster/finding';
import { bounded } from '../roster/madeId';
import type { Fields } from '../roster/record';

import { classErrors, classNotes, gradeFromStudents, gradeNotMapped } from './classFindings';
import type { Person } from './person';
import { indexOf, listOf, type Index, type Known, type RosterReading } from './reading';
import type { School, Schools } from './schools';
import { cellOf, placeOf } from './table';

/** A class as bonds see it. `out`: of a kind that was not asked for. */
export interface ClassRead {
	row: number;
	/** In the service; '' when the column that was chosen is empty. */
	id: string;
	school: School;
	state: 'here' | 'gone' | 'out';
}

/** Reads all classes, and gives them to the collector. */
export async function readClasses(
	reading: RosterReading,
	schools: Schools,
	people: Known<Person>,
): Promise<Known<ClassRead>> {
	const { tables, rules, collector, findings, turns } = reading;
	const table = tables.classes;
	const { rowOf, standing, unusable, withoutId } = await indexOf(reading, 'classes', 'class');
	const known = new Map<string, ClassRead>();
	if (table === undefined) return { known, unusable };
	for (const [sourcedId, source] of unusable)
		collector.refuse('class', { external_id: rules.classIdFrom === 'sourcedId' ? sourcedId : '' }, source);
	for (const row of withoutId) {
		const { id = '' } = schools.of(cellOf(table, 'schoolSourcedId', row));
		collector.refuse('class', { school_external_id: id }, placeOf(table, row));
	}
	const idColumn = rules.classIdFrom === 'sourcedId' ? 'sourcedId' : 'classCode';
	const courses = await indexOf(reading, 'courses');
	const yearOfRow = await yearReader(reading, courses);
	const yearOf = (row: number) => String(rules.year ?? yearOfRow(row));
	const idOf = (row: number) => {
		const id = cellOf(table, idColumn, row);
		return rules.classIdFrom === 'identifierAndYear' ? idWithYear(id, yearOf(row)) : id;
	};
	for (const [sourcedId, row] of rowOf) {
		const type = cellOf(table, 'classType', row).toLowerCase();
		const isAsked = !['homeroom', 'scheduled'].includes(type) || rules.classTypes.has(type);
		known.set(sourcedId, {
			row,
			id: idOf(row),
			school: schools.of(cellOf(table, 'schoolSourcedId', row)),
			state: standing[row] === 'gone' ? 'gone' : isAsked ? 'here' : 'out',
		});
	}
	const votes = await gradesOfStudents(reading, people, known, courses);
	await turns.forEach(known, ([sourcedId, { row, id, school, state }]) => {
		const source = placeOf(table, row);
		const ids: Fields = { school_external_id: school.id ?? '', external_id: id };
		if (state === 'out') findings.add(classNotes.classTypeLeftOut, source);
		if (state === 'gone') collector.leave('class', ids, source);
		if (state !== 'here') return;
		const [courseId, title] = [cellOf(table, 'courseSourcedId', row), cellOf(table, 'title', row)];
		const graded = gradeOf(reading, row, school, courses, votes.get(sourcedId));
		const cause =
			id === ''
				? cellOf(table, idColumn, row) === ''
					? classErrors.idMissing(idColumn)
					: classErrors.yearOfIdMissing
				: courses.unusable.has(courseId)
					? classErrors.courseUnusable
					: graded.cause;
		if (cause !== undefined)
			return collector.refuse('class', { ...ids, year: yearOf(row), name: title }, source, cause);
		if (graded.note !== undefined) findings.add(graded.note, source);
		const fields: Fields = {
			...ids,
			...graded.fields,
			year: yearOf(row),
			code: cellOf(table, 'classCode', row) || title,
			name: title,
			course: cellOf(tables.courses, 'title', courses.rowOf.get(courseId)),
		};
		collector.add('class', fields, source);
	});
	return { known, unusable };
}

/** An id that comes again each year, with the year behind it; '' where one of them is not known. */
export function idWithYear(id: string, year: string): string {
	return id === '' || year === '' ? '' : bounded(`${id}-${year}`);
}

/** The grades of a class, else those of its course. */
function codesOf({ tables }: RosterReading, row: number, courses: Index) {
	const own = listOf(cellOf(tables.classes, 'grades', row));
	if (own.length > 0) return { codes: own, isOwn: true };
	const course = courses.rowOf.get(cellOf(tables.classes, 'courseSourcedId', row));
	return { codes: listOf(cellOf(tables.courses, 'grades', course)), isOwn: false };
}

/** Stage and grade: of the class, else of its course, else of most of its students. */
function gradeOf(
	reading: RosterReading,
	row: number,
	school: School,
	courses: Index,
	votes: ReadonlyMap<string, number> | undefined,
): { fields?: Fields; note?: FindingType; cause?: FindingType } {
	if (school.cause !== undefined) return { cause: school.cause };
	const { codes, isOwn } = codesOf(reading, row, courses);
	const mapped = (code: string) => reading.rules.gradeOf(code, school.id);
	const stageAndGrade = (code: string) => {
		const found = mapped(code);
		return found === undefined ? code : JSON.stringify([found.educationalStage, found.gradeName]);
	};
	const isOne = new Set(codes.map(stageAndGrade)).size === 1;
	const code = isOne ? codes[0] : mostOf(votes);
	if (code === undefined || (codes.length > 0 && !codes.includes(code)))
		return { cause: codes.length === 0 ? classErrors.gradeMissing : classErrors.severalGrades };
	const found = mapped(code);
	// Of students no grade is shown.
	if (found === undefined) {
		reading.collector.lacksGrade(code, school.id);
		return { cause: gradeNotMapped(isOne ? code : '') };
	}
	const note = isOne ? (isOwn ? undefined : classNotes.gradeFromCourse) : gradeFromStudents;
	return { fields: { educational_stage: found.educationalStage, grade: found.gradeName }, note };
}

/** The grade that more students have than any other; nothing when two are equal. */
function mostOf(votes: ReadonlyMap<string, number> | undefined): string | undefined {
	const [first, second] = [...(votes ?? [])].sort(([, one], [, other]) => other - one);
	return first !== undefined && first[1] !== second?.[1] ? first[0] : undefined;
}

/** How many students of each grade are in a class, for classes whose own and course's grade is not one. */
async function gradesOfStudents(
	reading: RosterReading,
	people: Known<Person>,
	classes: ReadonlyMap<string, ClassRead>,
	courses: Index,
): Promise<Map<string, Map<string, number>>> {
	const { tables, rules, turns } = reading;
	const votes = new Map<string, Map<string, number>>();
	for (const [sourcedId, { row }] of classes) {
		if (codesOf(reading, row, courses).codes.length !== 1) votes.set(sourcedId, new Map());
	}
	const table = tables.enrollments;
	if (table === undefined || votes.size === 0) return votes;
	await turns.forEach(table.lines, (_, row) => {
		const ofClass = votes.get(cellOf(table, 'classSourcedId', row));
		const person = people.known.get(cellOf(table, 'userSourcedId', row));
		if (ofClass === undefined || person === undefined) return;
		if (cellOf(table, 'status', row).toLowerCase() === 'tobedeleted') return;
		if (rules.profileOf(cellOf(table, 'role', row)) !== 'student') return;
		const [code, ...others] = listOf(person.grade ?? cellOf(tables.users, 'grades', person.row));
		if (code !== undefined && others.length === 0) ofClass.set(code, (ofClass.get(code) ?? 0) + 1);
	});
	return votes;
}

/** Gives the year of the class in a row, from its session, else from the session of its course; '' when there is none. */
async function yearReader(reading: RosterReading, courses: Index): Promise<(row: number) => string> {
	const { tables, rules } = reading;
	const table = tables.academicSessions;
	const sessions = await indexOf(reading, 'academicSessions');
	/** The row of the school year that a session belongs to. */
	const schoolYear = (row: number): number => {
		let at = row;
		for (let steps = 0; steps < 10 && cellOf(table, 'type', at).toLowerCase() !== 'schoolyear'; steps++) {
			const parent = sessions.rowOf.get(cellOf(table, 'parentSourcedId', at));
			if (parent === undefined) break;
			at = parent;
		}
		return at;
	};
	const yearOfSession = (id: string): string => {
		const row = sessions.rowOf.get(id);
		if (row === undefined) return '';
		const given = cellOf(table, 'schoolYear', row) || cellOf(table, 'schoolYear', schoolYear(row));
		if (rules.yearFrom === 'asGiven') return given;
		const [, start, end] = /^(\d{4})\s*[-/–]\s*(\d{4})$/.exec(given) ?? [];
		if (start !== undefined) return rules.yearFrom === 'start' ? start : end;
		const column = rules.yearFrom === 'start' ? 'startDate' : 'endDate';
		return rules.dateOf(cellOf(table, column, schoolYear(row)))?.slice(0, 4) ?? '';
	};
	return (row) => {
		const terms = listOf(cellOf(tables.classes, 'termSourcedIds', row));
		const course = courses.rowOf.get(cellOf(tables.classes, 'courseSourcedId', row));
		const ids = terms.length > 0 ? terms : listOf(cellOf(tables.courses, 'schoolYearSourcedId', course));
		const found = new Set(ids.map(yearOfSession).filter((year) => year !== ''));
		// Of several years none is the one.
		return found.size === 1 ? [...found][0] : '';
	};
}
