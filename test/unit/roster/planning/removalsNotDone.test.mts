/** A removal that was sent and not done is done again, also where the roster that follows does not say what is gone. */
import { Nights } from '../night.mts';
import { Service, type Fault } from '../service.mts';
import { aBond, FAMILY, PARTIAL, rosterOf } from '../world.mts';

const BOND = 'b:school-1|c1|s1|student';
const OLD = aBond('s1', 'c1');
const NOTHING = rosterOf([], { completeness: PARTIAL });
const LEAVES = rosterOf([], { completeness: PARTIAL, gone: [OLD] });

/** Nights behind the first, in which the service answers the removal of a bond so once. */
async function failing(fault: Fault): Promise<Nights> {
	const nights = await Nights.after(FAMILY, {}, new Service('refuses'));
	nights.service.fault = (action) => (action === 'remove' ? fault : undefined);
	expect((await nights.sync(LEAVES)).told).not.toEqual([`remove ${BOND} removed`]);
	nights.service.fault = () => undefined;
	nights.pass();
	return nights;
}

const FAULTS: Fault[] = [500, 422, 'never arrives'];

test.each(FAULTS)('by the next partial roster, which does not hold it any more (%s)', async (fault) => {
	const nights = await failing(fault);
	expect((await nights.sync(NOTHING)).told).toEqual([`remove ${BOND} removed`]);
	expect(nights.service.there.has(BOND)).toBe(false);
	expect((await nights.sync(NOTHING)).told).toEqual([]);
});

test('by a roster that says nothing of bonds', async () => {
	const nights = await failing(500);
	const silent = rosterOf([], { completeness: { ...PARTIAL, bond: 'silent' } });
	expect((await nights.sync(silent)).told).toEqual([`remove ${BOND} removed`]);
});

test.each(FAULTS)('unless the next roster brings the bond again (%s)', async (fault) => {
	const nights = await failing(fault);
	const { told } = await nights.sync(rosterOf([OLD], { completeness: PARTIAL }));
	expect(told.filter((text) => text.startsWith('remove'))).toEqual([]);
	expect(nights.service.there.has(BOND)).toBe(true);
	expect((await nights.sync(NOTHING)).told).toEqual([]);
});

test('a creation that is uncertain is never removed for lack of a word about it', async () => {
	const nights = await Nights.after(FAMILY);
	nights.service.fault = () => 'answer lost';
	await nights.sync(rosterOf([aBond('s1', 'c2')], { completeness: PARTIAL }));
	nights.service.fault = () => undefined;
	expect((await nights.sync(NOTHING)).told).toEqual([]);
});

test('whoever moves keeps the old bond while the new one could not be made', async () => {
	const nights = await Nights.after(FAMILY);
	nights.service.fault = (action) => (action === 'create' ? 422 : undefined);
	const moves = rosterOf([aBond('s1', 'c2')], { completeness: PARTIAL, gone: [OLD] });
	expect((await nights.sync(moves)).told).toContain(`remove ${BOND} blocked`);
	nights.service.fault = () => undefined;
	nights.pass();
	expect((await nights.sync(NOTHING)).told).toEqual([]);
});
