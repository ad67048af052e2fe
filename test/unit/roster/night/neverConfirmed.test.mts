/** Accounts that never come, of a few users: after three nights each of them is somebody's to look at. */
import { Nights } from '../night.mts';
import { aBond, aClass, aUser } from '../world.mts';

const DAYS = 3;
const idsTo = (end: number) => Array.from({ length: end }, (_, index) => `s${index}`);
const aClassOf = (count: number) => [
	aClass('c1'),
	...idsTo(count).flatMap((id) => [aUser(id, 'student'), aBond(id, 'c1')]),
];

/** A network in which all accounts were seen, and now so many new ones that never come. */
async function withStuck(count: number): Promise<Nights> {
	const nights = await Nights.after(aClassOf(100), { confirmation: 'callback', holdCreationsFrom: 1_000 });
	nights.service.accountComesAfter = (id) => (Number(id.slice(1)) < 100 ? 0 : Infinity);
	await nights.sync(aClassOf(100 + count));
	nights.pass(DAYS);
	return nights;
}

const toldBy = (nights: Nights) =>
	nights.telling?.attention.map(({ severity, code, key, count }) => [severity, code, key, count]);

test.each([2, 50])('%i that never come are an error each after three nights', async (count) => {
	const nights = await withStuck(count);
	await nights.sync(aClassOf(100 + count));
	const keys = idsTo(100 + count)
		.slice(100)
		.map((id) => `u:school-1|${id}`);
	expect(toldBy(nights)).toEqual(keys.sort().map((key) => ['error', 'unconfirmed', key, 1]));
	expect(nights.attention('unconfirmed').every(({ blocks }) => blocks === 1)).toBe(true);
});

test('more than a night asks for are one cause: nobody has asked for each of them', async () => {
	const nights = await withStuck(51);
	await nights.sync(aClassOf(151));
	expect(toldBy(nights)?.[0]).toEqual(['error', 'mostUnconfirmed', 'u:school-1|s100', 51]);
});

test('who is new beside them is no error yet', async () => {
	const nights = await withStuck(2);
	await nights.sync(aClassOf(104));
	expect(toldBy(nights)).toEqual([
		['error', 'unconfirmed', 'u:school-1|s100', 1],
		['error', 'unconfirmed', 'u:school-1|s101', 1],
		['warning', 'mostUnconfirmed', 'u:school-1|s102', 2],
		['warning', 'waits', undefined, 2],
	]);
});
