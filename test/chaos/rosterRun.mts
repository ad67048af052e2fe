/** A first load with a fault, and the nights after: what the service holds, what the ledger says, and whether they agree. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Workroom } from '../engine/workroom.mts';
import { apply, itemWithFiles, outputsOf, plan } from '../engine/rosterStage.mts';
import { heldBy } from '../support/held.mts';

import type { Cell } from './cell.mts';
import type { RosterFault } from './rosterFaults.mts';
import { Findings } from './scenario.mts';

/** Smaller than the plan's own, so that a load of few people has many batches. */
const BATCH = 30;

/** What a network exports, and the mapping that fits. */
export interface Export {
	zip: Buffer;
	mapping: INodeParameters;
}

type Plan = ReturnType<typeof outputsOf>;

async function planned(workroom: Workroom, { zip, mapping }: Export, ledger: IDataObject[], options: INodeParameters): Promise<Plan> {
	const roster = [itemWithFiles({ 'export.zip': zip })];
	return outputsOf(await plan(workroom, { roster, ledger, parameters: { mapping }, options: { batchSize: BATCH, ...options } }));
}

/** The rows that Apply Changes gives for a plan, one batch after another. */
async function rowsOf(workroom: Workroom, { changes }: Plan, options: INodeParameters = {}): Promise<IDataObject[]> {
	const batches = [...new Set(changes.map(({ batch }) => batch))].map((number) => changes.filter(({ batch }) => batch === number));
	return batches.length === 0 ? [] : (await apply(workroom, batches, { options })).rows;
}

const keysOf = (rows: readonly IDataObject[]) => rows.map(({ key }) => String(key)).sort();
const isIn = (state: string) => (row: IDataObject) => row.state === state;

/** How many rows there are of each state. */
function countsOf(rows: readonly IDataObject[]): string {
	const counts = new Map<string, number>();
	for (const { state } of rows) counts.set(String(state), (counts.get(String(state)) ?? 0) + 1);
	return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}

/** Applies a first load while the fault strikes, then plans and applies two nights more; gives the cells of its row. */
export async function performRosterFault(workroom: Workroom, of: Export, fault: RosterFault): Promise<Cell[]> {
	await workroom.reset();
	// A service that takes everything twice: what is sent twice is there twice.
	await workroom.admin.changeSettings({ duplicates: 'accept' });
	const first = await planned(workroom, of, [], { firstRun: true });
	const didStrike = await fault.strike(workroom, first.changes);
	const rows = await rowsOf(workroom, first, fault.options);
	const begun = new Findings();
	begun.hold(await didStrike(), 'the fault did not strike');
	const held = await heldBy(workroom.admin);
	const ledger = [...first.ledgerRows, ...rows];
	await workroom.admin.clearFaults();
	await workroom.admin.changeSettings({ duplicates: 'refuse', rate: null, capacity: null, latencyMs: 0 });
	const after = await nightsAfter(workroom, of, first, ledger);
	const cell = (column: string, short: string, findings: string[]): Cell => ({ operation: fault.name, column, short, findings, details: {} });
	return [
		cell('service', `${held.length} of ${first.changes.length}`, begun.list),
		cell('ledger', countsOf(rows), statesFindings(first, rows, fault)),
		cell('agree', 'yes', agreement(rows, held)),
		cell('the nights after', after.short, after.findings),
	];
}

/** Exactly one row for each change, in the states that are promised. */
function statesFindings({ changes }: Plan, rows: readonly IDataObject[], { states, also = [] }: RosterFault): string[] {
	const findings = new Findings();
	findings.hold(keysOf(rows).join() === keysOf(changes).join(), 'there is not exactly one row for each change');
	const seen = new Set(rows.map(({ state }) => String(state)));
	for (const state of seen) findings.hold(['applied', ...states, ...also].includes(state), `there are rows that are ${state}`);
	for (const state of states) findings.hold(seen.has(state), `no row is ${state}`);
	return findings.list;
}

/** What is applied is there once; what may be there is uncertain; the rest is not there. */
function agreement(rows: readonly IDataObject[], held: readonly string[]): string[] {
	const findings = new Findings();
	const times = new Map<string, number>();
	for (const key of held) times.set(key, (times.get(key) ?? 0) + 1);
	for (const { key, state } of rows) {
		const count = times.get(String(key)) ?? 0;
		const agrees = state === 'applied' ? count === 1 : state === 'uncertain' ? count <= 1 : count === 0;
		findings.hold(agrees, `${String(key)} is ${String(state)}, and ${count} times there`);
	}
	return findings.list;
}

/** The night after nothing is sent unseen, and what was not done comes; once a person has settled what is uncertain, everything is there once. */
async function nightsAfter(workroom: Workroom, of: Export, first: Plan, ledger: IDataObject[]): Promise<{ short: string; findings: string[] }> {
	const findings = new Findings();
	const uncertain = keysOf(ledger.filter(isIn('uncertain')));
	const second = await planned(workroom, of, ledger, {});
	findings.hold(second.held.length === 0, `${second.held.length} changes are held`);
	findings.hold(!second.changes.some(({ key }) => uncertain.includes(String(key))), 'what is uncertain is sent again unseen');
	const isTold = second.findings.some(({ code }) => code === 'uncertain');
	findings.hold(isTold === uncertain.length > 0, `what is uncertain is ${isTold ? '' : 'not '}told`);

	const settled = await planned(workroom, of, ledger, { uncertainCreations: 'sendAgain' });
	const rows = await rowsOf(workroom, settled);
	findings.hold(rows.every(isIn('applied')), `the night after: ${countsOf(rows)}`);
	const held = await heldBy(workroom.admin);
	findings.hold(held.join() === keysOf(first.changes).join(), `in the end the service holds ${held.length} of ${first.changes.length}`);
	const third = await planned(workroom, of, [...ledger, ...settled.ledgerRows, ...rows], {});
	findings.hold(third.changes.length + third.ledgerRows.length === 0, `there are ${third.changes.length} changes left`);
	const sent = `${second.changes.length} sent`;
	return { short: uncertain.length === 0 ? sent : `${sent}, ${uncertain.length} settled`, findings: findings.list };
}
