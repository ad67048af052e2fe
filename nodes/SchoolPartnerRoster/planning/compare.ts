/** What is different between what should be there and what the ledger says is there. */
import type { LedgerEntry } from '../ledger/fold';
import { missingDetail } from '../ledger/fold';
import { bondOf, needsOf } from '../ledger/key';
import { isUncertain, type Ledger } from '../ledger/ledger';
import { compared } from '../ledger/row';
import type { Action } from '../ledger/runs';
import type { Kind, Place } from '../roster/record';
import type { Roster } from '../roster/roster';

import type { Candidate } from './change';
import type { Counted } from './counts';
import { isUntold, type Desired, type Said, type Wanted } from './desired';
import type { Cause } from '../roster/findings';
import { arrivalsOf, newPlacesOf, NOBODY, type Arrivals } from './moves';
import { sayWhatIsNameless } from './nameless';
import type { PlanOptions } from './options';
import { onlyResponsibleDiffer } from './send';

export interface Difference {
	creations: Record<Kind, Candidate[]>;
	removals: Candidate[];
	notes: Candidate[];
	/** Bonds of which nobody knows whether they are there, and that are not sent again. */
	unsure: Pick<Candidate, 'key'>[];
}

interface Given {
	roster: Roster;
	wanted: Wanted;
	ledger: Ledger;
	options: PlanOptions;
	/** YYYY-MM-DD */
	asOf: string;
	/** Digest of the export's content. */
	content: string;
}

export async function differenceOf(given: Given, said: Said): Promise<Difference> {
	const difference: Difference = {
		creations: { class: [], user: [], bond: [] },
		removals: [],
		notes: [],
		unsure: [],
	};
	for (const desired of given.wanted.records.values()) {
		if (said.turns.areDue()) await said.turns.give();
		compareOne(desired, given, said, difference);
	}
	const absent = await absentIn(given, said);
	const arrivals =
		absent.length === 0
			? NOBODY
			: await arrivalsOf([...difference.creations.bond, ...difference.unsure], given.options, said.turns);
	for (const entry of absent) {
		if (said.turns.areDue()) await said.turns.give();
		compareAbsent(entry, arrivals, given, said, difference);
	}
	await sayWhatIsNameless(given.ledger, given.wanted, given.roster, said);
	return difference;
}

function compareOne(desired: Desired, { ledger, options }: Given, said: Said, difference: Difference): void {
	const { kind, key, school, hash } = desired;
	const entry = ledger.entries.get(key);
	const there = entry === undefined && isUncertain(ledger, key) ? 'maybe' : (entry?.there ?? 'no');
	const state = there === 'yes' && entry?.hash === hash ? 'same' : STATE_OF[there];
	if (state === 'same') {
		said.counts.add(school, kind, 'same');
		if (entry?.missing !== undefined || entry?.isUnfinished === true)
			difference.notes.push(appliedNote(desired, desired.record.source, 'back in the export', false));
		return;
	}
	const { takeAsDone } = options;
	if (takeAsDone === 'everything' || takeAsDone === state) {
		said.counts.add(school, kind, state);
		difference.notes.push(appliedNote(desired, desired.record.source, 'taken as done', true));
		return;
	}
	if (state === 'changed')
		said.findings.add(changedCause(desired, entry, options), desired.record.source, key);
	if (state === 'uncertain') said.findings.add(uncertainCause(kind, options), desired.record.source, key);
	const isSent = {
		create: true,
		changed: options.changedRecords === 'sendAgain',
		uncertain: options.uncertainCreations === 'sendAgain',
	}[state];
	// What is sent is counted when it is known whether it can go.
	if (isSent) difference.creations[kind].push(creation(desired, state, triedAtOf(entry), options));
	else {
		said.counts.add(school, kind, state);
		if (kind === 'bond' && state === 'uncertain') difference.unsure.push({ key });
	}
}

const STATE_OF = { yes: 'changed', maybe: 'uncertain', no: 'create' } as const;

const WHY = {
	create: 'new',
	changed: 'its content has changed: sent again',
	uncertain: 'uncertain: sent again',
} as const;

function creation(
	desired: Desired,
	state: keyof typeof WHY,
	triedAt: string | undefined,
	{ userKeys }: PlanOptions,
): Candidate {
	const { kind, record } = desired;
	const isNew = triedAt === undefined;
	return {
		...candidate(desired, record.source, 'create', isNew ? WHY[state] : 'was not done the last time', isNew),
		triedAt,
		counted: state,
		send: record.fields,
		needs: needsOf(kind, record.fields, userKeys),
	};
}

function triedAtOf(entry: LedgerEntry | undefined): string | undefined {
	return entry?.isUnfinished === true ? entry.triedAt : undefined;
}

function appliedNote(
	of: Desired | LedgerEntry,
	source: Place | null,
	why: string,
	isNew: boolean,
): Candidate {
	return { ...candidate(of, source, 'note', why, isNew), state: 'applied', missing_since: '', detail: '' };
}

/** Of something in the export or in the ledger. */
function candidate(
	{ kind, key, school, hash }: Desired | LedgerEntry,
	source: Place | null,
	action: Action,
	why: string,
	isNew: boolean,
): Candidate {
	return {
		action,
		kind,
		key,
		school_external_id: school,
		hash,
		why,
		send: null,
		source,
		needs: [],
		isNew,
		counted: undefined,
	};
}

/** Whether it is in the export, with an error. */
function isFaulty({ kind, key }: LedgerEntry, wanted: Wanted): boolean {
	return wanted.faulty.has(key) || (kind === 'bond' && isUntold(key, wanted));
}

/** A bond of which the ledger says that it was missing, or that its removal was not done. */
function isCounted({ kind, there, missing, isUnfinished }: LedgerEntry): boolean {
	return kind === 'bond' && there === 'yes' && (missing !== undefined || isUnfinished);
}

/** What the ledger has and the export lacks, or has with an error although it was missing, in the order of schools and keys. */
async function absentIn({ ledger, wanted }: Given, { turns }: Said): Promise<LedgerEntry[]> {
	const absent = new Map<string, LedgerEntry[]>();
	for (const entry of ledger.entries.values()) {
		if (turns.areDue()) await turns.give();
		if (entry.there === 'no' || wanted.records.has(entry.key)) continue;
		if (isFaulty(entry, wanted) && !isCounted(entry)) continue;
		const ofSchool = absent.get(entry.school);
		if (ofSchool === undefined) absent.set(entry.school, [entry]);
		else ofSchool.push(entry);
	}
	// School by school: sorting a whole network in one go would keep n8n waiting.
	for (const ofSchool of absent.values()) {
		ofSchool.sort((one, other) => compared(one.key, other.key));
		await turns.give();
	}
	return [...absent.keys()].sort(compared).flatMap((school) => absent.get(school) ?? []);
}

function compareAbsent(
	entry: LedgerEntry,
	arrivals: Arrivals,
	{ roster, wanted, options, asOf, content }: Given,
	said: Said,
	difference: Difference,
): void {
	const { kind, key, school } = entry;
	// Counted on, it would be removed although it was not missing in a row.
	if (isFaulty(entry, wanted)) {
		difference.notes.push(appliedNote(entry, null, 'back in the export', false));
		return;
	}
	const isSaidToBeGone = wanted.gone.has(key);
	const isAbsent = roster.completeness[kind] === 'whole';
	if (!isSaidToBeGone && !isAbsent) return;
	const count = (counted: Counted) => said.counts.add(school, kind, counted);
	if (!isSaidToBeGone && !wanted.schools.has(school)) {
		count('missing');
		said.findings.add(schoolIsEmpty(school), null, key);
		return;
	}
	if (kind !== 'bond') {
		count('orphan');
		said.findings.add(orphanCause(kind), wanted.gone.get(key)?.source, key);
		return;
	}
	// Nothing is sent, and what is not there is not taken for done.
	if (options.takeAsDone === 'everything') return count('missing');
	const isNewExport = entry.missing?.digest !== content;
	const exports = (entry.missing?.exports ?? 0) + Number(isNewExport);
	if (isSaidToBeGone || exports >= options.removeAfter) {
		const why = isSaidToBeGone
			? 'the export says that it is gone'
			: exports > 1
				? `not in the export, ${exports} times in a row`
				: 'not in the export';
		const source = wanted.gone.get(key)?.source ?? null;
		const needs = newPlacesOf(key, arrivals, wanted, options);
		difference.removals.push({
			...candidate(entry, source, 'remove', why, !entry.isUnfinished),
			triedAt: triedAtOf(entry),
			send: bondOf(key),
			needs,
			counted: 'remove',
		});
		return;
	}
	count('missing');
	if (!isNewExport) return;
	const why = `not in the export, ${exports} of ${options.removeAfter} times`;
	difference.notes.push({
		...candidate(entry, null, 'note', why, false),
		state: 'missing',
		missing_since: entry.missing?.since ?? asOf,
		detail: missingDetail(exports, content),
	});
}

function changedCause(
	{ kind, school, hash }: Desired,
	entry: LedgerEntry | undefined,
	{ changedRecords }: PlanOptions,
): Cause {
	const [code, message] =
		entry !== undefined && entry.school !== school
			? ['schoolMoved', 'A user has moved to another school']
			: entry !== undefined && onlyResponsibleDiffer(entry.hash, hash)
				? ['responsibleChanged', 'The responsible persons of a student have changed']
				: ['recordChanged', `The content of a ${kind} has changed since it was created`];
	return {
		severity: 'warning',
		code,
		message,
		what_to_do:
			changedRecords === 'sendAgain'
				? 'It is sent again as a creation, as the option Changed Records asks.'
				: 'The service has no call that changes it: correct it there by hand. Then run once with Take as Done set to Changed, or this is said every time.',
		kind,
	};
}

function uncertainCause(kind: Kind, { uncertainCreations }: PlanOptions): Cause {
	return {
		severity: 'warning',
		code: 'uncertain',
		message: `A ${kind} was ${kind === 'bond' ? 'created or removed' : 'created'} in an earlier run, and nobody knows whether the service has it`,
		what_to_do:
			uncertainCreations === 'sendAgain'
				? 'It is sent again, as the option Uncertain Creations asks.'
				: 'Look into the service. What is there: run once with Take as Done set to Uncertain. What is not, or when the service refuses what it has already: set Uncertain Creations to Send Again.',
		kind,
	};
}

function orphanCause(kind: Kind): Cause {
	return {
		severity: 'information',
		code: kind === 'class' ? 'classLeft' : 'userLeft',
		message: `A ${kind} is no longer in the export, and the service has no call that removes it`,
		what_to_do:
			'Remove it in the service by hand if it should not stay. Its bonds are removed as they leave the export.',
		kind,
	};
}

function schoolIsEmpty(school: string): Cause {
	return {
		severity: 'warning',
		code: 'schoolEmpty',
		message: `The export has no class, no user and no bond of school ${school}, and the ledger has`,
		what_to_do:
			'Nothing of this school is removed. If the school should be in the export, look why it is not.',
	};
}
