/**
 * A row without an id keeps what it may be about: the person whose name and birth date it has, else its class, else its school; nothing else
 * (ROSTER.md section 3, rule 4).
 */
import { bondOf, idsIn, isId, keyOf, kindOfKey, needsOf } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import type { Cause } from '../roster/findings';
import type { Fields, Kind, Mention, Place } from '../roster/record';
import { completenessIn } from '../roster/roster';
import type { Turns } from '../roster/turns';

import type { PlanContext } from './context';
import { addTo, schoolOf, type DesiredState } from './desired';
import { fieldDigests } from './fieldDigests';
import { personsOf } from './lookAlikes';

/** What a row may be about: records of this kind, of one user or class or of a whole school. */
interface Scope {
	kind: Kind;
	/** '' for any. */
	school: string;
	of: 'user' | 'class' | 'school';
	/** '' of a school. */
	id: string;
}

/** What is known of the ids that rows may mean. */
interface KnownIds {
	/** External ids of users, by what tells a person. */
	ofPersons: ReadonlyMap<string, readonly string[]>;
	ofClasses: ReadonlySet<string>;
	/** Of those, the classes that the ledger has. */
	ofKnownClasses: ReadonlySet<string>;
}

const nameOf = ({ kind, school, of, id }: Scope) => JSON.stringify([kind, school, of, id]);

/** Keys of what is not in the export and may be what rows without an id are about. What is kept for them is told. */
export async function keptForRows(desired: DesiredState, context: PlanContext): Promise<Set<string>> {
	const { ledger, findings, turns, roster } = context;
	const kept = new Set<string>();
	const rows = desired.unidentified;
	if (rows.length === 0) return kept;
	const known: KnownIds = {
		ofPersons: await personIndex(rows, context),
		ofClasses: await classIds(rows, [ledger.entries.keys(), desired.records.keys(), desired.faulty], turns),
		ofKnownClasses: await classIds(rows, [ledger.entries.keys()], turns),
	};
	const doubts = new Map<string, { scope: Scope; sources: Place[]; count: number }>();
	for (const row of rows) {
		for (const scope of scopesOf(row, known, context)) {
			const doubt = doubts.get(nameOf(scope)) ?? { scope, sources: [], count: 0 };
			doubt.sources.push(row.source);
			doubts.set(nameOf(scope), doubt);
		}
	}
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const entry of slice) {
			if (entry.there === 'no' || desired.records.has(entry.key) || isSaidGone(entry, desired, context))
				continue;
			if (completenessIn(roster, entry.school, entry.kind) !== 'whole') continue;
			for (const scope of scopesOver(entry)) {
				const doubt = doubts.get(nameOf(scope));
				if (doubt === undefined) continue;
				doubt.count += 1;
				kept.add(entry.key);
			}
		}
	for (const { scope, sources, count } of doubts.values()) {
		// Classes and users are never removed.
		if (scope.kind !== 'bond' || count === 0) continue;
		for (const source of sources) findings.add(keptForRow(scope, count), source, keyOfScope(scope, context));
	}
	return kept;
}

/** External ids of the users of the ledger, by what tells a person; empty when no row says it of one. */
async function personIndex(
	rows: readonly Mention[],
	{ ledger, turns }: PlanContext,
): Promise<Map<string, string[]>> {
	const ids = new Map<string, string[]>();
	if (!rows.some(({ fields }) => fields.first_name !== undefined)) return ids;
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const { kind, there, school, key, fields } of slice) {
			if (kind !== 'user' || there === 'no') continue;
			for (const person of personsOf(school, fields)) addTo(ids, person, idsIn(key).external_id);
		}
	return ids;
}

/** External ids of the classes among these keys; empty when no row is of a class. */
async function classIds(
	rows: readonly Mention[],
	all: ReadonlyArray<Iterable<string>>,
	turns: Turns,
): Promise<Set<string>> {
	const ids = new Set<string>();
	if (!rows.some(({ fields }) => fields.class_external_id !== undefined)) return ids;
	for (const keys of all) {
		for await (const slice of turns.slices(keys))
			for (const key of slice) {
				if (kindOfKey(key) === 'class') ids.add(idsIn(key).external_id);
			}
	}
	return ids;
}

/** What a row may be about, as closely as it says it. */
function scopesOf({ kind, fields }: Mention, known: KnownIds, { salt }: PlanContext): Scope[] {
	const school = schoolOf(fields);
	const of = (what: Scope['of'], id: Fields[string] = ''): Scope => ({
		kind,
		school,
		of: what,
		id: String(id),
	});
	const { external_id: own, user_external_id: user, class_external_id: ofClass } = fields;
	if (kind !== 'bond' && isId(own)) return [of(kind, own)];
	// Whatever its school or profile, it is looked for by both of its ends.
	if (isId(user)) return isId(ofClass) && known.ofClasses.has(String(ofClass)) ? [] : [of('user', user)];
	const persons = personsOf(school, fieldDigests('user', fields, salt));
	const ids = new Set(persons.flatMap((person) => known.ofPersons.get(person) ?? []));
	if (kind !== 'class' && ids.size > 0) return [...ids].map((id) => of('user', id));
	// Trap: a class that is new tonight has nobody whom it could keep, and its pupils were in others.
	if (isId(ofClass) && known.ofKnownClasses.has(String(ofClass))) return [of('class', ofClass)];
	return school === '' ? [] : [of('school')];
}

/** By what a row may be about this. */
function scopesOver({ kind, key, school }: LedgerEntry): Scope[] {
	const { class_external_id: ofClass, user_external_id: user } = kind === 'bond' ? bondOf(key) : {};
	const ids: Array<[Scope['of'], Fields[string]]> =
		kind === 'bond'
			? [
					['user', user ?? ''],
					['class', ofClass ?? ''],
				]
			: [[kind, idsIn(key).external_id]];
	const ofIds = ids.flatMap(([of, id]) =>
		['', school].map((each) => ({ kind, school: each, of, id: String(id) })),
	);
	return [...ofIds, { kind, school, of: 'school', id: '' }];
}

/** Whether the export itself says that it is gone. */
function isSaidGone({ kind, key }: LedgerEntry, { gone }: DesiredState, { options }: PlanContext): boolean {
	if (gone.has(key)) return true;
	return (
		kind === 'bond' &&
		needsOf('bond', bondOf(key), options.userIdsUniqueWithin).some((need) => gone.has(need))
	);
}

function keyOfScope({ of, school, id }: Scope, { options }: PlanContext): string | undefined {
	if (of === 'school') return undefined;
	return keyOf(of, { school_external_id: school, external_id: id }, options.userIdsUniqueWithin);
}

function keptForRow({ of, school, id }: Scope, count: number): Cause {
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
		message: `A row without an id, or with one that nothing has, may be that ${who}${where}: ${what} because of it`,
		what_to_do: 'Give the row its id where the roster comes from. What has really left goes in the next run.',
	};
}
