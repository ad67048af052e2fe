/** What is different between what should be there and what the ledger says is there. */
import { bondOf, needsOf } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import type { Kind, Place } from '../roster/record';

import { absentEntries, daysBetween } from './absence';
import type { Change } from './change';
import type { PlanContext } from './context';
import { isFaulty, type DesiredRecord, type DesiredState } from './desired';
import { changedRecord, existsAlready, hasLeft, schoolIsEmpty, uncertainRecord } from './findingsOfRecords';
import { bondsOfPeople, neededBonds, type BondsOfPeople } from './moves';

export interface Difference {
	creations: Record<Kind, Change[]>;
	removals: Change[];
	notes: Change[];
	/** Keys of what is not sent and of which nobody knows whether it is there, or whose it is. */
	doubtful: Set<string>;
}

export async function difference(desired: DesiredState, context: PlanContext): Promise<Difference> {
	const found: Difference = {
		creations: { class: [], user: [], bond: [] },
		removals: [],
		notes: [],
		doubtful: new Set(),
	};
	const { turns } = context;
	for (const record of desired.records.values()) {
		if (turns.areDue()) await turns.give();
		comparePresent(record, context, found);
	}
	const absent = await absentEntries(desired, context);
	const bonds: BondsOfPeople = absent.length === 0 ? new Map() : await bondsOfPeople(desired, context);
	for (const entry of absent) {
		if (turns.areDue()) await turns.give();
		compareAbsent(entry, bonds, desired, context, found);
	}
	return found;
}

/** Something that the roster has. */
function comparePresent(desired: DesiredRecord, context: PlanContext, found: Difference): void {
	const entry = context.ledger.entries.get(desired.key);
	switch (entry?.there) {
		case undefined:
		case 'no':
			found.creations[desired.kind].push(creation(desired, entry, context));
			return;
		case 'yes':
			return comparePossessed(desired, entry, context, found);
		case 'exists':
			return compareExisting(desired, entry, context, found);
		case 'maybe':
			return compareUncertain(desired, entry, context, found);
	}
}

/** Something that the service has. */
function comparePossessed(
	desired: DesiredRecord,
	entry: LedgerEntry,
	context: PlanContext,
	found: Difference,
): void {
	const { kind, key, school, record } = desired;
	const { counts, findings, options } = context;
	if (entry.isAccepted) {
		found.notes.push(present(desired, entry, 'a person says that it is there', true));
		return;
	}
	if (entry.fields === desired.fields) {
		counts.add(school, kind, 'same');
		if (entry.missingSince !== '' || entry.isUnfinished)
			found.notes.push(present(desired, entry, 'back in the export', false));
		return;
	}
	findings.add(changedRecord(desired, entry, options), record.source, key);
	if (options.changedRecords === 'sendAgain')
		found.creations[kind].push(creation(desired, entry, context, 'its content has changed: sent again'));
	else counts.add(school, kind, 'changed');
}

/** Something of which the service says that it exists, although it was not created here. */
function compareExisting(
	desired: DesiredRecord,
	entry: LedgerEntry,
	{ counts, findings, options }: PlanContext,
	found: Difference,
): void {
	const { kind, key, school, record } = desired;
	if (options.existing === 'adopt') {
		found.notes.push(present(desired, entry, 'exists in the service, and is taken for ours', true));
		return;
	}
	findings.add(existsAlready(kind), record.source, key);
	counts.add(school, kind, 'exists');
	found.doubtful.add(key);
}

/** Something that was sent before, and nobody knows what came of it. */
function compareUncertain(
	desired: DesiredRecord,
	entry: LedgerEntry,
	context: PlanContext,
	found: Difference,
): void {
	const { kind, key, school, record } = desired;
	if (entry.action === 'remove') {
		found.creations[kind].push(
			creation(desired, entry, context, 'may have been removed, and is wanted again'),
		);
		return;
	}
	if (context.options.existing === 'adopt') {
		found.creations[kind].push(creation(desired, entry, context, 'uncertain: sent again'));
		return;
	}
	context.findings.add(uncertainRecord(kind), record.source, key);
	context.counts.add(school, kind, 'uncertain');
	found.doubtful.add(key);
}

function creation(
	desired: DesiredRecord,
	entry: LedgerEntry | undefined,
	{ options }: PlanContext,
	why = 'new',
): Change {
	const { kind, record } = desired;
	const isNew = entry?.isUnfinished !== true;
	return {
		...change('create', desired, entry, record.source, isNew ? why : 'was not done the last time'),
		isNew,
		send: record.fields,
		needs: needsOf(kind, record.fields, options.userIdsUniqueWithin),
	};
}

/** A note that it is there. */
function present(desired: DesiredRecord, entry: LedgerEntry, why: string, isNew: boolean): Change {
	return { ...change('note', desired, entry, desired.record.source, why), state: 'applied', isNew };
}

function change(
	action: Change['action'],
	{ kind, key, school, fields }: Pick<DesiredRecord, 'kind' | 'key' | 'school' | 'fields'>,
	entry: LedgerEntry | undefined,
	source: Place | null,
	why: string,
): Change {
	return {
		...{ action, kind, key, school_external_id: school, state: 'planned', fields, needs: [], why },
		...{ send: null, source, since: '', known: entry?.row, there: entry?.there ?? 'no', isNew: true },
	};
}

function compareAbsent(
	entry: LedgerEntry,
	bonds: BondsOfPeople,
	desired: DesiredState,
	context: PlanContext,
	found: Difference,
): void {
	const { kind, key, school } = entry;
	const { roster, counts, findings } = context;
	// Counted on, it would be removed although it was not missing all the time.
	if (isFaulty(kind, key, desired)) {
		found.notes.push({
			...change('note', entry, entry, null, 'back in the export'),
			state: 'applied',
			isNew: false,
		});
		return;
	}
	const isSaidToBeGone = desired.gone.has(key);
	if (!isSaidToBeGone && roster.completeness[kind] !== 'whole') return;
	if (!isSaidToBeGone && !desired.schools.has(school)) {
		counts.add(school, kind, 'missing');
		findings.add(schoolIsEmpty(school), null, key);
		return;
	}
	if (kind !== 'bond') {
		counts.add(school, kind, 'left');
		findings.add(hasLeft(kind), desired.gone.get(key)?.source, key);
		return;
	}
	const since = entry.missingSince === '' ? context.asOf : entry.missingSince;
	const days = daysBetween(since, context.asOf);
	if (isSaidToBeGone || entry.there === 'maybe' || days >= context.options.gracePeriodDays)
		found.removals.push(removal(entry, bonds, desired, context, since));
	else if (entry.missingSince === '')
		found.notes.push({
			...change('note', entry, entry, null, MISSING),
			state: 'missing',
			since,
			isNew: false,
		});
	else counts.add(school, kind, 'missing');
}

const MISSING = 'not in the export: it stays for the days of Grace Period';

function removal(
	entry: LedgerEntry,
	bonds: BondsOfPeople,
	desired: DesiredState,
	context: PlanContext,
	since: string,
): Change {
	const gone = desired.gone.get(entry.key);
	const why = gone === undefined ? `not in the export since ${since}` : 'the export says that it is gone';
	return {
		...change('remove', entry, entry, gone?.source ?? null, why),
		isNew: !entry.isUnfinished,
		since,
		send: bondOf(entry.key),
		needs: neededBonds(entry.key, bonds, context),
	};
}
