import crypto from 'node:crypto';

import { compact } from '../../../../nodes/SchoolPartnerRoster/ledger/compact.ts';
import { readLedger } from '../../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import { Turns } from '../../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import { firstNight, meansAt, nightOf, planned } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aSchool, rosterOf } from '../world.mts';

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

test('The rows of ten thousand schools are put together at once, and n8n does not wait for it', async () => {
	const [first, ...others] = await firstNight(rosterOf(aSchool('north', 1, 1)), new Service());
	const one = others.at(-1) ?? first;
	const rows = Array.from({ length: 200_000 }, (_, index) => ({
		...one,
		key: `${one.key}-${index}`,
		school_external_id: `school-${index % 10_000}`,
	}));
	const spent = () => process.cpuUsage().user / 1_000;
	let [last, longest] = [spent(), 0];
	const look = () => {
		longest = Math.max(longest, spent() - last);
		last = spent();
	};
	const host = { clock: Date.now, pause: async () => look() };
	const read = await readLedger([first, ...others, ...rows], 'whole', new Turns(host));
	look();
	expect(read).toMatchObject({ ok: true, value: { rows: 1 + others.length + rows.length } });
	// Copied once for each school, they took seconds.
	expect(longest).toBeLessThan(500);
}, 60_000);

test('What many records hold is summed up with turns for n8n in between', async () => {
	const world = rosterOf(aSchool('north', 10, 60));
	const ledger = await firstNight(world, new Service(), { mostChanges: 1_000_000 });
	const digest = jest.spyOn(crypto, 'hash');
	let [before, most] = [0, 0];
	const pause = async () => {
		most = Math.max(most, digest.mock.calls.length - before);
		before = digest.mock.calls.length;
	};
	try {
		// A digest takes a millisecond: with nothing else to wait for, that is what the time goes to.
		await planned(nightOf(1), world, ledger, {}, { now: () => nightOf(1) + digest.mock.calls.length, pause });
	} finally {
		digest.mockRestore();
	}
	expect(before).toBeGreaterThan(1_800);
	expect(most).toBeLessThan(200);
});

test('What all has ended at the end of a year is taken up with turns for n8n in between', async () => {
	const world = rosterOf(aSchool('north', 10, 60));
	const ledger = await firstNight(world, new Service(), { mostChanges: 1_000_000 });
	let [now, last, longest] = [nightOf(1), nightOf(1), 0];
	// Whoever reads one that has ended takes a millisecond for it.
	const gone = world.records
		.filter(({ kind }) => kind === 'bond')
		.map(({ kind, fields, source }) => ({
			kind,
			source,
			get fields() {
				now += 1;
				return fields;
			},
		}));
	const pause = async () => {
		longest = Math.max(longest, now - last);
		last = now;
	};
	const { held } = await planned(
		nightOf(1),
		rosterOf(
			world.records.filter(({ kind }) => kind !== 'bond'),
			{ gone },
		),
		ledger,
		{},
		{ now: () => now, pause },
	);
	expect(held).toHaveLength(gone.length);
	expect(longest).toBeLessThan(200);
});

test('A hundred thousand enrollments with an error that all name one person take no longer than those of as many', async () => {
	const faulty = Array.from({ length: 100_000 }, (_, index) => aBond('one', `c${index}`));
	const start = process.cpuUsage();
	const { summary } = await planned(nightOf(1), rosterOf([], { faulty }), [], { firstRun: true });
	expect(summary.counts.bond.error).toBe(faulty.length);
	// Copied once for each, they took fifteen seconds.
	expect(process.cpuUsage(start).user / 1_000).toBeLessThan(4_000);
}, 120_000);
