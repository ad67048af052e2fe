import type {
	BondState,
	ClassState,
	CourseState,
	StateAnswer,
	StateQuery,
	UserState,
} from '../admin-types.mts';
import { shownBond } from '../areas/provisioning.mts';
import type { Store } from '../world/store.mts';
import type { SchoolClass, User } from '../world/types.mts';

const DEFAULT_LIMIT = 1_000;

/** The kinds of `/_sandbox/state/<kind>`. */
export const stateKinds = ['classes', 'users', 'bonds', 'courses'] as const;
export type StateKind = (typeof stateKinds)[number];

export interface StateItems {
	classes: ClassState;
	users: UserState;
	bonds: BondState;
	courses: CourseState;
}

/** What the world holds of one kind: the count of what was asked for, and a page of it. */
export function stateOf(
	world: Store,
	kind: StateKind,
	query: StateQuery,
): StateAnswer<StateItems[StateKind]> {
	if (kind === 'classes') return page(classesOf(world, query), query, shownClass);
	if (kind === 'users') return page(usersOf(world, query), query, shownUser);
	if (kind === 'courses') {
		const courses = usersOf(world, query).flatMap((user) => user.courses.map((course) => ({ user, course })));
		return page(courses, query, ({ user, course }) => ({
			account_id: user.accountId,
			user_id: user.id,
			school_id: course.school.id,
			code: course.code,
			status: course.status,
			last_update: course.lastUpdate,
		}));
	}
	const bonds = [...world.bonds.values()].filter(
		({ user, class: schoolClass, profile, provisioned }) =>
			fits(query.externalId, user.externalId, schoolClass.externalId) &&
			fits(query.accountId, user.accountId) &&
			fits(query.schoolExternalId, schoolClass.school.externalId) &&
			fits(query.profile, profile) &&
			isWanted(query.provisioned, provisioned),
	);
	return page(bonds, query, shownBond);
}

function page<T, S>(
	found: readonly T[],
	{ limit = DEFAULT_LIMIT, offset = 0 }: StateQuery,
	show: (item: T) => S,
): StateAnswer<S> {
	return { count: found.length, items: found.slice(offset, offset + limit).map(show) };
}

const fits = (wanted: string | undefined, ...values: string[]): boolean =>
	wanted === undefined || values.includes(wanted);

const isWanted = (wanted: boolean | undefined, provisioned: boolean): boolean =>
	wanted === undefined || wanted === provisioned;

function classesOf(world: Store, query: StateQuery): SchoolClass[] {
	return [...world.classes.values()].filter(
		({ externalId, school, provisioned }) =>
			fits(query.externalId, externalId) &&
			fits(query.schoolExternalId, school.externalId) &&
			isWanted(query.provisioned, provisioned),
	);
}

function usersOf(world: Store, query: StateQuery): User[] {
	const from =
		query.externalId === undefined ? world.users.values() : world.usersByExternalId(query.externalId);
	return [...from].filter(
		({ accountId, school, profiles, provisioned }) =>
			fits(query.accountId, accountId) &&
			fits(query.schoolExternalId, school.externalId) &&
			fits(query.profile, ...profiles) &&
			isWanted(query.provisioned, provisioned),
	);
}

function shownClass(schoolClass: SchoolClass): ClassState {
	const { id, externalId, school, name, stage, grade, shift, year, code, description, course, provisioned } =
		schoolClass;
	return {
		id,
		external_id: externalId,
		school_external_id: school.externalId,
		name,
		educational_stage: stage.name,
		grade: grade.name,
		shift: shift?.name ?? null,
		year,
		code,
		description,
		course,
		provisioned,
	};
}

function shownUser(user: User): UserState {
	return {
		user_id: user.id,
		account_id: user.accountId,
		external_id: user.externalId,
		school_external_id: user.school.externalId,
		first_name: user.firstName,
		last_name: user.lastName,
		birth_date: user.birthDate,
		document_type: user.documentType,
		document_value: user.documentValue,
		ddi: user.ddi,
		cell_phone: user.cellPhone,
		email: user.email,
		login: user.login,
		profiles: [...user.profiles],
		responsible_external_id: user.responsibles.map(({ externalId }) => externalId),
		provisioned: user.provisioned,
	};
}
