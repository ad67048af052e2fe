/**
 * What the ledger has and the roster lacks; and who moves: somebody whom the roster still gives a bond anywhere in the network loses an old one only
 * once a new one is there. Whom it gives none loses all.
 */
import { bondOf, classOfBond, endsOfBond, foldedId, needsOf } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import { compared } from '../ledger/row';
import type { RosterRecord } from '../roster/record';
import { completenessIn } from '../roster/roster';

import { RECENT_DAYS } from './baseline';
import { changeOf } from './change';
import { groupOf } from './counts';
import { daysBetween, sinceDay } from './days';
import { addTo, endsOf, goneFrom, hasSchoolLeft, isFaulty } from './desiredState';
import type { RosterDifference } from './difference';
import type { PlanContext } from './planContext';
import { planWarnings, uncertainRemoval, type LeftRecord } from './recordFindings';
import { pastYears, roleOf, type IsOfPastYear } from './schoolYears';

/** Adds to what is different what is missing tonight. */
export async function takeAbsent(found: RosterDifference, context: PlanContext): Promise<void> {
	const entries = await absentEntries(context);
	if (entries.length === 0) return;
	const absence = new Absence(found, context, {
		isOfPastYear: await pastYears(context),
		bonds: await bondsOfPeople(context),
		people: context.roster.lacksExports ? peopleIn(context) : undefined,
	});
	await context.turns.forEach(entries, (entry) => {
		absence.take(entry);
	});
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
	/** External ids of everybody in the export, where one of several could not be read. */
	people: ReadonlySet<string> | undefined;
}

async function bondsOfPeople({ desired, turns }: PlanContext): Promise<KnownOfBonds['bonds']> {
	const bonds = new Map<string, string[]>();
	await turns.forEach(desired.records.values(), ({ kind, key, record }) => {
		if (kind === 'bond') addTo(bonds, String(record.fields.user_external_id), key);
	});
	return bonds;
}

function peopleIn({ desired }: PlanContext): Set<string> {
	const users = [...desired.records.values()].filter(({ kind }) => kind === 'user');
	return new Set(users.map(({ record }) => String(record.fields.external_id)));
}

class Absence {
	constructor(
		private readonly found: RosterDifference,
		private readonly context: PlanContext,
		private readonly known: KnownOfBonds,
	) {}

	take(entry: LedgerEntry): void {
		const { kind, there, missingSince } = entry;
		if (!this.isKept(entry))
			return kind === 'bond' ? this.takeBond(entry) : this.takeLeft({ ...entry, kind });
		// Trap: counted on, it would be removed although it was not missing all the time.
		if (kind === 'bond' && there === 'yes' && missingSince !== '') this.note(entry, 'applied', BACK, '');
	}

	/** It counts as there, since the roster has it, or its user, under another id. */
	private isKept({ kind, key }: LedgerEntry): boolean {
		const { kept } = this.found;
		if (kept.has(key)) return true;
		const [, ...users] = kind === 'bond' && kept.size > 0 ? endsOfBond(key) : [];
		return users.some((user) => kept.has(user));
	}

	/** A class or a user, which is never removed. */
	private takeLeft({ kind, key, school }: LeftRecord): void {
		const { counts, desired, findings, roster } = this.context;
		const isSaidGone = goneFrom(school, key, desired) !== undefined;
		// An export that could not be read may have it.
		const isUnread = roster.lacksExports === true || completenessIn(roster, school, kind) !== 'whole';
		const isSilent = !isSaidGone && isUnread;
		const isEmpty = !isSaidGone && this.isSchoolEmpty(school);
		if (isSilent || isEmpty) this.found.unseen.push({ kind, key, school });
		if (isSilent) return;
		counts.add(school, kind, isEmpty ? 'missing' : 'left');
		if (isEmpty) findings.add(planWarnings.schoolEmpty(school), null, key);
		else this.found.left.push({ kind, key, school });
	}

	/** Nothing of the school is in the export, and it has not been away for long. */
	private isSchoolEmpty(school: string): boolean {
		return !this.context.desired.schools.has(school) && !hasSchoolLeft(school, this.context);
	}

	private takeBond(entry: LedgerEntry): void {
		const { key, school, missingSince } = entry;
		const { firstDay, counts, findings, roster, desired } = this.context;
		if (this.known.isOfPastYear(key)) return counts.add(school, 'bond', 'missing');
		// Counted on, it would be removed although it was not missing all the time.
		if (isFaulty('bond', key, desired)) {
			// It is counted as a change.
			if (desired.faulty.has(key)) counts.add(school, 'bond', 'error', -1);
			return this.note(entry, 'applied', BACK, '');
		}
		const gone = this.goneWith(entry);
		const since = sinceDay(missingSince, firstDay);
		if (gone !== undefined) return this.remove(entry, gone, since);
		if (completenessIn(roster, school, 'bond') === 'whole') return this.takeMissingBond(entry, since);
		// Trap: a run that was killed has told nobody of it, and the next list does not name who leaves.
		if (!roster.comesOnce || entry.there !== 'maybe' || entry.action !== 'remove') return;
		counts.add(school, 'bond', 'uncertain');
		findings.add(uncertainRemoval, null, key);
	}

	/** A bond that a whole export does not have. */
	private takeMissingBond(entry: LedgerEntry, since: string): void {
		const { key, school, missingSince } = entry;
		const { today, counts, findings, inGrace, leavingInGrace, options } = this.context;
		const isLost = this.isOfUnreadExport(key);
		const isEmpty = !isLost && this.isSchoolEmpty(school);
		if (isEmpty) findings.add(planWarnings.schoolEmpty(school), null, key);
		if (isLost || isEmpty) return counts.add(school, 'bond', 'missing');
		const days = daysBetween(since, today);
		if (entry.there === 'maybe' || days >= options.gracePeriodDays)
			return this.remove(entry, undefined, since);
		inGrace.add(key);
		const given = this.known.bonds.get(String(bondOf(key).user_external_id)) ?? [];
		const hasOther = given.some((other) => roleOf(other) === roleOf(key));
		if (days < RECENT_DAYS && !hasOther) leavingInGrace.add(school, groupOf('bond', key));
		if (missingSince !== since) this.note(entry, 'missing', MISSING, since);
		else counts.add(school, 'bond', 'missing');
	}

	/** Trap: somebody who is in two exports, such as a teacher, may be in a class of the one that could not be read. */
	private isOfUnreadExport(bond: string): boolean {
		const { people } = this.known;
		const { records, faulty } = this.context.desired;
		if (people === undefined) return false;
		const isClassRead = [records, faulty].some((one) => one.has(classOfBond(bond)));
		return !isClassRead || !people.has(String(bondOf(bond).user_external_id));
	}

	/** Where the export itself says that a bond is gone: a user takes the bonds along. */
	private goneWith({ key, school }: LedgerEntry): RosterRecord | undefined {
		const { desired, options } = this.context;
		if (desired.gone.size === 0) return undefined;
		const [, user] = needsOf('bond', bondOf(key), options.userIdsUniqueWithin);
		return goneFrom(school, key, desired) ?? goneFrom(school, user, desired);
	}

	private note(entry: LedgerEntry, state: 'applied' | 'missing', why: string, since: string): void {
		this.found.notes.push(changeOf(entry, entry, { action: 'note', state, why, since, isNew: false }));
	}

	private remove(entry: LedgerEntry, gone: RosterRecord | undefined, since: string): void {
		const { desired, ledger } = this.context;
		const why = gone === undefined ? `not in the export since ${since}` : 'the export says that it is gone';
		const person = String(bondOf(entry.key).user_external_id);
		const unsent = desired.unsentBonds.get(foldedId(person)) ?? [];
		const all = [...(this.known.bonds.get(person) ?? []), ...unsent];
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
		this.found.removals.push(removal);
	}
}

export const BACK = 'back in the export';
const MISSING = 'not in the export: it stays for the days of Grace Period';
