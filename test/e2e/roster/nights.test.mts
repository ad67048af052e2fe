/** Nights in a real n8n with the sandbox's own exports: every format, with the ledger in a Data Table of n8n and in PostgreSQL. */
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import type { RosterFormat } from '../../../sandbox/roster-types.mts';
import { bondKey, heldBy, networkOf } from '../../support/held.mts';
import { LedgerDatabase } from '../../support/ledger-database.mts';

import { RosterStage, type Night } from './stage.mts';

const TONIGHT = 12;

let roster: RosterStage;
let database: LedgerDatabase;

beforeAll(async () => {
	database = await LedgerDatabase.start();
	roster = await RosterStage.set();
}, 240_000);
afterAll(async () => {
	await roster?.end();
	await database?.stop();
});

const PLACES: Array<[string, string, RosterFormat[]]> = [
	["n8n's Data Table", 'dataTable', ['oneroster-1.2', 'sds']],
	['PostgreSQL', 'postgres', ['oneroster-1.1']],
];

function keysOf(changes: readonly IDataObject[], action: string, kind: string): string[] {
	return changes
		.filter((change) => change.action === action && change.kind === kind)
		.map(({ key }) => String(key))
		.sort();
}

const written = async () => await roster.stage.sandbox.admin.requests({ path: '/integration' });

/** What the node needs for its ledger. */
async function ledgerOf(
	kind: string,
	name: string,
): Promise<{ parameters: INodeParameters; node: Partial<INode> }> {
	const parameters = { ledger: kind, ledgerName: name };
	if (kind === 'dataTable') return { parameters, node: {} };
	const postgres = await database.credential(roster.stage.session);
	const { id, name: credentialName } = roster.stage.credential;
	const credentials = {
		schoolPartnerOAuth2Api: { id, name: credentialName },
		postgres: { id: postgres.id, name: postgres.name },
	};
	return { parameters, node: { credentials } };
}

describe.each(PLACES)('With the ledger in %s', (_name, kind, formats) => {
	describe.each(formats)('a network that exports %s', (format) => {
		let ledger: Awaited<ReturnType<typeof ledgerOf>>;
		let first: Night;
		const night = async (tonight: number, operation = 'sync') =>
			await roster.night(await roster.network.admin.roster(format, { tonight }), {
				parameters: { ...ledger.parameters, operation },
				node: ledger.node,
			});

		beforeAll(async () => {
			await roster.stage.sandbox.admin.reset();
			ledger = await ledgerOf(kind, `Ledger of ${format}`);
		});

		test('is held in its first night, and nothing is sent', async () => {
			first = await night(0);
			expect(first.said).toBe('');
			expect(first.summary).toMatchObject({ outcome: 'held', holds: [{ school_external_id: '' }] });
			expect(await written()).toEqual([]);
		});

		test('has after its approval exactly its classes, users and bonds', async () => {
			await roster.approve(first, ledger.parameters, ledger.node);
			const { summary, changes, said } = await night(0);
			expect(said).toBe('');
			const network = await networkOf(roster.network.admin);
			expect(changes.map(({ action, key, state }) => [action, state, key].join(' ')).sort()).toEqual(
				network.map((key) => `create applied ${key}`),
			);
			expect(summary).toMatchObject({ outcome: expect.stringMatching(/done|attention/), holds: [] });
			expect(await heldBy(roster.stage.sandbox.admin)).toEqual(network);
		});

		test('has nothing to do when the same roster comes again: no change, no request that writes', async () => {
			const before = (await written()).length;
			const { changes, summary } = await night(0);
			expect(changes).toEqual([]);
			expect(summary).toMatchObject({ holds: [], changes: 0 });
			expect(await written()).toHaveLength(before);
		});

		test('is followed the night after: what Preview says, exactly what has changed, once', async () => {
			const known = await roster.network.admin.rosterChanges({ tonight: TONIGHT });
			const before = (await written()).length;
			const previewed = await night(TONIGHT, 'preview');
			expect(await written()).toHaveLength(before);
			const { changes, said } = await night(TONIGHT);
			expect(said).toBe('');
			expect(previewed.changes.map(({ key }) => key).sort()).toEqual(changes.map(({ key }) => key).sort());
			expect(keysOf(changes, 'create', 'bond')).toEqual(known.bonds.new.map(bondKey).sort());
			expect(keysOf(changes, 'remove', 'bond')).toEqual(known.bonds.gone.map(bondKey).sort());
			expect(keysOf(changes, 'create', 'user')).toHaveLength(known.users.new.length);
			expect((await written()).slice(before)).toHaveLength(changes.length);
			expect((await night(TONIGHT)).changes).toEqual([]);
		});
	});
});
