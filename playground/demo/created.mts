/** What the example created, read from the sandbox itself and not from what n8n says of it. */
import type { AdminClient } from '../../sandbox/admin-client.mts';
import type { BondState, ClassState, UserState } from '../../sandbox/admin-types.mts';

/** Records that came over the API; what the sandbox was seeded with is not in here. */
export interface Created {
	classes: ClassState[];
	responsibles: UserState[];
	students: UserState[];
	/** Bonds of these users with these classes. */
	bonds: BondState[];
}

export async function readCreated(admin: AdminClient): Promise<Created> {
	const { items: classes } = await admin.classes({ provisioned: true });
	const { items: users } = await admin.users({ provisioned: true });
	const bonds = await Promise.all(
		[...new Set(classes.map((one) => one.school_external_id))].map(
			async (schoolExternalId) => (await admin.bonds({ schoolExternalId, limit: 10_000 })).items,
		),
	);
	const classIds = new Set(classes.map((one) => one.external_id));
	return {
		classes,
		responsibles: users.filter(({ profiles }) => profiles.includes('responsible')),
		students: users.filter(({ profiles }) => profiles.includes('student')),
		bonds: bonds.flat().filter((bond) => classIds.has(bond.class_external_id)),
	};
}

/** What is not there although provisioning a school should have made it; empty when all is well. */
export function whatIsMissing({ classes, responsibles, students, bonds }: Created): string[] {
	const responsibleIds = new Set(responsibles.map((one) => one.external_id));
	const bonded = new Set(bonds.map((bond) => bond.user_external_id));
	return [
		...(classes.length === 0 ? ['a class'] : []),
		...(responsibles.length === 0 ? ['a responsible'] : []),
		...(students.length === 0 ? ['a student'] : []),
		...students
			.filter(
				({ responsible_external_id: ids }) => ids.length === 0 || ids.some((id) => !responsibleIds.has(id)),
			)
			.map(({ external_id: id }) => `the responsible of student ${id}`),
		...students
			.filter(({ external_id: id }) => !bonded.has(id))
			.map(({ external_id: id }) => `the bond of student ${id} with a class`),
	];
}

/** One line per record, for a reader. */
export function listOfCreated({ classes, responsibles, students, bonds }: Created): string {
	const person = (user: UserState) => `${user.external_id}  ${user.first_name} ${user.last_name}`;
	const lines = [
		...classes.map(
			(one) => `class        ${one.external_id}  ${one.name} (${one.educational_stage}, ${one.grade})`,
		),
		...responsibles.map((user) => `responsible  ${person(user)}`),
		...students.map(
			(user) => `student      ${person(user)}, responsible: ${user.responsible_external_id.join(', ')}`,
		),
		...bonds.map(
			(bond) => `bond         ${bond.user_external_id} as ${bond.profile_name} in ${bond.class_external_id}`,
		),
	];
	return lines.map((line) => `  ${line}`).join('\n');
}
