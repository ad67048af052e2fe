/** What a hold of the network holds waits for its approval, night after night, whatever becomes of one of its schools (rule 6). */
import { Nights, type Ended } from '../night.mts';
import type { FileRead } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { aBond, aClass, aUser, isBond, LIST, rosterOf } from '../world.mts';

const pupils = (school: string, name: string, count: number, ofClass = 'c') =>
	Array.from({ length: count }, (_, place) => [
		aUser(`${name}${place}`, 'student', school),
		aBond(`${name}${place}`, ofClass, 'student', school),
	]).flat();

/** A has 100 pupils, 25 of them in a class of their own; B has 400. */
const [A_CLASSES, LAST_OF_A] = [[aClass('c', 'A'), aClass('d', 'A')], pupils('A', 'z', 25, 'd')];
const REST = [...A_CLASSES, ...pupils('A', 's', 75), aClass('c', 'B'), ...pupils('B', 's', 400)];
const NETWORK = [...REST, ...LAST_OF_A];
const fresh = (inA: number, inB: number) => [...pupils('A', 'new', inA), ...pupils('B', 'new', inB)];

/** The first pupils of each school are gone. */
const without = (inA: number, inB: number) => {
	const isGone = (school: unknown, user: unknown) =>
		Number(/^s(\d+)$/.exec(String(user))?.[1]) < (school === 'A' ? inA : inB);
	return NETWORK.filter(
		(one) => !(isBond(one) && isGone(one.fields.school_external_id, one.fields.user_external_id)),
	);
};

const holdsOf = ({ plan }: Ended, action: string) =>
	plan.holds.filter(({ changes }) => changes[0].action === action);
const schoolsOf = (night: Ended, action: string) =>
	holdsOf(night, action).map(({ school_external_id: school }) => school);
const created = ({ told }: Ended) => told.filter((one) => one.startsWith('create'));

async function longAgo(): Promise<Nights> {
	const nights = await Nights.after(NETWORK);
	nights.pass(10);
	return nights;
}

describe('Of new pupils of two schools that are held together, nobody is created', () => {
	test('on any night: it is the same hold until it is approved, and one approval lets all go', async () => {
		const nights = await longAgo();
		const roster = [...NETWORK, ...fresh(30, 25)];
		const [{ hold_id: id }] = holdsOf(await nights.sync(roster), 'create');
		for (let night = 0; night < 3; night++) {
			nights.pass();
			const again = await nights.sync(roster);
			expect([again.told, holdsOf(again, 'create').map(({ hold_id }) => hold_id)]).toEqual([[], [id]]);
		}
		await nights.approve(id);
		expect(created(await nights.sync(roster))).toHaveLength(110);
	});

	test('where people leave one of the schools too, and are held by themselves', async () => {
		const nights = await longAgo();
		const roster = [...REST, ...fresh(30, 25)];
		for (let night = 0; night < 3; night++) {
			const ended = await nights.sync(roster);
			expect([created(ended), schoolsOf(ended, 'create')]).toEqual([[], ['']]);
			nights.pass();
		}
	});

	test('where those of one school become so many that they are held by themselves', async () => {
		const nights = await longAgo();
		await nights.sync([...NETWORK, ...fresh(30, 25)]);
		for (let night = 0; night < 2; night++) {
			nights.pass();
			const ended = await nights.sync([...NETWORK, ...fresh(55, 25)]);
			expect([ended.told, schoolsOf(ended, 'create')]).toEqual([[], ['']]);
		}
	});

	test('while a few that come to the other school alone go on as usual', async () => {
		const nights = await longAgo();
		await nights.sync([...NETWORK, ...fresh(55, 0)]);
		nights.pass();
		const ended = await nights.sync([...NETWORK, ...fresh(55, 25)]);
		expect([created(ended).length, schoolsOf(ended, 'create')]).toEqual([50, ['A']]);
	});
});

test('Of pupils who leave two schools and are held together nobody goes when those of one are so many that they are held by themselves', async () => {
	const nights = await longAgo();
	expect(schoolsOf(await nights.sync(without(15, 10)), 'remove')).toEqual(['']);
	for (let night = 0; night < 2; night++) {
		nights.pass();
		const ended = await nights.sync(without(25, 10));
		expect([ended.told, schoolsOf(ended, 'remove')]).toEqual([[], ['']]);
	}
});

describe('Nor does anybody go when another run comes between:', () => {
	const removed = ({ told }: Ended) => told.filter((one) => one.startsWith('remove'));
	const FILES: FileRead[] = ['users.csv', 'enrollments.csv'].map((name) => ({ name, rows: 1, sha256: '' }));
	const export_ = (inA: number, files = FILES) => rosterOf(without(inA, 10), { files });

	test.each<[string, (nights: Nights) => Promise<Ended>]>([
		[
			'a list of one new pupil',
			async (nights) =>
				await nights.sync(rosterOf([aUser('zoe', 'student', 'A'), aBond('zoe', 'c', 'student', 'A')], LIST)),
		],
		[
			'one of another school of the same ledger',
			async (nights) => await nights.sync([aClass('c', 'Z'), ...pupils('Z', 's', 3)], { onlySchools: ['Z'] }),
		],
		['a night of which a file is missing', async (nights) => await nights.sync(export_(15, FILES.slice(1)))],
	])('%s', async (_what, between) => {
		const nights = await Nights.after(rosterOf(NETWORK, { files: FILES }));
		nights.pass(10);
		expect(schoolsOf(await nights.sync(export_(15)), 'remove')).toEqual(['']);
		nights.pass();
		await between(nights);
		nights.pass();
		expect(removed(await nights.sync(export_(25)))).toEqual([]);
	});
});

test('A mistake of long ago that was corrected, and that nobody has approved, holds nobody who leaves another school today', async () => {
	const nights = await Nights.after(NETWORK);
	await nights.sync(without(50, 200));
	nights.pass();
	await nights.sync(NETWORK);
	nights.pass(60);
	const ended = await nights.sync(without(25, 4));
	expect(schoolsOf(ended, 'remove')).toEqual(['A']);
	expect(ended.told.filter((text) => text.startsWith('remove b:B|'))).toHaveLength(4);
});
