/** Runs that start in the same instant, on one n8n, with both kinds of ledger: one does the work. `npm run crash` has many more, on workers too. */
import { LastingN8n } from '../../support/lasting-n8n.mts';
import { LedgerDatabase } from '../../support/ledger-database.mts';

import { Load, Network } from './load.mts';
import { expectOneSender } from './together.mts';

const TIMES = 5;

let n8n: LastingN8n;
let network: Network;
let database: LedgerDatabase;
const loads: Load[] = [];

beforeAll(async () => {
	[database, n8n, network] = await Promise.all([
		LedgerDatabase.start(),
		LastingN8n.start(),
		Network.start({ students: 20, schools: 2 }),
	]);
	const sandbox = { duplicates: 'double' } as const;
	loads.push(await Load.open(n8n, { name: "n8n's Data Table", network, sandbox }));
	loads.push(await Load.open(n8n, { name: 'PostgreSQL', network, sandbox, database }));
});

afterAll(async () => {
	await n8n?.end();
	for (const load of loads) await load.close();
	await network?.stop();
	await database?.stop();
});

test(`${TIMES} first runs at once make one ledger, and send nothing; ${TIMES} approved ones send everything once`, async () => {
	await Promise.all(loads.map(async (load) => await expectOneSender(load, TIMES)));
});
