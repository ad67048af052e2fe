/** What holds for every roster, every ledger and every night. */
import fc from 'fast-check';

import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { exportOf, records, SCHOOLS } from '../exports.mts';
import { actionsOf, Nights } from '../night.mts';
import { Service, type Fault } from '../service.mts';

const UNHELD = { holdCreationsPercent: 100, holdRemovalsPercent: 100 };
const RUNS = { numRuns: 40 };

/** Nights one after another, without holds but for the first that has anything in it, which a person approves. */
async function nightsOf(rosters: readonly RosterRecord[][], service = new Service()): Promise<Nights> {
	const nights = new Nights(service, UNHELD);
	for (const roster of rosters) {
		const night = await nights.sync(roster);
		await nights.approveAll(night);
		if (night.plan.holds.length > 0) await nights.sync(roster);
	}
	return nights;
}

const rosters = fc.array(records('school'), { minLength: 1, maxLength: 3 });
const last = <T,>(all: readonly T[]): T => all[all.length - 1];

test('A night, and then the same again: nothing', async () => {
	await fc.assert(
		fc.asyncProperty(rosters, async (all) => {
			const nights = await nightsOf(all);
			const { changes, held } = await nights.preview(last(all));
			expect([changes, held, nights.service.doubles]).toEqual([[], [], []]);
		}),
		RUNS,
	);
});

test('Removing bonds and adding them again ends where it began', async () => {
	await fc.assert(
		fc.asyncProperty(records('school'), fc.infiniteStream(fc.boolean()), async (all, coin) => {
			const some = all.filter(({ kind }) => kind !== 'bond' || coin.next().value);
			const there = (await nightsOf([all])).service.all();
			expect((await nightsOf([all, some, all])).service.all()).toEqual(there);
		}),
		RUNS,
	);
});

test('What is created in all schools is what is created in each', async () => {
	await fc.assert(
		fc.asyncProperty(records('school'), records('school'), async (first, second) => {
			const nights = await nightsOf([first]);
			const whole = await nights.preview(exportOf(second));
			const parts = await Promise.all(
				SCHOOLS.map(async (school) => await nights.preview(exportOf(second), { onlySchools: [school] })),
			);
			const creations = (plan: typeof whole) => actionsOf(plan).filter((text) => text.startsWith('create'));
			expect(parts.flatMap(creations).sort()).toEqual(creations(whole).sort());
		}),
		RUNS,
	);
});

test('Each change has one outcome and at most one request, and none before what it needs, whatever the service answers', async () => {
	const faults = fc.constantFrom<Fault>(
		undefined,
		undefined,
		undefined,
		400,
		404,
		409,
		429,
		500,
		503,
		'answer lost',
		'never arrives',
	);
	await fc.assert(
		fc.asyncProperty(
			records('school'),
			records('school'),
			fc.infiniteStream(faults),
			async (first, second, stream) => {
				const nights = await nightsOf([first]);
				const before = nights.service.requests.length;
				nights.service.fault = () => stream.next().value as Fault;
				const { plan, sent } = await nights.sync(second);
				const requests = nights.service.requests.slice(before);
				expect(new Set(requests).size).toBe(requests.length);
				expect(sent.done.map(({ change }) => change.key)).toEqual(plan.changes.map(({ key }) => key));
				const failed = new Set<string>();
				for (const { change, state } of sent.done) {
					if (requests.includes(`${change.action} ${change.key}`) && change.action === 'create')
						expect(change.needs.filter((key) => failed.has(key))).toEqual([]);
					if (['failed', 'blocked', 'not tried'].includes(state)) failed.add(change.key);
				}
			},
		),
		{ numRuns: 100 },
	);
});
