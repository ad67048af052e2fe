import type { Store } from './store.mts';
import type { Bond, SchoolClass, User } from './types.mts';

/** What somebody changes in the service by hand, behind the partner's back. */

/** The fields of a person that can be changed so. */
export const personFields = [
	'externalId',
	'firstName',
	'lastName',
	'birthDate',
	'documentType',
	'documentValue',
	'ddi',
	'cellPhone',
	'email',
] as const;
export type PersonField = (typeof personFields)[number];

/** The fields of a class that can be changed so. */
export const classFields = ['externalId', 'name', 'description', 'course'] as const;
export type ClassField = (typeof classFields)[number];

/** Sets a field; the person is still found by the external id of before. */
export function changePerson(user: User, field: PersonField, value: string): void {
	Object.assign(user, { [field]: value });
}

export function changeClass(schoolClass: SchoolClass, field: ClassField, value: string): void {
	Object.assign(schoolClass, { [field]: value });
}

/** Other responsible persons instead of those that there were. */
export function changeResponsibles(user: User, responsibles: readonly User[]): void {
	for (const { dependents } of user.responsibles) dependents.splice(dependents.indexOf(user), 1);
	Object.assign(user, { responsibles });
	for (const { dependents } of responsibles) dependents.push(user);
}

/** The bond of a user that is meant: of this class and this profile, where they are named; else the first. */
export function bondOf(user: User, { classExternalId, profile }: Partial<BondEnds>): Bond {
	const found = [...user.bonds].find(
		(bond) =>
			(classExternalId === undefined || bond.class.externalId === classExternalId) &&
			(profile === undefined || bond.profile === profile),
	);
	if (!found) throw new Error(`User "${user.externalId}" has no such bond.`);
	return found;
}

export interface BondEnds {
	/** Of a class in the school of the user. */
	classExternalId: string;
	profile: string;
}

export function addBond(world: Store, user: User, { classExternalId, profile }: BondEnds): Bond {
	const schoolClass = classIn(world, user.school.externalId, classExternalId);
	return world.putBond({ user, class: schoolClass, profile, subjects: [], provisioned: false });
}

export function classIn(world: Store, schoolExternalId: string, classExternalId: string): SchoolClass {
	const found = world.classOf(schoolExternalId, classExternalId);
	if (!found) throw new Error(`There is no class "${classExternalId}" in school "${schoolExternalId}".`);
	return found;
}
