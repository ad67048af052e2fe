/** Nights with the sandbox's own exports: what its world has is what is planned, applied, and planned no more. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { RosterFormat, RosterQuery } from '../../sandbox/roster-types.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { bondKey, heldBy, networkOf } from '../support/held.mts';

import { useWorkroom } from './workroom.mts';
import { apply, itemWithFiles, outputsOf, plan, type Night } from './rosterStage.mts';

const SIZE = { students: 60, schools: 3 };

/** The service that is to be filled: it has the schools, and nobody in them. */
const workroom = useWorkroom({ ...SIZE, empty: true });

/** The network that gives the exports. */
let network: Sandbox;
beforeAll(async () => {
	network = await startSandbox(SIZE);
});
afterAll(async () => await network.stop());

async function planned(format: RosterFormat, query: RosterQuery, night: Night = {}) {
	const roster = [itemWithFiles({ 'export.zip': await network.admin.roster(format, query) })];
	const mapping = (await network.admin.rosterMapping()) as unknown as INodeParameters;
	return outputsOf(await plan(workroom, { roster, parameters: { mapping }, ...night }));
}

/** Applies a plan batch by batch; gives the ledger after it. */
async function ledgerAfter(
	{ changes, ledgerRows }: { changes: IDataObject[]; ledgerRows: IDataObject[] },
	ledger: IDataObject[] = [],
) {
	const numbers = [...new Set(changes.map(({ batch }) => batch))];
	const { rows, failed } = await apply(
		workroom,
		numbers.map((number) => changes.filter(({ batch }) => batch === number)),
	);
	expect(failed).toEqual([]);
	return [...ledger, ...ledgerRows, ...rows];
}

const keysOf = (changes: IDataObject[], action: string, kind: string) =>
	changes
		.filter((change) => change.action === action && change.kind === kind)
		.map(({ key }) => String(key))
		.sort();
const written = async () => await workroom.admin.countRequests({ path: '/integration' });

describe.each<RosterFormat>(['oneroster-1.1', 'oneroster-1.2', 'sds'])('%s', (format) => {
	test('The first night fills the service with exactly what the network has, and the second night sends nothing', async () => {
		const first = await planned(format, {}, { options: { firstRun: true, batchSize: 50 } });
		expect(first.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
		const ledger = await ledgerAfter(first);
		expect(await heldBy(workroom.admin)).toEqual(await networkOf(network.admin));
		const before = await written();
		const second = await planned(format, {}, { ledger });
		expect([second.changes, second.ledgerRows, second.held]).toEqual([[], [], []]);
		expect(await written()).toBe(before);
	});

	test('The night after does exactly what has changed, and moves a student into the new class before it leaves the old one', async () => {
		const ledger = await ledgerAfter(await planned(format, {}, { options: { firstRun: true } }));
		const night = { tonight: 12 };
		const { changes, held } = await planned(format, night, {
			ledger,
			options: { holdCreationsPercent: 100, holdRemovalsPercent: 100 },
		});
		const known = await network.admin.rosterChanges(night);
		expect(held).toEqual([]);
		expect(keysOf(changes, 'create', 'user')).toEqual(
			known.users.new.map(({ external_id: id }) => `u:${id}`).sort(),
		);
		expect(keysOf(changes, 'create', 'bond')).toEqual(known.bonds.new.map(bondKey).sort());
		expect(keysOf(changes, 'remove', 'bond')).toEqual(known.bonds.gone.map(bondKey).sort());
		expect(known.bonds.gone.length).toBeGreaterThan(0);
		const actions = changes.map(({ action }) => action);
		expect(actions.lastIndexOf('create')).toBeLessThan(actions.indexOf('remove'));
	});
});
