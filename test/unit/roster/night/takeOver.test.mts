/** What Take Over changes of a ledger that has a past: nothing but what it learns of schools that are new to it. */
import { takeOver } from '../../../../nodes/SchoolPartnerRoster/planning/takeOver.ts';
import { Nights } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aSchool, aUser, isBond } from '../world.mts';

const KNOWN = aSchool('s', 10, 30);
const NEW = aSchool('t', 1, 5);

describe('A school that the ledger knows, and that is in the roster of a Take Over', () => {
	test('is measured against what it was, however unusual it is that night', async () => {
		const nights = await Nights.after(KNOWN);
		const base = async () => new Map((await nights.ledger()).lastDetail.base);
		const before = (await base()).get('s');
		await nights.takeOver([...aSchool('s', 10, 300), ...NEW]);
		expect((await base()).get('s')).toEqual(before);
		expect((await base()).get('t')).toEqual({ class: 1, user: 10, 'bond student': 5 });
		nights.pass();
		const isOfLast = (id: unknown) => Number(/s(\d+)$/.exec(String(id))?.[1]) > 10;
		const fewer = KNOWN.filter((one) => !isBond(one) || !isOfLast(one.fields.user_external_id));
		const { told, plan } = await nights.sync([...fewer, ...NEW]);
		expect([told, plan.holds.map(({ changes }) => changes.length)]).toEqual([[], [200]]);
	});

	test('keeps what is held in it', async () => {
		const nights = await Nights.after(KNOWN);
		const newcomers = Array.from({ length: 90 }, (_, place) => [
			aUser(`new${place}`, 'student', 's'),
			aBond(`new${place}`, 's-c1', 'student', 's'),
		]).flat();
		const [{ hold_id: id }] = (await nights.sync([...KNOWN, ...newcomers])).plan.holds;
		await nights.takeOver([...KNOWN, ...newcomers, ...NEW]);
		const { told, plan } = await nights.sync([...KNOWN, ...newcomers, ...NEW]);
		expect([told, plan.holds.map((hold) => hold.hold_id)]).toEqual([[], [id]]);
	});
});

describe('For which service, client and choice of ids a ledger is', () => {
	const OTHER = { marks: { service: 'hother', client: 'hsomebody', ids: 'hnetwork' } };
	const marksOf = async (nights: Nights) => {
		const { service, client, ids } = (await nights.ledger()).lastDetail;
		return [service, client, ids];
	};

	test('a Take Over notes behind a first Sync that was held: with other ids nothing is created twice', async () => {
		const service = new Service('accepts');
		const nights = new Nights(service);
		for (const { kind, fields } of NEW) service.take({ action: 'create', kind, send: fields } as never);
		await nights.sync(NEW);
		await nights.takeOver(NEW);
		expect(await marksOf(nights)).toEqual(['hservice', 'hclient', 'hids']);
		const { told, plan } = await nights.sync(NEW, { ...OTHER, userIdsUniqueWithin: 'network' });
		expect([told, plan.holds.length, service.doubles]).toEqual([[], 1, []]);
	});

	test('a Take Over that was killed has noted too, before its first note', async () => {
		const nights = new Nights();
		await nights.sync(NEW);
		await nights.run(aSchool('u', 20, 130), { troubles: [[10, { kind: 'kill' }]] }, takeOver);
		expect(await marksOf(nights)).toEqual(['hservice', 'hclient', 'hids']);
	});
});
