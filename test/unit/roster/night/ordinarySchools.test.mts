/** Classes that the service refuses for a reason of their own, in schools whose ledger is in order: new pupils come (rule 6). */
import { Nights } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aUser } from '../world.mts';

const several = <Record,>(count: number, make: (place: number) => Record) =>
	Array.from({ length: count }, (_, place) => make(place));

/** Classes with ten pupils each. */
const sound = (count: number) => [
	...several(count, (n) => aClass(`c${n}`)),
	...several(count * 10, (n) => [aUser(`p${n}`, 'student'), aBond(`p${n}`, `c${n % count}`)]).flat(),
];
const refused = (count: number, year: number) => several(count, (n) => aClass(`x${n}`, 'school-1', { year }));
const zoe = (of: string) => [aUser('zoe', 'student'), aBond('zoe', of)];

/** Refuses classes whose id begins with x. */
function refusing(service: Service): Service {
	service.fault = (_action, body) => (String(body.external_id).startsWith('x') ? 422 : undefined);
	return service;
}
const hasZoe = ({ service }: Nights) => service.all().filter((key) => key.includes('zoe')).length === 2;

test('More classes of next year than of this year are refused: a new pupil of this year comes', async () => {
	const nights = await Nights.after(sound(10), {}, refusing(new Service('accepts')));
	await nights.approveAll(await nights.sync([...sound(10), ...refused(11, 2027)]));
	nights.pass();
	await nights.sync([...sound(10), ...refused(11, 2027), ...zoe('c0')]);
	expect(hasZoe(nights)).toBe(true);
});

test('More new classes are refused than a school has: a new pupil of one that is there comes', async () => {
	const nights = await Nights.after(sound(5), {}, refusing(new Service('accepts')));
	await nights.sync([...sound(5), ...refused(7, 2026), ...zoe('c0')]);
	expect(hasZoe(nights)).toBe(true);
});

test('All classes of one school are refused: the first pupil of another, of which the ledger has a class and another is refused, comes', async () => {
	const other = aClass('b1', 'school-2');
	const classes = [other, aClass('x-b', 'school-2'), ...refused(6, 2026)];
	const nights = await Nights.after([other], {}, refusing(new Service('accepts')));
	await nights.sync(classes);
	nights.pass();
	const pupil = [aUser('zoe', 'student', 'school-2'), aBond('zoe', 'b1', 'student', 'school-2')];
	await nights.sync([...classes, ...pupil]);
	expect(hasZoe(nights)).toBe(true);
});

test('The answers to most new classes of a school are lost, which says nothing of its ledger: a new pupil comes the same night', async () => {
	const nights = await Nights.after([aClass('c0')], {}, new Service('accepts'));
	nights.service.fault = (_action, body) => (String(body.external_id).startsWith('x') ? 504 : undefined);
	await nights.sync([aClass('c0'), ...refused(6, 2026), ...zoe('c0')]);
	expect(hasZoe(nights)).toBe(true);
});

test('In a new year most classes are refused, those of last year have left the export: a new pupil of a sound class comes', async () => {
	const nights = await Nights.after(sound(10), {}, refusing(new Service('accepts')));
	const classes = [...refused(6, 2027), ...several(4, (n) => aClass(`n${n}`, 'school-1', { year: 2027 }))];
	const people = several(100, (n) => [aUser(`p${n}`, 'student'), aBond(`p${n}`, `n${n % 4}`)]).flat();
	for (let night = 0; night < 3; night++) {
		const roster = [...classes, ...people, ...zoe('n0')];
		await nights.approveAll(await nights.sync(roster, { asOf: '2027-02-01' }));
		nights.pass();
	}
	expect(hasZoe(nights)).toBe(true);
});

describe('Most classes of a new school are refused for good, the others are created', () => {
	async function afterFirst() {
		const nights = new Nights(refusing(new Service('accepts')));
		const school = [...sound(5), ...refused(7, 2026)];
		await nights.approveAll(await nights.sync(school));
		await nights.sync(school);
		nights.pass();
		return { nights, school };
	}
	const users = ({ service }: Nights) => service.all().filter((key) => key.startsWith('u:')).length;

	test('its pupils wait, since the ledger may be lost, and it is told how that ends', async () => {
		const { nights, school } = await afterFirst();
		for (let sync = 0; sync < 2; sync++) await nights.sync(school);
		expect(users(nights)).toBe(0);
		expect(nights.attention('refusedAlike')).toMatchObject([
			{ what_to_do: expect.stringMatching(/does not have.*"notInService"/) },
		]);
	});

	test('and come when a person has said of those that are refused that the service does not have them, though they are refused again', async () => {
		const { nights, school } = await afterFirst();
		for (let n = 0; n < 7; n++) await nights.resolve(`c:school-1|x${n}`, 'notInService');
		for (let night = 0; night < 2; night++) {
			await nights.approveAll(await nights.sync(school));
			nights.pass();
		}
		expect(users(nights)).toBe(50);
	});
});
