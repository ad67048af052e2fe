/** A ledger was lost, and its first run was approved by mistake: the service refuses the classes that it has, and takes users a second time. Those wait. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights } from '../night.mts';
import { Service, type Fault } from '../service.mts';
import { aBond, aClass, aUser, LIST, rosterOf } from '../world.mts';

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

describe('Between two nights no user is created a second time', () => {
	const isClass = ({ kind }: RosterRecord) => kind === 'class';

	test('by a list that names no class, or one of them; and nobody waits when a person has resolved the classes', async () => {
		const nights = await lost(422);
		const users = SCHOOL.filter((one) => !isClass(one));
		for (const list of [users, [aClass('c1'), ...users]]) {
			await nights.sync(rosterOf(list, LIST));
			expect(doubles(nights)).toBe(0);
			expect(nights.attention('refusedAlike')).toMatchObject([
				{ count: 30, message: expect.stringMatching(/school school-1: its new users wait$/) },
			]);
		}
		for (const { fields } of SCHOOL.filter(isClass))
			await nights.resolve(`c:school-1|${String(fields.external_id)}`, 'notInService');
		const { told } = await nights.sync(rosterOf([aUser('zoe', 'student')], LIST));
		expect([told, nights.attention('refusedAlike')]).toEqual([['create u:school-1|zoe applied'], []]);
	});

	test.each<[string, number, RosterRecord[]]>([
		['no class of the school', 0, []],
		['all of them with errors', 0, SCHOOL.filter(isClass)],
		['some of them, and more that are new and have errors', 10, several(15, (n) => aClass(`new${n}`))],
	])('by an export that names %s', async (_what, sound, faulty) => {
		const nights = await lost(422);
		const users = SCHOOL.filter((one) => !isClass(one));
		await nights.sync(rosterOf([...SCHOOL.filter(isClass).slice(0, sound), ...users], { faulty }));
		expect(doubles(nights)).toBe(0);
	});
});
