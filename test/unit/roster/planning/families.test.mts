/** A school of 500 families over the years: every year some leave and some come; and one night all ids are others. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import { Nights } from '../night.mts';
import { aBond, aClass, aStudent, aUser } from '../world.mts';

const FAMILIES = 500;
const LEAVE_EACH_YEAR = 50;
const CLASSES = 20;

/** The families of a year, each with a mother, of whom only the name is known, and a child. */
function school(year: number, idOf: (id: string) => string = (id) => id): RosterRecord[] {
	const first = (year - 2026) * LEAVE_EACH_YEAR;
	const classId = (place: number) => `${year}-${place % CLASSES}`;
	return [
		...Array.from({ length: CLASSES }, (_, place) => aClass(classId(place), 'school-1', { year })),
		...Array.from({ length: FAMILIES }, (_, place) => {
			const number = first + place;
			const [mother, child] = [idOf(`m${number}`), idOf(`p${number}`)];
			const birth_date = `2015-03-${String((number % 28) + 1).padStart(2, '0')}`;
			return [
				aUser(mother, 'responsible', 'school-1', { last_name: `Lima ${number}` }),
				aStudent(child, [mother], 'school-1', { last_name: `Lima ${number}`, birth_date }),
				aBond(child, classId(place)),
			];
		}).flat(),
	];
}

/** A school that has lived until this year, with a person who approved each new one. */
async function until(year: number): Promise<Nights> {
	const nights = await Nights.after(school(2026));
	for (let next = 2027; next <= year; next++) {
		nights.pass(365);
		await nights.approveAll(await nights.sync(school(next)));
		await nights.sync(school(next));
		nights.pass();
		expect(await nights.sync(school(next))).toMatchObject({ told: [], plan: { holds: [] } });
	}
	return nights;
}

describe.each([2029, 2034])('In %i', (year) => {
	let nights: Nights;
	beforeAll(async () => (nights = await until(year)));

	test('all ids are others: nobody is created twice and nobody leaves, on the first night and on the next ones', async () => {
		const [there, before] = [nights.service.all(), nights.service.requests.length];
		const others = school(year, (id) => `new-${id}`);
		for (let night = 0; night < 3; night++) {
			const { told, plan } = await nights.sync(others);
			expect([told, plan.counts.all().user.error]).toEqual([[], FAMILIES]);
			expect(plan.findings.filter(({ code }) => code === 'personTwice')).toHaveLength(FAMILIES);
			const held = plan.holds.flatMap(({ changes }) => changes);
			expect(held.filter(({ action }) => action === 'create')).toHaveLength(FAMILIES);
			// Who only seems to have another id stays under the one of before.
			expect(held.filter(({ action }) => action === 'remove')).toEqual([]);
			nights.pass();
		}
		expect([nights.service.all(), nights.service.requests.length]).toEqual([there, before]);
	});

	test('with the ids of before nothing is different: nothing is sent, and nothing is held', async () => {
		expect(await nights.sync(school(year))).toMatchObject({ told: [], plan: { holds: [] } });
	});

	test('who comes back after years, with the id of then, is the same one: only the bond is new', async () => {
		const back = [
			...school(year),
			aUser('m0', 'responsible', 'school-1', { last_name: 'Lima 0' }),
			aStudent('p0', ['m0'], 'school-1', { last_name: 'Lima 0', birth_date: '2015-03-01' }),
			aBond('p0', `${year}-0`),
		];
		const { changes } = await nights.preview(back);
		expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual([
			`create b:school-1|${year}-0|p0|student`,
		]);
	});
});
