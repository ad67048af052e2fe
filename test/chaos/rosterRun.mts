/** A first load with a fault in a real n8n, and the nights after: what the service holds, what the ledger says, and whether they agree. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { isOfRecord } from '../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { ADOPTS, doublesIn, Load, uncertainIn, type Home, type Network } from '../e2e/roster/load.mts';
import type { Night } from '../e2e/roster/stage.mts';
import { STRICT_BUT_FOR_SCOPE } from '../support/strict.mts';

import type { Cell } from './cell.mts';
import type { RosterFault } from './rosterFaults.mts';
import { Findings } from './scenario.mts';

const keysOf = (changes: readonly IDataObject[]) => changes.map(({ key }) => String(key)).sort();

/** How many there are of each state. */
function countsOf(states: Iterable<string>): string {
	const counts = new Map<string, number>();
	for (const state of states) counts.set(state, (counts.get(state) ?? 0) + 1);
	return [...counts].map(([state, count]) => `${count} ${state}`).join(', ');
}

/** By key, the state that the ledger has of each record. What a run that ended early did not come to has no row. */
async function statesIn(load: Load): Promise<Map<string, string>> {
	const states = new Map(load.network.keys.map((key) => [key, 'not tried']));
	for (const { key, state } of (await load.rows()).filter(isOfRecord)) states.set(key, state);
	return states;
}

/** Runs a first load while the fault strikes, and the nights after; gives the cells of its row. */
export async function performRosterFault(n8n: Home, network: Network, fault: RosterFault): Promise<Cell[]> {
	const options: INodeParameters = {};
	// What is sent twice is there twice.
	const sandbox = { duplicates: 'double', strict: STRICT_BUT_FOR_SCOPE, latencyMs: 0 } as const;
	const load = await Load.open(n8n, { name: fault.name, network, sandbox, options });
	try {
		const { admin } = load.sandbox;
		await admin.clearFaults();
		await load.approveFirst();
		const didStrike = await fault.strike(admin, network);
		const night = await load.night();
		const begun = endFindings(night);
		begun.hold(await didStrike(), 'the fault did not strike');
		const held = await load.held();
		const states = await statesIn(load);
		await admin.clearFaults();
		await admin.changeSettings({ rate: null, capacity: null });
		const after = await nightsAfter(load, options);
		const cell = (column: string, short: string, { list }: Findings): Cell => ({
			operation: fault.name,
			column,
			short,
			findings: list,
			details: {},
		});
		return [
			cell('service', `${held.length} of ${network.keys.length}`, begun),
			cell('ledger', countsOf(states.values()), statesFindings(network, states, fault)),
			cell('agree', 'yes', agreement(states, held)),
			cell('a person reads', ...told(night, states)),
			cell('the nights after', ...after),
		];
	} finally {
		await load.close();
	}
}

/** The workflow came to its end, and held nothing back. */
function endFindings({ said, summary }: Night): Findings {
	const findings = new Findings();
	findings.hold(said === '', `the run stopped: ${said}`);
	findings.hold((summary.holds as unknown[] | undefined)?.length === 0, 'something is held');
	return findings;
}

const IS_NOT_THERE = ['failed', 'blocked', 'not tried'];
const WAS_NOT_SENT = ['blocked', 'not tried'];

/** Each record in the states that are promised; what is blocked, and nothing else, needs what is not there. */
function statesFindings(
	{ keys, needs }: Network,
	stateOf: ReadonlyMap<string, string>,
	{ states, also = [] }: RosterFault,
): Findings {
	const findings = new Findings();
	findings.hold(stateOf.size === keys.length, 'there are rows of other records');
	const seen = new Set(stateOf.values());
	for (const state of seen)
		findings.hold(['applied', ...states, ...also].includes(state), `there are rows that are ${state}`);
	for (const state of states) findings.hold(seen.has(state), `no row is ${state}`);
	for (const [key, state] of stateOf) {
		const isLink = key.startsWith('u:');
		const keepsBack = isLink ? [...IS_NOT_THERE, 'uncertain'] : IS_NOT_THERE;
		const lacks = (needs.get(key) ?? []).filter((need) => keepsBack.includes(stateOf.get(need) ?? ''));
		findings.hold(
			lacks.length === 0 || WAS_NOT_SENT.includes(state),
			`${key} is ${state}, and ${lacks.join()}, which it needs, is not there`,
		);
		findings.hold(lacks.length > 0 || state !== 'blocked', `${key} is blocked, and has all that it needs`);
	}
	return findings;
}

/** What is applied is there once; what may be there is uncertain; the rest is not there. */
function agreement(states: ReadonlyMap<string, string>, held: readonly string[]): Findings {
	const findings = new Findings();
	const times = new Map<string, number>();
	for (const key of held) times.set(key, (times.get(key) ?? 0) + 1);
	for (const [key, state] of states) {
		const count = times.get(key) ?? 0;
		const agrees = state === 'applied' ? count === 1 : state === 'uncertain' ? count <= 1 : count === 0;
		findings.hold(agrees, `${key} is ${state}, and ${count} times there`);
	}
	return findings;
}

/** Summary says whether all is done, and counts as the ledger does; what was not done has its words. */
function told(
	{ summary, changes, attention }: Night,
	states: ReadonlyMap<string, string>,
): [string, Findings] {
	const findings = new Findings();
	const undone = [...states.values()].filter((state) => state !== 'applied');
	const isUnfinished = undone.includes('not tried');
	const outcome = isUnfinished ? 'unfinished' : undone.length > 0 ? 'attention' : 'done';
	// Beside what the load was about, the export may have what a person should know.
	const isRight = summary.outcome === outcome || (outcome === 'done' && summary.outcome === 'attention');
	findings.hold(isRight, `its outcome is: ${String(summary.outcome)}`);
	const counted = Object.values(summary.counts as Record<string, Record<string, number>>).reduce(
		(all, { applied = 0 }) => all + applied,
		0,
	);
	findings.hold(counted === states.size - undone.length, `it counts ${counted} as applied`);
	const reasons = changes.filter(({ state }) => state !== 'applied');
	findings.hold(reasons.length === undone.length, `${reasons.length} changes say that they are not done`);
	findings.hold(
		reasons.every(({ error, failure }) => String(error ?? '') !== '' && failure !== undefined),
		'a change does not say why',
	);
	findings.hold(undone.length === 0 || attention.length > 0, 'nothing needs attention');
	return [String(summary.outcome), findings];
}

/**
 * The night after nothing is sent unseen, and what was not done comes; once what is uncertain is settled, everything is there once, and one night
 * more sends nothing.
 * @param options of the workflow: the nights take what stands in there
 */
async function nightsAfter(load: Load, options: INodeParameters): Promise<[string, Findings]> {
	const { admin } = load.sandbox;
	const { keys: wanted } = load.network;
	const uncertain = uncertainIn(await load.rows());
	const second = await load.night();
	const findings = endFindings(second);
	findings.hold(
		!keysOf(second.changes).some((key) => uncertain.includes(key)),
		'what is uncertain is sent again unseen',
	);
	const asked = second.attention.filter(({ code }) => code === 'uncertain').map(({ key }) => String(key));
	findings.hold(
		asked.sort().join() === [...uncertain].sort().join(),
		`${asked.length} are told to be uncertain instead of ${uncertain.length}`,
	);
	const doubles = doublesIn(await load.held());
	findings.hold(doubles.length === 0, `there twice: ${doubles.join()}`);

	await load.retryRefused(second);
	await admin.changeSettings({ duplicates: 'refuse' });
	Object.assign(options, ADOPTS);
	const { said } = await load.night();
	findings.hold(said === '', `what is uncertain cannot be settled: ${said}`);
	const held = await load.held();
	findings.hold(
		held.join() === wanted.join(),
		`in the end the service holds ${held.length} of ${wanted.length}`,
	);
	const states = countsOf((await statesIn(load)).values());
	findings.hold(
		states === `${wanted.length} applied`,
		`in the end the ledger has changes that are ${states}`,
	);

	await admin.clearRequests();
	const { changes } = await load.night();
	const sent = await load.writes();
	findings.hold(
		sent === 0 && changes.length === 0,
		`the last night has sent ${sent}, and ${changes.length} changes`,
	);
	return [
		`${second.changes.length} sent${uncertain.length === 0 ? '' : `, ${uncertain.length} settled`}`,
		findings,
	];
}
