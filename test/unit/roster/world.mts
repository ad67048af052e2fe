/** Invented schools, as an export has them. */
import type { Fields, RosterRecord } from '../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Roster } from '../../../nodes/SchoolPartnerRoster/roster/roster.ts';

let line = 1;

function place(file: string) {
	line += 1;
	return { file, line };
}

export function aClass(id: string, school = 'school-1', more: Fields = {}): RosterRecord {
	return {
		kind: 'class',
		fields: {
			school_external_id: school,
			external_id: id,
			educational_stage: 'EF1',
			grade: '5º ano',
			year: 2026,
			code: id,
			name: `Class ${id}`,
			...more,
		},
		source: place('classes.csv'),
	};
}

export function aUser(id: string, profile: string, school = 'school-1', more: Fields = {}): RosterRecord {
	return {
		kind: 'user',
		fields: {
			school_external_id: school,
			external_id: id,
			first_name: 'Ana',
			last_name: `Lima ${id}`,
			profiles: [profile],
			...more,
		},
		source: place('users.csv'),
	};
}

export function aStudent(
	id: string,
	responsible: string[],
	school = 'school-1',
	more: Fields = {},
): RosterRecord {
	return aUser(id, 'student', school, { responsible_external_id: responsible, ...more });
}

export function aBond(user: string, ofClass: string, profile = 'student', school = 'school-1'): RosterRecord {
	return {
		kind: 'bond',
		fields: {
			school_external_id: school,
			class_external_id: ofClass,
			user_external_id: user,
			profile_name: profile,
		},
		source: place('enrollments.csv'),
	};
}

/** Two classes, of which one has a student with a responsible person, and a teacher. */
export const FAMILY = [
	aClass('c1'),
	aClass('c2'),
	aUser('r1', 'responsible'),
	aStudent('s1', ['r1']),
	aUser('t1', 'educator'),
	aBond('s1', 'c1'),
	aBond('t1', 'c1', 'educator'),
];

/** How complete a roster is of which absence means nothing. */
export const PARTIAL = { class: 'partial', user: 'partial', bond: 'partial' } as const;

/** A list that may come only once. */
export const LIST = { completeness: PARTIAL, comesOnce: true } as const;

export const isBond = ({ kind }: RosterRecord) => kind === 'bond';

export function rosterOf(records: readonly RosterRecord[], more: Partial<Roster> = {}): Roster {
	return {
		records: [...records],
		faulty: [],
		gone: [],
		completeness: { class: 'whole', user: 'whole', bond: 'whole' },
		schools: [],
		findings: [],
		files: [],
		...more,
	};
}

/** A school with classes of so many students, each with a responsible person of their own. */
export function aSchool(school: string, classes: number, studentsInEach: number): RosterRecord[] {
	const records: RosterRecord[] = [];
	for (let number = 1; number <= classes; number++) {
		const ofClass = `${school}-c${number}`;
		records.push(aClass(ofClass, school));
		for (let place = 1; place <= studentsInEach; place++) {
			const student = `${ofClass}-s${place}`;
			records.push(
				aUser(`${student}-r`, 'responsible', school),
				aStudent(student, [`${student}-r`], school),
				aBond(student, ofClass, 'student', school),
			);
		}
	}
	return records;
}
