/** Done means seen: with Confirmation set to Callback, a user is there when the service shows the account. */
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Change } from '../../../../nodes/SchoolPartnerRoster/planning/change.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { unconfirmedUsers } from '../../../../nodes/SchoolPartnerRoster/run/runFindings.ts';
import { actionsOf, Nights, type Ended, type RunInput } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aUser, FAMILY, rosterOf } from '../world.mts';

const CALLBACK: RunInput = { confirmation: 'callback' };
const MINUTE = 60_000;
const [S1, T1] = ['u:school-1|s1', 'u:school-1|t1'];
const [BOND_S1, BOND_T1] = ['b:school-1|c1|s1|student', 'b:school-1|c1|t1|educator'];

/** A service whose accounts come so late, of some ids or of all. */
function late(ms: number, ...ids: string[]): Service {
	const service = new Service();
	service.accountComesAfter = (id) => (ids.length === 0 || ids.includes(id) ? ms : 0);
	return service;
}

/** The first night, approved: what came of it, and how long it took. */
async function begun(
	service: Service,
	records: readonly RosterRecord[] | Roster = FAMILY,
	options: RunInput = CALLBACK,
) {
	const nights = new Nights(service, options);
	await nights.approveAll(await nights.sync(records));
	const began = nights.time.now;
	const night = await nights.sync(records);
	return { nights, night, tookMs: nights.time.now - began };
}

const findingsOf = ({ plan, sent }: Ended, now: number) => unconfirmedUsers(plan, sent, now);
const stateIn = async (nights: Nights, key: string) => (await nights.ledger()).entries.get(key)?.row.state;

/** One class and so many students with a bond. */
function aClassOf(count: number): RosterRecord[] {
	const ids = Array.from({ length: count }, (_, index) => `s${index}`);
	return [aClass('c1'), ...ids.map((id) => aUser(id, 'student')), ...ids.map((id) => aBond(id, 'c1'))];
}

test('An account that the ledger has as that of somebody else confirms nobody, in the night of the creation either', async () => {
	const { nights } = await begun(new Service());
	nights.service.account = () => ({ accountId: 'account-t1', userId: `user-${T1}` });
	await nights.sync([...FAMILY, aUser('s9', 'student'), aBond('s9', 'c1')]);
	expect(await stateIn(nights, 'u:school-1|s9')).toBe('unconfirmed');
});

test('Accounts that are there at once confirm their users, and the ledger knows their ids', async () => {
	const { nights, night } = await begun(new Service());
	expect(night.told).toEqual(expect.arrayContaining([`create ${S1} applied`, `create ${BOND_S1} applied`]));
	expect((await nights.ledger()).entries.get(S1)?.row).toMatchObject({
		...{ state: 'applied', account_id: 'account-s1', service_id: `user-${S1}` },
	});
	expect(nights.service.asked).toHaveLength(3);
});

test('Without it nobody is asked for, and an answered creation is done', async () => {
	const { nights, night } = await begun(late(Infinity, 'nobody'), FAMILY, {});
	expect(night.told).toContain(`create ${S1} applied`);
	expect(nights.service.asked).toEqual([]);
});

test('The run waits for accounts that come late, with pauses that grow, and only then sends bonds', async () => {
	const { nights, night, tookMs } = await begun(late(4 * MINUTE));
	expect(night.told).toEqual(expect.arrayContaining([`create ${S1} applied`, `create ${BOND_S1} applied`]));
	expect(tookMs).toBeGreaterThan(4 * MINUTE);
	expect(tookMs).toBeLessThan(5.5 * MINUTE);
	expect(nights.service.asked.filter((id) => id === 's1').length).toBeLessThan(12);
});

test('After ten minutes it goes on: who has no account is unconfirmed, whose bond waits, and nobody else is held up', async () => {
	const { nights, night, tookMs } = await begun(late(Infinity, 's1'));
	expect(night.told).toEqual(
		expect.arrayContaining([
			`create ${S1} unconfirmed`,
			`create ${BOND_S1} waiting`,
			`create ${T1} applied`,
			`create ${BOND_T1} applied`,
		]),
	);
	expect(tookMs).toBeGreaterThan(9 * MINUTE);
	expect(tookMs).toBeLessThan(11 * MINUTE);
	expect(nights.service.requests).not.toContain(`create ${BOND_S1}`);
	expect(await stateIn(nights, S1)).toBe('unconfirmed');
});

test('The next runs ask again and create nobody twice: seen, the bond goes the same night', async () => {
	const { nights } = await begun(late(Infinity, 's1'));
	nights.pass();
	const second = await nights.sync(FAMILY);
	expect([second.told, second.plan.counts.all().user.unconfirmed]).toEqual([[], 1]);
	expect(second.plan.waitsFor.get(BOND_S1)).toBe('u:school-1|s1');
	nights.service.accountComesAfter = () => 0;
	nights.pass();
	const third = await nights.sync(FAMILY);
	expect(third.told).toEqual([`create ${BOND_S1} applied`]);
	expect((await nights.ledger()).entries.get(S1)?.row).toMatchObject({
		...{ state: 'applied', account_id: 'account-s1' },
	});
	expect(nights.service.doubles).toEqual([]);
	expect(nights.service.requests.filter((request) => request === `create ${S1}`)).toHaveLength(1);
});

test('A person is a warning for two nights, and an error from the third on', async () => {
	const { nights, night } = await begun(late(Infinity, 's1'));
	const told = [findingsOf(night, nights.time.now)];
	for (let day = 1; day <= 3; day++) {
		nights.pass();
		const wall = 1_800_000_000_000 + nights.time.now;
		told.push(findingsOf(await nights.sync(FAMILY), wall));
	}
	expect(told.map(([{ severity, code, key }]) => [severity, code, key])).toEqual([
		['warning', 'unconfirmed', S1],
		['warning', 'unconfirmed', S1],
		['warning', 'unconfirmed', S1],
		['error', 'unconfirmed', S1],
	]);
	expect(told.every((findings) => findings.length === 1)).toBe(true);
});

test('A preview shows who is unconfirmed, and asks nobody', async () => {
	const { nights } = await begun(late(Infinity, 's1'));
	const asked = nights.service.asked.length;
	const plan = await nights.preview(FAMILY);
	expect(plan.unconfirmed.map(({ key }) => key)).toEqual([S1]);
	expect(nights.service.asked).toHaveLength(asked);
});

test('An account that is seen settles who was uncertain, with the values of tonight', async () => {
	const service = new Service('accepts');
	service.fault = (_action, { external_id: id }) => (id === 't1' ? 'answer lost' : undefined);
	const { nights, night } = await begun(service);
	expect(night.told).toContain(`create ${T1} uncertain`);
	service.fault = () => undefined;
	nights.pass();
	const second = await nights.sync(FAMILY);
	expect(second.told).toEqual([`note ${T1} applied`]);
	expect(second.plan.findings).toEqual([]);
	expect((await nights.sync(FAMILY)).told).toEqual([]);
	expect([await stateIn(nights, T1), service.doubles]).toEqual(['applied', []]);
});

test('Settled in a night that is held, the values are taken the night after', async () => {
	const service = new Service('accepts');
	service.fault = (_action, { external_id: id }) => (id === 't1' ? 'answer lost' : undefined);
	const exportOf = (...names: string[]) =>
		rosterOf(FAMILY, { files: names.map((name) => ({ name, rows: 1, sha256: 'x' })) });
	const { nights } = await begun(service, exportOf('users.csv', 'demographics.csv'));
	service.fault = () => undefined;
	nights.pass();
	const held = await nights.sync(exportOf('users.csv'));
	expect([held.told, held.plan.holds.length]).toEqual([[], 1]);
	const { told, plan } = await nights.sync(exportOf('users.csv', 'demographics.csv'));
	expect([told, plan.findings]).toEqual([[`note ${T1} applied`], []]);
});

test('Who is uncertain and has no account stays uncertain', async () => {
	const service = late(Infinity, 't1');
	service.fault = (_action, { external_id: id }) => (id === 't1' ? 'answer lost' : undefined);
	const { nights } = await begun(service);
	nights.pass();
	const { told, plan } = await nights.sync(FAMILY);
	expect(plan.findings.map(({ code }) => code)).toContain('uncertain');
	expect(told.filter((one) => one.includes(T1))).toEqual([]);
});

test('A run that is killed while it waits leaves nobody uncertain', async () => {
	const nights = new Nights(late(5 * MINUTE), CALLBACK);
	await nights.approveAll(await nights.sync(FAMILY));
	for (let step = 30; ; step += 40) {
		const isKilled =
			(await nights.run(FAMILY, { troubles: [[step, { kind: 'kill' }]] })) === undefined &&
			(await stateIn(nights, S1)) === 'unconfirmed';
		if (isKilled) break;
		if (step > 1_000) throw new Error('It was never killed while it waited');
	}
	nights.pass();
	const { told } = await nights.sync(FAMILY);
	expect(told).toEqual(expect.arrayContaining([`create ${BOND_S1} applied`, `create ${BOND_T1} applied`]));
	expect(nights.service.doubles).toEqual([]);
});

test('A cancelled run waits no longer', async () => {
	const cancel = new AbortController();
	const nights = new Nights(late(Infinity), CALLBACK);
	await nights.approveAll(await nights.sync(FAMILY));
	const began = nights.time.now;
	nights.time.at(began + MINUTE, () => cancel.abort());
	const { told, sent } = await nights.sync(FAMILY, { cancel: cancel.signal });
	expect(told.filter((one) => one.startsWith('create b:'))).toEqual([]);
	expect(sent.isMostUnconfirmed).toBe(false);
	expect(nights.time.now - began).toBeLessThan(2 * MINUTE);
});

test('A link to a responsible person of an earlier night who is unconfirmed waits, since it cannot be made later', async () => {
	const { nights } = await begun(late(Infinity, 'r1'));
	nights.pass();
	const sibling = {
		...aUser('s2', 'student'),
		fields: { ...aUser('s2', 'student').fields, responsible_external_id: ['r1'] },
	};
	const plan = await nights.preview([...FAMILY, sibling]);
	expect(actionsOf(plan)).toEqual([]);
	expect(plan.counts.all().user).toMatchObject({ waiting: 1, unconfirmed: 1 });
});

test('Back to Answer, an answered creation counts: the bond goes', async () => {
	const { nights } = await begun(late(Infinity, 's1'));
	nights.service.accountComesAfter = () => 0;
	nights.pass();
	const partial = await nights.preview([aClass('c1'), aBond('s1', 'c1')], { confirmation: 'answer' });
	expect(actionsOf(partial)).toContain(`create ${BOND_S1}`);
	const { told } = await nights.sync(FAMILY, { confirmation: 'answer' });
	expect(told).toEqual([`create ${BOND_S1} applied`, `note ${S1} applied`]);
	expect((await nights.sync(FAMILY, { confirmation: 'answer' })).told).toEqual([]);
});

test('An account is not asked for of another service, since it would be about other people', async () => {
	const { nights } = await begun(late(Infinity, 's1'));
	nights.service.accountComesAfter = () => 0;
	nights.pass();
	const asked = nights.service.asked.length;
	await nights.sync(FAMILY, { marks: { service: 'hother' } });
	expect(nights.service.asked).toHaveLength(asked);
	expect(await stateIn(nights, S1)).toBe('unconfirmed');
});

describe('Where more than half of the accounts are not there', () => {
	const many = aClassOf(120);

	test('that is one cause, and no item of each; at first a warning, after three nights an error', async () => {
		const { nights, night } = await begun(late(Infinity), many);
		expect(findingsOf(night, nights.time.now)).toMatchObject([
			{ severity: 'warning', code: 'mostUnconfirmed', count: 120 },
		]);
		nights.pass(3);
		const wall = 1_800_000_000_000 + nights.time.now;
		expect(findingsOf(await nights.sync(many), wall)).toMatchObject([
			{ severity: 'error', code: 'mostUnconfirmed', count: 120 },
		]);
	});

	test('the next runs ask for 50, for others each night, until one of them is there, and then for all', async () => {
		const { nights } = await begun(late(Infinity), many);
		const asked = async () => {
			nights.pass();
			nights.service.asked.length = 0;
			await nights.sync(many);
			return [...nights.service.asked];
		};
		const [second, third] = [await asked(), await asked()];
		expect([second.length, third.length]).toEqual([50, 50]);
		expect(new Set([...second, ...third]).size).toBeGreaterThan(50);
		nights.service.accountComesAfter = () => 0;
		expect(await asked()).toHaveLength(120);
		expect(nights.service.all().filter((name) => name.startsWith('b:'))).toHaveLength(120);
		expect(await asked()).toEqual([]);
	});

	test('a few that are left over later are not most: each is an item of its own', async () => {
		const { nights, night } = await begun(late(Infinity, 's1', 's2', 's3'), many);
		expect(night.sent.isMostUnconfirmed).toBe(false);
		nights.pass();
		const second = await nights.sync(many);
		expect(findingsOf(second, nights.time.now).map(({ code }) => code)).toEqual([
			'unconfirmed',
			'unconfirmed',
			'unconfirmed',
		]);
		expect(nights.service.requests.length).toBe(new Set(nights.service.requests).size);
	});
});

test('An id that the service gives for two people confirms neither', async () => {
	const service = new Service();
	service.account = () => ({ accountId: 'newest', userId: 'newest' });
	const { nights, night } = await begun(service);
	expect(night.told).toEqual(
		expect.arrayContaining([`create ${S1} unconfirmed`, `create ${BOND_S1} waiting`]),
	);
	expect((await nights.ledger()).entries.get(S1)?.row.account_id).toBe('');
});

test('An id that the ledger knows as that of another confirms nobody in a later night', async () => {
	const { nights } = await begun(late(Infinity, 's1'));
	nights.service.account = () => ({ accountId: 'account-t1', userId: `user-${T1}` });
	nights.pass();
	expect((await nights.sync(FAMILY)).told).toEqual([]);
	expect(await stateIn(nights, S1)).toBe('unconfirmed');
});

test('A run that is cancelled before it has asked does not say that most accounts are missing', async () => {
	const cancel = new AbortController();
	const service = late(Infinity);
	const nights = new Nights(service, CALLBACK);
	await nights.approveAll(await nights.sync(FAMILY));
	service.fault = (_action, { external_id: id }) => {
		if (id === 's1') cancel.abort();
		return undefined;
	};
	const { sent } = await nights.sync(FAMILY, { cancel: cancel.signal });
	expect([sent.isMostUnconfirmed, service.asked]).toEqual([false, []]);
});

test.each(['whole', 'partial'] as const)('A hold counts who is unconfirmed as there (%s)', async (all) => {
	const completeness = { class: all, user: all, bond: all };
	const exportOf = (...more: RosterRecord[]) => rosterOf([...aClassOf(120), ...more], { completeness });
	const { nights } = await begun(late(Infinity), exportOf());
	nights.pass(1);
	const more = Array.from({ length: 25 }, (_, index) => aUser(`new${index}`, 'educator'));
	const plan = await nights.preview(exportOf(...more), { holdCreationsFrom: 20 });
	expect(plan.holds).toEqual([]);
});

describe('Where the first ones are answered alike', () => {
	async function night(status: number) {
		const service = late(2 * MINUTE);
		service.fault = (action, { external_id: id }) =>
			action === 'create' && /^s\d*[2-9]$/.test(String(id)) ? status : undefined;
		return await begun(service, aClassOf(120));
	}

	test('and nobody knows what came of them, nobody waits for the accounts of the others', async () => {
		const { night: ended, tookMs } = await night(303);
		expect(ended.sent.refusedAlike).toHaveLength(1);
		expect(tookMs).toBeLessThan(MINUTE);
	});

	test('with a refusal, the others get their bonds as soon as their accounts are seen', async () => {
		const { night: ended } = await night(400);
		expect(ended.sent.refusedAlike).toHaveLength(1);
		expect(ended.told).toContain('create b:school-1|c1|s0|student applied');
	});
});

describe('Who was said not to be there, and is created with other values of which no answer comes,', () => {
	const S9 = 'u:school-1|s9';
	const named = (last_name: string) => [...FAMILY, aUser('s9', 'student', 'school-1', { last_name })];

	async function createdAgain(run: (nights: Nights) => Promise<unknown>): Promise<Nights> {
		const nights = await Nights.after(named('Old'), CALLBACK);
		nights.service.there.delete(S9);
		await nights.resolve(S9, 'notInService');
		await run(nights);
		return nights;
	}

	async function expectUnchanged(nights: Nights): Promise<void> {
		expect(nights.service.there.has(S9)).toBe(true);
		nights.service.fault = () => undefined;
		nights.pass();
		await nights.sync(named('New'));
		expect(nights.telling?.attention).toEqual([]);
		expect(nights.service.doubles).toEqual([]);
	}

	test('has not changed when the account is seen: the answer was lost', async () => {
		const nights = await createdAgain(async (begun) => {
			begun.service.fault = (action) => (action === 'create' ? 'answer lost' : undefined);
			await begun.sync(named('New'));
		});
		await expectUnchanged(nights);
	});

	test('has not changed when the account is seen: n8n was killed behind the request', async () => {
		for (let step = 1; step < 50; step += 1) {
			const nights = await createdAgain(
				async (begun) => await begun.run(named('New'), { troubles: [[step, { kind: 'kill' }]] }),
			);
			if ((await nights.ledger()).entries.get(S9)?.there !== 'maybe') continue;
			const send = named('New').at(-1)?.fields;
			nights.service.take({ action: 'create', kind: 'user', key: S9, send } as Change);
			return await expectUnchanged(nights);
		}
		throw new Error('Nobody was uncertain');
	});
});

describe('Where the result of a creation is found by the id that its answer gave,', () => {
	/** A service whose creations get an id each; a result is kept whatever becomes of the user. */
	function withIds(): Service {
		const service = new Service();
		const results = new Set<string>();
		const take = service.take.bind(service);
		jest.spyOn(service, 'take').mockImplementation((change) => {
			const result = take(change);
			if (result.kind !== 'done' || change.action !== 'create' || change.kind !== 'user') return result;
			const serviceId = `creation-${results.size + 1}`;
			results.add(serviceId);
			return { ...result, serviceId };
		});
		service.account = ({ service_id: id }) =>
			results.has(id) ? { accountId: `account-of-${id}`, userId: id } : undefined;
		return service;
	}

	/** s1 was taken out of the service by hand, as a person has noted. */
	async function takenOut(): Promise<Nights> {
		const nights = await Nights.after(FAMILY, CALLBACK, withIds());
		for (const key of [S1, BOND_S1]) nights.service.there.delete(key);
		await nights.resolve(S1, 'notInService');
		return nights;
	}

	async function expectUncertain(nights: Nights): Promise<void> {
		nights.service.fault = () => undefined;
		nights.pass();
		await nights.sync(FAMILY);
		expect(await stateIn(nights, S1)).toBe('uncertain');
		expect(nights.attention('uncertain').map(({ key }) => key)).toEqual([S1]);
		await nights.resolve(S1, 'notInService');
		await nights.sync(FAMILY);
		expect([nights.service.there.has(S1), await stateIn(nights, S1)]).toEqual([true, 'applied']);
	}

	test('the creation before does not confirm one that never arrived', async () => {
		const nights = await takenOut();
		nights.service.fault = (_, { external_id: id }) => (id === 's1' ? 'never arrives' : undefined);
		expect((await nights.sync(FAMILY)).told).toContain(`create ${S1} uncertain`);
		await expectUncertain(nights);
	});

	test('the creation before does not confirm one before which n8n was killed', async () => {
		for (let step = 1; step < 50; step += 1) {
			const nights = await takenOut();
			await nights.run(FAMILY, { troubles: [[step, { kind: 'kill' }]] });
			const isOpen = (await nights.ledger()).entries.get(S1)?.there === 'maybe';
			if (isOpen && !nights.service.there.has(S1)) return await expectUncertain(nights);
		}
		throw new Error('Nobody was uncertain');
	});
});
