import { batchOf, stepsOf } from '../../../../nodes/SchoolPartnerRoster/applying/batch.ts';
import { applyBatch } from '../../../../nodes/SchoolPartnerRoster/applying/apply.ts';
import {
	progressOf,
	rowOf,
	stateOf,
	troublesAfter,
	verdictOf,
	type Result,
} from '../../../../nodes/SchoolPartnerRoster/applying/progress.ts';
import type { Change } from '../../../../nodes/SchoolPartnerRoster/planning/change.ts';
import type { Failure } from '../../../../nodes/shared/failure.ts';
import { applied, LIMITS, night, nightOf, planned } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aSchool, aStudent, aUser, rosterOf } from '../world.mts';

const WORLD = [
	aClass('c1'),
	aUser('r1', 'responsible'),
	aUser('t1', 'educator'),
	aStudent('s1', ['r1']),
	aStudent('s2', ['t1']),
	aBond('s1', 'c1'),
	aBond('t1', 'c1', 'educator'),
];

async function changesOf(records = WORLD, options = {}): Promise<Change[]> {
	return (await planned(nightOf(0), rosterOf(records), [], { firstRun: true, ...options })).changes;
}

function failure(more: Partial<Failure>): Result {
	return {
		kind: 'failed',
		failure: { origin: 'service', effect: 'none', message: 'Ana Lima is not welcome', next: '', ...more },
	};
}

describe('A batch', () => {
	test('is taken in the order of its sequence', async () => {
		const changes = await changesOf();
		const batch = batchOf(changes.toReversed());
		expect(batch.ok && batch.value.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7]);
	});

	test('comes through JSON as it was', async () => {
		const changes = await changesOf();
		expect(batchOf(JSON.parse(JSON.stringify(changes)) as unknown[])).toEqual({ ok: true, value: changes });
	});

	test('of changes that are held is refused', async () => {
		const [first] = await changesOf();
		expect(batchOf([{ ...first, held: true, batch: 0 }])).toMatchObject({
			ok: false,
			failure: { code: 'held', effect: 'none' },
		});
	});

	test('that is more than one is refused: Loop Over Items is missing, or has another batch size', async () => {
		const changes = await changesOf(WORLD, { batchSize: 3 });
		expect(batchOf(changes)).toMatchObject({
			ok: false,
			failure: { code: 'severalBatches', next: expect.stringContaining('Loop Over Items') as string },
		});
		expect(batchOf([changes[0], { ...changes[1], run_id: 'other' }])).toMatchObject({
			ok: false,
			failure: { code: 'severalBatches' },
		});
	});

	test('in which a change is twice is refused: two connections lead to the node', async () => {
		const changes = await changesOf();
		expect(batchOf([...changes, changes[3]])).toMatchObject({
			ok: false,
			failure: { code: 'changeTwice', effect: 'none' },
		});
	});

	test.each([
		[{}],
		[{ name: 'x' }],
		[null],
		[
			{
				run_id: 'r',
				batch: 1,
				sequence: 1,
				action: 'create',
				kind: 'class',
				key: 'c:1',
				school_external_id: 's',
				hash: 'h',
				send: null,
			},
		],
	])('of something else is refused: %j', (item) => {
		expect(batchOf([item])).toMatchObject({
			ok: false,
			failure: { code: 'noChange', message: 'Item 1 is not a change as Plan Changes gives it' },
		});
	});

	test('is sent in steps: each ends before what needs it begins', async () => {
		const steps = stepsOf(await changesOf()).map((step) => step.map(({ key }) => key));
		expect(steps).toEqual([
			['c:school-1|c1'],
			['u:r1', 'u:t1'],
			['u:s1', 'u:s2'],
			['b:school-1|c1|s1|student', 'b:school-1|c1|t1|educator'],
		]);
	});

	test('of persons who are one another’s responsible persons is sent one after another', async () => {
		const steps = stepsOf(await changesOf([aStudent('a', ['b']), aStudent('b', ['c']), aStudent('c', [])]));
		expect(steps.map((step) => step.map(({ key }) => key))).toEqual([['u:c'], ['u:b'], ['u:a']]);
	});
});

describe('What came of a change', () => {
	const create = {
		action: 'create',
		needs: [] as readonly string[],
		kind: 'user',
		key: 'u:1',
		run_id: 'r',
		sequence: 3,
		school_external_id: 's',
		hash: 'h',
	} as Change;
	const remove = { ...create, action: 'remove', kind: 'bond' } as Change;

	test.each<[string, Change, Result, string]>([
		['created', create, { kind: 'done' }, 'applied'],
		['removed', remove, { kind: 'done' }, 'removed'],
		['refused', create, failure({ status: 400 }), 'failed'],
		['there already', create, failure({ status: 409 }), 'applied'],
		['gone already', remove, failure({ status: 404 }), 'removed'],
		['gone, as the page of a proxy says', remove, failure({ status: 404, isPage: true }), 'failed'],
		['a bond in conflict', remove, failure({ status: 409 }), 'failed'],
		[
			'no sign-on where there was one, at a removal',
			remove,
			failure({ status: 404, origin: 'signOn' }),
			'failed',
		],
		['a conflict at the sign-on', create, failure({ status: 409, origin: 'signOn' }), 'failed'],
		['nothing found at a creation', create, failure({ status: 404 }), 'failed'],
		['no answer', create, failure({ origin: 'network', effect: 'unknown' }), 'uncertain'],
		['done with an answer that cannot be read', create, failure({ effect: 'done', status: 200 }), 'applied'],
		['blocked', create, { kind: 'blocked', by: 'u:2' }, 'blocked'],
		['not sent', create, { kind: 'notTried' }, 'not tried'],
	])('%s', (_what, change, result, state) => {
		expect(stateOf(change, result, LIMITS)).toBe(state);
	});

	test('stands in the ledger with status and code, and without the words of the service', () => {
		const row = rowOf(
			create,
			failure({ status: 422, code: 'ENRL-0001' }),
			LIMITS,
			'2026-03-02T02:00:00.000Z',
		);
		expect(row).toMatchObject({
			run_id: 'r',
			sequence: '3',
			state: 'failed',
			detail: '422 ENRL-0001',
			service_id: '',
		});
		expect(JSON.stringify(row)).not.toContain('welcome');
		expect(rowOf(create, failure({ status: 422, code: 'Ana Lima is unknown' }), LIMITS, '').detail).toBe(
			'422',
		);
		expect(rowOf(create, { kind: 'done', serviceId: '77' }, LIMITS, '').service_id).toBe('77');
		expect(rowOf(create, { kind: 'blocked', by: 'u:2' }, LIMITS, '').detail).toBe('needs u:2');
	});

	test('of a note is what the plan says', () => {
		const note = {
			...create,
			action: 'note',
			state: 'missing',
			missing_since: '2026-03-02',
			detail: '1 h9',
		} as Change;
		expect(rowOf(note, { kind: 'done' }, LIMITS, '')).toMatchObject({
			state: 'missing',
			missing_since: '2026-03-02',
			detail: '1 h9',
		});
		expect(verdictOf(note, new Set(), 1_000, LIMITS)).toEqual({ kind: 'done' });
	});
});

describe('Over all batches of a run', () => {
	test('what needs something that failed is blocked and not sent, and comes when that is there', async () => {
		const service = new Service();
		service.fault = (_action, body) => (body.external_id === 'r1' ? 400 : undefined);
		const roster = rosterOf(WORLD);
		const { ledger } = await night(nightOf(0), roster, [], service, { firstRun: true, batchSize: 2 });
		const states = Object.fromEntries(
			ledger.filter(({ kind }) => kind !== 'run' && kind !== 'batch').map(({ key, state }) => [key, state]),
		);
		expect(states).toMatchObject({
			'u:r1': 'failed',
			'u:s1': 'blocked',
			'b:school-1|c1|s1|student': 'blocked',
			'u:s2': 'applied',
		});
		expect(service.requests).toBe(5);
		service.fault = () => undefined;
		await night(nightOf(1), roster, ledger, service);
		expect(service.all()).toHaveLength(7);
		expect(service.requests).toBe(8);
	});

	test('a bond stays where the one that its user moves to is not there, and goes with the next plan', async () => {
		const service = new Service();
		let { ledger } = await night(nightOf(0), rosterOf([...WORLD, aClass('c2')]), [], service, {
			firstRun: true,
		});
		const moved = rosterOf([
			...WORLD.filter(({ fields }) => fields.user_external_id !== 's1'),
			aClass('c2'),
			aBond('s1', 'c2'),
		]);
		service.fault = (action, body) =>
			action === 'create' && body.class_external_id === 'c2' ? 422 : undefined;
		({ ledger } = await night(nightOf(1), moved, ledger, service, { batchSize: 1 }));
		expect(ledger.slice(-2)).toMatchObject([
			{ state: 'failed' },
			{ key: 'b:school-1|c1|s1|student', state: 'blocked', detail: 'needs b:school-1|c2|s1|student' },
		]);
		service.fault = () => undefined;
		await night(nightOf(2), moved, ledger, service);
		expect(service.all().filter((name) => name.includes('"s1","student"'))).toEqual([
			'["bond","school-1","c2","s1","student"]',
		]);
	});

	test('a bond goes although one is refused of another person with the same id, in a school of its own', async () => {
		const service = new Service('school');
		const options = { userKeys: 'school', batchSize: 1 } as const;
		const ofSchool = (school: string) => [aClass('c1', school), aUser('17', 'educator', school)];
		const bond = aBond('17', 'c1', 'educator', 'north');
		const both = [...ofSchool('north'), ...ofSchool('south')];
		let { ledger } = await night(nightOf(0), rosterOf([...both, bond]), [], service, {
			firstRun: true,
			...options,
		});
		service.fault = (action, body) =>
			action === 'create' && body.user_external_id === '17' ? 422 : undefined;
		({ ledger } = await night(
			nightOf(1),
			rosterOf([...both, aBond('17', 'c1', 'educator', 'south')]),
			ledger,
			service,
			options,
		));
		expect(ledger.slice(-2)).toMatchObject([{ state: 'failed' }, { state: 'removed' }]);
	});

	test('what needs something uncertain is sent', async () => {
		const service = new Service();
		service.fault = (_action, body) => (body.external_id === 'c1' ? 500 : undefined);
		const rows = await applied(await changesOf(), service, nightOf(0));
		expect(rows.filter(({ kind }) => kind === 'bond').map(({ state }) => state)).toEqual([
			'failed',
			'failed',
		]);
		expect(rows[0].state).toBe('uncertain');
	});

	test('after so many troubles in a row the rest is not tried, and has its rows', async () => {
		const service = new Service();
		const changes = await changesOf(aSchool('north', 1, 20), { batchSize: 5 });
		let count = 0;
		service.fault = () => ((count += 1) > 3 ? 503 : undefined);
		const rows = await applied(changes, service, nightOf(0), Infinity, { ...LIMITS, stopAfterTroubles: 4 });
		expect(service.requests).toBe(3 + 4);
		expect(rows).toHaveLength(changes.length);
		expect(rows.slice(7).every(({ state }) => state === 'not tried')).toBe(true);
	});

	test('a break in the middle of sending leaves a row for each, and says that nobody knows', async () => {
		const changes = await changesOf();
		const send = async () => await Promise.reject(new Error('out of memory'));
		const { applied: done } = await applyBatch(changes, undefined, send, LIMITS, () => nightOf(0));
		expect(done.map(({ change, row }) => [change.key, row.state])).toEqual(
			changes.map(({ key }) => [key, 'uncertain']),
		);
	});

	test('what was not begun when the run was cancelled is not tried, and blocks what needs it', async () => {
		const changes = await changesOf();
		const { applied: done, progress } = await applyBatch(
			changes,
			undefined,
			async (step) => step.map(() => ({ kind: 'notTried' as const })),
			LIMITS,
			() => nightOf(0),
		);
		expect(done.map(({ row }) => row.state)).toEqual([
			'not tried',
			'not tried',
			'not tried',
			'blocked',
			'blocked',
			'blocked',
			'blocked',
		]);
		expect(progress.failed).toHaveLength(7);
	});

	test('refusals of records are no troubles, and end a row of them', () => {
		expect(troublesAfter(5, failure({ status: 422 }))).toBe(0);
		expect(troublesAfter(5, { kind: 'done' })).toBe(0);
		expect(troublesAfter(5, { kind: 'blocked', by: 'u:1' })).toBe(5);
		for (const more of [
			{ status: 503 },
			{ status: 404, isPage: true },
			{ status: 429 },
			{ status: 401 },
			{ origin: 'network' as const },
			{ origin: 'signOn' as const },
			{ origin: 'n8n' as const },
		]) {
			expect(troublesAfter(5, failure(more))).toBe(6);
		}
	});

	test('what is kept of another run counts for nothing', () => {
		const kept = { run_id: 'r1', failed: ['u:1'], troubles: 7 };
		expect(progressOf(kept, 'r1')).toBe(kept);
		expect(progressOf(kept, 'r2')).toEqual({ run_id: 'r2', failed: [], troubles: 0 });
	});
});
