import { compact } from '../../../../nodes/SchoolPartnerRoster/ledger/compact.ts';
import { firstNight, meansAt, nightOf, planned } from '../night.mts';
import { Service } from '../service.mts';
import { aSchool, rosterOf } from '../world.mts';

/** A clock by which time passes whenever somebody looks at it, and how often and after how many looks others had their turn. */
function busyClock(start: number) {
	let now = start;
	let looks = 0;
	const between: number[] = [];
	return {
		between,
		now: () => {
			looks += 1;
			return (now += 5);
		},
		pause: async () => {
			between.push(looks);
			looks = 0;
		},
	};
}

test('A long plan, of whatever it consists, lets n8n do something else all the time', async () => {
	const world = rosterOf(aSchool('north', 10, 60));
	const ledger = await firstNight(world, new Service(), { mostChanges: 1_000_000 });
	const nights = [
		{ roster: world, items: [], options: { firstRun: true } },
		{ roster: world, items: ledger, options: {} },
		{ roster: rosterOf(world.records.slice(0, 4)), items: ledger, options: {} },
	];
	for (const { roster, items, options } of nights) {
		const { between, now, pause } = busyClock(nightOf(1));
		await planned(nightOf(1), roster, items, options, { now, pause });
		// 1,800 records, looked at 32 at a time; some steps go over them more than once.
		expect(between.length).toBeGreaterThan(1_800 / 32 / 4);
		expect(Math.max(...between)).toBeLessThan(10);
	}
	const { between, now, pause } = busyClock(nightOf(1));
	await compact(ledger, { ...meansAt(nightOf(1)), now, pause });
	expect(between.length).toBeGreaterThan(1_800 / 32 / 4);
});
