/** The list of somebody's classes against the bonds in the ledger. Pure. */
import { isJsonObject, type JsonObject } from '../../shared/contract/json';
import { detailOf, type AccessDetail } from '../ledger/detail';
import { classOfBond, idsIn, keyOf } from '../ledger/key';
import type { Ledger } from '../ledger/ledger';

import type { VerifiedUser } from './asked';
import { shownText } from './fields';

/** Finds what a list of classes is about: the ledger's key of a class, and the type of a profile, with which bonds are made. */
export class ShownIds {
	/** Keys of classes by the ids that the service gave them; undefined for an id that was given for two. */
	private readonly classes = new Map<string, string | undefined>();
	/** External ids of schools by the service's own. */
	private readonly schools = new Map<string, string>();
	private readonly profiles = new Map<string, string>();

	/**
	 * @param offered what the profiles lookup gives
	 * @param named what a person says of names that the lookup does not have
	 */
	constructor(
		readonly ledger: Ledger,
		offered: readonly JsonObject[],
		named: ReadonlyArray<{ name: string; profile: string }> = [],
	) {
		for (const { kind, key, row } of ledger.entries.values()) {
			const { service_id: id } = row;
			if (kind === 'class' && id !== '') this.classes.set(id, this.classes.has(id) ? undefined : key);
		}
		for (const row of ledger.decisions.access.values())
			this.learnSchool(detailOf<AccessDetail>(row).school_id, row.school_external_id);
		for (const { code, name, type } of offered)
			for (const id of [code, type, name]) this.profiles.set(profileName(id), shownText(type));
		for (const { name, profile } of named) this.profiles.set(profileName(name), profile);
	}

	learnSchool(id: unknown, externalId: unknown): void {
		const [own, external] = [shownText(id), shownText(externalId)];
		if (own !== '' && external !== '') this.schools.set(own, external);
	}

	knowsSchool(id: unknown): boolean {
		return this.schools.has(shownText(id));
	}

	/** By the service's own id, else by external ids. Undefined: nobody knows. */
	classKey({ id, school_id, external_id }: JsonObject): string | undefined {
		const school = this.schools.get(shownText(school_id)) ?? '';
		const known = this.classes.get(shownText(id));
		return (
			known ?? keyOf('class', { school_external_id: school, external_id: shownText(external_id) }, 'school')
		);
	}

	/** The types of the profiles in an entry of a list of classes. Undefined: nobody knows. */
	profileTypes({ profiles }: JsonObject): Array<string | undefined> {
		const typeOf = (name: unknown) => this.profiles.get(profileName(name));
		return (Array.isArray(profiles) ? profiles : []).map((profile: unknown) =>
			isJsonObject(profile) ? (typeOf(profile.name) ?? typeOf(profile.id)) : undefined,
		);
	}
}

function profileName(name: unknown): string {
	return shownText(name).normalize('NFKC').toLowerCase();
}

export interface ClassListComparison {
	/** Keys of bonds that are in the ledger, and not in the list. */
	missing: string[];
	/** Keys of bonds that are in the list, and not in the ledger. */
	extra: string[];
	/** Keys of bonds of which nobody knew whether they are there, and are. */
	settled: string[];
	/** Keys of the classes that should be in the list. */
	expected: string[];
	/** Of these, those that are. */
	shown: string[];
	/** It has less than half of what it should have: more is left out of it than anybody takes out by hand. */
	isShort: boolean;
	/** A class, or a profile, of which nobody knows which one it is. */
	hasUnknown: boolean;
}

export function compareClasses(
	{ entry, bonds }: VerifiedUser,
	list: readonly JsonObject[],
	ids: ShownIds,
): ClassListComparison {
	const there = bonds.filter((bond) => bond.there === 'yes');
	const expected = new Set(there.map(({ key }) => classOfBond(key)));
	const shown = shownBonds(entry.key, list, ids);
	const isUnclear = (bond: string) => shown.hasUnknownClass || shown.unclear.has(classOfBond(bond));
	const absent = there.filter(({ key }) => !shown.bonds.has(key) && !isUnclear(key));
	const uncertain = bonds.filter(({ there: state, action }) => state === 'maybe' && action === 'create');
	return {
		missing: absent.map(({ key }) => key),
		extra: [...shown.bonds].filter((key) => (ids.ledger.entries.get(key)?.there ?? 'no') === 'no'),
		settled: uncertain.filter(({ key }) => shown.bonds.has(key)).map(({ key }) => key),
		expected: [...expected],
		shown: [...expected].filter((key) => shown.classes.has(key)),
		isShort: list.length === 0 ? there.length > 0 : shown.classes.size * 2 < expected.size,
		hasUnknown: shown.hasUnknownClass || shown.unclear.size > 0,
	};
}

/** What a list says of one user. The list of an account in several schools has the classes of all of them. */
function shownBonds(user: string, list: readonly JsonObject[], ids: ShownIds) {
	const bonds = new Set<string>();
	const classes = new Set<string>();
	/** Classes with a profile that nobody knows. */
	const unclear = new Set<string>();
	let hasUnknownClass = false;
	const { school_external_id: ofUser, external_id: user_external_id } = idsIn(user);
	for (const one of list) {
		const key = ids.classKey(one);
		hasUnknownClass ||= key === undefined;
		if (key === undefined) continue;
		const { school_external_id = '', external_id: class_external_id } = idsIn(key);
		if (ofUser !== undefined && ofUser !== school_external_id) continue;
		classes.add(key);
		const types = ids.profileTypes(one);
		if (types.length === 0 || types.includes(undefined)) unclear.add(key);
		for (const profile_name of types) {
			const ends = { school_external_id, class_external_id, user_external_id };
			const bond = keyOf('bond', { ...ends, profile_name: profile_name ?? '' }, 'school');
			if (bond !== undefined) bonds.add(bond);
		}
	}
	return { bonds, classes, unclear, hasUnknownClass };
}
