/** A class that somebody keeps makes a removal a smaller loss: one that is itself going, or was only missing for a while, is no such class. */
import { Nights, type Ended } from '../night.mts';
import { aBond, aClass, aSchool, aUser } from '../world.mts';

const PUPILS = Array.from({ length: 40 }, (_, at) => `p${at}`);
const SCHOOL = [
	...aSchool('school-1', 10, 25),
	...[aClass('5A'), aClass('choir')],
	...PUPILS.map((id) => aUser(id, 'student')),
];
const of5A = PUPILS.map((id) => aBond(id, '5A'));
const ofChoir = PUPILS.map((id) => aBond(id, 'choir'));
const FEW = ofChoir.slice(0, 12);

/** Months after the first night. */
async function monthsAfter(
	records: Parameters<typeof Nights.after>[0],
	options: Parameters<typeof Nights.after>[1] = {},
): Promise<Nights> {
	const nights = await Nights.after(records, options);
	nights.pass(60);
	return nights;
}

const heldIn = ({ plan }: Ended) => plan.holds.map(({ changes }) => changes.length);
const left = ({ told }: Ended, ofClass: string) =>
	told.filter((text) => text.startsWith(`remove b:school-1|${ofClass}|`) && text.endsWith(' removed')).length;

test('A class that all leave is held although they are in another one, which they leave with an approval tonight', async () => {
	const nights = await monthsAfter([...SCHOOL, ...of5A, ...FEW]);
	await nights.approveAll(await nights.sync([...SCHOOL, ...FEW]));
	nights.pass();
	const night = await nights.sync(SCHOOL);
	expect([left(night, '5A'), left(night, 'choir'), heldIn(night)]).toEqual([40, 0, [12]]);
	expect(night.plan.holds[0].reason).toContain('class choir: 12 of 12 leave, and go to no other class');
});

describe('A class whose removals the service has refused', () => {
	async function refused(): Promise<Nights> {
		const nights = await monthsAfter([...SCHOOL, ...of5A, ...ofChoir]);
		await nights.approveAll(await nights.sync([...SCHOOL, ...ofChoir]));
		nights.service.fault = (action) => (action === 'remove' ? 422 : undefined);
		await nights.sync([...SCHOOL, ...ofChoir]);
		nights.service.fault = () => undefined;
		return nights;
	}

	test.each([1, 2])('is none that has come in the place of another, %i nights later', async (days) => {
		const nights = await refused();
		nights.pass(days);
		const night = await nights.sync(SCHOOL);
		expect([left(night, 'choir'), heldIn(night)]).toEqual([0, [40]]);
	});

	test('is none when it is back in the export, on the same night or before', async () => {
		for (const isBackBefore of [false, true]) {
			const nights = await refused();
			nights.pass();
			if (isBackBefore) await nights.sync([...SCHOOL, ...of5A, ...ofChoir]);
			nights.pass();
			expect(heldIn(await nights.sync([...SCHOOL, ...of5A]))).toEqual([40]);
		}
	});
});

test('A class whose removals are uncertain, and that is wanted again, is none that has come in the place of another', async () => {
	const nights = await monthsAfter([...SCHOOL, ...of5A, ...ofChoir]);
	nights.service.fault = (action) => (action === 'remove' ? 'answer lost' : undefined);
	await nights.sync([...SCHOOL, ...ofChoir], { holdRemovalsPercent: 100 });
	nights.service.fault = () => undefined;
	nights.pass();
	const night = await nights.sync([...SCHOOL, ...of5A]);
	expect([left(night, 'choir'), heldIn(night)]).toEqual([0, [40]]);
});

describe('With days of grace', () => {
	const grace = { gracePeriodDays: 3 };

	test('a class that was missing for one night is none that has come in the place of the one missing since', async () => {
		const nights = await monthsAfter([...SCHOOL, ...of5A, ...ofChoir], grace);
		await nights.sync([...SCHOOL, ...ofChoir]);
		for (let day = 1; day <= 4; day++) {
			nights.pass();
			const night = await nights.sync([...SCHOOL, ...of5A]);
			expect([left(night, 'choir'), heldIn(night)]).toEqual([0, day < 4 ? [] : [40]]);
		}
	});

	test('a class that is missing too keeps nobody, since its first night', async () => {
		const nights = await monthsAfter([...SCHOOL, ...of5A, ...FEW], grace);
		await nights.sync([...SCHOOL, ...of5A]);
		nights.pass(3);
		const night = await nights.sync(SCHOOL);
		expect([left(night, 'choir'), heldIn(night)]).toEqual([0, [12]]);
	});

	test('who is given another class meanwhile goes on', async () => {
		const nights = await monthsAfter([...SCHOOL, ...of5A], grace);
		const moved = [...SCHOOL, ...ofChoir];
		await nights.sync(moved);
		nights.pass(3);
		const night = await nights.sync(moved);
		expect([left(night, '5A'), heldIn(night)]).toEqual([40, []]);
	});
});
