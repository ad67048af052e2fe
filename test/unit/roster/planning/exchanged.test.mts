/** What leaves and comes in one school is one exchange: what is new waits for a person's word about it, whatever becomes of who leaves. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights, type Ended } from '../night.mts';
import { aBond, aClass, aUser, rosterOf } from '../world.mts';

const PLACES = Array.from({ length: 120 }, (_, at) => at);
const CLASSES = [aClass('c0'), aClass('c1'), aClass('c2')];
const schoolOf = (id: (at: number) => string) => [
	...CLASSES,
	...PLACES.flatMap((at) => [
		aUser(id(at), 'student', 'school-1', { last_name: `L${at}` }),
		aBond(id(at), `c${at % 3}`),
	]),
];
const BEFORE = schoolOf((at) => `s${at}`);
/** 40 of 120 pupils: more than a quarter, and fewer than 50. */
const AFTER = schoolOf((at) => (at < 40 ? `x${at}` : `s${at}`));

const sentOf = ({ told }: Ended, action: string) => told.filter((text) => text.startsWith(action)).length;
const heldOf = ({ plan }: Ended) => plan.holds.map(({ changes }) => `${changes[0].action} ${changes.length}`);

describe('Where only those who leave are approved,', () => {
	async function onlyRemovalsApproved(): Promise<Nights> {
		const nights = await Nights.after(BEFORE);
		nights.pass(30);
		const { plan } = await nights.sync(AFTER);
		const [creations, removals] = ['create', 'remove'].map((action) =>
			plan.holds.find(({ changes }) => changes[0].action === action),
		);
		await nights.approve(removals?.hold_id ?? '');
		await nights.add({ kind: 'approve', key: creations?.hold_id, state: 'withdrawn' });
		return nights;
	}

	test('who is new waits, that night and the nights after', async () => {
		const nights = await onlyRemovalsApproved();
		const night = await nights.sync(AFTER);
		expect([sentOf(night, 'remove'), sentOf(night, 'create'), heldOf(night)]).toEqual([40, 0, ['create 80']]);
		for (let days = 0; days < 3; days++) {
			nights.pass(4);
			expect(heldOf(await nights.sync(AFTER))).toEqual(['create 80']);
		}
	});

	test('who is new waits also when there is no run for eight days', async () => {
		const nights = await onlyRemovalsApproved();
		await nights.sync(AFTER);
		nights.pass(8);
		expect(heldOf(await nights.sync(AFTER))).toEqual(['create 80']);
	});

	test('who is new waits also when an approval of both has ended before anything was sent', async () => {
		const nights = await Nights.after(BEFORE);
		nights.pass(30);
		await nights.approveAll(await nights.sync(AFTER));
		nights.pass(9);
		const { plan } = await nights.sync(AFTER);
		await nights.approve(plan.holds.find(({ changes }) => changes[0].action === 'remove')?.hold_id ?? '');
		nights.pass();
		const night = await nights.sync(AFTER);
		expect([sentOf(night, 'remove'), sentOf(night, 'create'), heldOf(night)]).toEqual([40, 0, ['create 80']]);
	});

	test('who is new goes with an approval of that', async () => {
		const nights = await onlyRemovalsApproved();
		await nights.approveAll(await nights.sync(AFTER));
		const night = await nights.sync(AFTER);
		expect([sentOf(night, 'create'), heldOf(night)]).toEqual([80, []]);
	});

	test('a few others who come when the export is right again are created', async () => {
		const nights = await onlyRemovalsApproved();
		await nights.sync(AFTER);
		nights.pass();
		const few = [aUser('n1', 'student', 'school-1', { last_name: 'N' }), aBond('n1', 'c1')];
		const night = await nights.sync([...BEFORE, ...few]);
		expect([night.told.includes('create u:school-1|n1 applied'), heldOf(night)]).toEqual([true, []]);
	});
});

test('What was held since a file was missing is judged as usual when the file is there', async () => {
	const file = { name: 'classes.csv', rows: 3, sha256: '' };
	const nights = await Nights.after(rosterOf(CLASSES, { files: [file, { ...file, name: 'users.csv' }] }));
	const more = [...CLASSES, aClass('c3')];
	expect((await nights.sync(rosterOf(more, { files: [file] }))).plan.holds).toHaveLength(1);
	const night = await nights.sync(rosterOf(more, { files: [file, { ...file, name: 'users.csv' }] }));
	expect(night.told).toEqual(['create c:school-1|c3 applied']);
});

describe('Where the part of a school is that of another one', () => {
	const partOf = (letter: string) => [
		aClass('c0'),
		...PLACES.slice(0, 40).flatMap((at) => [
			aUser(`${letter}${at}`, 'student', 'school-1', { last_name: `${letter}${at}` }),
			aBond(`${letter}${at}`, 'c0'),
		]),
	];

	test.each([0, 3, 30])('nobody is created, with %i days of grace too', async (gracePeriodDays) => {
		const nights = await Nights.after(partOf('s'), { gracePeriodDays });
		nights.pass(30);
		for (let night = 0; night < 6; night++) {
			const { told, plan } = await nights.sync(partOf('x'));
			expect(told.filter((text) => !text.startsWith('note'))).toEqual([]);
			expect(plan.holds.map(({ changes }) => changes[0].action)).toContain('create');
			nights.pass(2);
		}
	});

	test.each([0, 10, 30])(
		'nor after holidays of eight days, with %i days of grace',
		async (gracePeriodDays) => {
			const nights = await Nights.after(partOf('s'), { gracePeriodDays });
			nights.pass(30);
			expect(heldOf(await nights.sync(partOf('x')))).toContain('create 80');
			nights.pass(8);
			expect(heldOf(await nights.sync(partOf('x')))).toContain('create 80');
		},
	);

	test('new pupils are created as usual when the others only change classes, or left weeks ago', async () => {
		const nights = await Nights.after(partOf('s'), { gracePeriodDays: 30 });
		nights.pass(30);
		const fresh = PLACES.slice(0, 11).flatMap((at) => [
			aUser(`n${at}`, 'educator'),
			aBond(`n${at}`, 'c1', 'educator'),
		]);
		const moved = partOf('s').map((one) =>
			one.kind === 'bond' ? aBond(String(one.fields.user_external_id), 'c1') : one,
		);
		const night = await nights.sync([...moved, aClass('c1'), ...fresh]);
		expect([sentOf(night, 'create u'), heldOf(night)]).toEqual([11, []]);
		const few = [...partOf('s').slice(0, -42), aClass('c1'), ...fresh];
		await nights.sync(few);
		nights.pass(8);
		const late = PLACES.slice(0, 20).flatMap((at) => [aUser(`l${at}`, 'student'), aBond(`l${at}`, 'c0')]);
		expect(heldOf(await nights.sync([...few, ...late]))).toEqual([]);
	});
});

describe('What was held once is judged as usual when it comes again', () => {
	const FEW = [aClass('c0'), aUser('t0', 'educator'), aUser('t1', 'educator'), aBond('t0', 'c0', 'educator')];
	const MORE = [...FEW, ...PLACES.slice(0, 60).map((at) => aUser(`s${at}`, 'student'))];
	const AGAIN = aBond('t1', 'c0', 'educator');

	async function doneAndGone(...more: RosterRecord[]): Promise<Nights> {
		const nights = await Nights.after(FEW);
		expect(heldOf(await nights.sync([...MORE, AGAIN]))).toEqual(['create 61']);
		const tonight = [...MORE, AGAIN, ...more];
		await nights.approveAll(await nights.sync(tonight));
		expect(heldOf(await nights.sync(tonight))).toEqual([]);
		nights.pass();
		expect((await nights.sync([...MORE, ...more])).told).toEqual([
			'remove b:school-1|c0|t1|educator removed',
		]);
		nights.pass(10);
		return nights;
	}

	test('also where its approval, which the others were created with, has ended since', async () => {
		const nights = await Nights.after(FEW);
		await nights.approveAll(await nights.sync([...MORE, AGAIN]));
		expect(heldOf(await nights.sync(MORE))).toEqual([]);
		nights.pass(10);
		await nights.sync(MORE);
		nights.pass(30);
		const { told } = await nights.sync([...MORE, AGAIN]);
		expect(told).toEqual(['create b:school-1|c0|t1|educator applied']);
	});

	test.each([
		['a person had approved it', []],
		['it was done with the approval of a hold of more', [aUser('s60', 'student')]],
	])('since %s', async (_why, more) => {
		const nights = await doneAndGone(...more);
		const { told } = await nights.sync([...MORE, AGAIN, ...more]);
		expect(told).toEqual(['create b:school-1|c0|t1|educator applied']);
	});
});
