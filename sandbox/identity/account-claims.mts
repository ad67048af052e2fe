import type { Account } from 'oidc-provider';
import { nameOf } from '../areas/shapes.mts';
import type { Store } from '../world/store.mts';

/** Claims that a scope opens, in id token and user-info. The document does not show the user-info's fields. */
export const claimsOfScope = {
	openid: ['sub', 'account_id', 'tenant_id', 'users'],
	profile: ['name', 'given_name', 'family_name', 'preferred_username', 'birthdate', 'email'],
};

/** An account as the provider wants it; undefined when nobody has this id. */
export function findAccount(world: Store, accountId: string): Account | undefined {
	const users = world.usersOfAccount(accountId);
	if (users.length === 0) return undefined;
	const [person] = users;
	return {
		accountId,
		claims: () => ({
			sub: accountId,
			account_id: accountId,
			tenant_id: world.tenant.id,
			users: users.map((user) => ({
				user_id: user.id,
				external_id: user.externalId,
				school_id: user.school.id,
				school_external_id: user.school.externalId,
				profiles: [...user.profiles],
			})),
			name: nameOf(person),
			given_name: person.firstName,
			family_name: person.lastName,
			preferred_username: person.login,
			birthdate: person.birthDate ?? undefined,
			email: person.email ?? undefined,
		}),
	};
}
