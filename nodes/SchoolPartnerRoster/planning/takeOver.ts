/** What a ledger learns of schools that the service has already: that everything in the roster is there. */
import { Findings } from '../roster/findings';
import { Turns } from '../roster/turns';

import type { Change } from './change';
import type { PlanContext } from './context';
import { Counts } from './counts';
import { desiredState, type DesiredRecord } from './desired';
import type { Plan, PlanInput } from './plan';
import { rosterDigest } from './rosterDigest';

/** A note for each record of a school of which the ledger knows nothing. */
export async function takeOver(input: Omit<PlanInput, 'check' | 'rowsExpected'>): Promise<Plan> {
	const { roster, ledger, options, asOf, marks, host } = input;
	const context: PlanContext = {
		...{ roster, ledger, options, asOf, now: host.clock() },
		...{ counts: new Counts(), findings: new Findings(), turns: new Turns(host) },
	};
	const desired = await desiredState(context);
	// What a take over has left unfinished is taken over anew.
	const unfinished = ledger.lastRun?.detail.takesOver ?? [];
	const settled = [...ledger.entries.values()].filter(({ row }) => !unfinished.includes(row.run_id));
	const known = new Set(settled.map(({ school }) => school));
	const notes: Change[] = [];
	for (const record of desired.records.values()) {
		if (context.turns.areDue()) await context.turns.give();
		if (!known.has(record.school)) notes.push(noteOf(record));
		else {
			context.counts.add(record.school, record.kind, 'same');
			context.findings.add(schoolIsKnown(record.school), null, record.key);
		}
	}
	const circumstances = { marks, rowsExpected: 0, roster: await rosterDigest(desired, context.turns) };
	const findings = [...roster.findings, ...context.findings.list()];
	const { counts } = context;
	// A ledger with a past keeps what it believes of service and roster.
	const isDoubted = ledger.lastRun !== undefined;
	return {
		changes: notes,
		held: [],
		holds: [],
		isDoubted,
		isTakeOver: true,
		counts,
		findings,
		circumstances,
	};
}

function noteOf({ kind, key, school, record, fields }: DesiredRecord): Change {
	return {
		...{ action: 'note', kind, key, school_external_id: school, state: 'applied', fields, needs: [] },
		...{ why: 'taken over', send: null, source: record.source, since: '' },
		...{ known: undefined, there: 'no', isNew: true },
	};
}

const schoolIsKnown = (school: string) => ({
	severity: 'warning' as const,
	code: 'schoolKnown',
	message: `The ledger knows school ${school} already, so that nothing of it was taken over`,
	what_to_do:
		'Run Sync for it. It creates what the ledger does not know of; where the service has that already, name its status under Statuses That Mean It Exists, and set Existing Records to Adopt.',
});
