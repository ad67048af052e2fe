/**
 * What of all that differs can be believed. A service that lists less for a while is not one in which somebody has taken something out: what is
 * missing from too many lists at once was not seen, and is never taken for gone. Pure.
 */
import { bondOf, classOfBond, idsIn, kindOfKey } from '../ledger/key';
import { shownNameOf } from '../planning/fieldDigests';
import type { Kind } from '../roster/record';

import { RESPONSIBLE_IDS, type ClassComparison, type PersonComparison } from './compared';
import { verifyFindings, type VerifyFinding } from './findings';

/** A class is not listed to so many of those who are in it: it is hidden. */
const HIDDEN_FROM = 4;

/** Of lists from which something is missing, so many may be believed, whatever the share. */
const ALWAYS_BELIEVED = 2;

/** Item of the output Differences. */
export interface DifferenceItem {
	key: string;
	kind: Kind;
	difference: keyof typeof WHAT_TO_DO;
	/** Names of the fields that differ; never a value. */
	fields?: string[];
	/** What Resolve is told, by whom: only where something is missing. */
	is?: 'notInService';
	by?: string;
	what_to_do: string;
	school_external_id?: string;
	class_external_id?: string;
	user_external_id?: string;
	external_id?: string;
	profile_name?: string;
}

/** Who says so, in the row that Resolve writes. */
export const BY = 'Verify';

const WHAT_TO_DO = {
	missing:
		'The service does not show this bond. Look there. If it is gone, give this item to Resolve: the next Sync creates the bond again.',
	extra:
		'The service shows a bond that the ledger does not have. Somebody may have made it by hand: leave it, or take it out in the service. Nothing removes it by itself.',
	field:
		'The service shows other values than were sent. Correct them there, or in the school system. When they are as in the roster, the next Sync takes them for corrected.',
	responsible:
		'The service shows other responsible persons than were sent. Correct them there, or in the school system: a link cannot be changed by a creation.',
} as const;

export interface BelievedResult {
	differences: DifferenceItem[];
	findings: VerifyFinding[];
	asked: number;
	same: number;
	different: number;
	notSeen: number;
	/** Keys of bonds that were uncertain, and are there. */
	settled: string[];
}

export function believedResult(
	allPeople: readonly PersonComparison[],
	allClasses: readonly ClassComparison[],
): BelievedResult {
	const [people, classes] = [onlyShownFields(allPeople), onlyShownFields(allClasses)];
	const findings: VerifyFinding[] = [];
	const doubts = doubtsAbout(people, findings);
	const ofPeople = fieldsOfMost(people, findings);
	const ofClasses = fieldsOfMost(classes, findings);
	const result = { differences: [] as DifferenceItem[], same: 0, different: 0, notSeen: 0 };
	for (const person of people) {
		const differences = believedDifferences(person, ofPeople, doubts);
		result.differences.push(...differences);
		if (differences.length > 0) result.different += 1;
		else if (isUnseen(person, doubts)) result.notSeen += 1;
		else result.same += 1;
	}
	for (const one of classes) result.differences.push(...believedDifferences(one, ofClasses, doubts));
	return {
		...result,
		findings: [...findings, ...notSeenFindings(people)],
		asked: people.length,
		settled: people.flatMap((person) => person.classes?.settled ?? []),
	};
}

interface Doubts {
	/** Keys of classes that are left out of most lists in which they should be. */
	hidden: ReadonlySet<string>;
	areLists: boolean;
	areSponsors: boolean;
}

function doubtsAbout(people: readonly PersonComparison[], findings: VerifyFinding[]): Doubts {
	const hidden = hiddenClasses(people);
	const lists = people.filter(({ classes }) => classes !== undefined && classes.expected.length > 0);
	const lacking = lists.filter((person) => missingOf(person, hidden).length > 0).length;
	const sponsors = people.filter(({ responsible }) => responsible === 'same' || responsible === 'differs');
	const others = sponsors.filter(({ responsible }) => responsible === 'differs').length;
	const [areLists, areSponsors] = [isTooMany(lacking, lists.length), isTooMany(others, sponsors.length)];
	if (hidden.size > 0) findings.push(verifyFindings.classesHidden(hidden.size));
	if (areLists) findings.push(verifyFindings.listsShort(lacking, lists.length));
	if (areSponsors) findings.push(verifyFindings.sponsorsDiffer(others, sponsors.length));
	return { hidden, areLists, areSponsors };
}

/** More than a tenth at once: nobody does so much by hand in a night. */
function isTooMany(count: number, of: number): boolean {
	return count > Math.max(ALWAYS_BELIEVED, of / 10);
}

function hiddenClasses(people: readonly PersonComparison[]): Set<string> {
	const expected = countByKey(people.map(({ classes }) => classes?.expected ?? []));
	const shown = countByKey(people.map(({ classes }) => classes?.shown ?? []));
	const isHidden = ([key, count]: [string, number]) =>
		count >= HIDDEN_FROM && (shown.get(key) ?? 0) * 2 < count;
	return new Set([...expected].filter(isHidden).map(([key]) => key));
}

function countByKey(lists: ReadonlyArray<readonly string[]>): Map<string, number> {
	const counts = new Map<string, number>();
	for (const list of lists) for (const key of list) counts.set(key, (counts.get(key) ?? 0) + 1);
	return counts;
}

function missingOf({ classes }: PersonComparison, hidden: ReadonlySet<string>): string[] {
	return classes?.missing.filter((key) => !hidden.has(classOfBond(key))) ?? [];
}

/** Without differences in fields that the service shows with a value to nobody: it does not show them at all. */
function onlyShownFields<Comparison extends Pick<PersonComparison, 'fields' | 'seen' | 'filled'>>(
	records: readonly Comparison[],
): Comparison[] {
	const anywhere = new Set(records.flatMap(({ filled = [] }) => filled));
	return records.map((record) => {
		const isShown = (name: string) =>
			anywhere.has(shownNameOf(name)) || record.seen?.[shownNameOf(name)] !== '';
		return { ...record, fields: record.fields?.filter(isShown) };
	});
}

/** Names of fields that differ for most: the service writes them otherwise. */
function fieldsOfMost(
	records: ReadonlyArray<Pick<PersonComparison, 'fields'>>,
	findings: VerifyFinding[],
): Set<string> {
	const all = records.flatMap(({ fields }) => (fields === undefined ? [] : [fields]));
	const most = [...countByKey(all)].filter(([, count]) => count > Math.max(ALWAYS_BELIEVED, all.length / 2));
	for (const [name, count] of most)
		findings.push(verifyFindings.fieldDiffersForMost(name, count, all.length));
	return new Set(most.map(([name]) => name));
}

function believedDifferences(
	person: PersonComparison,
	fieldsOfMost: ReadonlySet<string>,
	doubts: Doubts,
): DifferenceItem[] {
	const { key, fields = [], responsible, classes } = person;
	const believed = fields.filter((name) => !fieldsOfMost.has(name));
	const areSponsorsOther = responsible === 'differs' && !doubts.areSponsors;
	const isListBelieved = classes !== undefined && !classes.isShort && !doubts.areLists;
	return [
		...(believed.length > 0 ? [differenceOf(key, 'field', believed)] : []),
		...(areSponsorsOther ? [differenceOf(key, 'responsible', [RESPONSIBLE_IDS])] : []),
		...(isListBelieved ? missingOf(person, doubts.hidden) : []).map((bond) => differenceOf(bond, 'missing')),
		...(classes?.extra ?? []).map((bond) => differenceOf(bond, 'extra')),
	];
}

function differenceOf(
	key: string,
	difference: DifferenceItem['difference'],
	fields: string[] = [],
): DifferenceItem {
	const kind = kindOfKey(key);
	return {
		...{ key, kind, difference },
		...(fields.length > 0 && { fields }),
		...(difference === 'missing' && { is: 'notInService', by: BY }),
		what_to_do: WHAT_TO_DO[difference],
		...((kind === 'bond' ? bondOf(key) : idsIn(key)) as Partial<DifferenceItem>),
	};
}

/** Whether something of a person without differences was not seen, or is not believed. */
function isUnseen(person: PersonComparison, { areSponsors }: Doubts): boolean {
	const { unseen, classes, responsible } = person;
	if (unseen !== undefined || classes === undefined) return true;
	const areSponsorsUnseen = responsible === 'notSeen' || (responsible === 'differs' && areSponsors);
	return areSponsorsUnseen || classes.isShort || classes.hasUnknown || classes.missing.length > 0;
}

/** Why somebody, or something of somebody, was not seen. */
const WHY_NOT_SEEN: Readonly<Record<string, (person: PersonComparison) => boolean>> = {
	'account not found': ({ unseen }) => unseen === 'notFound',
	'an error, or no answer': ({ unseen, classes, isBeingWritten }) =>
		unseen === 'refused' || (unseen === undefined && !classes && isBeingWritten !== true),
	'the account of somebody else': ({ unseen }) => unseen === 'anotherAccount',
	'no classes, or less than half of what was sent': ({ classes }) => classes?.isShort === true,
	'no responsible persons, or none with an external ID': ({ responsible }) => responsible === 'notSeen',
};

function notSeenFindings(people: readonly PersonComparison[]): VerifyFinding[] {
	const unseen = Object.entries(WHY_NOT_SEEN).flatMap(([why, isSo]) => {
		const keys = people.filter(isSo).map(({ key }) => key);
		return keys.length === 0 ? [] : [{ keys, why: `${why}: ${keys.length}` }];
	});
	const count = new Set(unseen.flatMap(({ keys }) => keys)).size;
	const unknown = people.filter(({ classes }) => classes?.hasUnknown === true).length;
	return [
		...(count > 0 ? [verifyFindings.notSeen(count, unseen.map(({ why }) => why).join('; '))] : []),
		...(unknown > 0 ? [verifyFindings.profilesUnknown(unknown)] : []),
	];
}
