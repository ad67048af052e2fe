/** A removal that was sent and not done is done again while a whole roster lacks the bond. A list that comes once says itself who leaves. */
import { Nights } from '../night.mts';
import { Service, type Fault } from '../service.mts';
import { aBond, FAMILY, LIST, PARTIAL, rosterOf } from '../world.mts';

const BOND = 'b:school-1|c1|s1|student';
const OLD = aBond('s1', 'c1');
const NOTHING = rosterOf([], LIST);
const LEAVES = rosterOf([], { ...LIST, gone: [OLD] });
const WITHOUT = rosterOf(FAMILY.filter((record) => record.fields.user_external_id !== 's1'));

/** Nights behind the first, in which the service answers the removal of a bond so once. */
async function failing(fault: Fault, roster = LEAVES): Promise<Nights> {
	const nights = await Nights.after(FAMILY, {}, new Service('refuses'));
	nights.service.fault = (action) => (action === 'remove' ? fault : undefined);
	expect((await nights.sync(roster)).told).not.toEqual([`remove ${BOND} removed`]);
	nights.service.fault = () => undefined;
	nights.pass();
	return nights;
}

const FAULTS: Fault[] = [500, 422, 'never arrives'];

describe.each(FAULTS)('Where the service has answered so (%s),', (fault) => {
	test('the next whole roster that lacks the bond has it removed', async () => {
		const nights = await failing(fault, WITHOUT);
		expect((await nights.sync(WITHOUT)).told).toEqual([`remove ${BOND} removed`]);
		expect((await nights.sync(WITHOUT)).told).toEqual([]);
	});

	test('a list has to be sent again, which is said', async () => {
		const nights = await failing(fault);
		const said = nights.telling?.attention.find(({ key }) => key === BOND);
		expect(said?.what_to_do).toContain('start Sync again with this same roster');
		expect((await nights.sync(LEAVES)).told).toEqual([`remove ${BOND} removed`]);
		expect(nights.service.there.has(BOND)).toBe(false);
	});

	test('a list that does not name the bond any more leaves it, and what nobody knows of is told again', async () => {
		const nights = await failing(fault);
		const isUnknown = (await nights.ledger()).entries.get(BOND)?.there === 'maybe';
		const { told, plan } = await nights.sync(NOTHING);
		expect([told, plan.counts.all().bond.uncertain ?? 0]).toEqual([[], isUnknown ? 1 : 0]);
		expect(nights.attention('uncertain').map(({ key }) => key)).toEqual(isUnknown ? [BOND] : []);
	});

	test('nobody loses a class on a night of which absence says nothing', async () => {
		const nights = await failing(fault, WITHOUT);
		for (const roster of [NOTHING, rosterOf(FAMILY.slice(0, 5), { completeness: PARTIAL })]) {
			expect((await nights.sync(roster)).told).toEqual([]);
			nights.pass();
		}
		expect(nights.service.there.has(BOND)).toBe(true);
	});

	test('the bond stays when the next roster has it', async () => {
		const nights = await failing(fault);
		const { told } = await nights.sync(rosterOf([OLD], LIST));
		expect(told.filter((text) => text.startsWith('remove'))).toEqual([]);
		expect(nights.service.there.has(BOND)).toBe(true);
		expect((await nights.sync(NOTHING)).told).toEqual([]);
	});
});

test('of a removal that was lost, the next list says that it was one, and how it comes to be done', async () => {
	const nights = await failing('never arrives');
	await nights.sync(NOTHING);
	const [item] = nights.attention('uncertain');
	expect(item).toMatchObject({ severity: 'warning', kind: 'bond', action: 'remove', key: BOND, count: 1 });
	expect(item.message).toMatch(/^The removal of a bond /);
	expect(item.what_to_do).toMatch(/remove it .*by hand.* list .*"notInService"/);
	expect(item.what_to_do).not.toMatch(/Adopt|"inService"/);
	await nights.sync(LEAVES);
	expect(nights.service.there.has(BOND)).toBe(false);
	await nights.sync(NOTHING);
	expect(nights.attention('uncertain')).toEqual([]);
});

test('of a removal that was lost and a person has done by hand, "notInService" is the last word', async () => {
	const nights = await failing('never arrives');
	nights.service.there.delete(BOND);
	await nights.resolve(BOND, 'notInService');
	expect((await nights.sync(NOTHING)).told).toEqual([]);
	expect(nights.attention('uncertain')).toEqual([]);
});

test('a removal and a creation of which nobody knows are two causes, with their own advice', async () => {
	const nights = await failing('never arrives');
	nights.service.fault = () => 'answer lost';
	const OTHER = aBond('s1', 'c2');
	await nights.sync(rosterOf([OTHER], LIST));
	nights.service.fault = () => undefined;
	await nights.sync(rosterOf([OTHER], LIST));
	const causes = nights.telling?.causes.filter(({ code }) => code === 'uncertain');
	expect(causes?.map(({ action, count }) => [action, count])).toEqual([
		[undefined, 1],
		['remove', 1],
	]);
});

test('a creation that is uncertain is never removed for lack of a word about it', async () => {
	const nights = await Nights.after(FAMILY);
	nights.service.fault = () => 'answer lost';
	await nights.sync(rosterOf([aBond('s1', 'c2')], LIST));
	nights.service.fault = () => undefined;
	expect((await nights.sync(NOTHING)).told).toEqual([]);
});

test('whoever moves keeps the old bond while the new one could not be made', async () => {
	const nights = await Nights.after(FAMILY);
	nights.service.fault = (action) => (action === 'create' ? 422 : undefined);
	const moves = rosterOf([aBond('s1', 'c2')], { ...LIST, gone: [OLD] });
	expect((await nights.sync(moves)).told).toContain(`remove ${BOND} blocked`);
	nights.service.fault = () => undefined;
	nights.pass();
	expect((await nights.sync(NOTHING)).told).toEqual([]);
});
