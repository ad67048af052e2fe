import { uuidFrom } from './random.mts';
import { profiles } from './names.mts';
import type { Bond, Named, School, SchoolClass, Tenant, User } from './types.mts';

const key = (...parts: string[]): string => parts.join('\u0000');

/** Fields of a user before it has its ids and its links. */
export type NewUser = Omit<User, 'id' | 'accountId' | 'bonds' | 'dependents' | 'courses' | 'login'> & {
	readonly login?: string;
	/** Key of the person when one account spans several schools; the external id otherwise. */
	readonly accountKey?: string;
};

/** Everything the sandbox knows, with the lookups that its interfaces need. No HTTP in here. */
export class Store {
	readonly classes = new Map<string, SchoolClass>();

	readonly users = new Map<string, User>();

	readonly bonds = new Map<string, Bond>();

	readonly #usersOfAccount = new Map<string, User[]>();

	readonly #usersByExternalId = new Map<string, User[]>();

	readonly #usersById = new Map<string, User>();

	readonly #schoolsByExternalId = new Map<string, School>();

	readonly #logins = new Map<string, User>();

	readonly profileIds: ReadonlyMap<string, Named>;

	/** The user created last over the API. */
	newestCreation: User | undefined;

	/** What the lists of classes leave out, although it is there: these classes, by external id, and of each list everything but every n-th. */
	hiddenClasses: { classExternalIds?: readonly string[]; showEvery?: number } = {};

	constructor(
		readonly seed: number,
		readonly tenant: Tenant,
		readonly schools: readonly School[],
	) {
		for (const school of schools) this.#schoolsByExternalId.set(school.externalId, school);
		this.profileIds = new Map(
			profiles.map(({ type, name }) => [type, { id: uuidFrom(seed, 'profile', type), name }]),
		);
	}

	/** The id that this world gives to what is named so. */
	idOf(kind: string, name: string): string {
		return uuidFrom(this.seed, kind, name);
	}

	schoolByExternalId(externalId: string): School | undefined {
		return this.#schoolsByExternalId.get(externalId);
	}

	schoolById(id: string): School | undefined {
		return this.schools.find((school) => school.id === id.toLowerCase());
	}

	classOf(schoolExternalId: string, externalId: string): SchoolClass | undefined {
		return this.classes.get(key(schoolExternalId, externalId));
	}

	userOf(schoolExternalId: string, externalId: string): User | undefined {
		return this.users.get(key(schoolExternalId, externalId));
	}

	usersByExternalId(externalId: string): readonly User[] {
		return this.#usersByExternalId.get(externalId) ?? [];
	}

	userById(id: string): User | undefined {
		return this.#usersById.get(id.toLowerCase());
	}

	/** The users of one account, one per school. */
	usersOfAccount(accountId: string): readonly User[] {
		return this.#usersOfAccount.get(accountId.toLowerCase()) ?? [];
	}

	userByLogin(login: string): User | undefined {
		return this.#logins.get(login.toLowerCase());
	}

	/** Adds a class; replaces the one with the same external id in the same school (which keeps its id), unless it is to stand `beside` it. */
	putClass(fields: Omit<SchoolClass, 'id'>, beside = false): SchoolClass {
		const place = placeIn(this.classes, key(fields.school.externalId, fields.externalId), beside);
		const known = this.classes.get(place);
		if (known) return Object.assign(known, fields);
		const created = { ...fields, id: uuidFrom(this.seed, 'class', place) };
		this.classes.set(place, created);
		return created;
	}

	/** Adds a user; replaces the fields of the one with the same external id in the same school, unless it is to stand `beside` it. */
	putUser(fields: NewUser, beside = false): User {
		const place = placeIn(this.users, key(fields.school.externalId, fields.externalId), beside);
		const known = this.users.get(place);
		if (known) return this.#replaceUser(known, fields);
		// Written out member by member: spreading a hundred thousand objects takes seconds.
		const user: User = {
			id: uuidFrom(this.seed, 'user', place),
			accountId: uuidFrom(this.seed, 'account', fields.accountKey ?? fields.externalId),
			school: fields.school,
			externalId: fields.externalId,
			firstName: fields.firstName,
			lastName: fields.lastName,
			birthDate: fields.birthDate,
			documentType: fields.documentType,
			documentValue: fields.documentValue,
			ddi: fields.ddi,
			cellPhone: fields.cellPhone,
			email: fields.email,
			academicEmail: fields.academicEmail,
			login: fields.login ?? fields.externalId.toLowerCase(),
			profiles: fields.profiles,
			responsibles: fields.responsibles,
			dependents: [],
			bonds: new Set(),
			courses: [],
			provisioned: fields.provisioned,
			createdAt: fields.createdAt,
		};
		this.#index(place, user);
		return this.#linked(user);
	}

	#replaceUser(known: User, { accountKey: _accountKey, login, ...fields }: NewUser): User {
		for (const { dependents } of known.responsibles) dependents.splice(dependents.indexOf(known), 1);
		return this.#linked(Object.assign(known, fields, { login: login ?? known.login }));
	}

	#linked(user: User): User {
		for (const { dependents } of user.responsibles) dependents.push(user);
		if (user.provisioned) this.newestCreation = user;
		return user;
	}

	#index(place: string, user: User): void {
		this.users.set(place, user);
		this.#usersById.set(user.id, user);
		append(this.#usersOfAccount, user.accountId, user);
		append(this.#usersByExternalId, user.externalId, user);
		if (!this.#logins.has(user.login)) this.#logins.set(user.login, user);
	}

	bond(user: User, schoolClass: SchoolClass, profile: string): Bond | undefined {
		return this.bonds.get(key(user.id, schoolClass.id, profile));
	}

	/** Adds a bond; replaces the one with the same ends, unless it is to stand `beside` it. */
	putBond(bond: Bond, beside = false): Bond {
		this.bonds.set(placeIn(this.bonds, key(bond.user.id, bond.class.id, bond.profile), beside), bond);
		bond.user.bonds.add(bond);
		return bond;
	}

	/** A user goes, with bonds and links. */
	removeUser(user: User): void {
		for (const bond of [...user.bonds]) this.deleteBond(bond);
		for (const { dependents } of user.responsibles) dependents.splice(dependents.indexOf(user), 1);
		for (const dependent of user.dependents)
			Object.assign(dependent, { responsibles: dependent.responsibles.filter((one) => one !== user) });
		for (const [place, known] of this.users) if (known === user) this.users.delete(place);
		this.#usersById.delete(user.id);
		for (const lists of [this.#usersOfAccount, this.#usersByExternalId])
			for (const list of [lists.get(user.accountId), lists.get(user.externalId)])
				if (list?.includes(user)) list.splice(list.indexOf(user), 1);
		if (this.#logins.get(user.login) === user) this.#logins.delete(user.login);
		if (this.newestCreation === user) this.newestCreation = undefined;
	}

	/** With all that stand beside it. */
	deleteBond({ user, class: schoolClass, profile }: Bond): void {
		const first = key(user.id, schoolClass.id, profile);
		for (let n = 1; ; n++) {
			const bond = this.bonds.get(nthPlace(first, n));
			if (bond === undefined) return;
			this.bonds.delete(nthPlace(first, n));
			user.bonds.delete(bond);
		}
	}
}

/** Where the nth of what has one identity stands. Lookups find the first. */
const nthPlace = (first: string, n: number): string => (n === 1 ? first : key(first, String(n)));

/** The place of this identity, or beside what is there the next that is free. */
function placeIn(places: ReadonlyMap<string, unknown>, first: string, beside: boolean): string {
	let n = 1;
	while (beside && places.has(nthPlace(first, n))) n++;
	return nthPlace(first, n);
}

function append<T>(lists: Map<string, T[]>, at: string, value: T): void {
	const list = lists.get(at);
	if (list) list.push(value);
	else lists.set(at, [value]);
}
