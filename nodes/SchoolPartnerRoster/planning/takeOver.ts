/** What a ledger learns of schools that the service has already: that everything in the roster is there. */
import type { FindingType } from '../roster/finding';

import { changeOf, yearOfClass, type Change } from './change';
import { GroupCounts } from './counts';
import { rosterDigest } from './desiredState';
import { planned, type Plan, type PlanInput } from './plan';
import { planContext, type PlanContext } from './planContext';

/** A note for each record of a school of which the ledger knows nothing. */
export async function takeOver(input: Omit<PlanInput, 'check' | 'rowsExpected'>): Promise<Plan> {
	const { ledger, marks, host } = input;
	const context = await planContext(input, host);
	// What an interrupted take over has noted was in no whole export.
	context.base = new GroupCounts(ledger.lastRun?.detail.base);
	const changes = await notesOf(context);
	return {
		...{ changes, holds: [], isTakeOver: true, unconfirmed: [], left: [], unseen: [] },
		// A ledger with a past keeps what it believes of service and roster.
		isDoubted: ledger.lastRun !== undefined,
		circumstances: { marks, rowsExpected: 0, roster: await rosterDigest(context.desired, context.turns) },
		...(await planned([], context)),
	};
}

/** What the ledger learns: each record of a school of which it knows nothing is there. */
async function notesOf({ ledger, counts, desired, findings, turns }: PlanContext): Promise<Change[]> {
	// What a take over has left unfinished is taken over anew.
	const unfinished = ledger.lastRun?.detail.takesOver ?? [];
	const settled = [...ledger.entries.values()].filter(({ row }) => !unfinished.includes(row.run_id));
	const known = new Set(settled.map(({ school }) => school));
	const changes: Change[] = [];
	for await (const slice of turns.slices(desired.records.values()))
		for (const record of slice) {
			const { school, kind, key } = record;
			if (known.has(school)) {
				counts.add(school, kind, 'same');
				findings.add(schoolIsKnown(school), null, key);
				continue;
			}
			const { source } = record.record;
			const note = { action: 'note', state: 'applied', why: 'taken over', source } as const;
			changes.push(changeOf(record, undefined, { ...note, ...yearOfClass(record.record) }));
		}
	return changes;
}

const schoolIsKnown = (school: string): FindingType => ({
	severity: 'warning',
	code: 'schoolKnown',
	message: `The ledger knows school ${school} already, so that nothing of it was taken over`,
	what_to_do:
		'Run Sync for it. It creates what the ledger does not know of; where the service has that already, name its status under Statuses That Mean It Exists, and set Existing Records to Adopt.',
});
