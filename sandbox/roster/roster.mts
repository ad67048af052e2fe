/** The network as its own system sees it: who is where, with one person for each id. No file format in here. */
import { SCHOOL_YEAR } from '../world/seed-world.mts';
import type { Store } from '../world/store.mts';
import type { School, SchoolClass, User } from '../world/types.mts';
import { gradeCodeOf } from './mapping.mts';

export type FamilyRole = 'parent' | 'guardian' | 'relative';
export type ClassRole = 'student' | 'teacher' | 'administrator';

export interface RosterClass {
	readonly id: string;
	readonly school: string;
	readonly name: string;
	readonly code: string;
	readonly grade: string;
	readonly course: string;
}

/** A course is what a class teaches, in one grade; `title` is what the service calls the class's course. */
export interface RosterCourse {
	readonly id: string;
	readonly title: string;
	readonly code: string;
	readonly grade: string;
}

export interface RosterPerson {
	readonly id: string;
	readonly role: ClassRole | FamilyRole;
	/** Where the person is; a responsible person is where the students are. */
	readonly schools: readonly string[];
	readonly firstName: string;
	readonly lastName: string;
	readonly birthDate: string;
	readonly document: string;
	readonly email: string;
	/** With a leading plus and the dialling code. */
	readonly phone: string;
	readonly username: string;
	/** Of students: ids of the responsible persons. */
	readonly agents: readonly string[];
}

export interface RosterBond {
	readonly class: string;
	readonly person: string;
	readonly role: ClassRole;
}

export interface Roster {
	readonly network: { readonly id: string; readonly name: string };
	readonly schools: ReadonlyArray<{ readonly id: string; readonly name: string }>;
	readonly year: number;
	readonly courses: ReadonlyMap<string, RosterCourse>;
	readonly classes: ReadonlyMap<string, RosterClass>;
	/** By id. What changes tonight is changed here. */
	readonly people: Map<string, RosterPerson>;
	/** By class, person and role. */
	readonly bonds: Map<string, RosterBond>;
}

export const bondKey = ({ class: classId, person, role }: RosterBond): string =>
	`${classId}.${person}.${role}`;

export const isResponsible = ({ role }: RosterPerson): boolean =>
	role !== 'student' && role !== 'teacher' && role !== 'administrator';

const CLASS_ROLES: Readonly<Record<string, ClassRole>> = {
	student: 'student',
	educator: 'teacher',
	coordinator: 'administrator',
};

/** Which word the network's system has for a responsible person is of no matter to the service: all three are there. */
const FAMILY_ROLES: readonly FamilyRole[] = ['parent', 'parent', 'guardian', 'relative'];

/** The seeded world as a roster. A person with users in several schools is one person in several schools. */
export function rosterOf(world: Store): Roster {
	const courses = new Map<string, RosterCourse>();
	const classes = new Map<string, RosterClass>();
	for (const one of world.classes.values()) {
		const course = courseOf(one);
		courses.set(course.id, course);
		classes.set(one.externalId, {
			id: one.externalId,
			school: one.school.externalId,
			name: one.name,
			code: one.code,
			grade: course.grade,
			course: course.id,
		});
	}
	const people = new Map<string, RosterPerson>();
	for (const { externalId } of world.users.values())
		if (!people.has(externalId)) people.set(externalId, personOf(world.usersByExternalId(externalId)));
	const bonds = new Map<string, RosterBond>();
	for (const { class: schoolClass, user, profile } of world.bonds.values()) {
		const bond = { class: schoolClass.externalId, person: user.externalId, role: CLASS_ROLES[profile] };
		bonds.set(bondKey(bond), bond);
	}
	return {
		network: { id: world.tenant.externalId, name: world.tenant.name },
		schools: world.schools.map(({ externalId: id, name }: School) => ({ id, name })),
		year: SCHOOL_YEAR,
		courses,
		classes,
		people,
		bonds,
	};
}

/** OneRoster demands a course of every class: one that has none in the world belongs to the general one of its grade. */
function courseOf({ stage, grade, course }: SchoolClass): RosterCourse {
	const gradeCode = gradeCodeOf(stage.name, grade.name);
	return {
		id: `course-${gradeCode}-${(course ?? 'general').toLowerCase()}`,
		title: course ?? `${grade.name} ${stage.name}`,
		code: course ?? `G${gradeCode}`,
		grade: gradeCode,
	};
}

function personOf(users: readonly User[]): RosterPerson {
	const [user] = users;
	const [profile] = user.profiles;
	return {
		id: user.externalId,
		role: CLASS_ROLES[profile] ?? FAMILY_ROLES[Number(user.externalId.slice(-1)) % FAMILY_ROLES.length],
		schools: users.map(({ school }) => school.externalId),
		firstName: user.firstName,
		lastName: user.lastName,
		birthDate: user.birthDate ?? '',
		document: user.documentValue ?? '',
		email: user.email ?? '',
		phone: `+${user.ddi}${user.cellPhone}`,
		username: user.login,
		agents: user.responsibles.map(({ externalId }) => externalId),
	};
}
