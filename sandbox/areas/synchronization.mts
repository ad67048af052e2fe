import { charactersOf, emptyGuid, isUuid } from '../checks/check-fields.mts';
import type { Store } from '../world/store.mts';
import type { School, SchoolClass, User } from '../world/types.mts';
import { documentedError, wrongParameters } from './errors.mts';
import { nothing, ok, oneOf, type Answer, type Route, type RouteInput } from './route.mts';
import * as shapes from './shapes.mts';

export interface SynchronizationSettings {
	readonly deviations: boolean;
}

const LONGEST_ACCOUNT_ID = 36;

/** The synchronization area: account, sponsors, dependents, tenant, schools and classes. */
export function synchronizationRoutes(world: () => Store, settings: SynchronizationSettings): Route[] {
	/** A row of the table: what is shown of the users of an account; an empty list is nothing found. */
	const ofAccount = (path: string, show: (users: readonly User[]) => unknown): Route => ({
		method: 'GET',
		path,
		query: ['tenant_id'],
		answer: (input) => tenantRefusal(oneOf(input.query.tenant_id)) ?? readAccount(world(), input, show),
	});
	return [
		ofAccount('/sync/v1/accounts/:account_id', ([user]) => shownAccount(user, settings.deviations)),
		ofAccount('/sync/v1/accounts/:account_id/sponsors', (users) => shownSponsors(users, settings.deviations)),
		ofAccount('/sync/v1/accounts/:account_id/dependents', (users) =>
			shownDependents(users, settings.deviations),
		),
		ofAccount('/sync/v1/schools/:account_id', (users) => shownSchools(users, settings.deviations)),
		ofAccount('/sync/v1/accounts/:account_id/classes', (users) =>
			shownClasses(world(), users, settings.deviations),
		),
		{
			method: 'GET',
			path: '/sync/v1/tenants/:tenant_id',
			answer: ({ params }) => readTenant(world(), params.tenant_id),
		},
	];
}

/** Missing or empty tenant_id: 409 in the documented words. Something that is no GUID: 400. */
function tenantRefusal(tenantId: string | undefined): Answer | undefined {
	if (tenantId === undefined || tenantId.trim() === '') return conflict('tenant_id is required.');
	if (tenantId === emptyGuid) return conflict('tenant_id cannot be an empty GUID.');
	return isUuid(tenantId) ? undefined : documentedError('sync', 400, 'tenant_id is not a GUID.');
}

const conflict = (message: string): Answer => ({
	status: 409,
	body: { Error: wrongParameters('tenant_id', message) },
});

function readAccount(
	world: Store,
	{ params, query }: RouteInput,
	show: (users: readonly User[]) => unknown,
): Answer {
	if (charactersOf(params.account_id) > LONGEST_ACCOUNT_ID) {
		return documentedError('sync', 400, `account_id must have at most ${LONGEST_ACCOUNT_ID} characters.`);
	}
	if (oneOf(query.tenant_id)?.toLowerCase() !== world.tenant.id) return nothing;
	const users = world.usersOfAccount(params.account_id);
	if (users.length === 0) return nothing;
	const shown = show(users);
	return Array.isArray(shown) && shown.length === 0 ? nothing : ok(shown);
}

function readTenant(world: Store, tenantId: string): Answer {
	const refusal = tenantRefusal(tenantId);
	if (refusal) return refusal;
	return tenantId.toLowerCase() === world.tenant.id ? ok(shapes.shownTenant(world.tenant)) : nothing;
}

/** Deviation: the account sample uses `user_id` where the table says `id`. */
function shownAccount(user: User, deviations: boolean): Record<string, unknown> {
	const { id, ...rest } = shapes.userFields(user, deviations);
	return deviations ? { user_id: id, ...rest } : { id, ...rest };
}

/** Deviation: one sponsor (here the first) has a time part on the date of birth. */
function shownSponsors(users: readonly User[], deviations: boolean): unknown[] {
	return onePerAccount(users.flatMap(({ responsibles }) => responsibles)).map((sponsor, index) => {
		const shown = shapes.personFields(sponsor, deviations);
		if (!deviations || index > 0 || sponsor.birthDate === null) return shown;
		return { ...shown, date_of_birth: `${sponsor.birthDate}T00:00:00` };
	});
}

/** Deviation: one dependent (here the first) has a single `phone` text instead of `cell_phone`. */
function shownDependents(users: readonly User[], deviations: boolean): unknown[] {
	return onePerAccount(users.flatMap(({ dependents }) => dependents)).map((dependent, index) => {
		const { cell_phone, ...rest } = shapes.userFields(dependent, deviations);
		return deviations && index === 0 ? { ...rest, phone: dependent.cellPhone } : { ...rest, cell_phone };
	});
}

function shownSchools(users: readonly User[], deviations: boolean): unknown[] {
	return [...new Set(users.map(({ school }) => school))].map((school) => ({
		...shapes.schoolFields(school, deviations),
		addresses: school.addresses.map((address) => shownAddress(address, deviations)),
		email: school.email,
	}));
}

/** Deviation: the school sample capitalizes `Zip`, `City` and `State`. */
function shownAddress(address: School['addresses'][number], deviations: boolean): Record<string, string> {
	const { zip, city, state, ...rest } = address;
	return deviations ? { Zip: zip, City: city, State: state, ...rest } : { zip, city, state, ...rest };
}

function shownClasses(world: Store, users: readonly User[], deviations: boolean): unknown[] {
	const { classExternalIds = [], showEvery = 1 } = world.hiddenClasses;
	const listed = [...shapes.bondsByClass(users)].filter(
		([{ externalId }], place) => !classExternalIds.includes(externalId) && place % showEvery === 0,
	);
	return listed.map(([schoolClass, bonds]) => ({
		...shapes.classFields(schoolClass),
		profiles: bonds.map(({ profile }) => shapes.profileOf(world, profile)),
		subjects: bonds.flatMap(({ subjects }) => subjects),
		shift: shownShift(schoolClass, deviations),
	}));
}

/** Deviation: the class sample names the identifier of the shift `tagId`. */
function shownShift({ shift }: SchoolClass, deviations: boolean): Record<string, string> | null {
	if (!shift) return null;
	return deviations ? { tagId: shift.id, name: shift.name } : { id: shift.id, name: shift.name };
}

function onePerAccount(users: readonly User[]): User[] {
	return [...new Map(users.map((user) => [user.accountId, user])).values()];
}
