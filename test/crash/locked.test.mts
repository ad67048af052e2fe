/** n8n's own database is locked for a minute in the middle of a first load, longer than a request may leave without a beat of the lease. */
import { setTimeout as wait } from 'node:timers/promises';

import { Load, Network, outcomesIn } from '../e2e/roster/load.mts';
import { until } from '../../playground/eventually.mts';
import { LastingN8n } from '../support/lasting-n8n.mts';
import { lockedDatabase } from '../support/locked-database.mts';

test('A database of n8n that is locked for a minute only takes time', async () => {
	const [n8n, network] = await Promise.all([
		LastingN8n.start(),
		Network.start({ students: 300, schools: 3 }),
	]);
	const sandbox = { duplicates: 'double' } as const;
	const load = await Load.open(n8n, { name: 'Locked', network, sandbox });
	try {
		await load.approveFirst();
		await load.begin();
		await until(async () => (await load.writes()) > 20);
		const unlock = await lockedDatabase(n8n.userFolder);
		await wait(60_000);
		await unlock();
		const { said } = await load.end();
		expect(said).toBe('');
		expect(await load.held()).toEqual(network.keys);
		expect([...outcomesIn(await load.rows())].sort()).toEqual(network.keys);
	} finally {
		await n8n.end();
		await load.close();
		await network.stop();
	}
});
