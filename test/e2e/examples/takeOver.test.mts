/** "Take over a network that the service has already", and the nights after it. */
import { withCredential } from '../../../playground/n8n-client.mts';
import { bondKey, networkOf } from '../../support/held.mts';
import { fetching, keysOf, loginOfApprovers, Nights, summaryOf, writesIn } from './nights.mts';
import { useExamples } from './support.mts';

const NAME = 'take-over-a-network';
const SIZE = { students: 60 };

const workroom = useExamples({ sandbox: { empty: true } });

/** Runs the example for the export of a day. */
async function takeOver() {
	const workflow = fetching(workroom.example(NAME), workroom.exportOf(SIZE));
	await workroom.admin.clearRequests();
	const execution = await workroom.run(workflow);
	return {
		summary: summaryOf(execution, 'Take Over'),
		writes: writesIn(await workroom.received('/integration/')),
	};
}

test('the ledger learns that everything is there and nothing is sent; from then on the nightly workflow sends what is different, and needs no approval', async () => {
	const network = await networkOf(workroom.admin, SIZE);
	await workroom.admin.reset({ ...SIZE, empty: false });
	const { summary, writes } = await takeOver();
	expect(writes).toEqual([]);
	expect(Object.values(summary.counts).reduce((sum, { applied = 0 }) => sum + applied, 0)).toBe(
		network.length,
	);

	const login = await loginOfApprovers(workroom.stage.session);
	const nights = await Nights.of(
		workroom,
		withCredential(workroom.example('sync-the-roster-every-night'), login),
	);
	const same = await nights.run(SIZE);
	expect([summaryOf(same.execution).outcome, same.writes]).toEqual(['nothing', []]);
	const night = await nights.run({ ...SIZE, tonight: 5 });
	const { users, bonds } = await workroom.admin.rosterChanges({ ...SIZE, tonight: 5 });
	expect(keysOf(night.writes, 'POST')).toEqual(
		[
			...users.new.map(({ school_external_id: school, external_id: id }) => `u:${school}|${id}`),
			...bonds.new.map(bondKey),
		].sort(),
	);
	expect(keysOf(night.writes, 'DELETE')).toEqual(bonds.gone.map(bondKey).sort());
});
