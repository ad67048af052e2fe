/** Classes, with the stage, grade, year and course that the service wants of them. */
import type { Fields, Place } from '../roster/record';

import {
	courseUnusable,
	gradeFromCourse,
	gradeFromStudents,
	gradeNotMapped,
	notAsked,
	severalGrades,
	withoutGrade,
	withoutId,
} from './classCauses';
import { readDate } from './dates';
import type { Cause } from '../roster/findings';
import type { People } from './people';
import { cellOf, indexOf, isNoLongerWhole, listOf, placeOf, type Index, type RosterReading } from './reading';
import { noSchool, type School, type Schools } from './schools';

/** A class as bonds see it. `out`: of a kind that was not asked for. */
export interface ClassRead {
	/** In the service; '' when the column that was chosen is empty. */
	id: string;
	school: School;
	state: 'here' | 'gone' | 'out';
}

export interface Classes {
	/** By sourcedId. */
	known: ReadonlyMap<string, ClassRead>;
	/** Ids of rows that cannot be used. */
	unusable: ReadonlyMap<string, Place>;
}

/** Reads all classes, and gives them to the collector. */
export async function readClasses(
	reading: RosterReading,
	schools: Schools,
	people: People,
): Promise<Classes> {
	const { tables, rules, collector, findings, turns } = reading;
	const table = tables.classes;
	const index = await indexOf(reading, 'classes', 'class');
	const known = new Map<string, ClassRead>();
	if (table === undefined) return { known, unusable: index.unusable };
	for (const source of index.unusable.values()) {
		collector.refuse('class', {}, source);
		isNoLongerWhole(reading, 'class');
	}
	const idColumn = rules.classIdFrom === 'identifier' ? 'classCode' : 'sourcedId';
	const rows = [...index.rowOf];
	for (const [sourcedId, row] of rows) {
		const type = cellOf(table, 'classType', row).toLowerCase();
		const isAsked = !['homeroom', 'scheduled'].includes(type) || rules.classTypes.has(type);
		known.set(sourcedId, {
			id: cellOf(table, idColumn, row),
			school: schools.of(cellOf(table, 'schoolSourcedId', row)),
			state: index.standing[row] === 'gone' ? 'gone' : isAsked ? 'here' : 'out',
		});
	}
	const courses = await indexOf(reading, 'courses');
	const yearOf = await yearReader(reading, courses);
	const votes = await gradesOfStudents(reading, people, rows, courses);
	await turns.forEach(rows.length, (at) => {
		const [sourcedId, row] = rows[at];
		const { id, school, state } = known.get(sourcedId) as ClassRead;
		const source = placeOf(table, row);
		if (state === 'out') return findings.add(notAsked, source);
		const ids: Fields = { school_external_id: school.id ?? '', external_id: id };
		if (state === 'gone') return collector.leave('class', ids, source);
		const courseId = cellOf(table, 'courseSourcedId', row);
		const graded =
			school.cause === undefined
				? gradeOf(reading, row, school.id, courses, votes.get(sourcedId))
				: { cause: school.cause };
		const cause =
			id === ''
				? withoutId(idColumn)
				: courses.unusable.has(courseId)
					? courseUnusable
					: 'cause' in graded
						? graded.cause
						: undefined;
		if (cause !== undefined || 'cause' in graded) {
			if (Object.values(ids).includes('') && cause !== noSchool) isNoLongerWhole(reading, 'class');
			return collector.refuse('class', ids, source, { ...(cause ?? withoutGrade), kind: 'class' });
		}
		if (graded.note !== undefined) findings.add(graded.note, source);
		const title = cellOf(table, 'title', row);
		collector.add(
			'class',
			{
				...ids,
				...graded.fields,
				year: rules.year ?? yearOf(row),
				code: cellOf(table, 'classCode', row) || title,
				name: title,
				course: cellOf(tables.courses, 'title', courses.rowOf.get(courseId) ?? -1),
			},
			source,
		);
	});
	return { known, unusable: index.unusable };
}

type Graded = { fields: Fields; note?: Cause } | { cause: Cause };

/** Stage and grade: of the class, else of its course, else of most of its students. */
function gradeOf(
	{ tables, rules }: RosterReading,
	row: number,
	school: string,
	courses: Index,
	votes: ReadonlyMap<string, number> | undefined,
): Graded {
	const own = listOf(cellOf(tables.classes, 'grades', row));
	const courseRow = courses.rowOf.get(cellOf(tables.classes, 'courseSourcedId', row));
	const ofCourse = courseRow === undefined ? [] : listOf(cellOf(tables.courses, 'grades', courseRow));
	let codes = own.length > 0 ? own : ofCourse;
	let note = own.length > 0 || ofCourse.length === 0 ? undefined : gradeFromCourse;
	const isOne = (all: readonly string[]) => new Set(all.map((code) => stageAndGrade(code))).size === 1;
	const stageAndGrade = (code: string) => {
		const found = rules.gradeOf(code, school);
		return found === undefined ? code : JSON.stringify([found.educationalStage, found.gradeName]);
	};
	if (!isOne(codes)) {
		const most = mostOf(votes);
		if (most === undefined || (codes.length > 0 && !codes.includes(most))) {
			return { cause: codes.length === 0 ? withoutGrade : severalGrades };
		}
		codes = [most];
		note = gradeFromStudents;
	}
	const found = rules.gradeOf(codes[0], school);
	if (found === undefined) return { cause: gradeNotMapped(note === gradeFromStudents ? '' : codes[0]) };
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
	people: People,
	rows: ReadonlyArray<[string, number]>,
	courses: Index,
): Promise<Map<string, Map<string, number>>> {
	const { tables, turns } = reading;
	const votes = new Map<string, Map<string, number>>();
	for (const [sourcedId, row] of rows) {
		const courseRow = courses.rowOf.get(cellOf(tables.classes, 'courseSourcedId', row)) ?? -1;
		const codes = listOf(
			cellOf(tables.classes, 'grades', row) || cellOf(tables.courses, 'grades', courseRow),
		);
		if (codes.length !== 1) votes.set(sourcedId, new Map());
	}
	const table = tables.enrollments;
	if (table === undefined || votes.size === 0) return votes;
	await turns.forEach(table.size, (row) => {
		const ofClass = votes.get(cellOf(table, 'classSourcedId', row));
		if (ofClass === undefined || cellOf(table, 'status', row).toLowerCase() === 'tobedeleted') return;
		const person = people.known.get(cellOf(table, 'userSourcedId', row));
		if (person === undefined || reading.rules.profileOf(cellOf(table, 'role', row)) !== 'student') return;
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
	const years = new Map<string, string>();
	const yearOfSession = (id: string): string => {
		const row = sessions.rowOf.get(id);
		if (row === undefined) return '';
		const given = cellOf(table, 'schoolYear', row) || cellOf(table, 'schoolYear', schoolYear(row));
		if (rules.yearFrom === 'asGiven') return given;
		const [, start, end] = /^(\d{4})\s*[-/–]\s*(\d{4})$/.exec(given) ?? [];
		if (start !== undefined) return rules.yearFrom === 'start' ? start : end;
		const day = readDate(
			cellOf(table, rules.yearFrom === 'start' ? 'startDate' : 'endDate', schoolYear(row)),
			rules.dateFormat,
		);
		return day?.slice(0, 4) ?? '';
	};
	const remembered = (id: string) => {
		const year = years.get(id) ?? yearOfSession(id);
		years.set(id, year);
		return year;
	};
	return (row) => {
		const terms = listOf(cellOf(tables.classes, 'termSourcedIds', row));
		const course = courses.rowOf.get(cellOf(tables.classes, 'courseSourcedId', row)) ?? -1;
		const ids = terms.length > 0 ? terms : listOf(cellOf(tables.courses, 'schoolYearSourcedId', course));
		const found = new Set(ids.map(remembered).filter((year) => year !== ''));
		// Of several years none is the one.
		return found.size === 1 ? [...found][0] : '';
	};
}
