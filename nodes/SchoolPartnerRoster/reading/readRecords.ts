/** Items in the form of records, from Read Files or made by other nodes, become a roster. */
import type { UserKeys } from '../ledger/key';
import { findingTypes } from '../roster/finding';
import { Findings } from '../roster/findings';
import { KINDS, PERSON_FIELDS, SAYINGS, type Fields, type Kind, type Place } from '../roster/record';
import { asList, ofEachKind, type Roster } from '../roster/roster';
import { Turns, type Host } from '../roster/turns';

import { BODIES, Collector } from './collector';
import { dropWhatSaysNothing } from './sameRecord';

/**
 * A roster from records: `kind` and the service's own fields of that creation, `source` if it is known; anything else is not read.
 * @param userKeys whether a person in two schools is two users
 */
export async function readRecords(
	items: ReadonlyArray<Readonly<Record<string, unknown>>>,
	userKeys: UserKeys,
	completeness: 'whole' | 'partial',
	host: Host,
): Promise<Roster> {
	const [turns, findings] = [new Turns(host), new Findings()];
	const advice = 'Correct it in the node that makes the records. The record is left out until then.';
	const collector = new Collector(findings, userKeys, () => advice);
	await turns.forEach(items, (item, index) => {
		const source = sourceOf(item.source) ?? { file: 'Item', line: index + 1 };
		const saying = SAYINGS.find((one) => one === item.kind);
		const kind = KINDS.find((one) => one === (saying === undefined ? item.kind : item.of));
		if (kind === undefined) {
			for (const one of KINDS) collector.incompleteKinds.add(one);
			findings.add(recordErrors.kindMissing, source);
			return;
		}
		const names = fieldsOf(kind, saying).filter((field) => field in item);
		const fields = Object.fromEntries(
			names.map((field) => [field, readable(kind, field, item[field])]),
		) as Fields;
		const record = { kind, fields: kind === 'user' ? plainPerson(fields) : fields, source };
		if (saying === undefined) collector.add(record);
		else if (saying === 'gone') {
			if (!collector.leave(record)) findings.add({ ...recordErrors.goneWithoutIds(kind), kind }, source);
		} else if (names.length > 0) collector.refuse(record, recordErrors.recordFaulty(kind));
		else {
			collector.incompleteKinds.add(kind);
			if (completeness === 'whole') findings.add({ ...recordsNotWhole(kind), kind });
		}
	});
	return asList(await collector.roster(ofEachKind(completeness), turns), completeness);
}

/** Trap: a bond without an id is still about the person whom its row names. */
function fieldsOf(kind: Kind, saying: (typeof SAYINGS)[number] | undefined): string[] {
	return [
		...Object.keys(BODIES[kind].shape),
		...(saying !== undefined && kind === 'bond' ? PERSON_FIELDS : []),
	];
}

/**
 * Lists may be texts with commas, and are compared as lists. What cannot be read stands as it is, and is refused. Trap: a database fills up what it keeps
 * with blanks, and an id with one would be another.
 */
function readable(kind: Kind, field: string, value: unknown): unknown {
	if (kind !== 'user' || (field !== 'profiles' && field !== 'responsible_external_id'))
		return withoutBlanks(value);
	const { data } = BODIES.user.shape[field].safeParse(value);
	return data?.map((entry) => withoutBlanks(entry)) ?? value;
}

function withoutBlanks(value: unknown): unknown {
	return typeof value === 'string' ? value.trim() : value;
}

/** Trap: of a number, nothing tells two people apart; and the type of a document may stand in every record. */
function plainPerson(fields: Fields): Fields {
	const person: Record<string, Fields[string]> = { ...fields };
	for (const [name, value] of Object.entries(fields))
		if (Number.isSafeInteger(value)) person[name] = String(value);
	dropWhatSaysNothing(person);
	return person;
}

function sourceOf(source: unknown): Place | undefined {
	const { file, line } = (source ?? {}) as Partial<Place>;
	return typeof file === 'string' && typeof line === 'number' ? { file, line } : undefined;
}

const recordErrors = findingTypes('error', 'any', {
	recordFaulty: (kind: Kind) => ({
		message: `A ${kind} had an error when it was read`,
		what_to_do:
			'The output Findings of Read Files says which. It is left out until then, and nothing is removed because of it.',
	}),
	goneWithoutIds: (kind: Kind) => ({
		message: `A ${kind} that is said to be gone lacks an id, so that nobody can tell which one it is`,
		what_to_do:
			'Give the item all ids of the record, as the output Records of Read Files has them. Nothing is removed for it until then.',
	}),
	kindMissing: {
		message: 'An item has no kind: class, user or bond',
		what_to_do:
			'Connect the output Records of Read Files, or give each item its kind. Until then, nothing counts as gone because it is not there.',
	},
});

const { recordsNotWhole } = findingTypes('warning', 'any', {
	recordsNotWhole: (kind: Kind) => ({
		message: `What was read does not say of every ${kind} whether it is there: it holds rows that cannot be told, or a file that its manifest does not name`,
		what_to_do:
			'The output Findings of Read Files says why. Until then, none counts as gone because it is not there.',
	}),
});
