/** What is kept back until a person has looked at it, and what an approval lets go. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Change } from '../../../../nodes/SchoolPartnerRoster/planning/change.ts';
import { actionsOf, Nights } from '../night.mts';
import { aBond, aClass, aSchool, aUser, isBond, PARTIAL, rosterOf } from '../world.mts';

/** So many classes more. */
function classes(count: number, school = 'north', prefix = 'new'): RosterRecord[] {
	return Array.from({ length: count }, (_, index) => aClass(`${prefix}-${index}`, school));
}

const schoolsOf = (changes: readonly Change[]) =>
	[...new Set(changes.map((one) => one.school_external_id))].sort();

/** A school with 200 classes, and 200 students in one of them; and a small one. */
const BIG = [...classes(200, 'north', 'old'), ...aSchool('north', 1, 200)];
const SMALL = aSchool('south', 1, 10);
const EAST = aSchool('east', 1, 60);
const BONDS = BIG.filter(isBond);

function without(gone: readonly RosterRecord[]): RosterRecord[] {
	return [...BIG, ...SMALL].filter((record) => !gone.includes(record));
}

/** A ledger that knows of these, without a request. */
async function knowing(...records: RosterRecord[]): Promise<Nights> {
	const nights = new Nights();
	await nights.takeOver(records);
	for (const record of records)
		nights.service.take({ action: 'create', kind: record.kind, send: record.fields } as never);
	return nights;
}

describe('New records of a school', () => {
	test.each([
		[200, 50, 0],
		[200, 52, 52],
		[4, 49, 0],
		[4, 50, 50],
	])('of %i, %i more: %i are held (25 %%, from 50 on)', async (known, more, held) => {
		const nights = await knowing(...classes(known, 'north', 'old'));
		const plan = await nights.preview([...classes(known, 'north', 'old'), ...classes(more)]);
		expect([plan.held.length, plan.changes.length]).toEqual([held, more - held]);
	});

	test('of a new school are held from 50 on, with their numbers, and the others go on', async () => {
		const nights = await knowing(...SMALL);
		const plan = await nights.preview([...SMALL, aClass('one-more', 'south'), ...EAST]);
		expect([actionsOf(plan), schoolsOf(plan.held), plan.held.length]).toEqual([
			['create c:south|one-more'],
			['east'],
			181,
		]);
		const [{ hold_id: id, reason, what_to_do: advice }] = plan.holds;
		expect(reason).toBe(
			'120 users of school east would be created: there were none before. 60 bonds of the profile student of school east would be created: there were none before',
		);
		expect(advice).toContain(id);
	});

	test('are never held at 100 percent', async () => {
		const nights = await knowing(...SMALL);
		expect((await nights.preview([...SMALL, ...EAST], { holdCreationsPercent: 100 })).held).toEqual([]);
	});

	test('that failed, were blocked or not tried before count again: nobody has approved them', async () => {
		const nights = await knowing(...SMALL);
		nights.service.fault = (_action, body) =>
			/-s[1-4]?\d-r$/.test(String(body.external_id)) ? 400 : undefined;
		const { told } = await nights.sync([...SMALL, ...EAST], { holdCreationsPercent: 100 });
		expect(told.filter((text) => text.endsWith('blocked'))).toHaveLength(98);
		nights.service.fault = () => undefined;
		nights.pass();
		const { plan } = await nights.sync([...SMALL, ...EAST]);
		const [hold] = plan.holds;
		expect([hold.changes.length, hold.changes[0].why]).toEqual([147, 'was not done the last time']);
		await nights.approveAll({ plan });
		expect((await nights.sync([...SMALL, ...EAST])).told).toHaveLength(147);
	});
});

describe('Bonds of a school that are gone', () => {
	test.each([
		[20, {}, 0],
		[22, {}, 22],
		[22, { holdRemovalsFrom: 23 }, 0],
		[200, { holdRemovalsPercent: 100 }, 0],
	])('%i of 200, with %j: %i are held (10 %%, from 20 on)', async (gone, options, held) => {
		const nights = await knowing(...BIG, ...SMALL);
		const plan = await nights.preview(without(BONDS.slice(0, gone)), options);
		expect([plan.held.length, plan.changes.length]).toEqual([held, gone - held]);
	});

	test('of pupils who keep one class of ten are held: an export that was cut leaves everybody something', async () => {
		const courses = Array.from({ length: 10 }, (_, index) => `course-${index}`);
		const pupils = Array.from({ length: 30 }, (_, index) => `p${index}`);
		const bonds = pupils.flatMap((id) => courses.map((course) => aBond(id, course, 'student', 'north')));
		const all = [
			...courses.map((id) => aClass(id, 'north')),
			...pupils.map((id) => aUser(id, 'student', 'north')),
		];
		const nights = await knowing(...all, ...bonds);
		const cut = bonds.filter(({ fields }) => fields.class_external_id === 'course-0');
		const { held, holds } = await nights.preview([...all, ...cut]);
		expect([held.length, holds[0]?.reason]).toEqual([
			270,
			expect.stringMatching(/^270 bonds of the profile student of school north would be removed/),
		]);
		const half = bonds.filter(({ fields }) => /[0-4]$/.test(String(fields.class_external_id)));
		expect((await nights.preview([...all, ...half])).held).toHaveLength(150);
		const grace = { gracePeriodDays: 3 };
		nights.pass();
		await nights.sync([...all, ...half], grace);
		nights.pass(3);
		expect((await nights.preview([...all, ...half], grace)).held).toHaveLength(150);
		await nights.sync([...all, ...bonds], grace);
		const few = await nights.preview([...all, ...bonds.slice(19)]);
		expect([few.held.length, few.changes.length]).toEqual([0, 19]);
		// Who only changes classes loses none.
		const others = pupils.flatMap((id) =>
			courses.slice(0, 5).map((course) => aBond(id, `${course}-b`, 'student', 'north')),
		);
		const newCourses = courses.slice(0, 5).map((id) => aClass(`${id}-b`, 'north'));
		const rest = bonds.filter(({ fields }) => !/[0-4]$/.test(String(fields.class_external_id)));
		const changing = await nights.preview([...all, ...newCourses, ...rest, ...others], {
			holdCreationsPercent: 100,
		});
		expect([changing.held, changing.changes.length]).toEqual([[], 305]);
	});

	test('that failed long ago do not let a broken export remove as many', async () => {
		const nights = await knowing(...BIG);
		nights.service.fault = () => 400;
		await nights.sync(without(BONDS), { holdRemovalsPercent: 100 });
		await nights.sync(BIG);
		expect((await nights.preview(without(BONDS))).held).toHaveLength(200);
	});
});

describe('An approval', () => {
	const HELD = [...SMALL, ...EAST];

	async function held(): Promise<{ nights: Nights; id: string }> {
		const nights = await knowing(...SMALL);
		const { plan } = await nights.sync(HELD);
		return { nights, id: plan.holds[0].hold_id };
	}

	test('of a hold is possible because its changes stand in the ledger, once, however often it is reported', async () => {
		const { nights, id } = await held();
		const rows = nights.rows('hold');
		expect(rows.map(({ key, state }) => [key, state])).toEqual([[`${id}:1`, 'reported']]);
		expect((await nights.ledger()).decisions.holds.get(id)?.changes.size).toBe(181);
		expect((await nights.sync(HELD.toReversed())).plan.holds[0].hold_id).toBe(id);
		expect(nights.rows('hold')).toEqual(rows);
	});

	test('lets exactly the held changes go that are still due; what has come since is judged by itself', async () => {
		const { nights, id } = await held();
		await nights.approve(id);
		const left = EAST.slice(0, -3);
		const few = await nights.preview([...SMALL, ...left, ...classes(49, 'east')]);
		expect([few.holds, few.changes.length]).toEqual([[], left.length + 49]);
		const many = await nights.preview([...SMALL, ...left, ...classes(50, 'east')]);
		expect([many.held.length, many.changes.length]).toEqual([50, left.length]);
	});

	test('of one school lets no other one through', async () => {
		const nights = await knowing(...SMALL, ...aSchool('large', 24, 60));
		const roster = [...HELD, ...aSchool('large', 24, 60), ...aSchool('west', 1, 60)];
		const { plan } = await nights.sync(roster);
		await nights.approve(
			plan.holds.find(({ school_external_id: school }) => school === 'east')?.hold_id ?? '',
		);
		const next = await nights.preview(roster);
		expect([schoolsOf(next.changes), schoolsOf(next.held)]).toEqual([['east'], ['west']]);
	});

	test('is used up by what it has let go: done once, a change that comes again is another one', async () => {
		const nights = await knowing(...BIG);
		const { plan } = await nights.sync(without(BONDS.slice(0, 30)));
		await nights.approveAll({ plan });
		expect((await nights.sync(without(BONDS.slice(0, 30)))).told).toHaveLength(30);
		await nights.sync(BIG);
		expect((await nights.preview(without(BONDS.slice(0, 30)))).held).toHaveLength(30);
	});

	test('is used up as well where a bond is missing for a while first', async () => {
		const nights = await knowing(...BIG);
		const [cut, grace] = [without(BONDS.slice(0, 30)), { gracePeriodDays: 1 }];
		await nights.sync(cut, grace);
		nights.pass();
		await nights.approveAll(await nights.sync(cut, grace));
		expect((await nights.sync(cut, grace)).told).toHaveLength(30);
		await nights.sync(BIG, grace);
		await nights.sync(cut, grace);
		nights.pass();
		expect((await nights.preview(cut, grace)).held).toHaveLength(30);
	});

	test('is not used up by what failed', async () => {
		const { nights, id } = await held();
		await nights.approve(id);
		nights.service.fault = () => 400;
		await nights.sync(HELD);
		nights.service.fault = () => undefined;
		nights.pass();
		const { plan } = await nights.sync(HELD);
		expect([plan.holds, plan.changes.length]).toEqual([[], 181]);
	});

	test('that has ended does not come back when the same is held again', async () => {
		const { nights, id } = await held();
		await nights.approve(id);
		await nights.sync(SMALL);
		nights.pass(21);
		expect((await nights.sync(HELD)).plan.holds).toMatchObject([{ hold_id: id }]);
		expect((await nights.sync(HELD)).told).toEqual([]);
		await nights.approve(id);
		expect((await nights.sync(HELD)).told).toHaveLength(181);
	});

	test('of a hold that is reported again lasts longer', async () => {
		const { nights, id } = await held();
		nights.pass(5);
		await nights.sync(HELD);
		await nights.approve(id);
		nights.pass(5);
		expect((await nights.preview(HELD)).holds).toEqual([]);
	});

	test('of a long hold lets all of it go, though it stands in several rows', async () => {
		const nights = await knowing(...SMALL);
		const many = [...SMALL, ...classes(4_500, 'east')];
		const { plan } = await nights.sync(many);
		expect(nights.rows('hold')).toHaveLength(3);
		await nights.approveAll({ plan });
		expect((await nights.preview(many)).holds).toEqual([]);
	});
});

test('What was done on a day is remembered once for each school, direction and group, however many runs there were', async () => {
	const nights = await knowing(...BIG, ...SMALL);
	const recent = async () => (await nights.ledger()).lastDetail.recent;
	const today = nights.today();
	await nights.sync([...BIG, ...SMALL, ...classes(2)]);
	await nights.sync([...BIG, ...SMALL, ...classes(5)]);
	expect(await recent()).toEqual([[today, 'north', 'in', 'class', 5]]);
	nights.pass();
	await nights.sync([...without(BONDS.slice(0, 1)), ...classes(6)]);
	await nights.sync([...without(BONDS.slice(0, 3)), ...classes(6)]);
	expect(await recent()).toEqual([
		[today, 'north', 'in', 'class', 5],
		[nights.today(), 'north', 'in', 'class', 1],
		[nights.today(), 'north', 'out', 'bond student', 3],
	]);
});

test('A held school is held whole, and what is held is not written as if it were done', async () => {
	const nights = await knowing(...SMALL);
	const roster = [
		...SMALL,
		...EAST,
		aUser('t', 'educator', 'south'),
		aBond('t', 'south-c1', 'educator', 'south'),
	];
	const { told } = await nights.sync(roster);
	expect(told).toEqual(['create u:south|t applied', 'create b:south|south-c1|t|educator applied']);
	expect([...(await nights.ledger()).entries.keys()].some((key) => key.includes('east'))).toBe(false);
});

describe('Something wrong as a whole holds everything once:', () => {
	const TONIGHT = [...SMALL, aClass('one-more', 'south')];

	const file = (name: string) => ({ name, rows: 1, sha256: 'x' });

	test('an empty ledger, until a person says that it is the first night', async () => {
		const nights = new Nights();
		const { plan } = await nights.sync(SMALL);
		expect(plan.holds.map(({ reason, school_external_id: school }) => [reason, school])).toEqual([
			['The ledger is empty: this is a first run, or the ledger was lost', ''],
		]);
		await nights.approveAll({ plan });
		expect((await nights.sync(SMALL)).told).toHaveLength(SMALL.length);
	});

	test('an approval of the first night holds when it is interrupted, and only for what was there', async () => {
		const nights = new Nights();
		await nights.approveAll(await nights.sync(SMALL));
		await nights.run(SMALL, { troubles: [[40, { kind: 'kill' }]] });
		expect((await nights.ledger()).entries.size).toBeGreaterThan(0);
		expect((await nights.preview([...SMALL, ...EAST])).held).toHaveLength(181);
	});

	test.each(['service', 'client', 'ids'] as const)(
		'a ledger of another %s, and approved, the new one is noted',
		async (mark) => {
			const nights = await knowing(...SMALL);
			const moved = { marks: { [mark]: 'hother' } };
			const { plan } = await nights.sync(TONIGHT, moved);
			expect([plan.changes, plan.holds[0].changes.length, plan.holds[0].school_external_id]).toEqual([
				[],
				1,
				'',
			]);
			expect((await nights.sync(TONIGHT, moved)).plan.holds[0].hold_id).toBe(plan.holds[0].hold_id);
			await nights.approveAll({ plan });
			expect((await nights.sync(TONIGHT, moved)).told).toEqual(['create c:south|one-more applied']);
			expect((await nights.preview([...TONIGHT, aClass('two', 'south')], moved)).holds).toEqual([]);
			expect((await nights.preview([...TONIGHT, aClass('two', 'south')])).holds).toHaveLength(1);
		},
	);

	test('another service on a night when nothing is different is told, and is not taken for the right one', async () => {
		const nights = await knowing(...SMALL);
		const moved = { marks: { service: 'hother' } };
		const { plan } = await nights.sync(SMALL, moved);
		expect([plan.holds, plan.findings.map(({ code }) => code)]).toEqual([[], ['serviceMoved']]);
		expect((await nights.sync(TONIGHT, moved)).told).toEqual([]);
		expect((await nights.preview(TONIGHT)).holds).toEqual([]);
	});

	test('files that the last run had and tonight’s export lacks, until that is approved', async () => {
		const both = { files: [file('users.csv'), file('demographics.csv')] };
		const one = { files: [file('users.csv')] };
		const nights = await Nights.after(rosterOf(SMALL, both));
		for (const records of [SMALL, TONIGHT]) await nights.sync(rosterOf(records, one));
		const { plan } = await nights.sync(rosterOf(TONIGHT, one));
		expect(plan.holds[0].reason).toBe('The last run had files that are not there now: demographics.csv');
		await nights.approveAll({ plan });
		expect((await nights.sync(rosterOf(TONIGHT, one))).told).toHaveLength(1);
		expect((await nights.preview(rosterOf([...TONIGHT, aClass('x', 'south')], one))).holds).toEqual([]);
	});

	test('a file that the last export had, also after a sheet, which has no files', async () => {
		const all = { files: [file('users.csv'), file('relationships.csv')] };
		const nights = await Nights.after(rosterOf(SMALL, all));
		await nights.sync(rosterOf([aClass('y')], { completeness: PARTIAL }));
		nights.pass();
		const { holds } = await nights.preview(
			rosterOf([...SMALL, aClass('x')], { files: all.files.slice(0, 1) }),
		);
		expect(holds[0].reason).toBe('The last run had files that are not there now: relationships.csv');
	});

	test('a roster of an earlier night, however often it comes, until that is approved', async () => {
		const nights = await Nights.after(BIG);
		const some = BIG.slice(0, -1);
		await nights.sync(some, { holdCreationsFrom: 1_000 });
		expect((await nights.preview(BIG, { holdCreationsFrom: 1 })).holds).toMatchObject([
			{ reason: expect.stringContaining('earlier night') as string },
		]);
		await nights.sync(BIG, { holdCreationsFrom: 1 });
		const { plan } = await nights.sync(BIG, { holdCreationsFrom: 1 });
		expect(plan.holds).toHaveLength(1);
		await nights.approveAll({ plan });
		expect((await nights.sync(BIG, { holdCreationsFrom: 1 })).told).toHaveLength(1);
		// The last night, and few changes, are none of that.
		expect((await nights.preview(BIG, { holdCreationsFrom: 1 })).holds).toEqual([]);
		expect((await nights.preview(some)).holds).toEqual([]);
	});

	test('a roster of an earlier night that would change twenty records, fewer than a night may create', async () => {
		const nights = await Nights.after(BIG);
		const fewer = BIG.filter((record) => !BONDS.slice(-25).includes(record));
		await nights.sync(fewer, { holdRemovalsPercent: 100, holdRemovalsFrom: 1_000 });
		expect((await nights.preview(BIG, { holdCreationsPercent: 100 })).holds).toMatchObject([
			{ reason: expect.stringContaining('earlier night') as string },
		]);
	});

	test('rows of runs that somebody removed, night for night the same hold; approved, it goes on and is whole until as many are lost again', async () => {
		const nights = await Nights.after(SMALL);
		const lose = (key: string) => nights.table.remove((row) => row.key === key);
		lose('u:south|south-c1-s1');
		const first = await nights.sync(TONIGHT);
		expect([first.told, first.plan.holds[0].reason]).toEqual([
			[],
			expect.stringMatching(/^The ledger has lost 1 of \d+ rows$/),
		]);
		const { plan } = await nights.sync(TONIGHT);
		expect(plan.holds[0].hold_id).toBe(first.plan.holds[0].hold_id);
		await nights.approveAll({ plan });
		expect((await nights.sync(TONIGHT)).told).toContain('create c:south|one-more applied');
		const more = [...TONIGHT, aClass('two', 'south')];
		expect((await nights.sync(more)).plan.holds).toEqual([]);
		lose('u:south|south-c1-s2');
		const again = await nights.sync([...more, aClass('three', 'south')]);
		expect([again.told, again.plan.holds.length]).toEqual([[], 1]);
	});

	test('rows that people add do not make up for those that were removed', async () => {
		const nights = await Nights.after(SMALL);
		nights.table.remove(({ id }) => id === nights.rows().find(({ kind }) => kind === 'bond')?.id);
		for (let count = 0; count < 9; count++) await nights.resolve('c:south|south-c1', 'inService');
		expect((await nights.preview(TONIGHT)).holds).toHaveLength(1);
	});
});
