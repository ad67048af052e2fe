/** What is different between what should be there and what the ledger says is there. */
import { bondOf, idsIn, needsOf } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import type { Cause } from '../roster/findings';
import type { Kind, Mention } from '../roster/record';
import { completenessIn } from '../roster/roster';

import { absentEntries, bondsOfPeople, neededBonds, type BondsOfPeople } from './absence';
import { hasSchoolLeft } from './away';
import { changeOf, yearOf, type Change } from './change';
import { tellChanged, type ChangedRecord } from './changedRecords';
import type { PlanContext } from './context';
import { daysBetween } from './days';
import { isFaulty, type DesiredRecord, type DesiredState } from './desired';
import { differingFields, isAnother } from './fieldDigests';
import {
	anotherPerson,
	anotherYear,
	existsAlready,
	looksLikeKnown,
	personTwice,
	schoolIsEmpty,
	uncertainRecord,
} from './findingsOfRecords';
import { GroupCounts } from './groups';
import { LookAlikes } from './lookAlikes';
import type { LeftRecord } from './left';
import { pastYears } from './pastYears';
import { hasOtherValues } from './refused';
import { isSeenAs } from './seenFields';
import type { UnconfirmedUser } from './unconfirmed';

export async function difference(desired: DesiredState, context: PlanContext): Promise<Difference> {
	const { ledger, turns } = context;
	const lookAlikes = await LookAlikes.of(desired.records, ledger, turns);
	const found = new Difference(desired, context, lookAlikes);
	for await (const slice of turns.slices(desired.records.values()))
		for (const record of slice) {
			found.takePresent(record);
		}
	await tellChanged(found.changed, desired, context);
	const missing = await absentEntries(desired, context);
	const absent = missing.filter(({ key }) => !found.kept.has(key));
	const isOfPastYear = await pastYears(desired, context);
	const bonds: BondsOfPeople = absent.length === 0 ? new Map() : await bondsOfPeople(desired, context);
	if (context.roster.lacksExports) found.people = peopleIn(desired);
	for await (const slice of turns.slices(absent))
		for (const entry of slice) {
			if (entry.kind === 'bond' && isOfPastYear(entry.key))
				context.counts.add(entry.school, 'bond', 'missing');
			else found.takeAbsent(entry, bonds);
		}
	return found;
}

function peopleIn({ records }: DesiredState): Set<string> {
	const users = [...records.values()].filter(({ kind }) => kind === 'user');
	return new Set(users.map(({ record }) => String(record.fields.external_id)));
}

export class Difference {
	readonly creations: Record<Kind, Change[]> = { class: [], user: [], bond: [] };
	readonly removals: Change[] = [];
	readonly notes: Change[] = [];
	readonly changed: ChangedRecord[] = [];
	/** Users of earlier runs whose accounts were not seen yet. */
	readonly unconfirmed: UnconfirmedUser[] = [];
	/** Classes and users that are gone, and that the service cannot remove. */
	readonly left: LeftRecord[] = [];
	/** Classes and users that the export lacks, and of which it says nothing tonight. */
	readonly unseen: LeftRecord[] = [];
	/** Keys of the ledger that count as there, since the roster has them under ids that are written otherwise. */
	readonly kept = new Set<string>();
	/** What waits since its id may be a known one that is written otherwise, or somebody else's. */
	readonly doubtfulIds = new GroupCounts();
	/** Keys of what is not sent and of which nobody knows whether it is there, or whose it is. */
	readonly doubtful = new Set<string>();

	/** External ids of everybody in the export, where one of several could not be read. */
	people: ReadonlySet<string> | undefined;

	constructor(
		private readonly desired: DesiredState,
		private readonly context: PlanContext,
		private readonly lookAlikes: LookAlikes,
	) {}

	takePresent(desired: DesiredRecord): void {
		const { ledger, options } = this.context;
		const entry = ledger.entries.get(desired.key);
		switch (entry?.there) {
			case undefined:
			case 'no':
				return this.takeNew(desired, entry);
			case 'yes':
				return this.takePossessed(desired, entry);
			case 'unconfirmed':
				return this.takeUnconfirmed(desired, entry);
			// The service says that it exists, although it was not created here.
			case 'exists':
				if (options.existing === 'adopt')
					return this.noteThere(desired, entry, 'exists in the service, and is taken for ours', true);
				return hasOtherValues(entry, desired)
					? this.create(desired, entry, 'existed in the service, and has other values now')
					: this.doubt(desired, 'exists');
			// It was sent before, and nobody knows what came of it.
			case 'maybe':
				if (entry.action === 'remove')
					return this.create(desired, entry, 'may have been removed, and is wanted again');
				return options.existing === 'adopt'
					? this.create(desired, entry, 'uncertain: sent again')
					: this.doubt(desired, 'uncertain');
		}
	}

	/** Something that is not there, as far as the ledger knows: unless it is there under an id that is written otherwise. */
	private takeNew(desired: DesiredRecord, entry: LedgerEntry | undefined): void {
		const { kind, key, school, fields } = desired;
		const like = this.lookAlikes.ofKey(kind, key, this.needsOf(desired));
		if (like !== undefined) this.kept.add(like.key);
		// A bond waits for its user or class, of which it is told.
		const twin = kind === 'user' ? this.lookAlikes.ofPerson(school, key, fields) : undefined;
		if (like !== undefined && kind !== 'bond')
			return this.refuseId(desired, looksLikeKnown(kind, idsIn(like.key).external_id));
		if (twin !== undefined) return this.refuseId(desired, personTwice(idsIn(twin.key).external_id));
		this.create(desired, entry, 'new');
	}

	private takePossessed(desired: DesiredRecord, entry: LedgerEntry): void {
		const { kind, key, school, fields } = desired;
		const { counts, options } = this.context;
		if (entry.isAccepted) return this.noteThere(desired, entry, 'a person says that it is there', true);
		if (entry.fields === fields) {
			counts.add(school, kind, 'same');
			if (entry.missingSince !== '' || entry.isUnfinished) this.noteThere(desired, entry, BACK, false);
			return;
		}
		if (this.isCorrected(desired, entry)) return this.noteThere(desired, entry, CORRECTED, true);
		const another = anotherUnder(kind, entry.fields, fields);
		if (another !== undefined) {
			this.desired.others.add(key);
			return this.refuseId(desired, another);
		}
		this.changed.push({ desired, entry });
		if (options.changedRecords === 'sendAgain')
			this.create(desired, entry, 'its content has changed: sent again');
		else counts.add(school, kind, 'changed');
	}

	/** Verify has seen the values of tonight in the service: somebody has corrected them there. */
	private isCorrected({ kind, fields, record }: DesiredRecord, entry: LedgerEntry): boolean {
		const seen = this.context.ledger.decisions.seenOf(entry.row);
		if (seen === undefined) return false;
		return isSeenAs(record.fields, differingFields(kind, entry.fields, fields), seen, this.context.salt);
	}

	/** A user whose creation was answered. It is never created again for lack of its account. */
	private takeUnconfirmed(desired: DesiredRecord, entry: LedgerEntry): void {
		const { kind, key, school, record, fields } = desired;
		if (this.context.options.confirmation === 'answer') {
			if (entry.fields === fields) this.noteThere(desired, entry, ANSWERED, false);
			return this.takePossessed(desired, { ...entry, there: 'yes' });
		}
		this.context.counts.add(school, kind, 'unconfirmed');
		this.unconfirmed.push({ key, source: record.source, since: Date.parse(entry.row.at) });
		this.doubtful.add(key);
	}

	private create(desired: DesiredRecord, entry: LedgerEntry | undefined, why: string): void {
		const { kind, record } = desired;
		const isNew = entry?.isUnfinished !== true;
		const creation = changeOf(desired, entry, {
			...{ action: 'create', why: isNew ? why : 'was not done the last time', isNew },
			...{ send: record.fields, source: record.source, ...yearOf(record) },
			needs: this.needsOf(desired),
		});
		this.creations[kind].push(creation);
	}

	private needsOf({ kind, record }: DesiredRecord): string[] {
		return needsOf(kind, record.fields, this.context.options.userIdsUniqueWithin);
	}

	private noteThere(desired: DesiredRecord, entry: LedgerEntry, why: string, isNew: boolean): void {
		const own = { why, isNew, source: desired.record.source, ...yearOf(desired.record) };
		this.notes.push(changeOf(desired, entry, { action: 'note', state: 'applied', ...own }));
	}

	private refuseId(desired: DesiredRecord, cause: Cause): void {
		this.doubtfulIds.add(desired.school, desired.kind);
		this.refuse(desired, cause);
	}

	/** Neither it nor what needs it is sent: it may be somebody else. */
	private refuse({ kind, key, school, record }: DesiredRecord, cause: Cause): void {
		this.context.findings.add(cause, record.source, key);
		this.context.counts.add(school, kind, 'error');
		this.doubtful.add(key);
	}

	private doubt({ kind, key, school, record }: DesiredRecord, state: 'exists' | 'uncertain'): void {
		const cause = state === 'exists' ? existsAlready(kind) : uncertainRecord(kind);
		this.context.findings.add(cause, record.source, key);
		this.context.counts.add(school, kind, state);
		this.doubtful.add(key);
	}

	/** Something that the ledger has and the roster lacks, or has with an error. */
	takeAbsent(entry: LedgerEntry, bonds: BondsOfPeople): void {
		const { kind, key, school, missingSince } = entry;
		const { asOf, counts, findings, options, roster } = this.context;
		// Counted on, it would be removed although it was not missing all the time.
		if (isFaulty(kind, key, this.desired)) return this.noteAbsence(entry, 'applied', BACK);
		const gone = this.goneWith(entry);
		const isSilent = gone === undefined && completenessIn(roster, school, kind) !== 'whole';
		const isAway = !this.desired.schools.has(school) && !hasSchoolLeft(school, this.desired, this.context);
		const isEmpty = gone === undefined && isAway;
		if (kind !== 'bond' && (isSilent || isEmpty)) this.unseen.push({ kind, key, school, source: undefined });
		if (isSilent) return;
		if (gone === undefined && kind === 'bond' && this.mayBeInLostExport(key)) {
			counts.add(school, kind, 'missing');
			return;
		}
		if (isEmpty) {
			counts.add(school, kind, 'missing');
			findings.add(schoolIsEmpty(school), null, key);
			return;
		}
		if (kind !== 'bond') {
			counts.add(school, kind, 'left');
			this.left.push({ kind, key, school, source: gone?.source });
			return;
		}
		const since = missingSince === '' ? asOf : missingSince;
		const isOver = daysBetween(since, asOf) >= options.gracePeriodDays;
		if (gone !== undefined || entry.there === 'maybe' || isOver) this.remove(entry, bonds, since);
		else if (missingSince === '') this.noteAbsence(entry, 'missing', MISSING, since);
		else counts.add(school, kind, 'missing');
	}

	/** Whether its person is in no export, and one of them could not be read. */
	private mayBeInLostExport(key: string): boolean {
		return this.people?.has(String(bondOf(key).user_external_id)) === false;
	}

	/** Where the export itself says that something is gone: a user takes the bonds along. */
	private goneWith({ kind, key }: LedgerEntry): Mention | undefined {
		const { gone } = this.desired;
		if (kind !== 'bond' || gone.size === 0 || gone.has(key)) return gone.get(key);
		const [, user] = needsOf('bond', bondOf(key), this.context.options.userIdsUniqueWithin);
		return gone.get(user);
	}

	private noteAbsence(entry: LedgerEntry, state: 'applied' | 'missing', why: string, since = ''): void {
		this.notes.push(changeOf(entry, entry, { action: 'note', state, why, since, isNew: false }));
	}

	private remove(entry: LedgerEntry, bonds: BondsOfPeople, since: string): void {
		const gone = this.goneWith(entry);
		const why = gone === undefined ? `not in the export since ${since}` : 'the export says that it is gone';
		const removal = changeOf(entry, entry, {
			...{ action: 'remove', why, since, isNew: !entry.isUnfinished, source: gone?.source ?? null },
			...{ send: bondOf(entry.key), needs: neededBonds(entry.key, bonds, this.context) },
		});
		this.removals.push(removal);
	}
}

/** What is said where another person or another class may stand under an id. */
function anotherUnder(kind: Kind, before: string, now: string): Cause | undefined {
	if (kind === 'bond' || !isAnother(kind, before, now)) return undefined;
	const fields = differingFields(kind, before, now);
	return kind === 'user' ? anotherPerson(fields) : anotherYear(fields);
}

const BACK = 'back in the export';
const ANSWERED = 'its creation was answered, which counts now';
const CORRECTED = 'the service was seen with these values';
const MISSING = 'not in the export: it stays for the days of Grace Period';
