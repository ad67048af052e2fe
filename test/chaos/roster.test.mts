/**
 * A roster's first load by faults, in n8n's own engine with the built node: what the service holds, what the ledger says, that they
 * agree, and that the nights after bring it to its end. All runs are made first, side by side; every test then holds one cell to its promise.
 */
import type { INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../sandbox/start.mts';
import { Workroom } from '../engine/workroom.mts';

import type { Cell } from './cell.mts';
import { PROMISES_OF_ROSTERS } from './expectations.mts';
import { report } from './report.mts';
import { ROSTER_FAULTS } from './rosterFaults.mts';
import { performRosterFault, type Export } from './rosterRun.mts';

const SIZE = { students: 60, schools: 3 };
const LANES = 3;
const cells: Cell[] = [];

const TELLING = {
	name: 'chaos-roster',
	legend: [
		'service: how many of the planned records it holds; ledger: the rows of the run by state; agree: what is applied is there once, what may be',
		'there is uncertain, the rest is not there. The nights after: how many changes came, and how many uncertain ones were settled.',
	].join('\n'),
};

async function exportOfNetwork(): Promise<Export> {
	const network = await startSandbox(SIZE);
	try {
		const zip = await network.admin.roster('oneroster-1.2');
		return { zip, mapping: (await network.admin.rosterMapping()) as unknown as INodeParameters };
	} finally {
		await network.stop();
	}
}

beforeAll(async () => {
	const startedAt = Date.now();
	const exported = await exportOfNetwork();
	const queue = ROSTER_FAULTS.values();
	const lane = async () => {
		const workroom = new Workroom();
		await workroom.start({ ...SIZE, empty: true });
		try {
			for (const fault of queue) cells.push(...(await performRosterFault(workroom, exported, fault)));
		} finally {
			await workroom.stop();
		}
	};
	try {
		await Promise.all(Array.from({ length: LANES }, lane));
	} finally {
		const inOrder = ROSTER_FAULTS.flatMap(({ name }) => cells.filter(({ operation }) => operation === name));
		report(inOrder, (Date.now() - startedAt) / 1_000, TELLING);
	}
}, 600_000);

test('every promise of a roster run is tried, and nothing else', () => {
	expect(new Set(ROSTER_FAULTS.map(({ promise }) => promise))).toEqual(new Set(Object.keys(PROMISES_OF_ROSTERS)));
});

test.each(ROSTER_FAULTS)('$promise: $name', ({ name }) => {
	const own = cells.filter(({ operation }) => operation === name);
	expect(own).toHaveLength(4);
	expect(own.flatMap(({ column, findings }) => findings.map((finding) => `${column}: ${finding}`))).toEqual([]);
});
