/** Long plans let n8n do something else all the time. */
import crypto from 'node:crypto';

import { emptyLedger, type Ledger } from '../../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import { PLAN_DEFAULTS } from '../../../../nodes/SchoolPartnerRoster/planning/options.ts';
import { planNight } from '../../../../nodes/SchoolPartnerRoster/planning/plan.ts';
import { RecentChanges } from '../../../../nodes/SchoolPartnerRoster/planning/baseline.ts';
import type { RecentCount } from '../../../../nodes/SchoolPartnerRoster/ledger/detail.ts';
import { Turns, type Host } from '../../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { asRead, Nights } from '../night.mts';
import { aBond, aSchool, rosterOf } from '../world.mts';

const WORLD = rosterOf(aSchool('north', 10, 60));

async function planWith(roster: Roster, ledger: Ledger, host: Host) {
	const marks = { service: '', client: '', ids: '' };
	const input = {
		roster: await asRead(roster, 'school'),
		ledger,
		options: PLAN_DEFAULTS,
		newSalt: 'salt',
		asOf: '2027-01-15',
		today: '2027-01-15',
		marks,
	};
	return await planNight({ ...input, rowsExpected: 0, check: undefined, host });
}

async function known(): Promise<Ledger> {
	const nights = new Nights();
	await nights.takeOver(WORLD);
	return await nights.ledger();
}

test('A long plan, of whatever it consists, gives n8n its turn all the time', async () => {
	const ledger = await known();
	const nights: Array<[Roster, Ledger]> = [
		[WORLD, emptyLedger()],
		[WORLD, ledger],
		[rosterOf(WORLD.records.slice(0, 4)), ledger],
	];
	for (const [roster, before] of nights) {
		// Time passes whenever somebody looks at the clock.
		let [now, looks] = [0, 0];
		const between: number[] = [];
		const clock = () => ((looks += 1), (now += 5));
		await planWith(roster, before, { clock, pause: async () => void (between.push(looks), (looks = 0)) });
		// 1,800 records, looked at 32 at a time; some steps go over them more than once.
		expect(between.length).toBeGreaterThan(1_800 / 32 / 4);
		expect(Math.max(...between)).toBeLessThan(10);
	}
});

test('What many records hold is summed up with turns for n8n in between', async () => {
	const ledger = await known();
	const digest = jest.spyOn(crypto, 'hash');
	let [before, most] = [0, 0];
	const pause = async () => {
		most = Math.max(most, digest.mock.calls.length - before);
		before = digest.mock.calls.length;
	};
	try {
		// A digest takes a millisecond: with nothing else to wait for, that is what the time goes to.
		await planWith(WORLD, ledger, { clock: () => digest.mock.calls.length, pause });
	} finally {
		digest.mockRestore();
	}
	expect([before > 1_000, most < 200]).toEqual([true, true]);
});

test('A hundred thousand enrollments with an error that all name one person take no longer than those of as many', async () => {
	const faulty = Array.from({ length: 100_000 }, (_, index) => aBond('one', `c${index}`));
	const start = process.cpuUsage();
	const { counts } = await planWith(rosterOf([], { faulty }), emptyLedger(), {
		clock: Date.now,
		pause: async () => {},
	});
	expect(counts.all().bond.error).toBe(faulty.length);
	// Copied once for each, they took fifteen seconds.
	expect(process.cpuUsage(start).user / 1_000).toBeLessThan(4_000);
}, 120_000);

test('Two hundred thousand enrollments with an error that all name one person do not end a night on which somebody leaves', async () => {
	const faulty = Array.from({ length: 200_000 }, () => ({
		...aBond('0', ''),
		fields: { school_external_id: 'north', user_external_id: '0' },
	}));
	const { changes } = await planWith(rosterOf(WORLD.records.slice(0, -1), { faulty }), await known(), {
		clock: Date.now,
		pause: async () => {},
	});
	expect(changes.map(({ action }) => action)).toEqual(['remove']);
}, 120_000);

test('A clock that is put back by an hour takes no turn from n8n', async () => {
	let [now, pauses] = [3_600_000, 0];
	const turns = new Turns({ clock: () => now, pause: async () => void (pauses += 1) });
	now -= 3_600_000;
	await turns.forEach(Array(320).fill(0), () => void (now += 1));
	expect(pauses).toBeGreaterThan(5);
});

test('What a clock that was ahead has noted does not count in the last seven days for years', () => {
	const day = Date.parse('2028-06-01T05:00:00Z');
	const noted = ['2036-01-01', '2028-06-01'].map((on): RecentCount => [on, 'north', 'out', 'class', 15]);
	expect(new RecentChanges(noted, day).with([])).toEqual([noted[1]]);
});
