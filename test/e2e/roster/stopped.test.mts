/** A first load of a roster that a person stops, and one during which n8n is stopped in order. */
import { setTimeout as wait } from 'node:timers/promises';

import { getExecution, stopExecution } from '../../../playground/n8n-client.mts';
import { startSandbox, type Sandbox } from '../../../sandbox/start.mts';
import { until } from '../../support/eventually.mts';
import { heldBy, networkOf } from '../../support/held.mts';
import { LastingN8n } from '../../support/lasting-n8n.mts';

import { keysByState } from './example.mts';
import { FAR, FirstLoad } from './first-load.mts';

let n8n: LastingN8n;
let sandbox: Sandbox;
let wanted: string[];

beforeAll(async () => {
	sandbox = await startSandbox({ students: 40, empty: true, duplicates: 'double', ...FAR });
	n8n = await LastingN8n.start();
	wanted = await networkOf(sandbox.admin);
});
afterAll(async () => {
	await n8n?.end();
	await sandbox?.stop();
});

/** A load that has sent so much. */
async function underWay(share: number): Promise<FirstLoad> {
	const load = await FirstLoad.open(n8n, sandbox, wanted, { unfinishedAfter: 0, afterInterruption: 'goOn' });
	await load.begin();
	await until(async () => (await load.writes()) >= share * wanted.length);
	return load;
}

test("Stopped with n8n's button, it ends within seconds, nothing is sent after that, and the nights after do the rest once", async () => {
	const load = await underWay(0.4);
	const began = Date.now();
	await stopExecution(n8n.session, load.running);
	const { execution } = await load.end();
	expect(execution.status).toBe('canceled');
	expect(Date.now() - began).toBeLessThan(10_000);
	const sent = await load.writes();
	await wait(1_000);
	expect(await load.writes()).toBe(sent);
	await load.lookAt();
	await load.recover();
	await load.expectComplete();
});

test('n8n is stopped, and the run ends before n8n does: everything is done, and has its row', async () => {
	const load = await underWay(0.4);
	await n8n.stop(60_000);
	await n8n.startAgain();
	expect((await getExecution(n8n.session, load.running)).status).toBe('success');
	expect(await heldBy(sandbox.admin)).toEqual(wanted);
	expect(keysByState(await load.example.ledger()).applied?.toSorted()).toEqual(wanted);
	await load.expectComplete();
});

test('n8n is stopped, and does not wait for the run: what was done has its row or is uncertain, and the nights after do the rest once', async () => {
	await n8n.stop(60_000);
	await n8n.startAgain({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' });
	const load = await underWay(0.3);
	// Longer than n8n waits.
	await sandbox.admin.changeSettings({ latencyMs: 3_000 });
	await n8n.stop(60_000);
	await sandbox.admin.changeSettings({ latencyMs: FAR.latencyMs });
	await n8n.startAgain();
	const { status, requests } = await load.lookAt();
	expect(status).toBe('crashed');
	expect(requests).toBeLessThan(wanted.length);
	await load.recover();
	await load.expectComplete();
});
