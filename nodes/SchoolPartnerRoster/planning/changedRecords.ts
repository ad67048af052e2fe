/** What is said of records with other values than they were created with: of each by itself, or of a field that was mapped for nearly all (rule 10). */
import type { LedgerEntry } from '../ledger/ledger';
import type { Kind } from '../roster/record';

import type { PlanContext } from './context';
import type { DesiredRecord, DesiredState } from './desired';
import { differingFields, digestsByField } from './fieldDigests';
import { changedRecord, fieldMapped, fieldUnmapped } from './findingsOfRecords';
import { GroupCounts } from './groups';

/** A record that is there, and has other values tonight. */
export interface ChangedRecord {
	desired: DesiredRecord;
	entry: LedgerEntry;
}

/** One finding of each; or one of all, where nearly all of a school and kind have got a field, or lost it. */
export async function tellChanged(
	changed: readonly ChangedRecord[],
	desired: DesiredState,
	context: PlanContext,
): Promise<void> {
	const { findings, options, turns } = context;
	const isMapped = await mappedFields(changed, desired, context);
	for await (const slice of turns.slices(changed))
		for (const one of slice) {
			const { kind, key, school, record } = one.desired;
			const own: string[] = [];
			const differences = differencesOf(one);
			for (const [field, turn] of differences) {
				if (turn !== 'changed' && isMapped(school, kind, field, turn))
					findings.add(SAID[turn](kind, field, options), record.source, key);
				else own.push(field);
			}
			// Short digests may be the same by chance.
			if (own.length > 0 || differences.length === 0)
				findings.add(changedRecord(one.desired, one.entry, own, options), record.source, key);
		}
}

/** `gained`: it was empty before; `lost`: it is empty tonight. */
export type Turn = 'gained' | 'lost' | 'changed';

const SAID = { gained: fieldMapped, lost: fieldUnmapped };

function differencesOf({ desired: { kind, fields }, entry }: ChangedRecord): Array<[string, Turn]> {
	const [before, now] = [digestsByField(kind, entry.fields), digestsByField(kind, fields)];
	return differingFields(kind, entry.fields, fields).map((field) => [
		field,
		!before.has(field) ? 'gained' : now.has(field) ? 'changed' : 'lost',
	]);
}

/** So many must have got a field, or lost it, and this part of all who have, or had, something in it. */
const FEWEST = 10;
const NEARLY_ALL = 9 / 10;

async function mappedFields(
	changed: readonly ChangedRecord[],
	{ records }: DesiredState,
	{ ledger, turns }: PlanContext,
): Promise<(school: string, kind: Kind, field: string, turn: Turn) => boolean> {
	const counts = new GroupCounts();
	const groupOf = (kind: Kind, field: string, turn: Turn) => `${kind} ${field} ${turn}`;
	for await (const slice of turns.slices(changed))
		for (const one of slice) {
			const { kind, school } = one.desired;
			for (const [field, turn] of differencesOf(one)) counts.add(school, groupOf(kind, field, turn));
		}
	const isOfMany = (school: string) => counts.groupsOf(school).some(([, count]) => count >= FEWEST);
	const schools = new Set(counts.schools.filter(isOfMany));
	const having = new GroupCounts();
	if (schools.size > 0)
		for await (const slice of turns.slices(records.values()))
			for (const { kind, key, school, fields } of slice) {
				const before = ledger.entries.get(key)?.fields ?? '';
				if (kind === 'bond' || before === '' || !schools.has(school)) continue;
				const names = [before, fields].flatMap((digests) => [...digestsByField(kind, digests).keys()]);
				for (const field of new Set(names)) having.add(school, `${kind} ${field}`);
			}
	return (school, kind, field, turn) => {
		const count = counts.of(school, groupOf(kind, field, turn));
		return count >= FEWEST && count >= having.of(school, `${kind} ${field}`) * NEARLY_ALL;
	};
}
