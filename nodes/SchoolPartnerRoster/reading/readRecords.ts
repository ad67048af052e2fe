/** Items in the form of records, from Read Files or made by other nodes, become a roster. */
import { success, type Outcome } from '../../shared/failure';
import type { UserKeys } from '../ledger/key';
import { KINDS, SAYINGS, type Fields, type Kind, type Place } from '../roster/record';
import type { Completeness, Roster } from '../roster/roster';

import { Collector, rosterOf } from './collector';
import { Findings, type Cause } from '../roster/findings';
import { Turns, type Host } from '../roster/turns';

/** What a record may hold beside `kind` and `source`; anything else is not read. */
const FIELDS: Readonly<Record<Kind, readonly string[]>> = {
	class: [
		'school_external_id',
		'external_id',
		'educational_stage',
		'grade',
		'shift',
		'year',
		'code',
		'name',
		'description',
		'course',
	],
	user: [
		'school_external_id',
		'external_id',
		'first_name',
		'last_name',
		'birth_date',
		'document_type',
		'document_value',
		'ddi',
		'cell_phone',
		'email',
		'profiles',
		'responsible_external_id',
	],
	bond: ['school_external_id', 'class_external_id', 'user_external_id', 'profile_name'],
};

/**
 * A roster from records: `kind` and the service's own fields of that creation, `source` if it is known.
 * @param userKeys whether a person in two schools is two users
 */
export async function readRecords(
	items: ReadonlyArray<Readonly<Record<string, unknown>>>,
	userKeys: UserKeys,
	completeness: Exclude<Completeness, 'silent'>,
	host: Host,
): Promise<Outcome<Roster>> {
	const [turns, findings] = [new Turns(host), new Findings()];
	const collector = new Collector(
		findings,
		userKeys,
		() => 'Correct it in the node that makes the records. The record is left out until then.',
	);
	await turns.forEach(items.length, (index) => {
		const item = items[index];
		const source = sourceOf(item.source) ?? { file: 'Item', line: index + 1 };
		const saying = SAYINGS.find((one) => one === item.kind);
		const kind = KINDS.find((one) => one === (saying === undefined ? item.kind : item.of));
		if (kind === undefined) {
			for (const one of KINDS) collector.untold.add(one);
			return findings.add(withoutKind, source);
		}
		const entries = FIELDS[kind].filter((field) => field in item).map((field) => [field, item[field]]);
		const fields = Object.fromEntries(entries) as Fields;
		if (saying === undefined) return collector.add(kind, fields, source);
		if (saying === 'gone') return collector.leave(kind, fields, source);
		if (entries.length > 0) return collector.refuse(kind, fields, source, faulty(kind));
		collector.untold.add(kind);
		if (completeness === 'whole') findings.add(notWhole(kind));
	});
	return success(await rosterOf(collector, findings, completeness, turns));
}

function sourceOf(source: unknown): Place | undefined {
	const { file, line } = (source ?? {}) as Partial<Place>;
	return typeof file === 'string' && typeof line === 'number' ? { file, line } : undefined;
}

const faulty = (kind: Kind): Cause => ({
	severity: 'error',
	code: 'recordFaulty',
	kind,
	message: `A ${kind} had an error when it was read`,
	what_to_do:
		'The output Findings of Read Files says which. It is left out until then, and nothing is removed because of it.',
});

const notWhole = (kind: Kind): Cause => ({
	severity: 'warning',
	code: 'recordsNotWhole',
	kind,
	message: `What was read does not say of every ${kind} whether it is there: it holds only what has changed, or rows that cannot be told`,
	what_to_do:
		'The output Findings of Read Files says why, unless the export is one of changes. Until then, none counts as gone because it is not there.',
});

const withoutKind: Cause = {
	severity: 'error',
	code: 'kindMissing',
	message: 'An item has no kind: class, user or bond',
	what_to_do:
		'Connect the output Records of Read Files, or give each item its kind. Until then, nothing counts as gone because it is not there.',
};
