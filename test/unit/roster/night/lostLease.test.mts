/** Somebody deletes the row that says who may send, to unlock the ledger or by mistake: the runs that follow go on from what the ledger knows. */
import { Service } from '../service.mts';
import { aBond, aUser, FAMILY } from '../world.mts';
import { Nights } from '../night.mts';

const isLease = ({ kind }: { kind: string }) => kind === 'lease';
const BOND = 'b:school-1|c1|t1|educator';

async function withoutLease(): Promise<Nights> {
	const nights = await Nights.after(FAMILY);
	// Runs with greater beats than a new lease would have.
	for (let night = 0; night < 5; night++) await nights.sync([...FAMILY, aBond('t1', 'c2', 'educator')]);
	await nights.sync(FAMILY);
	await nights.sync(FAMILY.slice(0, -1));
	expect((await nights.ledger()).entries.get(BOND)?.there).toBe('no');
	nights.table.remove(isLease);
	return nights;
}

test('A person looks first: a row is lost, and nobody knows what else', async () => {
	const nights = await withoutLease();
	const { told, plan } = await nights.sync(FAMILY);
	expect([told, plan.holds.map(({ reason }) => reason)]).toEqual([
		[],
		[expect.stringMatching(/^The ledger has lost 1 of \d+ rows$/)],
	]);
});

test('Then what is done is known as done, and not done once more', async () => {
	const nights = await withoutLease();
	await nights.approveAll(await nights.sync(FAMILY));
	expect((await nights.sync(FAMILY)).told).toEqual([`create ${BOND} applied`]);
	expect((await nights.sync(FAMILY)).told).toEqual([]);
	expect(nights.service.doubles).toEqual([]);
});

describe('A lease that is younger than the rows beside it', () => {
	const ROSTER = [...FAMILY, aUser('t9', 'educator')];
	/** A service that takes doubles, and refused somebody once. */
	const withOneRefused = async () => {
		const nights = await Nights.after(FAMILY, {}, new Service('accepts'));
		for (let night = 0; night < 5; night++) await nights.sync([...FAMILY, aBond('t1', 'c2', 'educator')]);
		nights.service.fault = (_action, { external_id: id }) => (id === 't9' ? 400 : undefined);
		await nights.sync(ROSTER);
		nights.service.fault = () => undefined;
		nights.pass(20);
		return nights;
	};
	const createdOnce = async (nights: Nights) => {
		expect((await nights.sync(ROSTER)).told).toEqual(['create u:school-1|t9 applied']);
		for (let night = 0; night < 3; night++) expect((await nights.sync(ROSTER)).told).toEqual([]);
		expect(nights.service.doubles).toEqual([]);
	};

	test('since all rows were deleted, and put back after a night: nobody is created twice', async () => {
		const nights = await withOneRefused();
		const saved = nights.table.visible().filter((row) => !isLease(row));
		nights.table.remove(() => true);
		expect((await nights.sync(ROSTER)).told).toEqual([]);
		nights.table.show(saved);
		await createdOnce(nights);
	});

	test('since somebody has emptied its number: nobody is created twice', async () => {
		const nights = await withOneRefused();
		Object.assign(nights.table.visible().find(isLease) ?? {}, { sequence: '' });
		await createdOnce(nights);
	});

	test('is not one that was lost while the rows were read: a newer roster that went by meanwhile stays', async () => {
		const bond = aBond('t1', 'c2', 'educator');
		// Before the third step it has no lease yet, and is the later run.
		for (let step = 3; step < 8; step++) {
			const nights = await Nights.after(FAMILY);
			nights.beside(20_000, [...FAMILY, bond]);
			await nights.run(FAMILY, { troubles: [[step, { kind: 'freeze', ms: 600_000, steadyStops: false }]] });
			expect((await nights.ledger()).entries.get('b:school-1|c2|t1|educator')?.there).toBe('yes');
		}
	});

	test('by a number that no greater one follows is tried twice, and not for ever', async () => {
		const nights = await Nights.after(FAMILY);
		await nights.add({ kind: 'run', key: 'run', run_id: `r${2 ** 60}-x`, detail: '{}' });
		expect((await nights.run(FAMILY))?.ok).toBe(true);
	});
});
