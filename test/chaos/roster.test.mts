/**
 * A roster's first load by faults, in the real n8n with the packed package: what the service holds, what the ledger in its Data Table says, that
 * they agree, what a person is told, and that the nights after bring it to its end. All runs are made first, side by side in one n8n, each with a
 * service and a ledger of its own; every test then holds one fault to its promise.
 */
import { Network } from '../e2e/roster/load.mts';
import { LastingN8n } from '../support/lasting-n8n.mts';

import type { Cell } from './cell.mts';
import { PROMISES_OF_ROSTERS } from './expectations.mts';
import { report } from './report.mts';
import { ROSTER_FAULTS } from './rosterFaults.mts';
import { performRosterFault } from './rosterRun.mts';

const cells: Cell[] = [];

/** Runs side by side. */
const LANES = 4;

/** So many that a hundred of one kind can fail in a row. */
const SIZE = { students: 260, schools: 4 };

const TELLING = {
	name: 'chaos-roster',
	legend: [
		'service: how many of the planned records it holds; ledger: the rows of the run by state; agree: what is applied is there once, what may be',
		'there is uncertain, the rest is not there; a person reads: Summary and Needs Attention, which count as the ledger does.',
		'The nights after: how many changes came, and how many uncertain ones were settled.',
	].join('\n'),
};

beforeAll(async () => {
	const startedAt = Date.now();
	const network = await Network.start(SIZE);
	const n8n = await LastingN8n.start();
	const queue = ROSTER_FAULTS.values();
	const lane = async () => {
		for (const fault of queue) {
			// A run that could not be made leaves its reason.
			const broken = (error: unknown): Cell[] => [
				{ operation: fault.name, column: 'service', short: '', findings: [String(error)], details: {} },
			];
			cells.push(...(await performRosterFault(n8n, network, fault).catch(broken)));
		}
	};
	try {
		await Promise.all(Array.from({ length: LANES }, lane));
	} finally {
		await n8n.end();
		await network.stop();
		const inOrder = ROSTER_FAULTS.flatMap(({ name }) => cells.filter(({ operation }) => operation === name));
		report(inOrder, (Date.now() - startedAt) / 1_000, TELLING);
	}
}, 1_500_000);

test('every promise of a roster run is tried, and nothing else', () => {
	expect(new Set(ROSTER_FAULTS.map(({ promise }) => promise))).toEqual(
		new Set(Object.keys(PROMISES_OF_ROSTERS)),
	);
});

test.each(ROSTER_FAULTS)('$promise: $name', ({ name }) => {
	const own = cells.filter(({ operation }) => operation === name);
	expect(own.flatMap(({ column, findings }) => findings.map((finding) => `${column}: ${finding}`))).toEqual(
		[],
	);
	expect(own).toHaveLength(5);
});
