/** What came of a change, what the ledger learns of it, and what must wait for it. */
import type { Change } from '../../../../nodes/SchoolPartnerRoster/planning/change.ts';
import { Batches } from '../../../../nodes/SchoolPartnerRoster/night/batches.ts';
import { sendBatch, type SendStep } from '../../../../nodes/SchoolPartnerRoster/sending/batch.ts';
import { Blockers } from '../../../../nodes/SchoolPartnerRoster/sending/blockers.ts';
import { CircuitBreaker } from '../../../../nodes/SchoolPartnerRoster/sending/circuitBreaker.ts';
import {
	stateAfter,
	type ChangeResult,
	type StatusOptions,
} from '../../../../nodes/SchoolPartnerRoster/sending/result.ts';
import { intentRow, outcomeRow } from '../../../../nodes/SchoolPartnerRoster/sending/rows.ts';
import { ledgerRow, type OutcomeState } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import type { RosterRecord } from '../../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Failure } from '../../../../nodes/shared/failure.ts';
import { ledgerOf } from '../ledgerRows.mts';
import { Nights } from '../night.mts';
import { aBond, aClass, aStudent, aUser } from '../world.mts';

function failure(more: Partial<Failure>): ChangeResult {
	const base = { origin: 'service', effect: 'none', message: 'Ana Lima is not welcome', next: '' } as const;
	return { kind: 'failed', failure: { ...base, ...more } };
}

function change(more: Partial<Change> = {}): Change {
	return {
		...{
			action: 'create',
			kind: 'user',
			key: 'u:s|1',
			school_external_id: 's',
			state: 'planned',
			fields: 'h2',
		},
		...{ needs: [], why: '', send: {}, source: null, since: '', known: undefined, there: 'no', isNew: true },
		...more,
	};
}

const STATUSES: StatusOptions = {
	existsStatuses: [409],
	existing: 'report',
	goneStatuses: [404],
	confirmation: 'answer',
};
const ADOPT: StatusOptions = { ...STATUSES, existing: 'adopt' };
const CALLBACK: StatusOptions = { ...STATUSES, confirmation: 'callback' };
const create = change();
const bond = change({ kind: 'bond', key: 'b:s|c|1|student' });
const remove = change({ ...bond, action: 'remove', there: 'yes' });
const update = change({ there: 'yes' });
const unknown = failure({ origin: 'network', effect: 'unknown' });

test.each<[string, Change, ChangeResult, string, StatusOptions?]>([
	['created', create, { kind: 'done' }, 'applied'],
	['a user whose account is to be seen', create, { kind: 'done' }, 'unconfirmed', CALLBACK],
	['a user whose values are sent again', update, { kind: 'done' }, 'applied', CALLBACK],
	['a bond', bond, { kind: 'done' }, 'applied', CALLBACK],
	['removed', remove, { kind: 'done' }, 'removed'],
	['refused', create, failure({ status: 400 }), 'failed'],
	['there already: it may be somebody else’s', create, failure({ status: 409 }), 'exists'],
	['there already, and adopted', create, failure({ status: 409 }), 'applied', ADOPT],
	['a bond that is there: nothing but its ids', bond, failure({ status: 409 }), 'applied'],
	['a change that is refused as it exists', update, failure({ status: 409 }), 'failed', ADOPT],
	['gone already', remove, failure({ status: 404 }), 'removed'],
	['gone, as the page of a proxy says', remove, failure({ status: 404, isPage: true }), 'failed'],
	['there, as the page of a proxy says', create, failure({ status: 409, isPage: true }), 'failed', ADOPT],
	['a bond in conflict', remove, failure({ status: 409 }), 'failed'],
	['no sign-on where there was one', remove, failure({ status: 404, origin: 'signOn' }), 'failed'],
	['a conflict at the sign-on', create, failure({ status: 409, origin: 'signOn' }), 'failed', ADOPT],
	['nothing found at a creation', create, failure({ status: 404 }), 'failed'],
	['no answer', create, unknown, 'uncertain'],
	['done, with an answer that cannot be read', create, failure({ effect: 'done', status: 200 }), 'applied'],
	['blocked', create, { kind: 'blocked', by: 'u:2' }, 'blocked'],
	['not sent', create, { kind: 'notTried' }, 'not tried'],
	['a note', change({ action: 'note', state: 'missing' }), { kind: 'done' }, 'missing'],
])('A change is in the right state afterwards: %s', (_what, one, result, state, statuses = STATUSES) => {
	expect(stateAfter(one, result, statuses)).toBe(state);
});

describe('The row of a change', () => {
	const known = { ...ledgerRow({ fields: 'h1', service_id: '7', account_id: '8' }), id: 1 };

	test('has status and code of a refusal, and never the words of the service', () => {
		const refused = failure({ status: 422, code: 'ENRL-0001' });
		const row = outcomeRow(create, refused, 'failed');
		expect(row).toMatchObject({ state: 'failed', fields: '', detail: '{"status":422,"code":"ENRL-0001"}' });
		expect(JSON.stringify(row)).not.toContain('Ana');
		const talks = failure({ status: 422, code: 'Ana Lima is unknown' });
		expect(outcomeRow(create, talks, 'failed').detail).toBe('{"status":422}');
	});

	test('keeps the ids that the service gave, and what it has while that was not changed', () => {
		const done: ChangeResult = { kind: 'done', serviceId: '77', accountId: '88' };
		expect(outcomeRow(create, done, 'applied')).toMatchObject({
			service_id: '77',
			account_id: '88',
			fields: 'h2',
			detail: '',
		});
		const failed = outcomeRow(change({ there: 'yes', known }), failure({ status: 400 }), 'failed');
		expect(failed).toMatchObject({
			service_id: '7',
			account_id: '8',
			fields: 'h1',
			detail: '{"there":"yes","status":400}',
		});
	});

	test('says what was uncertain, and by what: a removal or a creation; what was not done leaves that as it was', () => {
		const rowOf = (detail: object) => ({ ...known, state: 'uncertain', detail: JSON.stringify(detail) });
		const action = (one: Change, result: ChangeResult, state: 'uncertain' | 'not tried') =>
			(JSON.parse(outcomeRow(one, result, state).detail || '{}') as { action?: string }).action ?? 'create';
		const again = change({ there: 'maybe', known: rowOf({ action: 'remove' }) });
		const away = change({ ...remove, there: 'maybe', known: rowOf({ action: 'create' }) });
		expect([action(remove, unknown, 'uncertain'), action(create, unknown, 'uncertain')]).toEqual([
			'remove',
			'create',
		]);
		expect([action(again, unknown, 'uncertain'), action(away, unknown, 'uncertain')]).toEqual([
			'create',
			'remove',
		]);
		const notTried: ChangeResult = { kind: 'notTried' };
		expect([action(again, notTried, 'not tried'), action(away, notTried, 'not tried')]).toEqual([
			'remove',
			'create',
		]);
	});

	test('of what is sent again as a change is never uncertain: it is there', () => {
		const row = outcomeRow(change({ there: 'yes', known }), unknown, 'uncertain');
		expect(row).toMatchObject({ state: 'failed', fields: 'h1', detail: '{"there":"yes"}' });
	});

	test('counts on since when a bond is missing while its removal is not done', () => {
		const since = '2027-01-10';
		expect(outcomeRow({ ...remove, since }, failure({ status: 400 }), 'failed').since).toBe(since);
		expect(outcomeRow({ ...remove, since }, { kind: 'done' }, 'removed')).toMatchObject({
			since: '',
			fields: '',
		});
	});
});

test('The intent of a batch has the whole keys of what is sent, and there is none of notes alone', () => {
	const note = change({ action: 'note', key: 'u:s|9' });
	expect(JSON.parse(intentRow([create, note, remove])?.detail ?? '')).toEqual({
		create: [create.key],
		remove: [remove.key],
	});
	expect(intentRow([note])).toBeUndefined();
});

test('Of users of a network the intent has the schools too: their keys have none', async () => {
	const user = change({ action: 'create', key: 'u:9', school_external_id: 's' });
	const { detail = '' } = intentRow([create, user]) ?? {};
	expect(JSON.parse(detail)).toEqual({ create: [create.key, 'u:9'], remove: [], schools: { 'u:9': 's' } });
	const { entries } = await ledgerOf({ kind: 'batch', key: 'batch', run_id: 'r1-x', sequence: '1', detail });
	expect([entries.get('u:9')?.there, entries.get('u:9')?.school]).toEqual(['maybe', 's']);
});

describe('What waits for another', () => {
	function waits(state: OutcomeState, more: Partial<Change>, of = create): boolean {
		const blockers = new Blockers();
		blockers.note(of, state);
		return blockers.resultFor(change({ key: 'x', needs: [of.key], ...more })) !== undefined;
	}

	test('of somebody who failed all; of somebody uncertain students, but not bonds; of a change that failed nobody', () => {
		expect([waits('failed', {}), waits('failed', { kind: 'bond' })]).toEqual([true, true]);
		expect([waits('uncertain', {}), waits('uncertain', { kind: 'bond' })]).toEqual([true, false]);
		expect([waits('applied', {}), waits('failed', {}, update)]).toEqual([false, false]);
	});

	test('a removal waits when all new bonds of its person failed or are uncertain', () => {
		expect([waits('failed', remove), waits('uncertain', remove)].map(Boolean)).toEqual([false, false]);
		const gone = { ...remove, needs: [bond.key] };
		expect([waits('failed', gone, bond), waits('uncertain', gone, bond)]).toEqual([true, true]);
		expect(waits('waiting', gone, bond)).toBe(true);
		expect(waits('failed', { ...gone, needs: [bond.key, 'b:other'] }, bond)).toBe(false);
	});
});

describe('Troubles in a row', () => {
	const many = (...results: ChangeResult[]) => {
		const breaker = new CircuitBreaker(STATUSES);
		for (const result of results)
			for (let count = 0; count < 100; count++) breaker.countResult(create, result);
		return breaker.isOpen;
	};

	test.each<Partial<Failure>>([
		{ status: 503 },
		{ status: 404, isPage: true },
		{ status: 429 },
		{ status: 401 },
		{ origin: 'network' },
		{ origin: 'signOn' },
		{ origin: 'n8n' },
	])('%j: after a hundred nothing more is sent', (more) => {
		expect(many(failure(more))).toBe(true);
	});

	test('that are forbidden (403) are those of a kind in a school, which is then left alone: many such are trouble', () => {
		const breaker = new CircuitBreaker(STATUSES);
		const schools = Array.from({ length: 20 }, (_, n) => change({ school_external_id: `s${n}` }));
		for (const ofSchool of schools) {
			expect([breaker.isOpen, breaker.forbids(ofSchool)]).toEqual([false, false]);
			for (let count = 0; count < 50; count++) breaker.countResult(ofSchool, failure({ status: 403 }));
			expect(breaker.forbids(ofSchool)).toBe(true);
			expect(breaker.forbids({ ...ofSchool, action: 'remove' })).toBe(false);
			expect(breaker.forbids({ ...ofSchool, kind: 'bond' })).toBe(false);
		}
		expect(breaker.isOpen).toBe(true);
	});

	test('of a school in which such a thing was done since are not in a row', () => {
		const breaker = new CircuitBreaker(STATUSES);
		for (let count = 0; count < 49; count++) breaker.countResult(create, failure({ status: 403 }));
		breaker.countResult(create, { kind: 'done' });
		breaker.countResult(create, failure({ status: 403 }));
		expect(breaker.forbids(create)).toBe(false);
	});

	test('are ended by what is done, and by a refusal of a record, which is none', () => {
		expect([many(failure({ status: 422 })), many(failure({ status: 503 }), { kind: 'done' })]).toEqual([
			false,
			false,
		]);
		expect(many(failure({ status: 503 }), failure({ status: 422 }))).toBe(false);
		expect(many(failure({ status: 503 }), { kind: 'notTried' })).toBe(true);
	});

	test.each<[Partial<Failure>, 'failed' | 'uncertain', boolean]>([
		[{ status: 422 }, 'failed', true],
		[{ status: 403 }, 'failed', false],
		[{ status: 401 }, 'failed', true],
		[{ status: 303, effect: 'unknown' }, 'uncertain', true],
		[{ status: 503 }, 'failed', false],
		[{ status: 503, effect: 'unknown' }, 'uncertain', false],
		[{ origin: 'network', status: undefined }, 'failed', false],
	])('%j of the first creations (%s) are refusals of the kind: %p', (more, state, isRefusal) => {
		const breaker = new CircuitBreaker(STATUSES);
		const change = { action: 'create', kind: 'user' } as Change;
		for (let count = 0; count < 60; count++) breaker.countCreation(change, failure(more), state);
		expect(breaker.refusedAlike.length > 0).toBe(isRefusal);
	});
});

test.each<[string, Array<[count: number, result: ChangeResult, state: OutcomeState]>, number]>([
	['fifty', [[50, failure({ status: 422 }), 'failed']], 0],
	['fifty-one', [[51, failure({ status: 422 }), 'failed']], 51],
	[
		'fifty of a cause and fifty of another',
		[
			[50, failure({ status: 422, code: 'ENRL-0001' }), 'failed'],
			[50, failure({ status: 422, code: 'ENRL-0002' }), 'failed'],
		],
		0,
	],
	[
		'no more than fifty of them, and all behind them',
		[
			[50, { kind: 'done' }, 'applied'],
			[50, failure({ status: 422 }), 'failed'],
			[90, failure({ status: 422 }), 'failed'],
		],
		0,
	],
	['all, but they are there and adopted', [[100, failure({ status: 409 }), 'applied']], 0],
	[
		'what was not sent is not counted',
		[
			[90, { kind: 'notTried' }, 'not tried'],
			[60, failure({ status: 422 }), 'failed'],
		],
		60,
	],
])(
	'Creations of a kind that are refused alike, counted in the first hundred: %s',
	(_what, results, refused) => {
		const breaker = new CircuitBreaker(STATUSES);
		for (const [count, result, state] of results)
			for (let place = 0; place < count; place++) breaker.countCreation(create, result, state);
		expect(breaker.refusedAlike[0]?.refused ?? 0).toBe(refused);
		expect(breaker.refuses(create)).toBe(refused > 0);
		expect(breaker.refuses(remove)).toBe(false);
	},
);

const CLOCK = { wall: () => 0, steady: () => 0, sleep: async () => {} };

/** The batches of these changes, when none takes any time. */
function* batchesOf(changes: readonly Change[], clock = CLOCK) {
	const batches = new Batches(changes, clock);
	for (let batch = batches.next(); batch !== undefined; batch = batches.next()) {
		yield batch;
		batches.finish(batch, clock.steady());
	}
}

describe('The steps of a night', () => {
	async function stepsOf(records: RosterRecord[]): Promise<string[][]> {
		const { held } = await new Nights().preview(records);
		const steps: string[][] = [];
		for (const { changes, beginsStep } of batchesOf(held)) {
			const keys = changes.map(({ key }) => key.split('|').slice(1).join(' '));
			if (beginsStep) steps.push(keys);
			else steps.at(-1)?.push(...keys);
		}
		return steps;
	}

	test('end each before what needs it begins', async () => {
		const records = [
			aClass('c1'),
			aUser('r1', 'responsible'),
			aUser('t1', 'educator'),
			aStudent('s1', ['r1']),
			aStudent('s2', ['t1']),
			aBond('s1', 'c1'),
		];
		expect(await stepsOf(records)).toEqual([['c1'], ['r1', 't1'], ['s1', 's2'], ['c1 s1 student']]);
	});

	test('are one for each of persons who are one another’s responsible persons', async () => {
		expect(await stepsOf([aStudent('a', ['b']), aStudent('b', ['c']), aStudent('c', [])])).toEqual([
			['c'],
			['b'],
			['a'],
		]);
	});

	test('are seen over batches: who needs somebody of the batch before the last waits for all of the step', () => {
		const many = Array.from({ length: 500 }, (_, place) => change({ key: `u:s|${place}` }));
		const batches = [...batchesOf([...many, change({ key: 'u:s|last', needs: [many[150].key] })])];
		expect(batches.map(({ changes, beginsStep }) => [changes.length, beginsStep])).toEqual([
			[100, true],
			[400, true],
			[1, true],
		]);
	});
});

test('Notes are written many at once, in whatever order a sheet gives them, and creations behind them begin with a few', () => {
	const kinds = ['class', 'user', 'bond'] as const;
	const notes = Array.from({ length: 300 }, (_, at) =>
		change({ action: 'note', kind: kinds[at % 3], key: `n${at}`, needs: at === 0 ? [] : [`n${at - 1}`] }),
	);
	const creations = Array.from({ length: 200 }, (_, at) => change({ key: `u:s|${at}` }));
	const batches = [...batchesOf([...notes, ...creations])];
	expect(batches.map(({ changes }) => changes.length)).toEqual([300, 100, 100]);
});

test('A batch that breaks off in the middle of sending has an outcome for each: nobody knows', async () => {
	const send: SendStep = async () => await Promise.reject(new Error('out of memory'));
	const found = {
		blockers: new Blockers(),
		breaker: new CircuitBreaker(STATUSES),
		today: '2027-01-15',
	};
	const context = { send, ...found, statuses: STATUSES };
	const done = await sendBatch([create, bond], context);
	expect(done.map(({ state }) => state)).toEqual(['uncertain', 'uncertain']);
});

test('Batches are as large as one and a half seconds allow: from 100 to 1,000 changes, at most doubled', () => {
	let now = 0;
	const batches = new Batches(
		Array.from({ length: 6_000 }, (_, place) => change({ key: `u:s|${place}` })),
		{ ...CLOCK, steady: () => now },
	);
	const sizes: number[] = [];
	for (const perSecond of [1_000, 1_000, 1_000, 1_000, 400, 1, 1]) {
		const [batch, began] = [batches.next()!, now];
		sizes.push(batch.changes.length);
		now += (batch.changes.length * 1_000) / perSecond;
		batches.finish(batch, began);
	}
	expect(sizes).toEqual([100, 400, 800, 1_000, 1_000, 600, 100]);
});

test('The first batch says how large the second is: slow answers leave it small', () => {
	let now = 5_000;
	const batches = new Batches(
		Array.from({ length: 2_000 }, (_, place) => change({ key: `u:s|${place}` })),
		{ ...CLOCK, steady: () => now },
	);
	const first = batches.next()!;
	now += 1_000;
	batches.finish(first, 5_000);
	// A hundred took a second: so many fit into one and a half.
	expect(batches.next()?.changes.length).toBe(150);
});

test('A batch that waited behind another is measured from when it was alone', () => {
	let now = 0;
	const batches = new Batches(
		Array.from({ length: 2_000 }, (_, place) => change({ key: `u:s|${place}` })),
		{ ...CLOCK, steady: () => now },
	);
	const [first, second] = [batches.next()!, batches.next()!];
	now = 250;
	batches.finish(first, 0);
	now = 500;
	batches.finish(second, 0);
	// 200 in a quarter of a second, and doubled at most.
	expect(batches.next()?.changes.length).toBe(800);
});
