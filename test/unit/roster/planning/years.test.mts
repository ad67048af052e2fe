/** School years as exports really have them: the next one beside this one since October, and a January without classes. */
import { Decisions } from '../../../../nodes/SchoolPartnerRoster/ledger/decisions.ts';
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights, type Ended } from '../night.mts';
import { aBond, aClass, aStudent } from '../world.mts';

const SCHOOLS = Array.from({ length: 4 }, (_, number) => `s${number}`);

/** Pupils of each school, from one number to another. */
const pupils = (from: number, to: number) =>
	SCHOOLS.flatMap((school) =>
		Array.from({ length: to - from }, (_, place) => aStudent(`p${from + place}`, [], school)),
	);

/** Two classes of a year in each school, with these pupils. */
const classes = (year: number, from: number, to: number): RosterRecord[] =>
	SCHOOLS.flatMap((school) => [
		...['a', 'b'].map((letter) => aClass(`${year}${letter}`, school, { year })),
		...Array.from({ length: to - from }, (_, place) =>
			aBond(`p${from + place}`, `${year}${place % 2 === 0 ? 'a' : 'b'}`, 'student', school),
		),
	]);

const THIS_YEAR = [...pupils(0, 60), ...classes(2026, 0, 60)];
/** The oldest ten do not go on; fifteen are enrolled anew. */
const OVERLAP = [...pupils(0, 75), ...classes(2026, 0, 60), ...classes(2027, 10, 75)];
const NEXT_YEAR = [...pupils(10, 75), ...classes(2027, 10, 75)];

const count = ({ told }: Ended, action: string) => told.filter((text) => text.startsWith(action)).length;
const reasons = ({ plan }: Ended) => plan.holds.map(({ reason }) => reason);
const bondsOf = (nights: Nights, year: number) =>
	nights.service.all().filter((name) => name.startsWith('b:') && name.includes(`|${year}`)).length;

describe('Next year’s classes beside this year’s, since October', () => {
	test('are one hold, in which nobody leaves; approved, everybody is in both', async () => {
		const nights = await Nights.after(THIS_YEAR);
		const held = await nights.sync(OVERLAP);
		expect([held.told, reasons(held)]).toEqual([
			[],
			['A new school year (2027) in 4 schools: 8 new classes, 200 people go on, 0 leave, 60 are new'],
		]);
		await nights.approveAll(held);
		expect(count(await nights.sync(OVERLAP), 'remove')).toBe(0);
		expect([bondsOf(nights, 2026), bondsOf(nights, 2027)]).toEqual([240, 260]);
		nights.pass();
		expect(await nights.sync(OVERLAP)).toMatchObject({ told: [], plan: { holds: [], findings: [] } });
	});

	test('in a school whose export has nothing but them in October, everybody leaving this year’s is held: it is not over', async () => {
		const [ids, school] = [Array.from({ length: 40 }, (_, place) => `p${place}`), 'school-1'];
		const ofYear = (year: number) => [
			aClass(`${year}a`, school, { year }),
			...ids.map((id) => aBond(id, `${year}a`)),
		];
		const people = ids.map((id) => aStudent(id, []));
		const nights = await Nights.after([...people, ...ofYear(2027)]);
		await nights.approveAll(await nights.sync([...people, ...ofYear(2027), ...ofYear(2028)]));
		await nights.sync([...people, ...ofYear(2027), ...ofYear(2028)]);
		nights.pass(270);
		const night = await nights.sync([...people, ...ofYear(2028)]);
		expect([night.told, night.plan.holds.length]).toEqual([[], 1]);
		nights.pass(120);
		expect((await nights.preview([...people, ...ofYear(2028)])).changes).toHaveLength(40);
	});

	test('have the holds of the ledger looked through once for each school, however many pupils they have', async () => {
		const nights = await Nights.after(THIS_YEAR);
		const wasLifted = jest.spyOn(Decisions.prototype, 'wasLifted');
		await nights.preview(OVERLAP);
		const looks = wasLifted.mock.calls.map(([mark]) => mark);
		wasLifted.mockRestore();
		expect(looks.sort()).toEqual(SCHOOLS.map((school) => `newYear 2027 in ${school}`));
	});

	test('do not stop the ordinary comings and goings of this year, neither while they are held nor afterwards', async () => {
		const nights = await Nights.after(THIS_YEAR);
		const churn = (base: RosterRecord[], place: number) => [
			...base.filter((one) => !(one.fields.user_external_id === `p${place}` && one.kind === 'bond')),
			aStudent(`n${place}`, [], 's0'),
			aBond(`n${place}`, '2026a', 'student', 's0'),
		];
		const held = await nights.sync(churn(OVERLAP, 1));
		expect([count(held, 'create'), count(held, 'remove'), held.plan.holds.length]).toEqual([2, 4, 1]);
		await nights.approveAll(held);
		await nights.sync(churn(OVERLAP, 1));
		nights.pass();
		const later = await nights.sync([...churn(OVERLAP, 1), ...churn([], 2)]);
		expect([count(later, 'create'), later.plan.holds]).toEqual([2, []]);
	});

	test('end in January with one hold: who leaves and who goes on; approved, this year’s bonds go and nothing else', async () => {
		const nights = await Nights.after(THIS_YEAR);
		await nights.approveAll(await nights.sync(OVERLAP));
		await nights.sync(OVERLAP);
		nights.pass(90);
		const held = await nights.sync(NEXT_YEAR);
		expect([held.told, held.plan.holds.length, held.plan.holds[0].changes.length]).toEqual([[], 1, 240]);
		expect(reasons(held)).toEqual([
			'A new school year (2027) in 4 schools: 0 new classes, 200 people go on, 40 leave, 0 are new',
		]);
		await nights.approveAll(held);
		const { told } = await nights.sync(NEXT_YEAR);
		expect(told.filter((text) => !/^remove b:s\d\|2026.* removed$/.test(text))).toEqual([]);
		expect([bondsOf(nights, 2026), bondsOf(nights, 2027)]).toEqual([0, 260]);
	});

	test('come little by little: what is small goes, and what is much is held once, not each night', async () => {
		const nights = await Nights.after(THIS_YEAR);
		const first = [
			...THIS_YEAR,
			aClass('2027b', 's0', { year: 2027 }),
			aBond('p11', '2027b', 'student', 's0'),
		];
		expect((await nights.sync(first)).told).toHaveLength(2);
		nights.pass();
		const held = await nights.sync(OVERLAP);
		expect([held.told, held.plan.holds.length > 0]).toEqual([[], true]);
		await nights.approveAll(held);
		await nights.sync(OVERLAP);
		expect(await nights.sync(OVERLAP)).toMatchObject({ told: [], plan: { holds: [] } });
	});
});

describe('A January without any classes', () => {
	test('takes nobody out of a class: held for as long as it lasts, and February is one new year', async () => {
		const nights = await Nights.after(THIS_YEAR);
		for (let day = 0; day < 31; day++) {
			const { told, plan } = await nights.sync(pupils(0, 60));
			expect([told, plan.holds.length]).toEqual([[], 1]);
			nights.pass();
		}
		const held = await nights.sync(NEXT_YEAR);
		expect([held.told, reasons(held)]).toEqual([
			[],
			['A new school year (2027) in 4 schools: 8 new classes, 200 people go on, 40 leave, 60 are new'],
		]);
		await nights.approveAll(held);
		await nights.sync(NEXT_YEAR);
		expect([bondsOf(nights, 2026), bondsOf(nights, 2027), nights.service.doubles]).toEqual([0, 260, []]);
	});

	test('that was approved is empty, and February is one new year all the same', async () => {
		const nights = await Nights.after(THIS_YEAR);
		await nights.approveAll(await nights.sync(pupils(0, 60)));
		await nights.sync(pupils(0, 60));
		expect(bondsOf(nights, 2026)).toBe(0);
		nights.pass(31);
		const held = await nights.sync(NEXT_YEAR);
		expect(reasons(held)).toEqual([
			'A new school year (2027) in 4 schools: 8 new classes, 200 people go on, 0 leave, 60 are new',
		]);
		await nights.approveAll(held);
		expect(count(await nights.sync(NEXT_YEAR), 'create')).toBe(8 + 60 + 260);
	});

	test('in which the schools are not in the export either: nobody leaves before a person says so', async () => {
		const nights = await Nights.after(THIS_YEAR);
		for (let day = 0; day < 31; day++) {
			expect((await nights.sync([])).told).toEqual([]);
			nights.pass();
		}
		expect(reasons(await nights.sync(NEXT_YEAR))).toEqual([
			'A new school year (2027) in 4 schools: 8 new classes, 200 people go on, 40 leave, 60 are new',
		]);
	});
});

test('The new year of a school of a few pupils waits with that of the others: classes of a wrong year cannot be taken back', async () => {
	const yearOf = (year: number) =>
		[['s0', 30] as const, ['s1', 200] as const].flatMap(([school, size]) => [
			aClass(`${year}a`, school, { year }),
			...Array.from({ length: size }, (_, place) => aStudent(`p${place}`, [], school)),
			...Array.from({ length: size }, (_, place) => aBond(`p${place}`, `${year}a`, 'student', school)),
		]);
	const nights = await Nights.after(yearOf(2026));
	const held = await nights.sync(yearOf(2027));
	expect([held.told, reasons(held)]).toEqual([
		[],
		['A new school year (2027) in 2 schools: 2 new classes, 230 people go on, 0 leave, 0 are new'],
	]);
	await nights.approveAll(held);
	await nights.sync(yearOf(2027));
	expect([bondsOf(nights, 2026), bondsOf(nights, 2027)]).toEqual([0, 230]);
});

test('A class whose year is mistyped (2062) makes the real new year no ordinary hold', async () => {
	const typo = SCHOOLS.map((school) => aClass('typo', school, { year: 2062 }));
	const nights = await Nights.after([...THIS_YEAR, ...typo]);
	expect(reasons(await nights.sync([...OVERLAP, ...typo]))).toEqual([
		expect.stringMatching(/^A new school year \(2027\)/),
	]);
});
