/** Whole nights: what a user is promised when all is well, and when it is not. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { StoreError } from '../../../../nodes/SchoolPartnerRoster/store/store.ts';
import type { Trouble } from '../simulation/virtualClock.mts';
import { SimulatedStore } from '../simulation/simulatedStore.mts';
import { takeOver } from '../../../../nodes/SchoolPartnerRoster/planning/takeOver.ts';
import { Nights, toldOf } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aSchool, aStudent, aUser, PARTIAL, FAMILY, rosterOf } from '../world.mts';

/** `GOLDEN=write npx jest test/unit/roster/night/` writes it anew: every ledger that there is would be another one then. */
const GOLDEN = join(import.meta.dirname, 'golden-ledger.jsonl');

const [C3, S2] = [aClass('c3'), aStudent('s2', ['r1'])];
const MORE = [...FAMILY, C3, S2, aBond('s2', 'c3')];
const lost = (id: string) => (_action: string, body: Record<string, unknown>) =>
	body.external_id === id || body.user_external_id === id ? ('answer lost' as const) : undefined;

afterEach(() => jest.restoreAllMocks());

test('The same roster twice: no request, and in the ledger one row of the run', async () => {
	const nights = await Nights.after(FAMILY);
	const [requests, rows] = [nights.service.requests.length, nights.rows().length];
	const { plan, told } = await nights.sync([...FAMILY].reverse());
	expect([plan.changes, plan.findings, told]).toEqual([[], [], []]);
	expect(nights.service.requests).toHaveLength(requests);
	expect(
		nights
			.rows()
			.slice(rows)
			.map(({ kind, state }) => [kind, state]),
	).toEqual([['run', 'ended']]);
});

test('Rows and digests of a small night are as they always were: a refactoring must not make a network "changed"', async () => {
	const nights = new Nights();
	const person = {
		birth_date: '2015-03-01',
		document_type: 'CPF',
		document_value: '00000000191',
		email: 'ana@example.org',
	};
	await nights.sync([...FAMILY, aUser('x1', 'educator', 'school-1', person)]);
	await nights.approveAll({
		plan: await nights.preview([...FAMILY, aUser('x1', 'educator', 'school-1', person)]),
	});
	await nights.sync([...FAMILY, aUser('x1', 'educator', 'school-1', person)]);
	await nights.sync([...FAMILY.slice(0, -1), aUser('x1', 'educator', 'school-1', person)], {
		gracePeriodDays: 3,
	});
	const lines = nights.rows().map(({ id: _id, run_id: _run, at: _at, ...row }) => JSON.stringify(row));
	if (process.env.GOLDEN === 'write') writeFileSync(GOLDEN, `${lines.join('\n')}\n`);
	const golden = readFileSync(GOLDEN, 'utf8');
	expect(lines).toEqual(golden.trimEnd().split('\n'));
});

describe('An answer that was lost', () => {
	test('leaves a creation uncertain by name: the next nights tell it, send it never again, and go on with the rest', async () => {
		const nights = await Nights.after(FAMILY, {}, new Service('accepts'));
		nights.service.fault = lost('s2');
		expect((await nights.sync(MORE)).told).toEqual([
			...['create c:school-1|c3 applied', 'create u:school-1|s2 uncertain'],
			'create b:school-1|c3|s2|student uncertain',
		]);
		nights.service.fault = () => undefined;
		const { told, plan } = await nights.sync([...MORE, aClass('c4')]);
		expect(told).toEqual(['create c:school-1|c4 applied']);
		expect(plan.findings.map(({ code, key }) => [code, key])).toEqual([
			['uncertain', 'u:school-1|s2'],
			['uncertain', 'b:school-1|c3|s2|student'],
		]);
		expect(nights.service.doubles).toEqual([]);
	});

	test('of a responsible person keeps the student back, and a bond is sent all the same', async () => {
		const nights = await Nights.after(FAMILY);
		nights.service.fault = (_action, body) =>
			body.external_id === 'r2' || body.external_id === 't2' ? 'answer lost' : undefined;
		const roster = [
			...FAMILY,
			aUser('r2', 'responsible'),
			aStudent('s3', ['r2']),
			aUser('t2', 'educator'),
			aBond('t2', 'c1', 'educator'),
		];
		const { told } = await nights.sync(roster);
		expect(told.map((text) => text.split(' ').slice(1).join(' '))).toEqual([
			...['u:school-1|r2 uncertain', 'u:school-1|t2 uncertain', 'u:school-1|s3 blocked'],
			'b:school-1|c1|t2|educator applied',
		]);
		const { changes, waitsFor } = await nights.preview([...roster, aBond('t2', 'c2', 'educator')]);
		expect(changes.map(({ key }) => key)).toEqual(['b:school-1|c2|t2|educator']);
		expect(waitsFor.get('u:school-1|s3')).toBe('u:school-1|r2');
	});

	test.each([
		['inService', ['note u:school-1|s2 applied'], []],
		['notInService', ['create u:school-1|s2 applied'], ['u:school-1|s2']],
	] as const)('is settled by a person who says %s', async (is, told, doubles) => {
		const nights = await Nights.after(FAMILY, {}, new Service('accepts'));
		nights.service.fault = lost('s2');
		await nights.sync([...FAMILY, S2]);
		nights.service.fault = () => undefined;
		await nights.resolve('u:school-1|s2', is);
		expect((await nights.sync([...FAMILY, S2])).told).toEqual(told);
		expect(nights.service.doubles).toEqual(doubles);
		expect((await nights.sync([...FAMILY, S2])).told).toEqual([]);
	});

	test('is settled without a person where the service refuses doubles, and that is adopted: never in the same run', async () => {
		const adopt = { existing: 'adopt', statuses: { existing: 'adopt' } } as const;
		const nights = await Nights.after(FAMILY, adopt);
		nights.service.fault = lost('s2');
		expect((await nights.sync([...FAMILY, S2], adopt)).told).toEqual(['create u:school-1|s2 uncertain']);
		nights.service.fault = () => undefined;
		expect((await nights.sync([...FAMILY, S2], adopt)).told).toEqual(['create u:school-1|s2 applied']);
		expect([nights.service.doubles, nights.service.there.get('u:school-1|s2')]).toEqual([
			['u:school-1|s2'],
			1,
		]);
	});

	test('of a removal: it is done again, or created again when it is wanted again, whatever the run between could not do', async () => {
		const key = 'b:school-1|c1|t1|educator';
		const nights = await Nights.after(FAMILY);
		const without = FAMILY.slice(0, -1);
		nights.service.fault = lost('t1');
		expect((await nights.sync(without)).told).toEqual([`remove ${key} uncertain`]);
		nights.service.fault = () => undefined;
		expect((await nights.preview(without)).changes.map(({ action }) => action)).toEqual(['remove']);
		nights.service.fault = () => 422;
		expect((await nights.sync(FAMILY)).told).toEqual([`create ${key} failed`]);
		nights.service.fault = () => undefined;
		nights.pass();
		expect((await nights.sync(FAMILY)).told).toEqual([`create ${key} applied`]);
	});
});

test('What exists already may be somebody else’s: what needs it waits until a person has looked', async () => {
	const nights = await Nights.after(FAMILY);
	nights.service.there.set('u:school-1|s2', 1);
	expect((await nights.sync(MORE)).told.slice(1)).toEqual([
		'create u:school-1|s2 exists',
		'create b:school-1|c3|s2|student blocked',
	]);
	const { told, plan } = await nights.sync(MORE);
	expect([told, plan.findings.map(({ code }) => code)]).toEqual([[], ['exists']]);
	expect(nights.attention('exists')).toMatchObject([{ key: 'u:school-1|s2', blocks: 1 }]);
	await nights.resolve('u:school-1|s2', 'inService');
	expect((await nights.sync(MORE)).told).toEqual([
		'create b:school-1|c3|s2|student applied',
		'note u:school-1|s2 applied',
	]);
});

test('After a kill the batch without outcomes is uncertain, and the next run goes on with everything else', async () => {
	const big = aSchool('school-1', 2, 1_000);
	const nights = new Nights();
	await nights.approveAll(await nights.sync(big));
	await nights.run(big, { troubles: [[100, { kind: 'kill' }]] });
	const intents = nights
		.rows('batch')
		.flatMap(({ detail }) => (JSON.parse(detail) as { create: string[] }).create);
	const { told, plan } = await nights.sync(big);
	expect(plan.holds).toEqual([]);
	const uncertain = [...(await nights.ledger()).entries.values()].filter(({ there }) => there === 'maybe');
	expect(uncertain.length).toBeGreaterThan(0);
	for (const { key } of uncertain) expect(intents).toContain(key);
	expect(told.filter((text) => text.endsWith(' applied')).length).toBeGreaterThan(0);
	expect(nights.service.doubles).toEqual([]);
});

test('A night that is killed after minutes has said once that it had begun: the next is measured against what was there before, and knows the older roster', async () => {
	const big = aSchool('school-1', 3, 300);
	const gone = big.filter(({ kind }) => kind === 'bond').slice(0, 800);
	const nights = new Nights(new Service(), { holdRemovalsPercent: 100, holdCreationsPercent: 100 });
	await nights.approveAll(await nights.sync(big));
	await nights.sync(big);
	const base = [['school-1', { class: 3, user: 1_800, 'bond student': 900 }]];
	const begun = nights.rows('run').length;
	const freeze = { kind: 'freeze', ms: 30_000, steadyStops: false } as const;
	const freezes = [40, 50, 60, 400, 410, 420].map((step): [number, Trouble] => [step, freeze]);
	await nights.run(
		big.filter((record) => !gone.includes(record)),
		{ troubles: [...freezes, [780, { kind: 'kill' }]] },
	);
	const rows = nights.rows('run').slice(begun);
	expect(rows.map(({ state }) => state)).toEqual(['under way']);
	expect((await nights.ledger()).lastDetail).toMatchObject({ base, changes: 800 });
	const { told, plan } = await nights.sync(big);
	expect([told, plan.holds.map(({ reason }) => reason)]).toEqual([
		[],
		['This roster is that of an earlier night, and not of the last one'],
	]);
});

test('The service never waits for the ledger: what comes next is announced while something is being sent', async () => {
	const big = aSchool('school-1', 2, 1_000);
	const nights = new Nights();
	await nights.approveAll(await nights.sync(big));
	const sentAt: number[] = [];
	nights.service.fault = (_action, { class_external_id: isBond, user_external_id: user }) =>
		void (isBond !== undefined && user !== undefined && sentAt.push(nights.time.now));
	await nights.sync(big);
	expect(sentAt.length).toBeGreaterThan(1_000);
	// The first hundred are looked at before others go.
	const rest = sentAt.slice(100);
	const longest = Math.max(...rest.slice(1).map((at, place) => at - rest[place]));
	// An answer takes 100, and a write up to 400.
	expect(longest).toBeLessThan(200);
});

describe('A ledger that cannot be written', () => {
	const FAILURE = { origin: 'n8n', effect: 'unknown', message: 'The table is locked', next: '' } as const;

	/** Inserts fail from the n-th on. */
	function failing(from: number, isPassing: boolean, to = Infinity) {
		const append = Reflect.get(SimulatedStore.prototype, 'append');
		let count = 0;
		return jest.spyOn(SimulatedStore.prototype, 'append').mockImplementation(async function (
			this: SimulatedStore,
			rows,
		) {
			count += 1;
			if (count < from || count >= to) return await append.call(this, rows);
			throw new StoreError({ ...FAILURE, isPassing });
		});
	}

	async function ended(nights: Nights) {
		const night = await nights.run(MORE);
		if (night?.ok !== true || night.value.kind !== 'done') throw new Error('not done');
		return night.value.sent;
	}

	test.each([
		['for good', false, 1],
		['for five minutes', true, 100],
	])('%s: nothing is sent without an intent', async (_what, isPassing, least) => {
		const nights = await Nights.after(FAMILY);
		const before = nights.service.requests.length;
		const append = failing(1, isPassing);
		const night = await nights.run(MORE);
		expect(night?.ok === true && night.value.kind === 'done' && night.value.sent.failure?.message).toBe(
			FAILURE.message,
		);
		expect(nights.service.requests).toHaveLength(before);
		expect(append.mock.calls.length).toBeGreaterThanOrEqual(least);
	});

	test('after something was sent: it is named, nothing more is sent, and the next run reports just this as uncertain', async () => {
		const nights = await Nights.after(FAMILY, {}, new Service('accepts'));
		failing(2, false);
		const { unwritten, failure } = await ended(nights);
		expect([failure?.message, toldOf(unwritten).length]).toEqual([FAILURE.message, 1]);
		jest.restoreAllMocks();
		const { told, plan } = await nights.sync(MORE);
		expect([told, plan.findings.map(({ code }) => code)]).toEqual([
			['create u:school-1|s2 applied', 'create b:school-1|c3|s2|student applied'],
			['uncertain'],
		]);
		expect(nights.service.doubles).toEqual([]);
	});

	test('for a while: it is tried again, and everything is done', async () => {
		const nights = await Nights.after(FAMILY);
		failing(1, true, 20);
		expect(toldOf((await ended(nights)).done)).toHaveLength(3);
	});
});

test('A run that loses its lease sends nothing more, and the next one goes on', async () => {
	const big = aSchool('school-1', 2, 100);
	const nights = new Nights();
	await nights.approveAll(await nights.sync(big));
	const sent = nights.service.take.bind(nights.service);
	let count = 0;
	jest.spyOn(nights.service, 'take').mockImplementation((change) => {
		count += 1;
		// Somebody takes over.
		const lease = nights.table.visible().find(({ kind }) => kind === 'lease');
		if (count === 50 && lease !== undefined)
			nights.table.replace(lease, { ...lease, run_id: '', sequence: '99999' });
		nights.time.at(nights.time.now + 1, () => undefined);
		return sent(change);
	});
	const slow = await nights.run(big, {
		troubles: [[60, { kind: 'freeze', ms: 50_000, steadyStops: false }]],
	});
	expect(slow?.ok === true && slow.value.kind === 'done' && slow.value.isLeaseLost).toBe(true);
	expect(count).toBeLessThan(200);
	jest.restoreAllMocks();
	const { plan } = await nights.sync(big);
	expect([plan.holds.length, plan.changes.length > 300]).toEqual([0, true]);
});

test('A cancelled run writes what came of what it sent, and sends nothing more', async () => {
	const nights = await Nights.after(FAMILY);
	const cancel = new AbortController();
	nights.service.fault = () => void cancel.abort();
	const { told } = await nights.sync(MORE, { cancel: cancel.signal });
	expect(told).toEqual(['create c:school-1|c3 applied']);
	nights.service.fault = () => undefined;
	expect((await nights.sync(MORE)).told).toHaveLength(2);
});

test('A service in trouble is left alone after a hundred failures in a row; the next night goes on without a hold', async () => {
	const nights = new Nights();
	const big = aSchool('school-1', 1, 150);
	await nights.approveAll(await nights.sync(big));
	nights.service.fault = () => 503;
	const before = nights.service.requests.length;
	await nights.sync(big);
	expect(nights.service.requests.length - before).toBeLessThan(130);
	nights.service.fault = () => undefined;
	expect((await nights.preview(big)).holds).toEqual([]);
});

describe('Schools that the service has already', () => {
	test('are taken over without a request, and the next night goes on from there', async () => {
		const nights = new Nights();
		await nights.takeOver(FAMILY);
		expect(nights.service.requests).toEqual([]);
		for (const { kind, fields } of FAMILY)
			nights.service.take({ action: 'create', kind, send: fields } as never);
		expect((await nights.sync(MORE)).told.map((text) => text.split(' ').at(-1))).toEqual([
			'applied',
			'applied',
			'applied',
		]);
		expect((await nights.preview(MORE)).findings).toEqual([]);
	});

	test('that were taken over in part, when n8n was killed, are held by Sync and taken over by the next start, whole', async () => {
		const big = aSchool('east', 20, 130);
		let inPart = 0;
		for (let step = 7; step < 14; step++) {
			const nights = new Nights();
			await nights.run(big, { troubles: [[step, { kind: 'kill' }]] }, takeOver);
			const known = (await nights.ledger()).entries.size;
			inPart += Number(known > 0 && known < big.length);
			const held = await nights.sync(big);
			expect([held.plan.holds.length, held.sent.done]).toEqual([
				known < big.length ? 1 : held.plan.holds.length,
				[],
			]);
			await nights.takeOver(big);
			expect((await nights.ledger()).entries.size).toBe(big.length);
			expect(await nights.sync(big)).toMatchObject({ told: [], plan: { holds: [], findings: [] } });
			expect(nights.service.requests).toEqual([]);
		}
		expect(inPart).toBeGreaterThan(0);
	});

	test('that were taken over in part stay so when another school is taken over meanwhile', async () => {
		const [east, west] = [aSchool('east', 20, 130), aSchool('west', 1, 1)];
		const nights = new Nights();
		await nights.run(east, { troubles: [[10, { kind: 'kill' }]] }, takeOver);
		const known = (await nights.ledger()).entries.size;
		expect(known > 0 && known < east.length).toBe(true);
		await nights.takeOver(west);
		expect((await nights.sync([...east, ...west])).told).toEqual([]);
		await nights.takeOver(east);
		expect(await nights.sync([...east, ...west])).toMatchObject({ told: [], plan: { holds: [] } });
	});

	test('that were taken over in part give no number against which the next night is measured', async () => {
		const nights = new Nights();
		const big = rosterOf(aSchool('east', 20, 130), { completeness: PARTIAL });
		await nights.run(big, { troubles: [[10, { kind: 'kill' }]] }, takeOver);
		expect((await nights.ledger()).entries.size).toBeGreaterThan(0);
		const { base } = await nights.takeOver(big);
		expect(base.schools).toEqual([]);
	});

	test('are not taken over once more: of what the ledger knows nothing is noted', async () => {
		const nights = await Nights.after(FAMILY);
		const { changes, findings } = await nights.takeOver([...MORE, ...aSchool('east', 1, 1)]);
		expect(new Set(changes.map(({ school_external_id: school }) => school))).toEqual(new Set(['east']));
		expect(findings).toMatchObject([{ code: 'schoolKnown', count: MORE.length }]);
	});

	test('leave alone whom another school has already, where User IDs are one in the network: whether done, failed or uncertain', async () => {
		const people = ['m', 'failed', 'lost'].map((id) => aUser(id, 'responsible'));
		const service = new Service();
		const take = service.take.bind(service);
		jest.spyOn(service, 'take').mockImplementation((change) => {
			const result = take(change);
			return result.kind === 'done' ? { ...result, serviceId: `of ${change.key}` } : result;
		});
		const nights = await Nights.after([C3], { userIdsUniqueWithin: 'network' }, service);
		service.fault = (_, { external_id: id }) =>
			id === 'failed' ? 422 : id === 'lost' ? 'answer lost' : undefined;
		await nights.sync([C3, ...people]);
		const rowsOf = async () => {
			const { entries } = await nights.ledger();
			return people.map(({ fields }) => entries.get(`u:${String(fields.external_id)}`)?.row);
		};
		const before = await rowsOf();
		expect(before.map((row) => [row?.state, row?.service_id])).toEqual([
			['applied', 'of u:m'],
			['failed', ''],
			['uncertain', ''],
		]);
		const others = people.map(({ fields }) => aUser(String(fields.external_id), 'responsible', 'west'));
		const { changes, counts, findings } = await nights.takeOver([aClass('d1', 'west'), ...others]);
		expect(changes.map(({ key }) => key)).toEqual(['c:west|d1']);
		expect([counts.all(), findings]).toEqual([{ class: {}, user: { same: 3 }, bond: {} }, []]);
		expect(await rowsOf()).toEqual(before);
		const { plan } = await nights.sync([C3, ...people, aClass('d1', 'west')]);
		expect(plan.findings.map(({ code }) => code)).toEqual(['refusedBefore', 'uncertain']);
	});

	describe('with what has an error that night', () => {
		const KEYS = ['c:school-1|c2', 'u:school-1|s1', 'u:school-1|t1'];
		const isFaulty = ({ kind, fields }: (typeof FAMILY)[number]) =>
			kind !== 'bond' && ['c2', 's1', 't1'].includes(String(fields.external_id));
		const faulty = FAMILY.filter(isFaulty).map(({ fields, ...rest }) => {
			const { school_external_id, external_id } = fields;
			return { ...rest, fields: { school_external_id, external_id } };
		});

		/** The service has all of it, and three of them could not be read when it was taken over. */
		async function takenOver(service: Service): Promise<Nights> {
			const nights = new Nights(service);
			for (const { kind, fields } of FAMILY) service.take({ action: 'create', kind, send: fields } as never);
			const plan = await nights.takeOver(
				rosterOf(
					FAMILY.filter((record) => !isFaulty(record)),
					{ faulty },
				),
			);
			const uncertain = plan.changes.filter(({ state }) => state === 'uncertain');
			expect(uncertain.map(({ key }) => key)).toEqual(KEYS);
			expect([plan.changes.length, plan.counts.all()]).toEqual([7, { class: {}, user: {}, bond: {} }]);
			nights.pass();
			return nights;
		}

		test('create none of it when it is corrected: it is told as uncertain, and goes on as Resolve says', async () => {
			const nights = await takenOver(new Service('accepts'));
			const { told, plan } = await nights.sync(FAMILY);
			expect([told, plan.holds, nights.service.doubles]).toEqual([[], [], []]);
			expect(plan.findings.map(({ code, key }) => [code, key])).toEqual(
				KEYS.map((key) => ['uncertain', key]),
			);
			for (const key of KEYS.slice(1)) await nights.resolve(key, 'inService');
			await nights.resolve(KEYS[0], 'notInService');
			nights.service.there.delete(KEYS[0]);
			const changed = await nights.sync(FAMILY);
			expect(changed.told).toEqual([
				`create ${KEYS[0]} applied`,
				...KEYS.slice(1).map((key) => `note ${key} applied`),
			]);
			expect(await nights.sync(FAMILY)).toMatchObject({ told: [], plan: { findings: [] } });
			expect(nights.service.doubles).toEqual([]);
		});

		test('settle it without a person where the service refuses what it has, and Existing Records is Adopt', async () => {
			const nights = await takenOver(new Service());
			const { told } = await nights.sync(FAMILY, { existing: 'adopt', statuses: { existing: 'adopt' } });
			expect(told).toEqual(KEYS.map((key) => `create ${key} applied`));
			expect(await nights.sync(FAMILY)).toMatchObject({ told: [], plan: { findings: [] } });
		});
	});
});
