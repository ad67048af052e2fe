/** A first load of a roster that a person stops, and one during which n8n is stopped in order. */
import { setTimeout as wait } from 'node:timers/promises';

import { getExecution, stopExecution } from '../../../playground/n8n-client.mts';
import { until } from '../../support/eventually.mts';
import { heldBy } from '../../support/held.mts';

import { keysByState } from './example.mts';
import { FAR, FirstLoad, useGround } from './first-load.mts';

const ground = useGround(FAR);

/** A load that has sent so much. */
async function underWay(share: number): Promise<FirstLoad> {
	const load = await FirstLoad.open(ground, { unfinishedAfter: 0, afterInterruption: 'goOn' });
	await load.begin();
	await until(async () => (await load.writes()) >= share * ground.wanted.length);
	return load;
}

test("Stopped with n8n's button, it ends within seconds, nothing is sent after that, and the nights after do the rest once", async () => {
	const load = await underWay(0.4);
	const began = Date.now();
	await stopExecution(ground.n8n.session, load.running);
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
	await ground.n8n.stop(60_000);
	await ground.n8n.startAgain();
	expect((await getExecution(ground.n8n.session, load.running)).status).toBe('success');
	expect(await heldBy(ground.sandbox.admin)).toEqual(ground.wanted);
	expect(keysByState(await load.example.ledger()).applied?.toSorted()).toEqual(ground.wanted);
	await load.expectComplete();
});

test('n8n is stopped, and does not wait for the run: what was done has its row or is uncertain, and the nights after do the rest once', async () => {
	await ground.n8n.stop(60_000);
	await ground.n8n.startAgain({ N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1' });
	const load = await underWay(0.3);
	// Longer than n8n waits.
	await ground.sandbox.admin.changeSettings({ latencyMs: 3_000 });
	await ground.n8n.stop(60_000);
	await ground.sandbox.admin.changeSettings({ latencyMs: FAR.latencyMs });
	await ground.n8n.startAgain();
	const { status, requests } = await load.lookAt();
	expect(status).toBe('crashed');
	expect(requests).toBeLessThan(ground.wanted.length);
	await load.recover();
	await load.expectComplete();
});
