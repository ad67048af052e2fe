import { createHash } from 'node:crypto';
import type { Bond, Named, School, SchoolClass, Tenant, User } from '../world/types.mts';
import type { Store } from '../world/store.mts';

/**
 * How people, schools and classes look on the wire, for the synchronization and for the events. With
 * `deviations` on, answers differ from the tables where the document says that its samples do.
 */

/** The document calls `hash` an encrypted combination of fields; any text that follows from them will do. */
export function hashOf(...parts: Array<string | null>): string {
	return createHash('sha256').update(parts.join('|')).digest('base64');
}

export const nameOf = ({ firstName, lastName }: User): string => `${firstName} ${lastName}`;

export function shownPhone(
	{ ddi, cellPhone }: User,
	deviations: boolean,
): { ddi: string; value: string } | null {
	if (cellPhone === null) return null;
	// The sample of the events has a leading plus sign; provisioning sends the code without one.
	return { ddi: deviations ? `+${ddi ?? '55'}` : (ddi ?? '55'), value: cellPhone };
}

export function shownDocuments({
	documentType,
	documentValue,
}: User): Array<{ type: string; value: string }> {
	return documentType === null || documentValue === null
		? []
		: [{ type: documentType, value: documentValue }];
}

/** The members that a person has everywhere: in the account, as sponsor, as dependent, in an event. */
export function personFields(user: User, deviations: boolean): Record<string, unknown> {
	return {
		hash: hashOf(user.id, user.accountId, nameOf(user)),
		id: user.id,
		account_id: user.accountId,
		external_id: user.externalId,
		name: nameOf(user),
		date_of_birth: user.birthDate,
		cell_phone: shownPhone(user, deviations),
		email: user.email,
		documents: shownDocuments(user),
	};
}

/** A person with a login: account users, dependents, users of an event. */
export function userFields(user: User, deviations: boolean): Record<string, unknown> {
	return { ...personFields(user, deviations), academic_email: user.academicEmail, login: user.login };
}

export function shownTenant(tenant: Tenant): Record<string, unknown> {
	const { id, name, externalId, brandName } = tenant;
	return { hash: hashOf(id, name), id, name, external_id: externalId, brand_name: brandName };
}

/** The tables name the tax id `cnpj`, the samples `cpnj`. */
export function schoolFields(school: School, deviations: boolean): Record<string, unknown> {
	const { id, name, taxId, externalId } = school;
	return { hash: hashOf(id, name), id, name, [deviations ? 'cpnj' : 'cnpj']: taxId, external_id: externalId };
}

export function classFields(schoolClass: SchoolClass): Record<string, unknown> {
	const { id, name, school, externalId, course, description, year, stage, grade } = schoolClass;
	return {
		hash: hashOf(id, name, school.id),
		id,
		name,
		school_id: school.id,
		external_id: externalId,
		course_code: course,
		description,
		year,
		educational_stage: idAndName(stage),
		grade: idAndName(grade),
	};
}

export const idAndName = ({ id, name }: Named): Named => ({ id, name });

export function profileOf(world: Store, type: string): Named {
	return world.profileIds.get(type) ?? { id: world.idOf('profile', type), name: type };
}

/** The bonds of one or more users by class: a user may have more than one profile in a class. */
export function bondsByClass(users: readonly User[]): Map<SchoolClass, Bond[]> {
	const found = new Map<SchoolClass, Bond[]>();
	for (const bond of users.flatMap((user) => [...user.bonds])) {
		found.set(bond.class, [...(found.get(bond.class) ?? []), bond]);
	}
	return found;
}
