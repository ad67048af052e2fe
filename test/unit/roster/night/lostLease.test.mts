/** Somebody deletes the row that says who may send, to unlock the ledger or by mistake: the runs that follow go on from what the ledger knows. */
import { aBond, FAMILY } from '../world.mts';
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
