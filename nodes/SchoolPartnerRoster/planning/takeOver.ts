/** What a ledger learns of schools that the service has already: that what is in the roster is there, and may be there where it has an error. */
import { keyOf } from '../ledger/key';
import type { Ledger } from '../ledger/ledger';

import { changeOf, type Change } from './change';
import { rosterDigest, schoolIdOf } from './desiredState';
import { planned, type Plan, type PlanInput } from './plan';
import { planContext, type PlanContext } from './planContext';
import { planWarnings } from './recordFindings';

/** A note for each record of a school of which the ledger knows nothing. */
export async function takeOver(input: Omit<PlanInput, 'check' | 'rowsExpected'>): Promise<Plan> {
	const { ledger, marks, host } = input;
	const context = await planContext(input, host);
	const known = settledIn(ledger);
	const changes = await notesOf(known, context);
	return {
		...{ changes, holds: [], isTakeOver: true, unconfirmed: [], left: [], unseen: [] },
		// A ledger with a past keeps what it believes of service and roster.
		isDoubted: ledger.lastRun !== undefined,
		circumstances: { marks, rowsExpected: 0, roster: await rosterDigest(context.desired, context.turns) },
		// Trap: measured against an export of which nothing was taken over, what is held in a known school would go.
		...(await planned(known.schools, context)),
	};
}

/** What a ledger knows, but for what a take over has left unfinished: that is taken over anew. */
interface Settled {
	schools: ReadonlySet<string>;
	keys: ReadonlySet<string>;
}

function settledIn({ entries, lastDetail: { takesOver } }: Ledger): Settled {
	const settled = [...entries.values()].filter(({ row }) => !takesOver.includes(row.run_id));
	return {
		schools: new Set(settled.map(({ school }) => school).filter((school) => school !== '')),
		keys: new Set(settled.map(({ key }) => key)),
	};
}

/** What the ledger learns of each school of which it knows nothing. */
async function notesOf(known: Settled, context: PlanContext): Promise<Change[]> {
	const { counts, desired, findings, turns } = context;
	const changes: Change[] = [];
	await turns.forEach(desired.records.values(), (record) => {
		const { school, kind, key } = record;
		const isSchoolKnown = known.schools.has(school);
		if (isSchoolKnown) findings.add(planWarnings.schoolKnown(school), null, key);
		// Trap: where User IDs are one in the network, another school may have this user.
		if (isSchoolKnown || known.keys.has(key)) {
			counts.add(school, kind, 'same');
			return;
		}
		changes.push(changeOf(record, undefined, { action: 'note', state: 'applied', why: 'taken over' }));
	});
	return changes.concat(await notesOfFaulty(known, context));
}

/** Trap: what has an error may be in the service too, and corrected it would be new: nobody knows, until somebody has looked. */
async function notesOfFaulty(
	known: Settled,
	{ counts, desired, options, roster, turns }: PlanContext,
): Promise<Change[]> {
	const notes = new Map<string, Change>();
	await turns.forEach(roster.faulty, (mention) => {
		const { kind, fields } = mention;
		const [key, school] = [keyOf(kind, fields, options.userIdsUniqueWithin), schoolIdOf(fields)];
		if (key === undefined || !desired.faulty.has(key) || notes.has(key)) return;
		if (known.schools.has(school) || known.keys.has(key)) return;
		// Of a school that is not among Only Schools nothing is taken over.
		if (school !== '' && !desired.schools.has(school)) return;
		const state = { kind, key, school, fields: '', record: mention };
		notes.set(key, changeOf(state, undefined, { action: 'note', state: 'uncertain', why: FAULTY }));
		// It is counted as a change.
		counts.add(school, kind, 'error', -1);
	});
	return [...notes.values()];
}

const FAULTY = 'has an error: nobody knows whether the service has it';
