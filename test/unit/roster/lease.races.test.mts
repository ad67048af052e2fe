/** What may happen between the steps of a run that takes the lease, one by one: each leaves the lease to at most one run. */
import { failed } from '../../../nodes/shared/failure.ts';
import { leaseRow } from '../../../nodes/SchoolPartnerRoster/night/lease.ts';
import type { StoredRow } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import {
	storeResult,
	StoreError,
	type StoreFailure,
} from '../../../nodes/SchoolPartnerRoster/store/store.ts';
import { ANSWER_LOST, leaseRows, newScene, play, Run, sleep, table, time } from './simulation/leaseScene.mts';

beforeEach(newScene);

const row = (holder: string, beat: number, rows = 0) =>
	leaseRow({ holder, beat, rows, timeoutMs: 30_000 }, 0);

const NO_RIGHTS: StoreFailure = { ...ANSWER_LOST, isPassing: false, message: 'The role may not do that' };

type Call = 'append' | 'leaseRows' | 'replaceLease';

/** Stands between the run and its store. @param answer gets the number of the call, from 1, and what does it */
function intercept(
	run: Run,
	call: Call,
	answer: (number: number, doIt: () => Promise<unknown>) => Promise<unknown>,
): void {
	let calls = 0;
	const original = run.store[call].bind(run.store) as (...given: unknown[]) => Promise<unknown>;
	const between = async (...given: unknown[]) => await answer(++calls, async () => await original(...given));
	Object.assign(run.store, { [call]: between });
}

/** Happens before the call with this number. */
function before(run: Run, call: Call, number: number, what: () => void): void {
	intercept(run, call, async (each, doIt) => {
		if (each === number) what();
		return await doIt();
	});
}

/** These calls fail, and do nothing. */
function failing(run: Run, call: Call, failure: StoreFailure, which: (number: number) => boolean): void {
	intercept(run, call, async (each, doIt) => {
		if (which(each)) throw new StoreError(failure);
		return await doIt();
	});
}

const always = () => true;

/** Lease rows that stand there before anybody comes. */
function stand(...rows: Array<ReturnType<typeof row>>): StoredRow[] {
	const stored = table.number(rows);
	table.show(stored);
	return stored;
}

describe('Who makes the ledger', () => {
	test('adds the row again until it is there, and has one row', async () => {
		await play(async () => {
			const run = new Run('maker');
			failing(run, 'append', ANSWER_LOST, (number) => number < 30);
			const lease = await run.take(true);
			expect(time.now).toBeGreaterThan(28_000);
			await lease.release();
		});
		expect(leaseRows()).toHaveLength(1);
	});

	test('is told when it could not be added for two minutes', async () => {
		await play(async () => {
			const run = new Run('maker');
			failing(run, 'append', ANSWER_LOST, always);
			expect(await run.try(true)).toEqual(failed(ANSWER_LOST));
			expect(time.now).toBeGreaterThanOrEqual(120_000);
			expect(time.now).toBeLessThan(125_000);
		});
	});

	test('is told at once when no trying again will help', async () => {
		await play(async () => {
			const run = new Run('maker');
			failing(run, 'append', NO_RIGHTS, always);
			expect(await run.try(true)).toEqual(failed(NO_RIGHTS));
			expect(time.now).toBeLessThan(1_000);
		});
	});
});

test('Who did not make the ledger waits 10 s for its row, however long its machine has been running', async () => {
	await play(async () => {
		await sleep(500_000);
		const lease = await new Run('second').take(false);
		expect(time.now - 500_000).toBeGreaterThanOrEqual(10_000);
		expect(time.now - 500_000).toBeLessThan(12_000);
		await lease.release();
	});
});

test.each<[string, Call, (number: number) => boolean]>([
	['looked at', 'leaseRows', always],
	['written', 'replaceLease', always],
	['looked at once more', 'leaseRows', (number) => number === 2],
])('A lease that cannot be %s is told, and not taken, or given back', async (_what, call, which) => {
	await play(async () => {
		stand(row('', 1));
		const run = new Run('one');
		failing(run, call, NO_RIGHTS, which);
		expect(await run.try()).toEqual(failed(NO_RIGHTS));
		expect(leaseRows()[0].run_id).toBe('');
	});
});

describe('Of two lease rows', () => {
	test('one whose holder shows life while it is freed keeps the other run away', async () => {
		await play(async () => {
			const [, high] = stand(row('', 0), row('slow', 5));
			const run = new Run('one');
			before(run, 'replaceLease', 1, () => table.replace(high, row('slow', 6)));
			expect(await run.try()).toEqual({ ok: true, value: { kind: 'busy', holder: 'slow' } });
			expect(leaseRows().map(({ run_id: holder }) => holder)).toEqual(['', 'slow']);
		});
	});

	test('one that cannot be freed is told, and the lease is not taken', async () => {
		await play(async () => {
			stand(row('', 0), row('dead', 5));
			const run = new Run('one');
			failing(run, 'replaceLease', NO_RIGHTS, always);
			expect(await run.try()).toEqual(failed(NO_RIGHTS));
			expect(leaseRows().map(({ run_id: holder }) => holder)).toEqual(['', 'dead']);
		});
	});

	test('one that has gone meanwhile is no reason to wait', async () => {
		await play(async () => {
			const [, high] = stand(row('', 0), row('dead', 5));
			const run = new Run('one');
			before(run, 'replaceLease', 1, () => table.remove(({ id }) => id === high.id));
			const lease = await run.take();
			expect(leaseRows()).toHaveLength(1);
			await lease.release();
		});
	});

	test('one that is free is not written before it is removed', async () => {
		await play(async () => {
			stand(row('', 3, 9), row('', 3, 4));
			const run = new Run('one');
			const replaced: number[] = [];
			const original = run.store.replaceLease.bind(run.store);
			run.store.replaceLease = async (was, becomes) => {
				replaced.push(was.id);
				return await original(was, becomes);
			};
			const lease = await run.take();
			expect([replaced, lease.rowsBefore]).toEqual([[1], 9]);
			expect(leaseRows()).toHaveLength(1);
			await lease.release();
		});
	});
});

describe('Who takes the lease', () => {
	test('leaves it to the run that was faster', async () => {
		await play(async () => {
			const [own] = stand(row('', 1));
			const run = new Run('one');
			before(run, 'replaceLease', 1, () => table.replace(own, row('faster', 2)));
			const taken = run.try();
			await sleep(8_000);
			table.replace({ ...own, run_id: 'faster', sequence: '2' }, row('faster', 3));
			expect(await taken).toEqual({ ok: true, value: { kind: 'busy', holder: 'faster' } });
			expect(leaseRows()[0].run_id).toBe('faster');
		});
	});

	test('gives it back when another row was taken meanwhile', async () => {
		await play(async () => {
			stand(row('', 1));
			const run = new Run('one');
			// The first look is before it takes the lease, the second one afterwards.
			before(run, 'leaseRows', 2, () => table.show(table.number([row('other', 7)])));
			const taken = run.try();
			await sleep(100);
			const [own, other] = leaseRows();
			expect([own.run_id, other.run_id]).toEqual(['', 'other']);
			table.replace(other, row('other', 8));
			expect(await taken).toMatchObject({ value: { kind: 'busy', holder: 'other' } });
		});
	});

	test('gives it back for one with a lower id, which is the lease, that has become visible meanwhile', async () => {
		await play(async () => {
			const [lower, own] = table.number([row('', 0), row('', 1)]);
			table.show([own]);
			const run = new Run('one');
			before(run, 'leaseRows', 2, () => table.show([lower]));
			const lease = await run.take();
			expect(leaseRows()).toMatchObject([{ id: lower.id, run_id: lease.runId }]);
			await lease.release();
		});
	});

	test('goes on waiting when its row is taken over before it has looked once more', async () => {
		await play(async () => {
			const [own] = stand(row('', 1));
			const run = new Run('one');
			before(run, 'leaseRows', 2, () => {
				table.remove(({ id }) => id === own.id);
				table.show([{ ...row('overtaker', 3), id: own.id }]);
			});
			const taken = run.try();
			await sleep(7_000);
			const [held] = leaseRows();
			expect(held.run_id).toBe('overtaker');
			table.replace(held, row('overtaker', 4));
			expect(await taken).toEqual({ ok: true, value: { kind: 'busy', holder: 'overtaker' } });
		});
	});

	test('is told when it has to give it back and cannot', async () => {
		await play(async () => {
			stand(row('', 1));
			const run = new Run('one');
			before(run, 'leaseRows', 2, () => table.show(table.number([row('other', 7)])));
			failing(run, 'replaceLease', NO_RIGHTS, (number) => number > 1);
			expect(await run.try()).toEqual(failed(NO_RIGHTS));
		});
	});
});

describe('Who holds the lease', () => {
	test('has lost it when its row is gone', async () => {
		await play(async () => {
			const lease = await new Run('first').take(true);
			table.remove(() => true);
			expect(await storeResult(lease.renewNow())).toEqual({ ok: true, value: undefined });
			expect([lease.isLost, lease.isValid()]).toEqual([true, false]);
		});
	});

	test('is told when it cannot see who has changed its row', async () => {
		await play(async () => {
			const run = new Run('first');
			const lease = await run.take(true);
			const [held] = leaseRows();
			table.replace(held, row(lease.runId, 90));
			failing(run, 'leaseRows', NO_RIGHTS, always);
			expect(await storeResult(lease.renewNow())).toEqual(failed(NO_RIGHTS));
			await storeResult(lease.release());
		});
	});

	test('renews it every ten seconds', async () => {
		await play(async () => {
			const run = new Run('first');
			const lease = await run.take(true);
			await sleep(65_000);
			const beats = Number(leaseRows()[0].sequence);
			expect(beats).toBeGreaterThanOrEqual(6);
			expect(beats).toBeLessThanOrEqual(7);
			await lease.release();
		});
	});
});

test('The row says to people whether the lease is held', () => {
	expect([row('somebody', 1).state, row('', 1).state]).toEqual(['held', 'free']);
});
