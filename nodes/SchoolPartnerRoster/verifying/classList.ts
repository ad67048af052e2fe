/** The list of somebody's classes against the bonds in the ledger. Pure. */
import { classOfBond, idsIn, keyOf } from '../ledger/key';
import type { Ledger, LedgerEntry } from '../ledger/ledger';

import { classCount, type VerifiedUser } from './people';
import type { ProfileTypes } from './profiles';
import { textOf } from './shownFields';

type Shown = Readonly<Record<string, unknown>>;

export interface ClassJoin {
	ledger: Ledger;
	/** By the ids that the service gave. */
	classes: ReadonlyMap<string, LedgerEntry>;
	/** External ids of schools by the service's own. */
	schools: ReadonlyMap<string, string>;
	profiles: ProfileTypes;
}

export interface ComparedList {
	/** Keys of bonds that are in the ledger, and not in the list. */
	missing: string[];
	/** Keys of bonds that are in the list, and not in the ledger. */
	extra: string[];
	/** Keys of bonds that may be there, and are. */
	settled: string[];
	/** Keys of the classes that should be in the list. */
	expected: string[];
	/** Of these, those that are. */
	shown: string[];
	/** It has less than half of what it should have: more is left out of it than anybody takes out by hand. */
	isShort: boolean;
	/** Entries of which nobody knows which class, or which profile, they are. */
	unknown: number;
}

/** The key of a class in a list: by the service's own id, else by external ids. Undefined: nobody knows. */
export function classKeyOf(shown: Shown, { classes, schools }: ClassJoin): string | undefined {
	const known = classes.get(textOf(shown.id));
	if (known !== undefined) return known.key;
	const school = schools.get(textOf(shown.school_id));
	const fields = { school_external_id: school ?? '', external_id: textOf(shown.external_id) };
	return keyOf('class', fields, 'school');
}

export function comparedList(
	{ entry, bonds }: VerifiedUser,
	list: readonly Shown[],
	join: ClassJoin,
): ComparedList {
	const there = bonds.filter((bond) => bond.there === 'yes');
	const expected = new Set(there.map(({ key }) => classOfBond(key)));
	const shown = new ShownBonds(entry.key);
	for (const one of list) shown.take(one, join);
	const isDoubtful = (key: string) => shown.unknownClasses.has(classOfBond(key)) || shown.isClassUnknown;
	const absent = there.filter(({ key }) => !shown.bonds.has(key) && !isDoubtful(key));
	const unsure = bonds.filter(({ there: state, action }) => state === 'maybe' && action === 'create');
	return {
		missing: absent.map(({ key }) => key),
		extra: [...shown.bonds].filter((key) => (join.ledger.entries.get(key)?.there ?? 'no') === 'no'),
		settled: unsure.filter(({ key }) => shown.bonds.has(key)).map(({ key }) => key),
		expected: [...expected],
		shown: [...expected].filter((key) => shown.classes.has(key)),
		isShort: list.length === 0 ? there.length > 0 : shown.count * 2 < classCount(there),
		unknown: shown.unknown,
	};
}

/** What a list says of one user. Of an account in several schools, it has the classes of all. */
class ShownBonds {
	readonly bonds = new Set<string>();
	readonly classes = new Set<string>();
	readonly unknownClasses = new Set<string>();
	isClassUnknown = false;
	unknown = 0;
	count = 0;

	constructor(private readonly user: string) {}

	take(shown: Shown, join: ClassJoin): void {
		const key = classKeyOf(shown, join);
		if (key === undefined) {
			this.isClassUnknown = true;
			this.unknown += 1;
			return;
		}
		const { school_external_id: school, external_id: ofClass } = idsIn(key);
		const { school_external_id: own = school, external_id: user } = idsIn(this.user);
		if (school !== own) return;
		this.count += 1;
		this.classes.add(key);
		const profiles = Array.isArray(shown.profiles) ? shown.profiles : [];
		const types = profiles.map((profile) => join.profiles.typeOf(profile));
		if (types.length === 0 || types.includes(undefined)) {
			this.unknownClasses.add(key);
			this.unknown += 1;
		}
		const ends = { school_external_id: school ?? '', class_external_id: ofClass, user_external_id: user };
		for (const type of types) {
			const bond = keyOf('bond', { ...ends, profile_name: type ?? '' }, 'school');
			if (bond !== undefined) this.bonds.add(bond);
		}
	}
}
