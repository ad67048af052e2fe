import { dayIn } from '../../../nodes/SchoolPartnerRoster/run/rosterInput.ts';

import { Nights } from './night.mts';
import { aSchool, FAMILY, isBond } from './world.mts';

test.each([
	['America/Sao_Paulo', '2027-03-01T02:00:00Z', '2027-02-28'],
	['America/Sao_Paulo', '2027-03-01T05:00:00Z', '2027-03-01'],
	['Pacific/Auckland', '2027-02-28T13:00:00Z', '2027-03-01'],
	['UTC', '2027-12-31T23:59:59Z', '2027-12-31'],
])('As Of is today where the workflow is: in %s at %s it is %s', (timeZone, now, day) => {
	expect(dayIn(timeZone, Date.parse(now))).toBe(day);
});

describe('Days are counted as they pass, whatever As Of says', () => {
	const BOND = 'b:school-1|c1|s1|student';
	const WITHOUT = FAMILY.filter((one) => !isBond(one) || one.fields.user_external_id !== 's1');

	test.each(['2026-01-01', '2029-12-01'])('of Grace Period, with As Of %s', async (asOf) => {
		const nights = await Nights.after(FAMILY, { gracePeriodDays: 3 });
		expect((await nights.sync(WITHOUT, { asOf })).told).toEqual([`note ${BOND} missing`]);
		for (let day = 1; day < 3; day++) {
			nights.pass();
			expect((await nights.sync(WITHOUT, { asOf })).told).toEqual([]);
		}
		nights.pass();
		expect((await nights.sync(WITHOUT, { asOf })).told).toEqual([`remove ${BOND} removed`]);
	});

	test.each([
		['noted first', 0],
		['noted before', 2],
	])(
		'of Grace Period, when the clock is behind in one night, of a bond that is %s',
		async (_what, nightsBefore) => {
			const nights = await Nights.after(FAMILY, { gracePeriodDays: 7 });
			for (let night = 0; night < nightsBefore; night++) {
				await nights.sync(WITHOUT);
				nights.pass();
			}
			await nights.sync(WITHOUT, { today: '2027-01-07' });
			nights.pass();
			expect((await nights.sync(WITHOUT)).told).toEqual([]);
			nights.pass(7);
			expect((await nights.sync(WITHOUT)).told).toEqual([`remove ${BOND} removed`]);
		},
	);

	test('of Grace Period, where a bond was noted as missing since a day that is still to come', async () => {
		const nights = await Nights.after(FAMILY, { gracePeriodDays: 3 });
		const { row } = (await nights.ledger()).entries.get(BOND)!;
		const { id: _id, ...cells } = row;
		await nights.add({ ...cells, sequence: '999999', state: 'missing', since: '2029-12-01' });
		expect((await nights.sync(WITHOUT)).told).toEqual([`note ${BOND} missing`]);
		nights.pass(2);
		expect((await nights.sync(WITHOUT)).told).toEqual([]);
		nights.pass();
		expect((await nights.sync(WITHOUT)).told).toEqual([`remove ${BOND} removed`]);
	});

	test.each(['2026-01-01', '2029-12-01'])('of a school that is away, with As Of %s', async (asOf) => {
		const [north, south] = [aSchool('north', 1, 2), aSchool('south', 1, 2)];
		const nights = await Nights.after([...north, ...south]);
		for (let day = 0; day < 7; day++) {
			expect((await nights.sync(north, { asOf })).plan.holds).toEqual([]);
			nights.pass();
		}
		expect((await nights.sync(north, { asOf })).plan.holds).toMatchObject([{ school_external_id: 'south' }]);
	});

	test('since which something is told', async () => {
		const nights = await Nights.after(FAMILY);
		await nights.sync(WITHOUT.slice(1), { asOf: '2026-01-01' });
		expect(nights.attention('classLeft')).toMatchObject([{ since: nights.today() }]);
	});
});
