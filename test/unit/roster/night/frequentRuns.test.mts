/** Sync every half hour: most runs have the roster of the one before. */
import { Nights } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aSchool, aStudent, aUser } from '../world.mts';

const older = aSchool('school-1', 10, 30);
const newer = [
	...older,
	...Array.from({ length: 25 }, (_, n) => [
		aUser(`new${n}-r`, 'responsible', 'school-1'),
		aStudent(`new${n}`, [`new${n}-r`], 'school-1'),
		aBond(`new${n}`, `school-1-c${(n % 10) + 1}`, 'student', 'school-1'),
	]).flat(),
];

test('After a day of runs with one roster, that of the night before is still known as an older one, and held', async () => {
	const nights = await Nights.after(older, {}, new Service());
	for (let run = 0; run < 61; run++) {
		await nights.approveAll(await nights.sync(newer));
		nights.time.now += 30 * 60_000;
	}
	const { plan, told } = await nights.sync(older);
	expect(plan.holds.map(({ reason }) => reason)).toEqual([
		'This roster is that of an earlier night, and not of the last one',
	]);
	expect(told.filter((one) => one.endsWith('removed'))).toEqual([]);
});
