/** What a ledger learns of schools that the service has already: that everything in the roster is there. */
import type { Cause } from '../roster/findings';

import { baseOfTomorrow } from './base';
import { changeOf, yearOf, type Change } from './change';
import { planContext } from './context';
import { desiredState, rosterDigest } from './desired';
import { GroupCounts } from './groups';
import type { Plan, PlanInput } from './plan';

/** A note for each record of a school of which the ledger knows nothing. */
export async function takeOver(input: Omit<PlanInput, 'check' | 'rowsExpected'>): Promise<Plan> {
	const { roster, ledger, marks } = input;
	const context = planContext(input, input.host);
	const { counts, findings, turns } = context;
	const desired = await desiredState(context);
	// What a take over has left unfinished is taken over anew.
	const unfinished = ledger.lastRun?.detail.takesOver ?? [];
	const settled = [...ledger.entries.values()].filter(({ row }) => !unfinished.includes(row.run_id));
	const known = new Set(settled.map(({ school }) => school));
	const notes: Change[] = [];
	for await (const slice of turns.slices(desired.records.values()))
		for (const desiredRecord of slice) {
			const { school, kind, key, record } = desiredRecord;
			if (known.has(school)) {
				counts.add(school, kind, 'same');
				findings.add(schoolIsKnown(school), null, key);
				continue;
			}
			const note = { action: 'note', state: 'applied', why: 'taken over', source: record.source } as const;
			notes.push(changeOf(desiredRecord, undefined, { ...note, ...yearOf(record) }));
		}
	const base = new GroupCounts(ledger.lastRun?.detail.base);
	return {
		...{ changes: notes, holds: [], isTakeOver: true, counts, unconfirmed: [], left: [], unseen: [] },
		// A ledger with a past keeps what it believes of service and roster.
		isDoubted: ledger.lastRun !== undefined,
		findings: [...roster.findings, ...findings.list()],
		waitsFor: new Map(),
		circumstances: { marks, rowsExpected: 0, roster: await rosterDigest(desired, turns) },
		salt: context.salt,
		away: desired.away,
		base: await baseOfTomorrow(base, desired, new Set(), context),
	};
}

const schoolIsKnown = (school: string): Cause => ({
	severity: 'warning',
	code: 'schoolKnown',
	message: `The ledger knows school ${school} already, so that nothing of it was taken over`,
	what_to_do:
		'Run Sync for it. It creates what the ledger does not know of; where the service has that already, name its status under Statuses That Mean It Exists, and set Existing Records to Adopt.',
});
