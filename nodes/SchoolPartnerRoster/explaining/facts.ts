/** All that a ledger knows of single people, found in one pass over it. Pure. */
import { knownAccounts, recordedAccess, type KnownAccount, type PersonAccess } from '../ledger/access';
import { lastReport, type ReportedHold } from '../ledger/decisions';
import { detailOf, type Presence, type RecordDetail } from '../ledger/detail';
import { pairDigest } from '../ledger/digest';
import { bondOf, classOfBond, foldedId, idsIn, isOfNetwork, userKey } from '../ledger/key';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import type { StoredRow } from '../ledger/row';
import { TOLD_OF_USERS } from '../ledger/told';
import { addTo } from '../planning/desiredState';
import { nextTry } from '../planning/refused';

export interface Question {
	externalId: string;
	/** '' where it is not known. */
	school: string;
}

export interface HoldFacts {
	hold_id: string;
	reason: string;
	/** A person has let it go: the next Sync sends it. */
	isApproved: boolean;
	action: 'create' | 'remove';
}

export interface RecordFacts {
	key: string;
	/** '' of what the ledger has no row of, and only a hold names. */
	state: string;
	there: Presence | '';
	/** When the row was written, ISO 8601. */
	at: string;
	/** What was tried last is a removal, and the service has not confirmed it. */
	isRemoval: boolean;
	missingSince: string;
	/** Status and code with which the service refused it. */
	status?: number;
	code?: string;
	/** Where the last export that was tried had it, of what was not done. */
	place?: RecordDetail['place'];
	/** The days of the refusals, and of the next try, YYYY-MM-DD. */
	refused?: { since: string; last: string; next_try: string };
	hold?: HoldFacts;
	/** A person has said since whether the service has it. */
	resolution?: string;
	/** It is not there, and the last run, which could have tried it, did not: its roster did not have it, or not this school, or with an error. */
	isPast?: boolean;
}

export interface BondFacts extends RecordFacts {
	class_external_id: string;
	profile: string;
	/** Of its class; '' where the ledger has none. */
	classState: string;
	isClassThere: boolean;
}

export interface PersonFacts extends Question {
	/** Of the ledger's row, or as it would be. */
	key: string;
	user: RecordFacts | undefined;
	bonds: BondFacts[];
	account: KnownAccount | undefined;
	access: PersonAccess | undefined;
	/** Codes of Needs Attention that were told of this person and are so still. */
	told: Set<string>;
	/** Schools in which the ledger has somebody with this id; of a question without a school, those of who is only held or told of too. */
	schools: string[];
	/** A known id that differs in nothing but its writing. */
	lookAlike: string | undefined;
	hasRun: boolean;
	hasEvents: boolean;
}

/** Of whom the ledger knows by these ids, in the order of the questions. @param now milliseconds since 1970 */
export function factsOf(questions: readonly Question[], ledger: Ledger, now: number): PersonFacts[] {
	const lookup: PersonLookup = {
		...{ ledger, now, holds: currentHolds(ledger, now), accounts: knownAccounts(ledger) },
		...entriesFor(new Set(questions.map(({ externalId }) => externalId)), ledger),
		...recordedEvents(ledger),
	};
	return questions.map((question) => factsOfPerson(question, lookup));
}

function entriesFor(ids: ReadonlySet<string>, ledger: Ledger): EntriesOfPeople {
	const folded = new Set([...ids].map(foldedId));
	const entries = new Map<string, LedgerEntry[]>();
	const alike = new Map<string, string[]>();
	const classes: LedgerEntry[] = [];
	const profiles = new Set<string>();
	const schools = new Set([...ledger.decisions.holds.values()].map(({ school }) => school));
	for (const entry of ledger.entries.values()) {
		const { kind, key, school, there } = entry;
		schools.add(school);
		if (kind === 'class') classes.push(entry);
		if (kind === 'class') continue;
		const { external_id: id } = idsIn(key);
		if (kind === 'bond') profiles.add(String(bondOf(key).profile_name));
		if (ids.has(id)) addTo(entries, id, entry);
		if (kind === 'user' && there !== 'no' && folded.has(foldedId(id))) addTo(alike, foldedId(id), key);
	}
	return { entries, alike, classes, profiles: [...profiles], schools: [...schools] };
}

function recordedEvents(ledger: Ledger): Pick<PersonLookup, 'access' | 'events'> {
	const access = new Map(recordedAccess(ledger).map((one) => [one.key, one]));
	const events = new Map<string, PersonAccess[]>();
	for (const one of access.values())
		if (one.key.startsWith('u:')) addTo(events, idsIn(one.key).external_id, one);
	return { access, events };
}

/** Of whom is asked. Trap: they may be many, and none of them may be looked for in all of the ledger. */
interface EntriesOfPeople {
	/** Users and bonds, by external id. */
	entries: ReadonlyMap<string, LedgerEntry[]>;
	/** Keys of users, by external ids as somebody may have written them once. */
	alike: ReadonlyMap<string, string[]>;
	classes: readonly LedgerEntry[];
	profiles: readonly string[];
	/** Of everybody in the ledger, and of what is held. */
	schools: readonly string[];
}

interface PersonLookup extends EntriesOfPeople {
	ledger: Ledger;
	now: number;
	holds: Holds;
	accounts: ReadonlyMap<string, KnownAccount>;
	access: ReadonlyMap<string, PersonAccess>;
	/** The same, by external id. */
	events: ReadonlyMap<string, PersonAccess[]>;
}

function factsOfPerson({ externalId, school }: Question, lookup: PersonLookup): PersonFacts {
	const { ledger, entries, alike, accounts } = lookup;
	const own = entries.get(externalId) ?? [];
	const schools = schoolsWithId(externalId, own, school === '' ? lookup : undefined);
	const ofSchool = school || (schools.length === 1 ? schools[0] : '');
	const isOfSeveral = ofSchool === '' && schools.length > 1;
	const key = keyOfPerson(externalId, ofSchool, lookup);
	// Trap: a user of a network may be in one school, and wait for a class of another.
	const ofHeld = isOfNetwork(key) && ledger.entries.has(key) ? school : ofSchool;
	return {
		...{ externalId, school: ofSchool, key, schools },
		user: recordOf(key, lookup),
		bonds: [...bondsOf(ofSchool, own, lookup), ...heldBonds(externalId, ofHeld, lookup)],
		account: accounts.get(key),
		access:
			lookup.access.get(key) ?? (isOfSeveral ? undefined : accessByEvents(externalId, ofSchool, lookup)),
		told: new Set(toldOf(key, lookup)),
		lookAlike: alike.get(foldedId(externalId))?.find((one) => isAlike(idsIn(one).external_id, externalId)),
		hasRun: ledger.lastRun !== undefined,
		hasEvents: ledger.decisions.access.size > 0,
	};
}

/** Trap: where user ids are one in the network no key has a school, whatever the question says. */
function keyOfPerson(externalId: string, school: string, lookup: PersonLookup): string {
	const keys = [userKey(school, externalId, 'school'), userKey('', externalId, 'network')];
	const possible = keys.filter((key) => key !== undefined);
	const isKnown = (key: string) => lookup.ledger.entries.has(key) || isHeldOrTold(key, lookup);
	return possible.find(isKnown) ?? possible[0] ?? '';
}

/** Those that the ledger has, of one school or of all where it is not known. */
function bondsOf(school: string, own: readonly LedgerEntry[], lookup: PersonLookup): BondFacts[] {
	const known = own.filter((one) => one.kind === 'bond' && (one.school === school || school === ''));
	return known.map(({ key }) => bondFacts(key, lookup));
}

function isAlike(one: string, other: string): boolean {
	return one !== other && foldedId(one) === foldedId(other);
}

/** Of whom the ledger does not have. Trap: events come of all schools, and in another one the id may be somebody else's. */
function accessByEvents(
	externalId: string,
	school: string,
	{ events }: PersonLookup,
): PersonAccess | undefined {
	const isOfSchool = ({ key }: PersonAccess) => school === '' || school === idsIn(key).school_external_id;
	return events.get(externalId)?.find(isOfSchool);
}

/** @param lookup where those count too in which the ledger has nobody with this id, and somebody is held, or was told of */
function schoolsWithId(externalId: string, own: readonly LedgerEntry[], lookup?: PersonLookup): string[] {
	const schools = new Set(own.map((entry) => entry.school).filter((school) => school !== ''));
	for (const school of lookup?.schools ?? []) {
		const key = userKey(school, externalId, 'school');
		if (lookup !== undefined && key !== undefined && isHeldOrTold(key, lookup)) schools.add(school);
	}
	return [...schools].sort();
}

function isHeldOrTold(key: string, context: PersonLookup): boolean {
	return toldOf(key, context).length > 0 || holdOf(key, context) !== undefined;
}

function toldOf(key: string, { ledger }: PersonLookup): string[] {
	return TOLD_OF_USERS.filter((code) => ledger.told.has(pairDigest(code, key)));
}

function recordOf(key: string, context: PersonLookup): RecordFacts | undefined {
	const { ledger } = context;
	const entry = ledger.entries.get(key);
	const hold = holdOf(key, context);
	if (entry === undefined) {
		return hold && { ...{ key, state: '', there: '', at: '', isRemoval: false, missingSince: '' }, hold };
	}
	const { row, there, missingSince } = entry;
	const { status, code, refused, place } = detailOf<RecordDetail>(row);
	const resolution = ledger.decisions.resolution(row);
	const isRemoval = isUndoneRemoval(row) && resolution !== 'notInService';
	// What got no answer the last time is tried by the next Sync, whatever its days say.
	const isDated = refused !== undefined && refused.again !== true;
	// Trap: what met with trouble after a refusal has status and code of that one still.
	const isOfLastTry = refused?.again !== true || row.state === 'uncertain';
	const days = isDated ? { since: refused.since, last: refused.last, next_try: nextTry(refused) } : undefined;
	return {
		...{ key, state: row.state, there, at: row.at, missingSince, isPast: isPast(entry, ledger) },
		...{ isRemoval, ...(isOfLastTry && { status, code }), place, refused: days, hold, resolution },
	};
}

/** Nobody knows what came of it, or the service has not done it: a Sync does it again while the export lacks the bond. */
function isUndoneRemoval(row: StoredRow): boolean {
	const { action, there } = detailOf<RecordDetail>(row);
	if (row.kind !== 'bond') return false;
	if (row.state === 'uncertain') return action === 'remove';
	// Trap: of what may be there a creation may have failed as well. Only a removal has the day since which the export lacks the bond.
	return row.state === 'failed' && (there === 'maybe' ? row.since !== '' : there === 'yes');
}

/** The last run came to its end, after the day of the next try, and has no row of this. */
function isPast({ key, row, there }: LedgerEntry, ledger: Ledger): boolean {
	const last = ledger.lastRun;
	if (there !== 'no' || last?.run_id === row.run_id || !isLastRunWhole(ledger)) return false;
	const { refused } = detailOf<RecordDetail>(row);
	const tried = last?.at ?? '';
	const wasDue = refused === undefined || refused.again === true || nextTry(refused) < tried.slice(0, 10);
	return wasDue && (ledger.decisions.resolutions.get(key)?.at ?? '') <= tried;
}

/** It has come to its end, and to everything that it had to send. */
function isLastRunWhole({ lastRun, lastDetail }: Ledger): boolean {
	return lastRun?.state === 'ended' && lastDetail.sent >= lastDetail.changes;
}

function bondFacts(key: string, context: PersonLookup): BondFacts {
	const { class_external_id: classId, profile_name: profile } = bondOf(key);
	const facts = recordOf(key, context) as RecordFacts;
	const ofClass = context.ledger.entries.get(classOfBond(key));
	const isClassThere = ofClass?.there === 'yes';
	return {
		...facts,
		isPast: isClassThere ? facts.isPast : ofClass && isPast(ofClass, context.ledger),
		...{ class_external_id: String(classId), profile: String(profile) },
		...{ classState: ofClass?.row.state ?? '', isClassThere },
	};
}

/** Of a new bond that is held the ledger has nothing but a digest: the classes of the school are tried, or of all where it is not known. */
function heldBonds(user: string, school: string, context: PersonLookup): BondFacts[] {
	const { ledger, holds, profiles, classes } = context;
	if (holds.length === 0) return [];
	const isOfSchool = (one: LedgerEntry) => one.school === school || school === '';
	return classes.filter(isOfSchool).flatMap((ofClass) =>
		profiles.flatMap((profile) => {
			const key = `b${ofClass.key.slice(1)}|${(userKey('', user, 'network') ?? '').slice(2)}|${profile}`;
			return ledger.entries.has(key) || holdOf(key, context) === undefined ? [] : bondFacts(key, context);
		}),
	);
}

/** Those that the last run has reported, or that an approval lets go. */
type Holds = ReadonlyArray<[id: string, hold: ReportedHold]>;

function currentHolds(ledger: Ledger, now: number): Holds {
	const { decisions, lastRun, lastDetail } = ledger;
	const reported = lastDetail.holds;
	const isWhole = isLastRunWhole(ledger);
	// A Sync since has sent what there was of it.
	const isLetGo = (id: string) => isWhole && (decisions.approvals.get(id)?.at ?? '') < (lastRun?.at ?? '');
	const isCurrent = (id: string) => reported.includes(id) || (decisions.isApproved(id, now) && !isLetGo(id));
	return [...decisions.holds].filter(([id]) => isCurrent(id));
}

function holdOf(key: string, { ledger, now, holds }: PersonLookup): HoldFacts | undefined {
	const entry = ledger.entries.get(key);
	const isThere = entry !== undefined && entry.there !== 'no';
	const action = isThere && entry.kind === 'bond' ? 'remove' : 'create';
	if (isThere && action === 'create') return undefined;
	const digest = pairDigest(action, key);
	const found = holds.find(([, { changes }]) => changes.has(digest));
	if (found === undefined) return undefined;
	const [hold_id, hold] = found;
	// Removed since, or created: the hold has nothing left of it.
	if (entry !== undefined && Date.parse(entry.row.at) > lastReport(hold, now)) return undefined;
	return { hold_id, reason: hold.reason, isApproved: ledger.decisions.isApproved(hold_id, now), action };
}
