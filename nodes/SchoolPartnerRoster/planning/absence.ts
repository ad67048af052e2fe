/**
 * What the ledger has and the roster lacks; and who moves: somebody whom the roster still gives a bond anywhere in the network loses an old one only
 * once a new one is there. Whom it gives none loses all.
 */
import { bondOf, classOfBond, endsOfBond, foldedId, needsOf } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import { compared } from '../ledger/row';
import type { RosterRecord } from '../roster/record';
import { completenessIn } from '../roster/roster';

import { changeOf } from './change';
import { daysBetween, sinceDay } from './days';
import { addTo, endsOf, goneFrom, hasSchoolLeft, isFaulty } from './desiredState';
import type { RosterDifference } from './difference';
import type { PlanContext } from './planContext';
import { schoolIsEmpty, uncertainRemoval, type LeftRecord } from './recordFindings';
import { pastYears, type IsOfPastYear } from './schoolYears';

/** Adds to what is different what is missing tonight. */
export async function takeAbsent(found: RosterDifference, context: PlanContext): Promise<void> {
	const absent = await absentEntries(context);
	for (const entry of absent) if (isKept(entry, found)) noteBack(entry, found);
	const entries = absent.filter((entry) => !isKept(entry, found));
	if (entries.length === 0) return;
	const known: KnownOfBonds = {
		isOfPastYear: await pastYears(context),
		bonds: await bondsOfPeople(context),
		unsent: unsentByFoldedId(context),
		people: context.roster.lacksExports ? peopleIn(context) : undefined,
	};
	await context.turns.forEach(entries, (entry) => {
		if (entry.kind === 'bond') takeBond(entry, known, found, context);
		else takeLeft({ ...entry, kind: entry.kind }, found, context);
	});
}

/** It counts as there, since the roster has it, or its user, under another id. */
function isKept({ kind, key }: LedgerEntry, { kept }: RosterDifference): boolean {
	if (kept.has(key)) return true;
	const [, ...users] = kind === 'bond' && kept.size > 0 ? endsOfBond(key) : [];
	return users.some((user) => kept.has(user));
}

/** Trap: counted on, it would be removed although it was not missing all the time. */
function noteBack(entry: LedgerEntry, found: RosterDifference): void {
	if (entry.kind === 'bond' && entry.there === 'yes' && entry.missingSince !== '')
		noteAbsence(entry, 'applied', BACK, '', found);
}

/** What the ledger has and the export lacks, or has with an error although it was missing, in the order of schools and keys. */
async function absentEntries({ desired, ledger, turns, options }: PlanContext): Promise<LedgerEntry[]> {
	const bySchool = new Map<string, LedgerEntry[]>();
	const only = new Set(options.onlySchools);
	await turns.forEach(ledger.entries.values(), (entry) => {
		// Trap: what exists may be somebody else's, who would be told as one to be removed by hand.
		if (['no', 'exists'].includes(entry.there) || desired.records.has(entry.key)) return;
		if (only.size > 0 && !only.has(entry.school)) return;
		const isCounted = entry.missingSince !== '' || entry.isUnfinished;
		const isMissingBond = entry.kind === 'bond' && entry.there === 'yes' && isCounted;
		if (isFaulty(entry.kind, entry.key, desired) && !isMissingBond) return;
		addTo(bySchool, entry.school, entry);
	});
	// School by school: sorting a whole network in one go would keep n8n waiting.
	for (const ofSchool of bySchool.values()) {
		ofSchool.sort((one, other) => compared(one.key, other.key));
		await turns.yieldIfDue();
	}
	return [...bySchool.keys()].sort().flatMap((school) => bySchool.get(school) ?? []);
}

interface KnownOfBonds {
	isOfPastYear: IsOfPastYear;
	/** The bonds that the roster gives people, by the external id of the person, whatever the school. */
	bonds: ReadonlyMap<string, readonly string[]>;
	/** Those that are not sent, by an id that may be written otherwise. */
	unsent: ReadonlyMap<string, readonly string[]>;
	/** External ids of everybody in the export, where one of several could not be read. */
	people: ReadonlySet<string> | undefined;
}

async function bondsOfPeople({ desired, turns }: PlanContext): Promise<KnownOfBonds['bonds']> {
	const bonds = new Map<string, string[]>();
	await turns.forEach(desired.records.values(), ({ kind, key, record }) => {
		if (kind === 'bond') addTo(bonds, String(record.fields.user_external_id), key);
	});
	// Trap: a system that lost its ids may give all bonds the same one, and no call takes that many arguments.
	for (const [person, keys] of desired.unsentBonds) for (const key of keys) addTo(bonds, person, key);
	return bonds;
}

function unsentByFoldedId({ desired }: PlanContext): KnownOfBonds['unsent'] {
	const unsent = new Map<string, string[]>();
	for (const [person, keys] of desired.unsentBonds)
		for (const key of keys) addTo(unsent, foldedId(person), key);
	return unsent;
}

function peopleIn({ desired }: PlanContext): Set<string> {
	const users = [...desired.records.values()].filter(({ kind }) => kind === 'user');
	return new Set(users.map(({ record }) => String(record.fields.external_id)));
}

/** A class or a user, which is never removed. */
function takeLeft({ kind, key, school }: LeftRecord, found: RosterDifference, context: PlanContext): void {
	const { counts, desired, findings, roster } = context;
	const isSaidGone = goneFrom(school, key, desired) !== undefined;
	// An export that could not be read may have it.
	const isUnread = roster.lacksExports === true || completenessIn(roster, school, kind) !== 'whole';
	const isSilent = !isSaidGone && isUnread;
	const isEmpty = !isSaidGone && isSchoolEmpty(school, context);
	if (isSilent || isEmpty) found.unseen.push({ kind, key, school });
	if (isSilent) return;
	counts.add(school, kind, isEmpty ? 'missing' : 'left');
	if (isEmpty) findings.add(schoolIsEmpty(school), null, key);
	else found.left.push({ kind, key, school });
}

/** Nothing of the school is in the export, and it has not been away for long. */
function isSchoolEmpty(school: string, context: PlanContext): boolean {
	return !context.desired.schools.has(school) && !hasSchoolLeft(school, context);
}

function takeBond(
	entry: LedgerEntry,
	known: KnownOfBonds,
	found: RosterDifference,
	context: PlanContext,
): void {
	const { key, school, missingSince } = entry;
	const { firstDay, counts, roster, desired } = context;
	if (known.isOfPastYear(key)) return counts.add(school, 'bond', 'missing');
	// Counted on, it would be removed although it was not missing all the time.
	if (isFaulty('bond', key, desired)) {
		// It is counted as a change.
		if (desired.faulty.has(key)) counts.add(school, 'bond', 'error', -1);
		return noteAbsence(entry, 'applied', BACK, '', found);
	}
	const gone = goneWith(entry, context);
	const since = sinceDay(missingSince, firstDay);
	if (gone !== undefined) return remove(entry, gone, since, known, found, context);
	if (completenessIn(roster, school, 'bond') === 'whole')
		return takeMissingBond(entry, since, known, found, context);
	// Trap: a run that was killed has told nobody of it, and the next list does not name who leaves.
	if (!roster.comesOnce || entry.there !== 'maybe' || entry.action !== 'remove') return;
	counts.add(school, 'bond', 'uncertain');
	context.findings.add(uncertainRemoval, null, key);
}

/** A bond that a whole export does not have. */
function takeMissingBond(
	entry: LedgerEntry,
	since: string,
	known: KnownOfBonds,
	found: RosterDifference,
	context: PlanContext,
): void {
	const { key, school, missingSince } = entry;
	const { today, counts, findings, options } = context;
	const isLost = known.people !== undefined && isOfUnreadExport(key, known.people, context);
	const isEmpty = !isLost && isSchoolEmpty(school, context);
	if (isEmpty) findings.add(schoolIsEmpty(school), null, key);
	if (isLost || isEmpty) return counts.add(school, 'bond', 'missing');
	const isOver = daysBetween(since, today) >= options.gracePeriodDays;
	if (entry.there === 'maybe' || isOver) return remove(entry, undefined, since, known, found, context);
	context.inGrace.add(key);
	if (missingSince !== since) noteAbsence(entry, 'missing', MISSING, since, found);
	else counts.add(school, 'bond', 'missing');
}

/** Trap: somebody who is in two exports, such as a teacher, may be in a class of the one that could not be read. */
function isOfUnreadExport(bond: string, people: ReadonlySet<string>, { desired }: PlanContext): boolean {
	const isClassRead = [desired.records, desired.faulty].some((one) => one.has(classOfBond(bond)));
	return !isClassRead || !people.has(String(bondOf(bond).user_external_id));
}

/** Where the export itself says that a bond is gone: a user takes the bonds along. */
function goneWith({ key, school }: LedgerEntry, { desired, options }: PlanContext): RosterRecord | undefined {
	if (desired.gone.size === 0) return undefined;
	const own = goneFrom(school, key, desired);
	if (own !== undefined) return own;
	const [, user] = needsOf('bond', bondOf(key), options.userIdsUniqueWithin);
	return goneFrom(school, user, desired);
}

function noteAbsence(
	entry: LedgerEntry,
	state: 'applied' | 'missing',
	why: string,
	since: string,
	{ notes }: RosterDifference,
): void {
	notes.push(changeOf(entry, entry, { action: 'note', state, why, since, isNew: false }));
}

function remove(
	entry: LedgerEntry,
	gone: RosterRecord | undefined,
	since: string,
	{ bonds, unsent }: KnownOfBonds,
	{ removals }: RosterDifference,
	{ ledger }: PlanContext,
): void {
	const why = gone === undefined ? `not in the export since ${since}` : 'the export says that it is gone';
	const person = String(bondOf(entry.key).user_external_id);
	const all = [...(bonds.get(person) ?? []), ...(unsent.get(foldedId(person)) ?? [])];
	// Trap: files that disagree about the school of a class give its people the bond in another one, where it may never come.
	const { anywhere } = endsOf(entry.key);
	const ofClass = all.filter((key) => endsOf(key).anywhere === anywhere);
	const given = ofClass.length > 0 ? ofClass : all;
	// One of them has to be there before this one is removed.
	const needs = given.some((key) => ledger.entries.get(key)?.there === 'yes') ? [] : given;
	const removal = changeOf(entry, entry, {
		...{ action: 'remove', why, since, isNew: !entry.isUnfinished, source: gone?.source ?? null },
		...{ send: bondOf(entry.key), needs },
	});
	removals.push(removal);
}

export const BACK = 'back in the export';
const MISSING = 'not in the export: it stays for the days of Grace Period';
