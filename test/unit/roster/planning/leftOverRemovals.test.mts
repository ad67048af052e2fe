/** A removal that was not done is done again, also where the exports that follow hold only what has changed. */
import { Nights } from '../night.mts';
import { Service, type Fault } from '../service.mts';
import { aBond, aClass, aSchool, CHANGES, FAMILY, isBond, rosterOf } from '../world.mts';

const BOND = 'b:school-1|c1|s1|student';
const OLD = aBond('s1', 'c1');
const NOTHING = rosterOf([], { completeness: CHANGES });
const LEAVES = rosterOf([], { completeness: CHANGES, gone: [OLD] });

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

test.each(FAULTS)('by the next export of changes, which does not hold it any more (%s)', async (fault) => {
	const nights = await failing(fault);
	expect((await nights.sync(NOTHING)).told).toEqual([`remove ${BOND} removed`]);
	expect(nights.service.there.has(BOND)).toBe(false);
	expect((await nights.sync(NOTHING)).told).toEqual([]);
});

test('by an export that says nothing of bonds', async () => {
	const nights = await failing(500);
	const silent = rosterOf([], { completeness: { ...CHANGES, bond: 'silent' } });
	expect((await nights.sync(silent)).told).toEqual([`remove ${BOND} removed`]);
});

test.each(FAULTS)('unless the next export brings the bond again (%s)', async (fault) => {
	const nights = await failing(fault);
	const { told } = await nights.sync(rosterOf([OLD], { completeness: CHANGES }));
	expect(told.filter((text) => text.startsWith('remove'))).toEqual([]);
	expect(nights.service.there.has(BOND)).toBe(true);
	expect((await nights.sync(NOTHING)).told).toEqual([]);
});

test('unless the bond is wanted again, and could not be created', async () => {
	const nights = await failing(500);
	nights.service.fault = () => 422;
	await nights.sync(rosterOf([OLD], { completeness: CHANGES }));
	nights.service.fault = () => undefined;
	nights.pass();
	expect((await nights.sync(NOTHING)).told).toEqual([]);
	expect(nights.service.there.has(BOND)).toBe(true);
});

test('a creation that is uncertain is never removed for lack of a word about it', async () => {
	const nights = await Nights.after(FAMILY);
	nights.service.fault = () => 'answer lost';
	await nights.sync(rosterOf([aBond('s1', 'c2')], { completeness: CHANGES }));
	nights.service.fault = () => undefined;
	expect((await nights.sync(NOTHING)).told).toEqual([]);
});

test('whoever moves keeps the old bond while the new one could not be made', async () => {
	const nights = await Nights.after(FAMILY);
	nights.service.fault = (action) => (action === 'create' ? 422 : undefined);
	const moves = rosterOf([aBond('s1', 'c2')], { completeness: CHANGES, gone: [OLD] });
	expect((await nights.sync(moves)).told).toContain(`remove ${BOND} blocked`);
	nights.service.fault = () => undefined;
	nights.pass();
	expect((await nights.sync(NOTHING)).told).toEqual([]);
	expect((await nights.sync(moves)).told).toEqual([
		'create b:school-1|c2|s1|student applied',
		`remove ${BOND} removed`,
	]);
});

test('whoever is moved on after a new class was refused leaves the old one when the next one is there', async () => {
	const nights = await Nights.after([...FAMILY, aClass('c3'), aBond('s1', 'c3', 'monitor')]);
	nights.service.fault = (action, { class_external_id: id }) =>
		action === 'create' && id === 'c2' ? 422 : undefined;
	const delta = { completeness: CHANGES };
	await nights.sync(rosterOf([aBond('s1', 'c2')], { ...delta, gone: [OLD] }));
	nights.pass();
	// Trap: another bond, which was there before, is none to which the pupil moves.
	expect((await nights.sync(NOTHING)).told).toEqual([]);
	await nights.sync(rosterOf([aBond('s1', 'c3')], { ...delta, gone: [aBond('s1', 'c2')] }));
	nights.pass();
	expect((await nights.sync(NOTHING)).told).toEqual([`remove ${BOND} removed`]);
});

test('one that was not sent, since the service was in trouble, goes with the next export', async () => {
	const many = aSchool('school-1', 1, 150);
	const nights = await Nights.after(many, { holdRemovalsPercent: 100 });
	const gone = many.filter(isBond).slice(0, 140);
	nights.service.fault = () => 503;
	const { told } = await nights.sync(rosterOf([], { completeness: CHANGES, gone }));
	expect(told.some((text) => text.endsWith('not tried'))).toBe(true);
	nights.service.fault = () => undefined;
	const after = (await nights.sync(NOTHING)).told;
	expect(after.filter((text) => text.endsWith(' removed'))).toHaveLength(gone.length);
	expect(nights.service.all().filter((key) => key.startsWith('b:'))).toHaveLength(10);
});
