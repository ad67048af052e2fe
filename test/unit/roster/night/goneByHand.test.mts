/** Somebody whom a person has removed in the service by hand, and who is in the roster again. */
import { copiesOf } from '../../../../nodes/SchoolPartnerRoster/night/compaction.ts';
import { Nights } from '../night.mts';
import { aBond, FAMILY } from '../world.mts';

const S1 = 'u:school-1|s1';
const C2 = 'c:school-1|c2';
const BOND = 'create b:school-1|c2|s1|student';
const BACK = [...FAMILY, aBond('s1', 'c2')];

/** A student who has left, was removed in the service, and has come back. */
async function back(): Promise<Nights> {
	const nights = await Nights.after([...FAMILY.filter(({ kind }) => kind !== 'bond'), FAMILY[6]]);
	nights.service.there.delete(S1);
	return nights;
}

test('The bond is refused although the ledger has its ends, and the item says so, with the keys for Resolve; a night later too', async () => {
	const nights = await back();
	const { sent } = await nights.sync([...FAMILY.slice(0, 5), FAMILY[6], aBond('s1', 'c2')]);
	expect(sent.done).toMatchObject([{ state: 'failed', change: { needs: [C2, S1] } }]);
	const { findings } = await nights.preview([...FAMILY.slice(0, 5), FAMILY[6], aBond('s1', 'c2')]);
	expect(findings).toMatchObject([
		{ code: 'refusedBefore', what_to_do: expect.stringContaining(`Resolve with ${C2} or ${S1}`) as string },
	]);
});

test('Resolved as not there, the user is created again, and the bonds the same night, those that were refused and those that were there', async () => {
	const nights = await Nights.after(FAMILY);
	for (const key of [S1, 'b:school-1|c1|s1|student']) nights.service.there.delete(key);
	expect((await nights.sync(BACK)).told).toEqual([`${BOND} failed`]);
	await nights.resolve(S1, 'notInService');
	expect((await nights.sync(BACK)).told).toEqual([
		`create ${S1} applied`,
		...['create b:school-1|c1|s1|student applied', `${BOND} applied`],
	]);
	expect(await nights.sync(BACK)).toMatchObject({ told: [], plan: { findings: [] } });
	expect(nights.service.doubles).toEqual([]);
});

test('The same of a class: it is created again, with everybody in it', async () => {
	const nights = await Nights.after(FAMILY);
	for (const key of nights.service.all()) if (key.includes('|c1')) nights.service.there.delete(key);
	await nights.resolve('c:school-1|c1', 'notInService');
	expect((await nights.sync(FAMILY)).told).toHaveLength(3);
});

/** A user who was gone is created again, and the run is ended before the bonds. */
async function endedBeforeTheBonds(): Promise<Nights> {
	const nights = await Nights.after(FAMILY);
	for (const key of [S1, 'b:school-1|c1|s1|student']) nights.service.there.delete(key);
	await nights.resolve(S1, 'notInService');
	const cancel = new AbortController();
	nights.service.fault = () => void cancel.abort();
	expect((await nights.sync(FAMILY, { cancel: cancel.signal })).told).toEqual([`create ${S1} applied`]);
	nights.service.fault = () => undefined;
	return nights;
}

test('A run that was ended between the user and the bonds leaves the bonds to the next one', async () => {
	const nights = await endedBeforeTheBonds();
	expect((await nights.sync(FAMILY)).told).toEqual(['create b:school-1|c1|s1|student applied']);
});

test('The same after the ledger has made itself short: what was said of the user still counts for the bonds', async () => {
	const nights = await endedBeforeTheBonds();
	const before = nights.rows().length;
	const nothing = { kind: 'run', key: 'run', run_id: 'r0-x', detail: '{}' };
	await nights.add(...Array.from({ length: 5_100 }, () => nothing));
	const unplanned = new Error('The service could not be asked');
	await expect(nights.run(FAMILY, {}, async () => await Promise.reject(unplanned))).rejects.toBe(unplanned);
	expect(nights.rows().length).toBeLessThan(before + 100);
	expect((await nights.sync(FAMILY)).told).toEqual(['create b:school-1|c1|s1|student applied']);
	const copies = copiesOf(await nights.ledger(), nights.time.now).map(({ row }) => row.kind);
	expect(copies).not.toContain('resolve');
});

test('The same of a student with the responsible person: the student is refused, the item names that person for Resolve, tonight and later, and then all come', async () => {
	const nights = await back();
	nights.service.there.delete('u:school-1|r1');
	await nights.sync(BACK);
	await nights.resolve(S1, 'notInService');
	const words = 'run the operation Resolve with u:school-1|r1 and "notInService"';
	await nights.sync(BACK);
	expect(nights.attention('failed').map(({ key, what_to_do }) => [key, what_to_do.includes(words)])).toEqual([
		[S1, true],
	]);
	const { findings } = await nights.preview(BACK);
	expect(findings).toMatchObject([
		{ code: 'refusedBefore', key: S1, what_to_do: expect.stringContaining(words) as string },
	]);
	await nights.resolve('u:school-1|r1', 'notInService');
	expect((await nights.sync(BACK)).told).toEqual([
		...['create u:school-1|r1 applied', `create ${S1} applied`],
		...['create b:school-1|c1|s1|student applied', `${BOND} applied`],
	]);
});
