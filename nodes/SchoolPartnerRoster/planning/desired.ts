/** What should be there: the records of the export by their keys, checked against the contract. */
import type { LedgerEntry } from '../ledger/fold';
import { keyOf, userKey, type UserKeys } from '../ledger/key';
import type { Ledger } from '../ledger/ledger';
import type { Turns } from '../roster/turns';
import type { Fields, Kind, Mention, RosterRecord } from '../roster/record';
import type { Roster } from '../roster/roster';
import { idTwice, refused, sameTwice } from '../roster/causes';

import type { Counts } from './counts';
import type { Findings } from '../roster/findings';
import { bodyOf, contentHashOf } from './send';

export interface Desired {
	kind: Kind;
	key: string;
	school: string;
	record: RosterRecord;
	hash: string;
	/** What is sent; undefined when the ledger says that just this is there. */
	body: Fields | undefined;
}

export interface Wanted {
	records: Map<string, Desired>;
	/** Keys of what is in the export and cannot be sent. */
	faulty: Set<string>;
	/** Class and user of bonds that are in the export and cannot be sent: their school or profile may be another than in the ledger. */
	untold: Set<string>;
	/** Keys of bonds that are in the export and cannot be sent, by the key of their user: a stand-in where their own is not known. */
	unsettled: Map<string, string[]>;
	/** Keys of what the export says is gone. */
	gone: Map<string, Mention>;
	/** Schools that have anything in the export. */
	schools: Set<string>;
}

export interface Said {
	counts: Counts;
	findings: Findings;
	turns: Turns;
}

interface Which {
	ledger: Ledger;
	userKeys: UserKeys;
	/** Empty: all. */
	onlySchools: readonly string[];
}

/** Reads an export. What cannot be sent becomes a finding, and is not taken for gone. */
export async function wantedOf(roster: Roster, { ledger, userKeys, onlySchools }: Which, said: Said): Promise<Wanted> {
	const wanted: Wanted = { records: new Map(), faulty: new Set(), untold: new Set(), unsettled: new Map(), gone: new Map(), schools: new Set() };
	const only = new Set(onlySchools);
	// What has no school may be of any.
	const isMeant = (fields: Fields) => only.size === 0 || only.has(schoolOf(fields)) || schoolOf(fields) === '';
	for (const mention of roster.faulty) {
		if (said.turns.areDue()) await said.turns.give();
		if (isMeant(mention.fields)) refuse(wanted, mention, userKeys, said);
	}
	for (const record of roster.records) {
		if (said.turns.areDue()) await said.turns.give();
		if (isMeant(record.fields)) take(wanted, record, userKeys, ledger, said);
	}
	for (const mention of roster.gone) {
		if (said.turns.areDue()) await said.turns.give();
		const key = isMeant(mention.fields) ? keyOf(mention.kind, mention.fields, userKeys) : undefined;
		if (key !== undefined) wanted.gone.set(key, mention);
	}
	return wanted;
}

export function schoolOf({ school_external_id: school }: Fields): string {
	return typeof school === 'string' || typeof school === 'number' ? String(school) : '';
}

/** Class and user in the key of a bond. */
export function endsOf(key: string): string {
	return key.split('|', 3).slice(1).join('|');
}

/** Counts a record that cannot be sent; who calls it says why. */
function refuse(wanted: Wanted, { kind, fields }: Mention, userKeys: UserKeys, { counts }: Said): void {
	const school = schoolOf(fields);
	if (school !== '') wanted.schools.add(school);
	const key = keyOf(kind, fields, userKeys);
	if (key !== undefined && wanted.faulty.has(key)) return;
	if (key !== undefined) wanted.faulty.add(key);
	if (kind === 'bond') noteUnsettled(wanted, fields, key, userKeys);
	counts.add(school, kind, 'error');
}

/** Remembers a bond that cannot be sent by what of it is known. */
function noteUnsettled(wanted: Wanted, fields: Fields, key: string | undefined, userKeys: UserKeys): void {
	const ends = keyOf('bond', { ...fields, school_external_id: '?', profile_name: '?' }, 'network');
	if (ends !== undefined) wanted.untold.add(endsOf(ends));
	const user = userKey(schoolOf(fields), fields.user_external_id, userKeys);
	if (user === undefined) return;
	const standIn = key ?? `b ${user}`;
	wanted.faulty.add(standIn);
	wanted.unsettled.set(user, [...(wanted.unsettled.get(user) ?? []), standIn]);
}

function take(wanted: Wanted, record: RosterRecord, userKeys: UserKeys, ledger: Ledger, said: Said): void {
	const key = keyOf(record.kind, record.fields, userKeys);
	const desired = asTheLedgerSays(record, key === undefined ? undefined : ledger.entries.get(key)) ?? checked(record, key, said);
	if (desired === undefined || key === undefined) return refuse(wanted, record, userKeys, said);
	const { kind, source } = record;
	const known = wanted.records.get(key);
	wanted.schools.add(desired.school);
	if (wanted.faulty.has(key)) {
		said.findings.add(idTwice(kind), source, key);
	} else if (known === undefined) {
		wanted.records.set(desired.key, desired);
	} else if (known.hash === desired.hash) {
		said.findings.add(sameTwice(kind), source, key);
	} else {
		wanted.records.delete(key);
		said.findings.add(idTwice(kind), known.record.source, key);
		said.findings.add(idTwice(kind), source, key);
		refuse(wanted, record, userKeys, said);
	}
}

/**
 * A record that is there just as the export has it. Its content was checked when it was sent: on most nights that is all of them, and checking
 * costs more than everything else. A bond is nothing but its ids.
 */
function asTheLedgerSays(record: RosterRecord, entry: LedgerEntry | undefined): Desired | undefined {
	const { kind, fields } = record;
	if (entry?.there !== 'yes' || (kind !== 'bond' && contentHashOf(kind, fields) !== entry.hash)) return undefined;
	// The texts of the ledger, so that those of the export need not be kept.
	return { kind, key: entry.key, school: schoolOf(fields), record, hash: entry.hash, body: undefined };
}

/** A record whose content may be sent; undefined, and a finding, when it may not. */
function checked(record: RosterRecord, key: string | undefined, { findings }: Said): Desired | undefined {
	const { kind, fields, source } = record;
	const sent = bodyOf('create', kind, fields);
	if (sent.ok && key !== undefined) return { kind, key, school: schoolOf(sent.body), record, hash: contentHashOf(kind, sent.body), body: sent.body };
	const issues = sent.ok ? [{ path: ['ids'], message: 'must be there, all of them' }] : sent.issues;
	for (const { path, message } of issues) findings.add(refused(kind, 'fieldRefused', path.map(String).join(' '), message, CORRECT), source, key);
	return undefined;
}

const CORRECT = 'Correct it in the system that gives the export, or map another column onto it. The record is left out until then.';
