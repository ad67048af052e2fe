/** What should be there: the records of the export by their keys. */
import { digestOf, UnorderedDigest } from '../ledger/digest';
import { foldedId, idsIn, keyOf } from '../ledger/key';
import type { RecordState } from '../ledger/ledger';
import type { Fields, Kind, RosterRecord } from '../roster/record';
import { completenessIn } from '../roster/roster';
import type { Turns } from '../roster/turns';

import { daysBetween, sinceDay } from './days';
import { fieldDigests, isAnother, wholeDigest } from './fieldDigests';
import type { PlanContext } from './planContext';

export interface DesiredRecord extends RecordState {
	record: RosterRecord;
}

export interface DesiredState {
	records: Map<string, DesiredRecord>;
	/** Keys of what is in the export and cannot be sent. */
	faulty: Set<string>;
	/** School, class and user of bonds that are in the export and cannot be sent, as far as they name a school: their profile may be another than in the ledger. */
	faultyEnds: Set<string>;
	/**
	 * Keys of bonds that are in the export and cannot be sent, or not in this run, by the external id of their person, however it is written: a
	 * stand-in where their own is not known.
	 */
	unsentBonds: Map<string, string[]>;
	/** What is in the export with an error, and lacks an id or its school. */
	unidentified: RosterRecord[];
	/** Keys of what is not in the export, and may be one of these. */
	kept: ReadonlySet<string>;
	/** What the export says is gone, by key: from a school, or from everywhere. */
	gone: Map<string, RosterRecord[]>;
	/** Schools that have anything in the export. */
	schools: Set<string>;
	/** Keys under which the export may mean somebody else, or another class, than the ledger. */
	others: Set<string>;
	/** Schools of the ledger that have nothing in the export, and since which day. */
	away: ReadonlyMap<string, string>;
}

export const emptyState = (): DesiredState => ({
	...{ records: new Map(), gone: new Map(), schools: new Set(), others: new Set(), away: new Map() },
	...{ faulty: new Set(), faultyEnds: new Set(), unsentBonds: new Map(), unidentified: [], kept: new Set() },
});

/** Takes what the export says. What cannot be sent is counted, and is not taken for gone. */
export async function takeRoster(context: PlanContext): Promise<void> {
	const { desired, roster, turns, options } = context;
	const only = new Set(options.onlySchools);
	// What has no school may be of any.
	const isSelected = ({ fields }: { fields: Fields }) =>
		only.size === 0 || only.has(schoolIdOf(fields)) || schoolIdOf(fields) === '';
	await turns.forEach(roster.faulty, (mention) => {
		if (isSelected(mention)) takeFaulty(mention, context);
	});
	await turns.forEach(roster.records, (record) => {
		if (isSelected(record)) takeRecord(record, context);
	});
	// Trap: the next list does not name who leaves, so that the removal would be lost.
	if (only.size > 0 && !roster.comesOnce) await noteUnselected(isSelected, context);
	const goneAnywhere = new Map<string, RosterRecord>();
	await turns.forEach(roster.gone, (mention) => {
		if (!isSelected(mention)) return;
		const key = keyOf(mention.kind, mention.fields, options.userIdsUniqueWithin);
		if (key !== undefined) addTo(desired.gone, key, mention);
		else if (mention.kind === 'user') goneAnywhere.set(String(mention.fields.external_id), mention);
	});
	if (goneAnywhere.size > 0) await takeGoneAnywhere(goneAnywhere, context);
}

/**
 * Notes the bonds of schools that this run leaves out: who moves there keeps the old one until the new one is there. Trap: in a pilot, or a part of a
 * network, it never is. So only schools count of which the ledger has anything.
 */
async function noteUnselected(
	isSelected: (mention: RosterRecord) => boolean,
	{ absent, desired, ledger, options, roster, turns }: PlanContext,
): Promise<void> {
	const known = new Set<string>();
	await turns.forEach(ledger.entries.values(), ({ there, school }) => {
		if (there !== 'no') known.add(school);
	});
	for (const mentions of [roster.records, roster.faulty])
		await turns.forEach(mentions, (mention) => {
			const { kind, fields } = mention;
			if (kind !== 'bond' || !known.has(schoolIdOf(fields)) || isSelected(mention)) return;
			const standIn = noteUnsentBond(desired, fields, keyOf(kind, fields, options.userIdsUniqueWithin));
			if (standIn !== undefined) absent.add(standIn);
		});
}

/** A user who is gone, and of whom the export does not say where: wherever the ledger has one with this id. */
async function takeGoneAnywhere(
	byId: ReadonlyMap<string, RosterRecord>,
	{ desired, ledger, turns }: PlanContext,
): Promise<void> {
	await turns.forEach(ledger.entries.values(), ({ kind, key }) => {
		const mention = kind === 'user' ? byId.get(idsIn(key).external_id) : undefined;
		if (mention !== undefined && !desired.records.has(key)) addTo(desired.gone, key, mention);
	});
}

/** Where the export says that this is gone from this school. Trap: of a person of the whole network it may speak of one school only. */
export function goneFrom(school: string, key: string, { gone }: DesiredState): RosterRecord | undefined {
	return gone.get(key)?.find(({ fields }) => ['', school].includes(schoolIdOf(fields)));
}

export function schoolIdOf({ school_external_id: school }: Fields): string {
	return typeof school === 'string' || typeof school === 'number' ? String(school) : '';
}

/** Counts a record that cannot be sent: whoever has read the roster has said why. */
function takeFaulty(mention: RosterRecord, context: PlanContext): void {
	const { counts, desired, options } = context;
	const { kind, fields } = mention;
	const school = schoolIdOf(fields);
	if (school !== '') desired.schools.add(school);
	const key = keyOf(kind, fields, options.userIdsUniqueWithin);
	if (key !== undefined && desired.faulty.has(key)) return;
	if (key === undefined) desired.unidentified.push(mention);
	else desired.faulty.add(key);
	if (key !== undefined && isOfAnother(kind, key, fields, context)) desired.others.add(key);
	if (kind === 'bond') noteFaultyBond(desired, fields, key);
	counts.add(school, kind, 'error');
}

/** Trap: a row with an error may be of somebody else too, and bonds go where the ledger has the id. */
function isOfAnother(kind: Kind, key: string, fields: Fields, { ledger, salt }: PlanContext): boolean {
	const entry = ledger.entries.get(key);
	if (entry === undefined || entry.there === 'no' || kind === 'bond') return false;
	return isAnother(kind, key, entry.fields, fieldDigests(kind, fields, salt));
}

/** Remembers a bond that cannot be sent by what of it is known. */
function noteFaultyBond(desired: DesiredState, fields: Fields, key: string | undefined): void {
	const named = schoolIdOf(fields);
	const school = named.trim() === '' ? '' : named;
	const like = keyOf('bond', { ...fields, school_external_id: school || '?', profile_name: '?' }, 'school');
	if (like !== undefined) desired.faultyEnds.add(endsOf(like)[school === '' ? 'anywhere' : 'inSchool']);
	const standIn = noteUnsentBond(desired, fields, key);
	if (standIn !== undefined) desired.faulty.add(standIn);
}

/** The key of a bond that is not sent, or what stands in for it; undefined where it names nobody. */
function noteUnsentBond(
	desired: DesiredState,
	{ user_external_id: id }: Fields,
	key: string | undefined,
): string | undefined {
	if (id === undefined || id === null) return undefined;
	const standIn = key ?? `b ${String(id)}`;
	addTo(desired.unsentBonds, foldedId(String(id)), standIn);
	return standIn;
}

/** School, class and user in the key of a bond; class and user alone. Trap: two files of one export may write an id in two ways. */
export function endsOf(key: string): { inSchool: string; anywhere: string } {
	const [school, ...ends] = foldedId(key).split('|', 3);
	return { inSchool: [school, ...ends].join('|'), anywhere: ends.join('|') };
}

/** True for what is in the export with an error, and for what may be one of those that cannot be sent. */
export function isFaulty(kind: Kind, key: string, { faulty, faultyEnds, kept }: DesiredState): boolean {
	if (faulty.has(key) || kept.has(key)) return true;
	if (kind !== 'bond' || faultyEnds.size === 0) return false;
	const { inSchool, anywhere } = endsOf(key);
	return faultyEnds.has(inSchool) || faultyEnds.has(anywhere);
}

function takeRecord(record: RosterRecord, { counts, desired, ledger, options, salt }: PlanContext): void {
	const { kind, fields } = record;
	// Whoever reads a roster refuses what lacks an id.
	const key = keyOf(kind, fields, options.userIdsUniqueWithin) as string;
	const school = schoolIdOf(fields);
	desired.schools.add(school);
	// A bond is nothing but its ids: another row of it that has an error does not make it another one.
	if (kind === 'bond' && desired.faulty.delete(key)) counts.add(school, kind, 'error', -1);
	// The row that has an error is told.
	else if (desired.faulty.has(key)) return;
	const entry = ledger.entries.get(key);
	// For the same reason it is not summed up while it is there.
	const isBondThere = kind === 'bond' && entry?.there === 'yes';
	const digest = isBondThere ? entry.fields : fieldDigests(kind, fields, salt, entry?.fields);
	// The texts of the ledger, so that those of the export need not be kept.
	const texts = entry?.fields === digest ? { key: entry.key, fields: entry.fields } : { key, fields: digest };
	desired.records.set(texts.key, { kind, school, record, ...texts });
}

/**
 * By school of which the ledger has anything, and a whole export nothing: since which day. A partial export says nothing about it. Trap: classes and
 * users stay in the service when the last bond is gone, and their school would be missed anew.
 */
export async function awaySchools(context: PlanContext): Promise<Map<string, string>> {
	const { desired, ledger, roster, options, firstDay, turns } = context;
	const before = new Map(ledger.lastDetail.away);
	for (const school of desired.schools) before.delete(school);
	const only = new Set(options.onlySchools);
	const isMissed = (school: string) =>
		(only.size === 0 || only.has(school)) && completenessIn(roster, school, 'bond') === 'whole';
	// Of a school that is not looked at, nothing new is known.
	const away = new Map([...before].filter(([school]) => !isMissed(school)));
	await turns.forEach(ledger.entries.values(), ({ there, school }) => {
		const isMissing = there !== 'no' && !desired.schools.has(school);
		if (isMissing && isMissed(school)) away.set(school, sinceDay(before.get(school) ?? '', firstDay));
	});
	return away;
}

/** So many days a school must have had nothing in any whole export. Before, that may be a mistake. */
const DAYS_AWAY = 7;

/** Whether a school has been away for so long that its bonds are to go, when a person says so. */
export function hasSchoolLeft(school: string, { desired, today }: PlanContext): boolean {
	const since = desired.away.get(school);
	return since !== undefined && daysBetween(since, today) >= DAYS_AWAY;
}

/** Digests that tell one roster from another, whatever the order and the files its records came in: of the schools, and of everything in them. */
export async function rosterDigest(
	{ records, schools }: DesiredState,
	turns: Turns,
): Promise<[string, string]> {
	const everything = new UnorderedDigest();
	await turns.forEach(records.values(), ({ key, fields }) => {
		everything.add(`${key} ${wholeDigest(fields)}`);
	});
	return [digestOf([...schools].sort().join('\n')), everything.value()];
}

/** Adds one to the list of this name, which is made where there is none. */
export function addTo<Each>(lists: Map<string, Each[]>, name: string, one: Each): void {
	const known = lists.get(name);
	if (known === undefined) lists.set(name, [one]);
	else known.push(one);
}
