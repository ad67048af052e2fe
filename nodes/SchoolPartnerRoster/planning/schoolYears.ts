/** Which school year classes and bonds are of: which is coming in a school, which is over, and who only moves within one. */
import { cameOn, detailOf, type RecordDetail } from '../ledger/detail';
import { bondOf, classOfBond } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import type { StoredRow } from '../ledger/row';

import type { Change } from './change';
import { RECENT_DAYS } from './baseline';
import { GroupCounts } from './counts';
import { DAY_MS } from './days';
import { goneFrom, isFaulty, schoolIdOf } from './desiredState';
import type { PlanContext } from './planContext';

/** While a school has fewer than this part of the bonds that it had in the year before, the year is still coming. */
const ARRIVED = 1 / 2;
/** A year of which no more than this part of the bonds is left in the export is over. */
const LEFT = 1 / 10;

/** Trap: a class of a year beyond that is a mistake, and would hide every new year from then on. */
const YEARS_AHEAD = 1;

export interface SchoolYears {
	/** Of a class, or of a bond's class; undefined where it is not known. */
	ofKey(key: string): string | undefined;
	/** By school: the latest year of its classes in the export, when the school was there in an earlier one, and most of its bonds are still to come. */
	coming: ReadonlyMap<string, string>;
	/** By school: the latest year of its classes in the export. */
	latest: ReadonlyMap<string, string>;
	/** Whether the export has hardly any of the bonds that the school has of that year. */
	isOver(school: string, year: string): boolean;
}

export async function schoolYears(context: PlanContext): Promise<SchoolYears> {
	context.years ??= await findYears(context);
	return context.years;
}

async function findYears(context: PlanContext): Promise<SchoolYears> {
	const { years, latest } = await yearsOfClasses(context);
	const ofKey = (key: string) => years.get(key.startsWith('b:') ? classOfBond(key) : key);
	const { ever, there, inExport } = await bondsByYear(context, ofKey);
	const isComing = ([school, year]: [string, string]) => {
		const before = ever.groupsOf(school).flatMap(([one, count]) => (one < year ? count : []));
		return before.length > 0 && there.of(school, year) < Math.max(...before) * ARRIVED;
	};
	return {
		...{ ofKey, latest, coming: new Map([...latest].filter(isComing)) },
		isOver: (school, year) => inExport.of(school, year) <= there.of(school, year) * LEFT,
	};
}

/** Bonds of each school by year: all that ever were there, those that are, and those of them that the export has tonight. */
async function bondsByYear({ desired, ledger, turns }: PlanContext, yearOf: SchoolYears['ofKey']) {
	const [ever, there, inExport] = [new GroupCounts(), new GroupCounts(), new GroupCounts()];
	await turns.forEach(ledger.entries.values(), ({ kind, key, school, there: presence }) => {
		const year = kind === 'bond' ? yearOf(key) : undefined;
		if (year === undefined) return;
		ever.add(school, year);
		if (presence !== 'yes') return;
		there.add(school, year);
		if (desired.records.has(key)) inExport.add(school, year);
	});
	return { ever, there, inExport };
}

/** By the key of each class its year, and by school the latest of those in the export. */
async function yearsOfClasses({ desired, ledger, asOf, turns }: PlanContext) {
	const lastYear = lastYearFor(asOf);
	const [years, latest] = [new Map<string, string>(), new Map<string, string>()];
	await turns.forEach(ledger.entries.values(), ({ kind, key, row }) => {
		const year = kind === 'class' ? detailOf<RecordDetail>(row).year : undefined;
		if (year !== undefined) years.set(key, year);
	});
	await turns.forEach(desired.records.values(), ({ kind, key, school, record }) => {
		if (kind !== 'class' || record.fields.year === undefined) return;
		// What the ledger has is what the service has.
		const year = years.get(key) ?? String(record.fields.year);
		years.set(key, year);
		if (year <= lastYear && year > (latest.get(school) ?? '')) latest.set(school, year);
	});
	return { years, latest };
}

const lastYearFor = (asOf: string) => String(Number(asOf.slice(0, 4)) + YEARS_AHEAD);

/**
 * By school the latest year of its classes that are there, for a night that names no sound class of it. Trap: with next year's classes there, one of
 * this year that is closed is of no past year, unless the export has those of next year with errors.
 */
async function latestYearsThere(context: PlanContext): Promise<Map<string, string>> {
	const { asOf, desired, ledger, roster, turns } = context;
	const latest = new Map<string, string>();
	const note = (school: string, year: string, last: string) => {
		if (year <= last && year > (latest.get(school) ?? '')) latest.set(school, year);
	};
	await turns.forEach(ledger.entries.values(), ({ kind, key, row, school, there }) => {
		if (kind !== 'class' || there !== 'yes') return;
		const last = desired.faulty.has(key) ? lastYearFor(asOf) : asOf.slice(0, 4);
		note(school, detailOf<RecordDetail>(row).year ?? '', last);
	});
	await turns.forEach(roster.faulty, ({ kind, fields }) => {
		if (kind === 'class') note(schoolIdOf(fields), String(fields.year ?? ''), lastYearFor(asOf));
	});
	return latest;
}

/**
 * Whether a bond is left alone (the option Keep Past Years): its class is of an earlier year than the classes of its school tonight, and is not among
 * them.
 */
export type IsOfPastYear = (bond: string) => boolean;

export async function pastYears(context: PlanContext): Promise<IsOfPastYear> {
	if (!context.options.keepPastYears) return () => false;
	const { latest, ofKey, isOver } = await schoolYears(context);
	const latestThere = await latestYearsThere(context);
	const { asOf, roster } = context;
	const { records, faulty } = context.desired;
	const staying = new Set<string>();
	const inYear = (bond: string, year: string) => {
		const { school_external_id: school, user_external_id: user } = bondOf(bond);
		return JSON.stringify([school, user, year]);
	};
	await context.turns.forEach(records.values(), ({ kind, key }) => {
		if (kind === 'bond') staying.add(inYear(key, ofKey(key) ?? ''));
	});
	return (bond) => {
		const [key, school] = [classOfBond(bond), String(bondOf(bond).school_external_id)];
		// Trap: a list of who leaves, and an export whose classes have errors, name no class of this year.
		const [year, now] = [ofKey(key), latest.get(school) ?? latestThere.get(school)];
		const isGone = !records.has(key) && !faulty.has(key);
		if (!isGone || year === undefined || now === undefined || year >= now) return false;
		// Trap: no class of this year is over because a list does not name it.
		const isOnlyNotListed = roster.comesOnce && goneFrom(school, key, context.desired) === undefined;
		if (isOnlyNotListed && year >= asOf.slice(0, 4)) return false;
		// Trap: with next year's classes beside this year's, one of this year that is closed is of no past year.
		return isOver(school, year) || (staying.has(inYear(bond, now)) && !staying.has(inYear(bond, year)));
	};
}

/** Of a bond: whose it is, in which school, with which profile. */
export const roleOf = (key: string) => {
	const { school_external_id: school, user_external_id: user, profile_name: profile } = bondOf(key);
	return JSON.stringify([school, user, profile]);
};

const isRemoval = ({ action }: Change) => action === 'remove';

/** A day begins so long before it begins in UTC. */
const TIME_ZONES_MS = 14 * 3_600_000;

/** A bond that somebody keeps. */
interface KeptBond {
	/** '' where it is not known. */
	year: string;
	/** When it came, milliseconds since 1970. */
	since: number;
	/** It has come for one that goes. */
	isTaken: boolean;
}

/**
 * Marks the removals of people who keep a bond of the same profile in the school. Trap: an export of which nearly all classes were cut off leaves
 * everybody one: who moves has got another for each that goes, tonight or in the days before it went.
 * @param due all that goes tonight, with an approval too
 */
export async function markMoves(
	changes: readonly Change[],
	due: readonly Change[],
	context: PlanContext,
): Promise<void> {
	const removals = changes.filter(isRemoval);
	if (removals.length === 0) return;
	const { ofKey, isOver, latest } = await schoolYears(context);
	const removedKeys = new Set(due.filter(isRemoval).map(({ key }) => key));
	const keptBonds = await keptBondsOf(removals, removedKeys, context);
	for (const removal of removals) {
		const { key, school_external_id: school } = removal;
		const year = ofKey(key) ?? '';
		// Trap: since October nearly everybody has a place in a class of the next year, whatever becomes of this year's.
		const isYearOver = year !== '' && year < context.asOf.slice(0, 4) && isOver(school, year);
		const kept = (keptBonds.get(roleOf(key)) ?? []).filter(
			(one) => year === '' || isYearOver || one.year === year || one.year === '',
		);
		if (kept.length === 0) continue;
		// Of an export that was cut, hardly anything of this year is left either.
		const isOfPastYear = isYearOver && year < (latest.get(school) ?? '');
		removal.move = isOfPastYear || isReplaced(kept, removal) ? 'goesOn' : 'keepsOthers';
	}
}

/**
 * Whether one of them has come for the bond that goes: in the days before, and later than itself. Of one that was missing for a while its row does not
 * say when it came: then in the night in which it was missing first, or since.
 */
function isReplaced(kept: readonly KeptBond[], { since: day, known }: Change): boolean {
	const before = known?.state === 'missing' ? TIME_ZONES_MS : RECENT_DAYS * DAY_MS;
	const came = (Date.parse(known === undefined ? '' : whenCame(known)) || 0) + DAY_MS;
	const from = Math.max(Date.parse(day) - before, came);
	const replacement = kept.find(({ isTaken, since }) => !isTaken && since >= from);
	if (replacement !== undefined) replacement.isTaken = true;
	return replacement !== undefined;
}

/** '' where its row does not say it. Trap: what was tried and not done has a row of that day, and came long before. */
function whenCame(row: StoredRow): string {
	if (row.state === 'missing') return '';
	return row.state === 'applied' ? cameOn(row) : (detailOf<RecordDetail>(row).came ?? '');
}

/** By the roles that lose a bond: the bonds that they keep. */
async function keptBondsOf(
	removals: readonly Change[],
	removedKeys: ReadonlySet<string>,
	context: PlanContext,
): Promise<ReadonlyMap<string, readonly KeptBond[]>> {
	const { ledger, turns, desired } = context;
	const { ofKey } = await schoolYears(context);
	const isOfPastYear = await pastYears(context);
	const kept = new Map(removals.map(({ key }): [string, KeptBond[]] => [roleOf(key), []]));
	const note = (key: string, since: number) =>
		kept.get(roleOf(key))?.push({ year: ofKey(key) ?? '', since, isTaken: false });
	const isKnown = (key: string) => isStillThere(ledger.entries.get(key));
	await turns.forEach(desired.records.values(), ({ kind, key }) => {
		if (kind === 'bond' && !isKnown(key)) note(key, Infinity);
	});
	for (const key of desired.faulty) if (key.startsWith('b:') && !isKnown(key)) note(key, 0);
	await turns.forEach(ledger.entries.values(), (entry) => {
		if (entry.kind !== 'bond' || !isStillThere(entry) || removedKeys.has(entry.key)) return;
		// Trap: a bond of an earlier year that is kept would make everybody a mover who was there then.
		if (!isMissing(entry, context) && !isOfPastYear(entry.key))
			note(entry.key, Date.parse(cameOn(entry.row)));
	});
	return kept;
}

/** Trap: one that may have been removed, and is wanted again, is none that comes. */
function isStillThere(entry: LedgerEntry | undefined): boolean {
	return entry?.there === 'yes' || (entry?.there === 'maybe' && entry.action === 'remove');
}

/** Whether the export lacks a bond, although it does not go tonight. */
function isMissing({ kind, key, missingSince }: LedgerEntry, { desired, inGrace }: PlanContext): boolean {
	if (inGrace.has(key)) return true;
	return missingSince !== '' && !desired.records.has(key) && !isFaulty(kind, key, desired);
}
