/** What should be there: the records of the export by their keys. */
import { keyOf, userKey, type UserKeys } from '../ledger/key';
import type { Ledger } from '../ledger/ledger';
import type { Turns } from '../roster/turns';
import type { Fields, Kind, Mention, RosterRecord } from '../roster/record';
import type { Roster } from '../roster/roster';
import { idTwice } from '../roster/causes';

import type { Counts } from './counts';
import type { Findings } from '../roster/findings';
import { contentHashOf } from './send';

export interface Desired {
	kind: Kind;
	key: string;
	school: string;
	record: RosterRecord;
	hash: string;
}

export interface Wanted {
	records: Map<string, Desired>;
	/** Keys of what is in the export and cannot be sent. */
	faulty: Set<string>;
	/** School, class and user of bonds that are in the export and cannot be sent, as far as they name a school: their profile may be another than in the ledger. */
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
export async function wantedOf(
	roster: Roster,
	{ ledger, userKeys, onlySchools }: Which,
	said: Said,
): Promise<Wanted> {
	const wanted: Wanted = {
		records: new Map(),
		faulty: new Set(),
		untold: new Set(),
		unsettled: new Map(),
		gone: new Map(),
		schools: new Set(),
	};
	const only = new Set(onlySchools);
	// What has no school may be of any.
	const isMeant = (fields: Fields) =>
		only.size === 0 || only.has(schoolOf(fields)) || schoolOf(fields) === '';
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

/** School, class and user in the key of a bond; class and user alone. */
function endsOf(key: string): { inSchool: string; anywhere: string } {
	const [school, ...ends] = key.split('|', 3);
	return { inSchool: [school, ...ends].join('|'), anywhere: ends.join('|') };
}

/** True for the key of a bond that may be one of those that cannot be sent. */
export function isUntold(key: string, { untold }: Wanted): boolean {
	const { inSchool, anywhere } = endsOf(key);
	return untold.has(inSchool) || untold.has(anywhere);
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
	const [named, id] = [schoolOf(fields), fields.user_external_id];
	const school = named.trim() === '' ? '' : named;
	const like = keyOf('bond', { ...fields, school_external_id: school || '?', profile_name: '?' }, userKeys);
	if (like !== undefined) wanted.untold.add(endsOf(like)[school === '' ? 'anywhere' : 'inSchool']);
	// What has no school may be of any.
	const user = userKey(school, id, userKeys) ?? userKey(school, id, 'network');
	if (user === undefined) return;
	const standIn = key ?? `b ${user}`;
	wanted.faulty.add(standIn);
	const known = wanted.unsettled.get(user);
	if (known === undefined) wanted.unsettled.set(user, [standIn]);
	else known.push(standIn);
}

function take(wanted: Wanted, record: RosterRecord, userKeys: UserKeys, ledger: Ledger, said: Said): void {
	const { kind, fields, source } = record;
	// Whoever reads a roster refuses what lacks an id.
	const key = keyOf(kind, fields, userKeys) as string;
	const school = schoolOf(fields);
	wanted.schools.add(school);
	// A bond is nothing but its ids: another row of it that has an error does not make it another one.
	if (kind === 'bond') wanted.faulty.delete(key);
	else if (wanted.faulty.has(key)) return said.findings.add(idTwice(kind), source, key);
	const entry = ledger.entries.get(key);
	// A bond is nothing but its ids: it is not summed up while it is there.
	const hash = kind === 'bond' && entry?.there === 'yes' ? entry.hash : contentHashOf(kind, fields);
	// The texts of the ledger, so that those of the export need not be kept.
	const texts = entry?.hash === hash ? { key: entry.key, hash: entry.hash } : { key, hash };
	wanted.records.set(texts.key, { kind, school, record, ...texts });
}
