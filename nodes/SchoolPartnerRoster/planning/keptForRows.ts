/**
 * A row without an id keeps what it may be about: the person whose name and birth date it has, else its class, else its school; nothing else. One with
 * the id of somebody else keeps that person (ROSTER.md section 3, rule 4).
 */
import { bondOf, foldedId, idsIn, isId, keyOf, kindOfKey, needsOf, userKey } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import type { FindingType } from '../roster/finding';
import type { Fields, Kind, Place, RosterRecord } from '../roster/record';
import { completenessIn } from '../roster/roster';

import { addTo, goneFrom, schoolIdOf } from './desiredState';
import { fieldDigests, isAnother } from './fieldDigests';
import { personsOf } from './lookAlikes';
import type { PlanContext } from './planContext';

/** What a row may be about: records of this kind, of one user or class or of a whole school. */
interface Scope {
	kind: Kind;
	/** '' for any. */
	school: string;
	of: 'user' | 'class' | 'school';
	/** '' of a school. */
	id: string;
}

/** Trap: two files of one export may write an id in two ways. */
const scopeName = ({ kind, school, of, id }: Scope) =>
	JSON.stringify([kind, foldedId(school), of, foldedId(id)]);

/** What may be kept for rows: where they stand, and how much it is. */
interface Doubt {
	scope: Scope;
	sources: Place[];
	count: number;
}

/** Keys of what is not in the export and may be what rows without an id are about. What is kept for them is told. */
export async function keptForRows(context: PlanContext): Promise<Set<string>> {
	const { desired, ledger, findings, options, turns, roster } = context;
	const only = new Set(options.onlySchools);
	const kept = new Set<string>();
	const doubts = await doubtsOf(context);
	if (doubts.size === 0) return kept;
	await turns.forEach(ledger.entries.values(), (entry) => {
		if (entry.there === 'no' || desired.records.has(entry.key) || isSaidGone(entry, context)) return;
		if (only.size > 0 && !only.has(entry.school)) return;
		if (completenessIn(roster, entry.school, entry.kind) !== 'whole') return;
		for (const one of scopesOver(entry).flatMap((scope) => doubts.get(scopeName(scope)) ?? [])) {
			one.count += 1;
			kept.add(entry.key);
		}
	});
	for (const { scope, sources, count } of doubts.values()) {
		// Classes and users are never removed.
		if (scope.kind !== 'bond' || count === 0) continue;
		for (const source of sources) findings.add(keptForRow(scope, count), source, keyOfScope(scope, context));
	}
	return kept;
}

async function doubtsOf(context: PlanContext): Promise<Map<string, Doubt>> {
	const rows = context.desired.unidentified;
	const misnamed = await misnamedUsers(context);
	const doubts = new Map<string, Doubt>();
	if (rows.length + misnamed.length === 0) return doubts;
	const known = await knownIds([...rows, ...misnamed], context);
	for (const row of rows) doubt(row, scopesOf(row, known, context), doubts);
	for (const row of misnamed) doubt(row, scopesOfPerson(row, known, context), doubts);
	return doubts;
}

function doubt({ source }: RosterRecord, scopes: readonly Scope[], doubts: Map<string, Doubt>): void {
	for (const scope of scopes) {
		const known = doubts.get(scopeName(scope)) ?? { scope, sources: [], count: 0 };
		known.sources.push(source);
		doubts.set(scopeName(scope), known);
	}
}

/** Users with an id that cannot be told, or under which the ledger has somebody else. Trap: a cell that was filled down has the id of the row above. */
async function misnamedUsers(context: PlanContext): Promise<RosterRecord[]> {
	const { desired, ledger, options, roster, turns } = context;
	const users = roster.faulty.filter(({ kind }) => kind === 'user');
	const rows = users.filter((user) => keyOf('user', user.fields, options.userIdsUniqueWithin) !== undefined);
	await turns.forEach(desired.records.values(), ({ kind, key, fields, record }) => {
		const entry = kind === 'user' ? ledger.entries.get(key) : undefined;
		if (entry === undefined || entry.there === 'no' || entry.fields === fields) return;
		if (isAnother(kind, key, entry.fields, fields)) rows.push(record);
	});
	return rows;
}

/** External ids that rows may mean. */
interface KnownIds {
	/** Of the users of the ledger, by what tells a person. */
	users: Map<string, string[]>;
	ledgerClasses: Set<string>;
	/** Of those, and of the classes of the export. */
	classes: Set<string>;
}

async function knownIds(
	rows: readonly RosterRecord[],
	{ desired, ledger, turns }: PlanContext,
): Promise<KnownIds> {
	const isPersonNamed = rows.some(({ fields }) => fields.first_name !== undefined);
	const users = new Map<string, string[]>();
	const [ledgerClasses, classes] = [new Set<string>(), new Set<string>()];
	await turns.forEach(ledger.entries.values(), ({ kind, there, school, key, fields }) => {
		if (kind === 'class') ledgerClasses.add(foldedId(idsIn(key).external_id));
		if (kind !== 'user' || there === 'no' || !isPersonNamed) return;
		for (const person of personsOf(school, fields)) addTo(users, person, idsIn(key).external_id);
	});
	for (const keys of [desired.records.keys(), desired.faulty])
		await turns.forEach(keys, (key) => {
			if (kindOfKey(key) === 'class') classes.add(foldedId(idsIn(key).external_id));
		});
	return { users, ledgerClasses, classes: new Set([...classes, ...ledgerClasses]) };
}

/** What a row may be about, as closely as it says it. */
function scopesOf({ kind, fields }: RosterRecord, known: KnownIds, context: PlanContext): Scope[] {
	const school = schoolIdOf(fields);
	const scope = (of: Scope['of'], id: Fields[string] = ''): Scope => ({ kind, school, of, id: String(id) });
	const { external_id: own, user_external_id: user, class_external_id: ofClass } = fields;
	if (kind !== 'bond' && isId(own)) return [scope(kind, own)];
	// Whatever its school or profile, it is looked for by both of its ends.
	if (isId(user))
		return isId(ofClass) && known.classes.has(foldedId(String(ofClass))) ? [] : [scope('user', user)];
	const ids = idsOfPerson(fields, known, context);
	if (kind !== 'class' && ids.length > 0) return ids.map((id) => scope('user', id));
	// Trap: a class that is new tonight has nobody whom it could keep, and its pupils were in others.
	if (isId(ofClass) && known.ledgerClasses.has(foldedId(String(ofClass)))) return [scope('class', ofClass)];
	return school === '' ? [] : [scope('school')];
}

/** Whose name and birth date a row has, in the ledger. */
function idsOfPerson(fields: Fields, { users }: KnownIds, { salt }: PlanContext): string[] {
	const persons = personsOf(schoolIdOf(fields), fieldDigests('user', fields, salt));
	return [...new Set(persons.flatMap((person) => users.get(person) ?? []))];
}

/** Such a person, and the bonds. Who is in the export under the own id is nobody else. */
function scopesOfPerson({ fields }: RosterRecord, known: KnownIds, context: PlanContext): Scope[] {
	const { desired, options } = context;
	const school = schoolIdOf(fields);
	const isElsewhere = (id: string) => {
		const key = userKey(school, id, options.userIdsUniqueWithin) ?? '';
		return desired.records.has(key) || desired.faulty.has(key);
	};
	const ids = idsOfPerson(fields, known, context).filter((id) => !isElsewhere(id));
	return ids.flatMap((id) => (['user', 'bond'] as const).map((kind) => ({ kind, school, of: 'user', id })));
}

/** By what a row may be about this. */
function scopesOver({ kind, key, school }: LedgerEntry): Scope[] {
	const { class_external_id: ofClass, user_external_id: user } = kind === 'bond' ? bondOf(key) : {};
	const by = (of: Scope['of'], id: unknown) =>
		['', school].map((each) => ({ kind, school: each, of, id: String(id) }));
	const ofIds =
		kind === 'bond' ? [...by('user', user), ...by('class', ofClass)] : by(kind, idsIn(key).external_id);
	return [...ofIds, { kind, school, of: 'school', id: '' }];
}

/** Whether the export itself says that it is gone. */
function isSaidGone({ kind, key, school }: LedgerEntry, { desired, options }: PlanContext): boolean {
	const needs = kind === 'bond' ? needsOf('bond', bondOf(key), options.userIdsUniqueWithin) : [];
	return [key, ...needs].some((one) => goneFrom(school, one, desired) !== undefined);
}

function keyOfScope({ of, school, id }: Scope, { options }: PlanContext): string | undefined {
	if (of === 'school') return undefined;
	return keyOf(of, { school_external_id: school, external_id: id }, options.userIdsUniqueWithin);
}

function keptForRow({ of, school, id }: Scope, count: number): FindingType {
	const who = { user: `of the user ${id}`, class: `of anybody in class ${id}`, school: 'of anybody' }[of];
	const where = school === '' ? '' : ` of school ${school}`;
	const what =
		count === 1
			? 'one bond that is not in the export stays'
			: `${count} bonds that are not in the export stay`;
	return {
		severity: 'warning',
		code: 'keptForRow',
		kind: 'bond',
		isOfOne: true,
		message: `A row without an id, or with a wrong one, may be that ${who}${where}: ${what} because of it`,
		what_to_do: 'Give the row its id where the roster comes from. What has really left goes in the next run.',
	};
}
