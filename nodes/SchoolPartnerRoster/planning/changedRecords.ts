/** What is said of records with other values than they were created with: of each by itself, or of a field that was mapped for nearly all (rule 10). */
import type { LedgerEntry } from '../ledger/ledger';
import { findingTypes, type FindingType } from '../roster/finding';
import type { Kind } from '../roster/record';

import type { PlanContext } from './planContext';
import type { DesiredRecord } from './desiredState';
import { differingFields, digestsByField } from './fieldDigests';
import { GroupCounts } from './counts';
import type { PlanOptions } from './options';

/** A record that is there, and has other values tonight. */
export interface ChangedRecord {
	desired: DesiredRecord;
	entry: LedgerEntry;
}

/** One finding of each; or one of all, where nearly all of a school and kind have got a field, or lost it. */
export async function tellChanged(changed: readonly ChangedRecord[], context: PlanContext): Promise<void> {
	const { findings, options, turns } = context;
	const isMapped = await mappedFields(changed, context);
	await turns.forEach(changed, (one) => {
		const { kind, key, school, record } = one.desired;
		const own: string[] = [];
		const differences = fieldChanges(one);
		for (const [field, change] of differences) {
			const findingOf = change === 'gained' ? fieldMapped : fieldUnmapped;
			if (change !== 'changed' && isMapped(school, kind, field, change))
				findings.add(findingOf(kind, field, options), record.source, key);
			else own.push(field);
		}
		// Short digests may be the same by chance.
		if (own.length > 0 || differences.length === 0)
			findings.add(changedRecord(one, own, options), record.source, key);
	});
}

/** `gained`: it was empty before; `lost`: it is empty tonight. */
type FieldChange = 'gained' | 'lost' | 'changed';

function fieldChanges({ desired: { kind, fields }, entry }: ChangedRecord): Array<[string, FieldChange]> {
	const [before, now] = [digestsByField(kind, entry.fields), digestsByField(kind, fields)];
	return differingFields(kind, entry.fields, fields).map((field) => [
		field,
		!before.has(field) ? 'gained' : now.has(field) ? 'changed' : 'lost',
	]);
}

/** So many must have got a field, or lost it, and this part of all who have, or had, something in it. */
const FEWEST_MAPPED = 10;
const NEARLY_ALL = 9 / 10;

async function mappedFields(
	changed: readonly ChangedRecord[],
	context: PlanContext,
): Promise<(school: string, kind: Kind, field: string, change: FieldChange) => boolean> {
	const counts = new GroupCounts();
	const groupOf = (kind: Kind, field: string, change: FieldChange) => `${kind} ${field} ${change}`;
	await context.turns.forEach(changed, (one) => {
		const { kind, school } = one.desired;
		for (const [field, change] of fieldChanges(one)) counts.add(school, groupOf(kind, field, change));
	});
	const having = changed.length < FEWEST_MAPPED ? new GroupCounts() : await fieldsHad(context);
	return (school, kind, field, change) => {
		const count = counts.of(school, groupOf(kind, field, change));
		return count >= FEWEST_MAPPED && count >= having.of(school, `${kind} ${field}`) * NEARLY_ALL;
	};
}

/** How many records of the ledger have, or had, something in each field. */
async function fieldsHad({ desired, ledger, turns }: PlanContext): Promise<GroupCounts> {
	const counts = new GroupCounts();
	await turns.forEach(desired.records.values(), ({ kind, key, school, fields }) => {
		const before = ledger.entries.get(key)?.fields ?? '';
		if (kind === 'bond' || before === '') return;
		const names = [before, fields].flatMap((digests) => [...digestsByField(kind, digests).keys()]);
		for (const field of new Set(names)) counts.add(school, `${kind} ${field}`);
	});
	return counts;
}

function changedRecord(
	{ desired: { kind, school }, entry }: ChangedRecord,
	differing: string[],
	{ changedRecords }: PlanOptions,
): FindingType {
	const [code, message] =
		entry.school !== school
			? ['schoolMoved', 'A user has moved to another school']
			: differing.join() === 'responsible_external_id'
				? ['responsibleChanged', 'The responsible persons of a student have changed']
				: ['recordChanged', `The content of a ${kind} has changed since it was created`];
	const what_to_do =
		changedRecords === 'sendAgain'
			? SENT_AGAIN
			: 'The service has no call that changes it: correct it there by hand. Then run the operation Resolve with its key and "inService", or this is said every time.';
	return { severity: 'warning', code, message, what_to_do, kind, fields: differing, isOfOne: true };
}

const SENT_AGAIN = 'It is sent again as a creation, as the option Changed Records asks.';

/** Of nearly everybody of a school. */
const { fieldMapped, fieldUnmapped } = findingTypes('warning', 'any', {
	fieldMapped: (kind: Kind, field: string, { changedRecords }: PlanOptions) => ({
		...{ kind, fields: [field] },
		message: `The field ${field} has a value in nearly every ${kind}, and had none before`,
		what_to_do: changedRecords === 'sendAgain' ? SENT_AGAIN : SERVICE_KEEPS,
	}),
	fieldUnmapped: (kind: Kind, field: string, { changedRecords }: PlanOptions) => ({
		...{ kind, fields: [field] },
		message: `The field ${field} has no value any more in nearly every ${kind} that had one`,
		what_to_do: `Look whether its column is still mapped, or has another name. ${changedRecords === 'sendAgain' ? SENT_AGAIN : SERVICE_KEEPS}`,
	}),
});

const SERVICE_KEEPS =
	'The service keeps what it has: it has no call that changes it. Where it takes a second creation as a change, the option Changed Records: Send Again sends each once.';
