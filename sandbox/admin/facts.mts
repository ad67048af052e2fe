import type { Facts, PersonFact } from '../admin-types.mts';
import type { profiles } from '../world/names.mts';
import type { Store } from '../world/store.mts';
import type { User } from '../world/types.mts';

const SHOWN = 20;

export type Addresses = Pick<Facts, 'baseUrl' | 'issuerUrl' | 'testIssuerUrl' | 'testSsoUrl' | 'clientId'>;

/** Ids a person or a test can use: the seeded network in short. */
export function factsOf(world: Store, addresses: Addresses): Facts {
	const users = [...world.users.values()];
	const withProfile = (profile: (typeof profiles)[number]['type']): User[] =>
		users.filter((user) => user.profiles.includes(profile));
	const students = withProfile('student');
	return {
		...addresses,
		seed: world.seed,
		tenantId: world.tenant.id,
		schools: world.schools.map(({ id, externalId, name, stages }) => ({
			id,
			externalId,
			name,
			stages: stages.map((stage) => ({ name: stage.name, grades: stage.grades.map((grade) => grade.name) })),
		})),
		counts: {
			classes: world.classes.size,
			users: world.users.size,
			students: students.length,
			bonds: world.bonds.size,
		},
		students: students.slice(0, SHOWN).map(personFact),
		responsibles: withProfile('responsible').slice(0, SHOWN).map(personFact),
		educators: withProfile('educator').slice(0, SHOWN).map(personFact),
		coordinators: withProfile('coordinator').slice(0, SHOWN).map(personFact),
		courses: students.slice(0, SHOWN).flatMap((user) =>
			user.courses.map(({ school, code, status }) => ({
				accountId: user.accountId,
				userId: user.id,
				schoolId: school.id,
				code,
				status,
			})),
		),
	};
}

function personFact(user: User): PersonFact {
	return {
		accountId: user.accountId,
		userId: user.id,
		externalId: user.externalId,
		schoolExternalId: user.school.externalId,
		login: user.login,
		name: `${user.firstName} ${user.lastName}`,
	};
}
