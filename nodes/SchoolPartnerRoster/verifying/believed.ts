/**
 * What of all that was seen can be believed. A service that lists less for a while is not one in which somebody has taken something out: what is
 * missing from too many lists at once was not seen, and is never taken for gone. Pure.
 */
import { classOfBond } from '../ledger/key';

import type { ComparedFields } from './differingFields';
import { differenceOf, type Difference } from './difference';
import type { PersonSeen } from './person';
import { verifyCauses, type VerifyCause } from './causes';

/** A class is not listed to so many of those who are in it: it is hidden. */
const HIDDEN_FROM = 4;

/** Of lists from which something is missing, so many may be believed, whatever the share. */
const FEW = 2;

export interface Verdict {
	differences: Difference[];
	causes: VerifyCause[];
	asked: number;
	same: number;
	different: number;
	notSeen: number;
	/** Keys of bonds that were uncertain, and are there. */
	settled: string[];
}

/** @param classes what was seen of each class, by its key */
export function verdictOf(
	people: readonly PersonSeen[],
	classes: ReadonlyMap<string, ComparedFields>,
): Verdict {
	const causes: VerifyCause[] = [];
	const doubts = doubtsOf(people, causes);
	const ofPeople = fieldsToTell(
		people.flatMap(({ key, fields }) => (fields ? [[key, fields] as const] : [])),
		causes,
	);
	const ofClasses = fieldsToTell([...classes], causes);
	const verdict: Verdict = {
		differences: [],
		causes,
		asked: people.length,
		same: 0,
		different: 0,
		notSeen: 0,
		settled: [],
	};
	for (const person of people) {
		const own = differencesOf(person, ofPeople.get(person.key) ?? [], doubts);
		verdict.differences.push(...own);
		verdict.settled.push(...(person.list?.settled ?? []));
		if (own.length > 0) verdict.different += 1;
		else if (isUnseen(person, doubts)) verdict.notSeen += 1;
		else verdict.same += 1;
	}
	for (const [key, fields] of ofClasses) verdict.differences.push(differenceOf(key, 'field', fields));
	countUnseen(people, causes);
	return verdict;
}

interface Doubts {
	/** Keys of classes that are left out of most lists in which they should be. */
	hidden: ReadonlySet<string>;
	areLists: boolean;
	areSponsors: boolean;
}

function doubtsOf(people: readonly PersonSeen[], causes: VerifyCause[]): Doubts {
	const hidden = hiddenClasses(people);
	const lists = people.filter(({ list }) => list !== undefined && list.expected.length > 0);
	const lacking = lists.filter((person) => missingOf(person, hidden).length > 0).length;
	const sponsors = people.filter(({ responsible }) => responsible === 'same' || responsible === 'differs');
	const others = sponsors.filter(({ responsible }) => responsible === 'differs').length;
	const doubts = {
		hidden,
		areLists: isTooMany(lacking, lists.length),
		areSponsors: isTooMany(others, sponsors.length),
	};
	if (hidden.size > 0) causes.push(verifyCauses.classesHidden(hidden.size));
	if (doubts.areLists) causes.push(verifyCauses.listsShort(lacking, lists.length));
	if (doubts.areSponsors) causes.push(verifyCauses.sponsorsDiffer(others, sponsors.length));
	return doubts;
}

/** More than a tenth at once: nobody does so much by hand in a night. */
function isTooMany(count: number, of: number): boolean {
	return count > Math.max(FEW, of / 10);
}

function hiddenClasses(people: readonly PersonSeen[]): Set<string> {
	const counts = new Map<string, { expected: number; shown: number }>();
	const countOf = (key: string) => {
		const known = counts.get(key) ?? { expected: 0, shown: 0 };
		counts.set(key, known);
		return known;
	};
	for (const { list } of people) {
		for (const key of list?.expected ?? []) countOf(key).expected += 1;
		for (const key of list?.shown ?? []) countOf(key).shown += 1;
	}
	const isHidden = ({ expected, shown }: { expected: number; shown: number }) =>
		expected >= HIDDEN_FROM && shown * 2 < expected;
	return new Set([...counts].flatMap(([key, count]) => (isHidden(count) ? [key] : [])));
}

function missingOf({ list }: PersonSeen, hidden: ReadonlySet<string>): string[] {
	return list?.missing.filter((key) => !hidden.has(classOfBond(key))) ?? [];
}

function differencesOf(person: PersonSeen, fields: string[], doubts: Doubts): Difference[] {
	const { key, list, responsible } = person;
	const isBelieved = list !== undefined && !list.isShort && !doubts.areLists;
	const missing = isBelieved ? missingOf(person, doubts.hidden) : [];
	return [
		...(fields.length > 0 ? [differenceOf(key, 'field', fields)] : []),
		...(responsible === 'differs' && !doubts.areSponsors
			? [differenceOf(key, 'responsible', ['responsible_external_id'])]
			: []),
		...missing.map((bond) => differenceOf(bond, 'missing')),
		...(list?.extra ?? []).map((bond) => differenceOf(bond, 'extra')),
	];
}

/** Whether something of a person that was asked for was not seen. */
function isUnseen(person: PersonSeen, { hidden, areLists, areSponsors }: Doubts): boolean {
	const { unseen, list, responsible } = person;
	if (unseen !== undefined || list === undefined || responsible === 'notSeen') return true;
	if (responsible === 'differs' && areSponsors) return true;
	return (
		list.isShort ||
		list.unknown > 0 ||
		(list.missing.length > 0 && (areLists || missingOf(person, hidden).length === 0))
	);
}

/** Fields that differ, by key; without those of which the service shows nothing to anybody, or that differ for most. */
function fieldsToTell(
	all: ReadonlyArray<readonly [string, ComparedFields]>,
	causes: VerifyCause[],
): Map<string, string[]> {
	const counts = new Map<string, number>();
	const filled = new Set(all.flatMap(([, fields]) => fields.filled));
	const told = all.map(([key, { differing, empty }]) => {
		const names = differing.filter((name) => filled.has(name) || !empty.includes(name));
		for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
		return [key, names] as const;
	});
	const ofMost = new Map([...counts].filter(([, count]) => count > Math.max(FEW, all.length / 2)));
	for (const [name, count] of ofMost) causes.push(verifyCauses.fieldDiffersForMost(name, count, all.length));
	const kept = told.map(([key, names]) => [key, names.filter((name) => !ofMost.has(name))] as const);
	return new Map(kept.filter(([, names]) => names.length > 0));
}

function countUnseen(people: readonly PersonSeen[], causes: VerifyCause[]): void {
	const of = (isCounted: (person: PersonSeen) => boolean) => people.filter(isCounted).length;
	const counts = {
		notFound: of(({ unseen }) => unseen === 'notFound'),
		refused: of(({ unseen, list }) => unseen === 'refused' || (unseen === undefined && list === undefined)),
		anotherAccount: of(({ unseen }) => unseen === 'anotherAccount'),
		listShort: of(({ list }) => list?.isShort === true),
		sponsorsNotSeen: of(({ responsible }) => responsible === 'notSeen'),
		profilesUnknown: of(({ list }) => (list?.unknown ?? 0) > 0),
	};
	for (const [code, count] of Object.entries(counts))
		if (count > 0) causes.push(verifyCauses[code as keyof typeof counts](count));
}
