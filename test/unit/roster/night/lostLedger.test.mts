/** A ledger was lost, and its first run was approved by mistake: the service refuses the classes that it has, and takes users a second time. Those wait. */
import { Nights } from '../night.mts';
import { Service, type Fault } from '../service.mts';
import { aBond, aClass, aUser } from '../world.mts';

const several = <Record,>(count: number, make: (place: number) => Record) =>
	Array.from({ length: count }, (_, place) => make(place));
const SCHOOL = [
	...several(40, (n) => aClass(`c${n}`)),
	...several(30, (n) => [aUser(`p${n}`, 'student'), aBond(`p${n}`, 'c1')]).flat(),
];

async function lost(status: number) {
	const service = new Service('accepts');
	const before = await Nights.after(SCHOOL, {}, service);
	expect(before.service.doubles).toEqual([]);
	const nights = new Nights(service);
	nights.time.now = before.time.now;
	service.fault = (_action, body) => ('educational_stage' in body ? status : undefined);
	await nights.approveAll(await nights.sync(SCHOOL));
	await nights.sync(SCHOOL);
	expect(service.doubles).toEqual([]);
	nights.pass();
	return nights;
}
const doubles = ({ service }: Nights) => service.doubles.filter((key) => key.startsWith('u:')).length;

describe.each([409, 422])(
	'Classes of a lost ledger that were refused (%i): no user is created a second time',
	(status) => {
		test.each<[string, Fault]>([
			['429', 429],
			['504', 504],
			['no answer', 'never arrives'],
		])('when they are due, and met with %s', async (_what, trouble) => {
			const nights = await lost(status);
			const changed = SCHOOL.map((one) =>
				one.kind === 'class' ? { ...one, fields: { ...one.fields, code: 'x' } } : one,
			);
			nights.service.fault = (_action, body) => ('educational_stage' in body ? trouble : undefined);
			await nights.sync(status === 409 ? changed : SCHOOL);
			expect(doubles(nights)).toBe(0);
			nights.service.fault = (_action, body) => ('educational_stage' in body ? status : undefined);
			for (let night = 0; night < 2; night++) {
				nights.pass();
				await nights.sync(status === 409 ? changed : SCHOOL);
			}
			expect(doubles(nights)).toBe(0);
		});
	},
);

test('when they are due, and the run is killed at any step: no user is created a second time', async () => {
	const red: number[] = [];
	for (let step = 8; step <= 40; step += 2) {
		const nights = await lost(422);
		await nights.run(SCHOOL, { troubles: [[step, { kind: 'kill' }]] });
		for (let night = 0; night < 2; night++) {
			nights.pass();
			await nights.sync(SCHOOL);
		}
		if (doubles(nights) > 0) red.push(step);
	}
	expect(red).toEqual([]);
});
