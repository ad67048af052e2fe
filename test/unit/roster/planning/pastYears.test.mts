/** Bonds to classes of earlier years: they go with their classes, or stay where Keep Past Years says so. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { actionsOf, Nights, type RunInput } from '../night.mts';
import { aBond, aClass, aUser, LIST, rosterOf } from '../world.mts';

const KEEP: RunInput = { keepPastYears: true, holdCreationsPercent: 100, holdRemovalsPercent: 100 };
const IDS = Array.from({ length: 30 }, (_, place) => `p${place}`);

/** A school of 30 people in classes of years. */
const school = (...years: number[]): RosterRecord[] => [
	...IDS.map((id) => aUser(id, 'student')),
	...years.flatMap((year) => [
		aClass(`c${year}`, 'school-1', { year }),
		...IDS.map((id) => aBond(id, `c${year}`)),
	]),
];
const isOf = (id: string) => (record: RosterRecord) => Object.values(record.fields).includes(id);

async function inYear2027(options: RunInput): Promise<Nights> {
	const nights = await Nights.after(school(2026), options);
	await nights.sync(school(2027));
	nights.pass();
	return nights;
}

test.each([
	['go with their class, once the new ones are there', {}, 30],
	['stay where they are to be kept', { keepPastYears: true }, 0],
])('Bonds of the year that is over %s', async (_what, more, removed) => {
	const nights = await Nights.after(school(2026), { ...KEEP, keepPastYears: false, ...more });
	const { told } = await nights.sync(school(2027));
	expect(told.filter((text) => text.startsWith('remove'))).toHaveLength(removed);
	expect(await nights.sync(school(2027))).toMatchObject({ told: [] });
});

test('Kept ones are counted, and are no change on any night, also where the export itself says that they are gone', async () => {
	const nights = await inYear2027(KEEP);
	const gone = IDS.map((id) => aBond(id, 'c2026'));
	const { plan, told } = await nights.sync(rosterOf(school(2027), { gone }));
	expect([told, plan.counts.all().bond]).toEqual([[], { same: 30, missing: 30 }]);
});

test('Who leaves loses the bond of this year, and who leaves a class that is still in the roster that bond', async () => {
	const nights = await inYear2027(KEEP);
	expect(actionsOf(await nights.preview(school(2027).filter((one) => !isOf('p3')(one))))).toEqual([
		'remove b:school-1|c2027|p3|student',
	]);
	const both = [...school(2027), aClass('c2026'), ...IDS.slice(1).map((id) => aBond(id, 'c2026'))];
	expect(actionsOf(await nights.preview(both))).toEqual(['remove b:school-1|c2026|p0|student']);
});

test('Where a row of a class cannot be used, what is kept stays', async () => {
	const nights = await inYear2027(KEEP);
	const completeness = { class: 'partial', user: 'whole', bond: 'whole' } as const;
	const odd = rosterOf(school(2027), { completeness });
	expect(actionsOf(await nights.preview(odd, { holdRemovalsPercent: 10 }))).toEqual([]);
});

test('Where next year’s classes come in a list, who is said to leave a class of this year leaves it', async () => {
	const nights = await Nights.after(school(2026), KEEP);
	const list = rosterOf([aClass('c2027', 'school-1', { year: 2027 })], {
		...LIST,
		gone: [aBond('p0', 'c2026')],
	});
	expect(actionsOf(await nights.preview(list, { asOf: '2026-11-27' }))).toContain(
		'remove b:school-1|c2026|p0|student',
	);
	const ofClass = { ...LIST, gone: [aClass('c2026'), aBond('p0', 'c2026')] };
	const closed = rosterOf(school(2027), ofClass);
	expect(actionsOf(await nights.preview(closed, { asOf: '2026-12-20' })).join()).not.toContain('remove');
});

test('In December, what is kept of this year stays also where a row of a class cannot be used', async () => {
	const nights = await Nights.after(school(2026), KEEP);
	await nights.sync(school(2027));
	const odd = rosterOf(school(2027), { completeness: { class: 'partial', user: 'whole', bond: 'whole' } });
	expect(actionsOf(await nights.preview(odd, { asOf: '2026-12-20' }))).toEqual([]);
});

test('A class of this year that is gone keeps nobody', async () => {
	const other = [aClass('d2026'), ...IDS.map((id) => aBond(id, 'd2026'))];
	const nights = await Nights.after([...school(2026), ...other], KEEP);
	expect(actionsOf(await nights.preview(school(2026)))).toHaveLength(30);
});

test('What is kept makes nobody a mover: an export that is cut is held all the same', async () => {
	const nights = await inYear2027(KEEP);
	const cut = school(2027).filter(({ kind, fields }) => kind !== 'bond' || fields.user_external_id === 'p0');
	const { changes, held } = await nights.preview(cut, { holdRemovalsPercent: 10 });
	expect([changes, held.length]).toEqual([[], 29]);
});

test('With next year’s classes entered in autumn, a class of this year that was closed keeps nobody', async () => {
	const other = [aClass('d2026'), ...IDS.map((id) => aBond(id, 'd2026'))];
	const nights = await Nights.after([...school(2026, 2027), ...other], KEEP);
	expect(actionsOf(await nights.preview(school(2026, 2027)))).toHaveLength(30);
	const moved = [...school(2027), ...other];
	expect(actionsOf(await nights.preview(moved))).toHaveLength(30);
	expect(actionsOf(await nights.preview(school(2027)))).toEqual([]);
});

test('Of what has left nobody is told that its bonds go: those of a year that is kept stay', async () => {
	const nights = await Nights.after(school(2026), KEEP);
	await nights.sync(school(2027).filter((one) => !isOf('p3')(one)));
	const left = [...nights.attention('classLeft'), ...nights.attention('userLeft')];
	const what_to_do =
		'Nothing while a hold waits. Then remove it in the service by hand if it should not stay.';
	expect(left).toMatchObject([
		{ key: 'c:school-1|c2026', what_to_do },
		{ key: 'u:school-1|p3', what_to_do },
	]);
});

test('Who leaves by a list that names no class keeps what is kept of earlier years, and loses the bond of this year', async () => {
	const nights = await Nights.after(school(2025, 2026), KEEP);
	const leaver = rosterOf([], { ...LIST, gone: [aUser('p0', 'student')] });
	expect(actionsOf(await nights.preview(leaver))).toEqual(['remove b:school-1|c2026|p0|student']);
});

test('nor do they in December, when it is next year’s classes that have errors', async () => {
	const nights = await Nights.after(school(2026, 2027), KEEP);
	const people = IDS.slice(1).flatMap((id) => [aUser(id, 'student'), aBond(id, 'c2027')]);
	const export_ = rosterOf([...people, aUser('p0', 'student')], { faulty: [aClass('c2027')] });
	expect(actionsOf(await nights.preview(export_, { asOf: '2026-12-20' }))).toEqual([
		'remove b:school-1|c2027|p0|student',
	]);
});

test('With next year’s classes there, who leaves a class of this year by a list leaves it', async () => {
	const ofOther = [
		aClass('d2026', 'school-1', { year: 2026 }),
		...IDS.slice(0, 10).map((id) => aBond(id, 'd2026')),
	];
	const nights = await Nights.after([...school(2026, 2027), ...ofOther], KEEP);
	const leaver = rosterOf([], { ...LIST, gone: [aClass('d2026'), aBond('p0', 'd2026')] });
	expect(actionsOf(await nights.preview(leaver, { asOf: '2026-11-27' }))).toEqual([
		'remove b:school-1|d2026|p0|student',
	]);
});

test('On a night of which no class of this year can be used, what is kept of earlier years stays', async () => {
	const nights = await Nights.after(school(2025, 2026), KEEP);
	const people = IDS.slice(1).flatMap((id) => [aUser(id, 'student'), aBond(id, 'c2026')]);
	const export_ = rosterOf(people, { faulty: [aClass('c2026')] });
	expect(actionsOf(await nights.preview(export_))).toEqual(['remove b:school-1|c2026|p0|student']);
});

test('At the turn of the year, when all classes of the new year have an error, who graduated keeps the bond of the year before', async () => {
	const ids = (letter: string, count: number) => Array.from({ length: count }, (_, n) => `${letter}${n}`);
	const [stay, graduates] = [ids('p', 100), ids('g', 8)];
	const year2026 = [
		aClass('c2026', 'school-1', { year: 2026 }),
		aClass('last2026', 'school-1', { year: 2026 }),
		...[...stay, ...graduates].map((id) => aUser(id, 'student')),
		...stay.map((id) => aBond(id, 'c2026')),
		...graduates.map((id) => aBond(id, 'last2026')),
	];
	const nights = await Nights.after(year2026, { keepPastYears: true });
	// The grade of the new classes has no row in the mapping yet.
	const people = stay.flatMap((id) => [aUser(id, 'student'), aBond(id, 'c2027')]);
	const export_ = rosterOf(people, { faulty: [aClass('c2027', 'school-1', { year: 2027 })] });
	const plan = await nights.preview(export_, { asOf: '2027-01-20' });
	expect([actionsOf(plan), plan.holds.map(({ reason }) => reason)]).toEqual([[], []]);
});
