/** What is different between what should be there and what the ledger says is there. */
import { idsIn, needsOf } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import type { FindingType } from '../roster/finding';
import { isOfDigest } from '../roster/madeId';
import type { Kind } from '../roster/record';

import { BACK, takeAbsent } from './absence';
import { changeOf, type Change } from './change';
import { tellChanged, type ChangedRecord } from './changedRecords';
import { noteClasses } from './classesInDoubt';
import { GroupCounts, type Counted } from './counts';
import type { DesiredRecord } from './desiredState';
import { differingFields, isAnother, isSeenAs } from './fieldDigests';
import { LookAlikes } from './lookAlikes';
import { leaveOut, type PlanContext } from './planContext';
import { planErrors, planWarnings, type LeftRecord } from './recordFindings';
import { hasOtherValues } from './refused';
import type { UnconfirmedUser } from './unconfirmed';

export async function difference(context: PlanContext): Promise<RosterDifference> {
	await noteClasses(context);
	const found = new RosterDifference(context, await LookAlikes.of(context));
	await context.turns.forEach(context.desired.records.values(), (record) => {
		found.takePresent(record);
	});
	await tellChanged(found.changed, context);
	await takeAbsent(found, context);
	return found;
}

export class RosterDifference {
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
	/** Keys of the ledger that count as there, since the roster has them, or seems to have them, under other ids. */
	readonly kept = new Set<string>();
	/** What waits since its id may be a known one that is written otherwise, or somebody else's. */
	readonly doubtfulIds = new GroupCounts();

	constructor(
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
				return this.takeKnown(desired, entry);
			case 'unconfirmed':
				return this.takeUnconfirmed(desired, entry);
			// The service says that it exists, although it was not created here.
			case 'exists':
				if (options.existing === 'adopt') return this.noteThere(desired, entry, ADOPTED, true);
				// Trap: values that were refused for another reason since are tried again like any, and what is told is that refusal.
				return hasOtherValues(entry, desired) || entry.row.state === 'failed'
					? this.create(desired, entry, 'existed in the service, and has other values now')
					: this.leaveOut(desired, 'exists', planWarnings.exists(desired.kind));
			// It was sent before, and nobody knows what came of it.
			case 'maybe':
				if (entry.action === 'remove')
					return this.create(desired, entry, 'may have been removed, and is wanted again');
				return options.existing === 'adopt'
					? this.create(desired, entry, 'uncertain: sent again')
					: this.leaveOut(desired, 'uncertain', planWarnings.uncertain(desired.kind));
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
			return this.refuseId(desired, planErrors.looksLikeKnown(kind, idsIn(like.key).external_id));
		if (twin !== undefined) {
			this.kept.add(twin.key);
			return this.refuseId(desired, planErrors.personTwice(idsIn(twin.key).external_id));
		}
		const double = this.lookAlikes.ofNew(desired);
		if (double !== undefined)
			return this.refuseId(desired, planErrors.newTwice(kind, idsIn(double).external_id));
		this.create(desired, entry, 'new');
	}

	private takeKnown(desired: DesiredRecord, entry: LedgerEntry): void {
		const { kind, key, school, fields } = desired;
		const { counts, options } = this.context;
		if (entry.isAccepted) return this.noteThere(desired, entry, 'a person says that it is there', true);
		if (entry.fields === fields) {
			const isBack = entry.missingSince !== '' || entry.isUnfinished;
			return isBack ? this.noteThere(desired, entry, BACK, false) : counts.add(school, kind, 'same');
		}
		if (this.isCorrected(desired, entry)) return this.noteThere(desired, entry, CORRECTED, true);
		if (kind !== 'bond' && isAnother(kind, key, entry.fields, fields)) {
			this.context.desired.others.add(key);
			const another = kind === 'user' ? planErrors.anotherPerson : planErrors.anotherYear;
			return this.refuseId(desired, another(differingFields(kind, entry.fields, fields)));
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
		const { absent, counts, options } = this.context;
		if (options.confirmation === 'answer')
			return entry.fields === fields
				? this.noteThere(desired, entry, ANSWER_COUNTS, false)
				: this.takeKnown(desired, { ...entry, there: 'yes' });
		counts.add(school, kind, 'unconfirmed');
		this.unconfirmed.push({ key, source: record.source, since: Date.parse(entry.row.at) });
		absent.add(key);
	}

	private create(desired: DesiredRecord, entry: LedgerEntry | undefined, why: string): void {
		const { kind, record } = desired;
		const isNew = entry?.isUnfinished !== true;
		const creation = changeOf(desired, entry, {
			...{ action: 'create', why: isNew ? why : 'was not done the last time', isNew },
			send: record.fields,
			needs: this.needsOf(desired).concat(this.doubtOf(desired, entry)),
		});
		this.creations[kind].push(creation);
	}

	/** What a new user waits for beside the own needs. */
	private doubtOf({ kind, school }: DesiredRecord, entry: LedgerEntry | undefined): string[] {
		const awaited =
			kind === 'user' && entry?.there !== 'yes' ? this.context.classes.awaitedIn(school) : undefined;
		return awaited === undefined ? [] : [awaited];
	}

	private needsOf({ kind, record }: DesiredRecord): string[] {
		return needsOf(kind, record.fields, this.context.options.userIdsUniqueWithin);
	}

	/** It is counted as a change. */
	private noteThere(desired: DesiredRecord, entry: LedgerEntry, why: string, isNew: boolean): void {
		this.notes.push(changeOf(desired, entry, { action: 'note', state: 'applied', why, isNew }));
	}

	/** Its id may be somebody else's. */
	private refuseId(desired: DesiredRecord, cause: FindingType): void {
		// Of a document, the id is that of before.
		if (!isOfDigest(idsIn(desired.key).external_id)) this.doubtfulIds.add(desired.school, desired.kind);
		this.leaveOut(desired, 'error', cause);
	}

	private leaveOut({ kind, key, school, record }: DesiredRecord, counted: Counted, cause: FindingType): void {
		const change = { kind, key, school_external_id: school, source: record.source };
		leaveOut(change, counted, cause, this.context);
	}
}

const ADOPTED = 'exists in the service, and is taken for ours';
const ANSWER_COUNTS = 'its creation was answered, which counts now';
const CORRECTED = 'the service was seen with these values';
