/** Somebody has put a pupil into the new class by hand; as the options stand, the service's 409 is a refusal. */
import { Nights } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, FAMILY } from '../world.mts';

const BOND = 'b:school-1|c2|s1|student';
const moved = FAMILY.map((record) =>
	record.kind === 'bond' && record.fields.user_external_id === 's1' ? aBond('s1', 'c2') : record,
);

test('A bond that the service has already is told with what to do first, and the old class goes as soon as that is done', async () => {
	const service = new Service('refuses');
	const nights = await Nights.after(FAMILY, { statuses: { existsStatuses: [] } }, service);
	service.there.set(BOND, 1);
	await nights.sync(moved);
	nights.pass();
	await nights.sync(moved);
	const [told] = nights.telling?.attention.filter(({ key }) => key === BOND) ?? [];
	expect(told.what_to_do).toMatch(
		/^If the service has it already, run the operation Resolve with b:school-1\|c2\|s1\|student and "inService"\. /,
	);
	await nights.resolve(BOND, 'inService');
	nights.pass();
	await nights.sync(moved);
	expect(service.all().filter((key) => key.startsWith('b:') && key.includes('|s1|'))).toEqual([BOND]);
	expect(nights.telling?.attention).toEqual([]);
});
