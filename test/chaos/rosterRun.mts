/** A first load with a fault in a real n8n, and the nights after: what the service holds, what the ledger says, and whether they agree. */
import type { IDataObject } from 'n8n-workflow';

import { itemsOf } from '../../playground/n8n-client.mts';
import type { Sandbox } from '../../sandbox/start.mts';
import { withOptions } from '../e2e/examples/nights.mts';
import {
	APPLY,
	doublesIn,
	keysByState,
	NightlyExample,
	type HasSession,
	type Night,
} from '../e2e/roster/example.mts';
import { uncertainIn } from '../e2e/roster/first-load.mts';
import { heldBy } from '../support/held.mts';

import type { Cell } from './cell.mts';
import { needsOf, type RosterFault } from './rosterFaults.mts';
import { Findings } from './scenario.mts';

/** Smaller than the plan's own, so that a load of few people has many batches. */
const BATCH = 30;

/** A night in which the service is away takes minutes. */
const LONG_MS = 400_000;

const keysOf = (rows: readonly IDataObject[]) => rows.map(({ key }) => String(key)).sort();
const isIn = (state: string) => (row: IDataObject) => row.state === state;

/** How many rows there are of each state. */
function countsOf(rows: readonly IDataObject[]): string {
	const counts = new Map<string, number>();
	for (const { state } of rows) counts.set(String(state), (counts.get(String(state)) ?? 0) + 1);
	return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}

/** Runs a first load while the fault strikes, and the nights after; gives the cells of its row. */
export async function performRosterFault(
	n8n: HasSession,
	sandbox: Sandbox,
	fault: RosterFault,
): Promise<Cell[]> {
	const { admin } = sandbox;
	await admin.reset();
	// What is sent twice is there twice.
	await admin.changeSettings({ duplicates: 'double' });
	const example = await NightlyExample.open(n8n, sandbox, {
		batchSize: BATCH,
		wiring: (workflow) => withOptions(workflow, APPLY, fault.options ?? {}),
	});
	const { changes } = await example.planned();
	const didStrike = await fault.strike(admin, changes);
	const night = await example.endOf(await example.begin(), LONG_MS);
	const begun = endFindings(night);
	begun.hold(await didStrike(), 'the fault did not strike');
	const held = await heldBy(admin);
	// Beside what was planned: a row of the run, and one for each batch.
	const rows = (await example.ledger()).filter(({ state }) => state !== 'planned');
	await admin.clearFaults();
	await admin.changeSettings({ rate: null, capacity: null });
	const after = await nightsAfter(example, keysOf(changes));
	const cell = (column: string, short: string, { list }: Findings): Cell => ({
		operation: fault.name,
		column,
		short,
		findings: list,
		details: {},
	});
	return [
		cell('service', `${held.length} of ${changes.length}`, begun),
		cell('ledger', countsOf(rows), statesFindings(changes, rows, fault)),
		cell('agree', 'yes', agreement(rows, held)),
		cell('a person reads', ...told(night, rows)),
		cell('the nights after', ...after),
	];
}

/** The workflow came to its end, and held nothing back. */
function endFindings({ said, held }: Night): Findings {
	const findings = new Findings();
	findings.hold(said === '', `the run stopped: ${said}`);
	findings.hold(held.length === 0, `${held.length} changes are held`);
	return findings;
}

const IS_NOT_THERE = ['failed', 'blocked', 'not tried'];
const WAS_NOT_SENT = ['blocked', 'not tried'];

/** Exactly one row for each change, in the states that are promised; what is blocked, and nothing else, needs what is not there. */
function statesFindings(
	changes: readonly IDataObject[],
	rows: readonly IDataObject[],
	{ states, also = [] }: RosterFault,
): Findings {
	const findings = new Findings();
	findings.hold(
		keysOf(rows).join() === keysOf(changes).join(),
		'there is not exactly one row for each change',
	);
	const seen = new Set(rows.map(({ state }) => String(state)));
	for (const state of seen)
		findings.hold(['applied', ...states, ...also].includes(state), `there are rows that are ${state}`);
	for (const state of states) findings.hold(seen.has(state), `no row is ${state}`);
	const stateOf = new Map(rows.map(({ key, state }) => [String(key), String(state)]));
	for (const change of changes) {
		const state = String(stateOf.get(String(change.key)));
		const lacks = needsOf(change).filter((key) => IS_NOT_THERE.includes(String(stateOf.get(key))));
		findings.hold(
			lacks.length === 0 || WAS_NOT_SENT.includes(state),
			`${String(change.key)} is ${state}, and ${lacks.join()}, which it needs, is not there`,
		);
		findings.hold(
			lacks.length > 0 || state !== 'blocked',
			`${String(change.key)} is blocked, and has all that it needs`,
		);
	}
	return findings;
}

/** What is applied is there once; what may be there is uncertain; the rest is not there. */
function agreement(rows: readonly IDataObject[], held: readonly string[]): Findings {
	const findings = new Findings();
	const times = new Map<string, number>();
	for (const key of held) times.set(key, (times.get(key) ?? 0) + 1);
	for (const { key, state } of rows) {
		const count = times.get(String(key)) ?? 0;
		const agrees = state === 'applied' ? count === 1 : state === 'uncertain' ? count <= 1 : count === 0;
		findings.hold(agrees, `${String(key)} is ${String(state)}, and ${count} times there`);
	}
	return findings;
}

/** The message of the night says whether all is done, and counts as the ledger does. */
function told({ execution }: Night, rows: readonly IDataObject[]): [string, Findings] {
	const findings = new Findings();
	const { subject, text } = itemsOf(execution, 'Mail or Chat')[0]?.json ?? {};
	const done = rows.filter(isIn('applied')).length;
	const isAll = done === rows.length;
	findings.hold(
		subject ===
			(isAll ? 'The roster of tonight is done' : 'The roster of tonight: not everything could be done'),
		`its subject is: ${String(subject)}`,
	);
	findings.hold(
		String(text).startsWith(`${done} done, ${rows.length - done} not done, 0 held, 0 left`),
		`it says: ${String(text)}`,
	);
	return [isAll ? 'all done' : 'not all done', findings];
}

/**
 * The night after nothing is sent unseen, and what was not done comes; once a person has settled what is uncertain, everything is there once,
 * and one night more sends nothing.
 */
async function nightsAfter(example: NightlyExample, wanted: readonly string[]): Promise<[string, Findings]> {
	const { admin } = example;
	const { uncertain = [] } = keysByState(await example.ledger());
	const second = await example.night();
	const findings = endFindings(second);
	findings.hold(
		!second.changes.some(({ key }) => uncertain.includes(String(key))),
		'what is uncertain is sent again unseen',
	);
	findings.hold(
		uncertainIn(second.findings) === uncertain.length,
		`${uncertainIn(second.findings)} are told to be uncertain instead of ${uncertain.length}`,
	);
	const doubles = doublesIn(await heldBy(admin));
	findings.hold(doubles.length === 0, `there twice: ${doubles.join()}`);

	await admin.changeSettings({ duplicates: 'refuse' });
	const { said } = await example.night({ uncertainCreations: 'sendAgain' });
	findings.hold(said === '', `what is uncertain cannot be settled: ${said}`);
	const held = await heldBy(admin);
	findings.hold(
		held.join() === wanted.join(),
		`in the end the service holds ${held.length} of ${wanted.length}`,
	);
	const ledger = await example.ledger();
	const states = Object.keys(keysByState(ledger));
	findings.hold(states.join() === 'applied', `in the end the ledger has changes that are ${states.join()}`);

	await admin.clearRequests();
	await example.night();
	const sent = await admin.countRequests({ path: '/integration' });
	const more = (await example.ledger()).length - ledger.length;
	findings.hold(sent === 0 && more === 0, `the last night has sent ${sent} and written ${more} rows`);
	return [
		`${second.changes.length} sent${uncertain.length === 0 ? '' : `, ${uncertain.length} settled`}`,
		findings,
	];
}
