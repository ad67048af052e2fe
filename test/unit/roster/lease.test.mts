/** Promises of the lease, one by one; lease.model.test.mts looks for what breaks them. In time that is only counted. */
import { leaseRow, leaseState, type Lease } from '../../../nodes/SchoolPartnerRoster/night/lease.ts';
import { storeResult, StoreError } from '../../../nodes/SchoolPartnerRoster/store/store.ts';
import {
	ANSWER_LOST,
	leaseRows,
	newScene,
	play,
	QUICK,
	Run,
	sleep,
	table,
	time,
} from './simulation/leaseScene.mts';
import type { Trouble } from './simulation/virtualClock.mts';

beforeEach(newScene);

/** A run that took the lease and was killed. */
async function killed(timeoutMs = 30_000): Promise<Lease> {
	const run = new Run('killed', [], timeoutMs);
	const lease = await run.take(true);
	run.process.isKilled = true;
	return lease;
}

describe('Who finds the lease taken', () => {
	test('ends as busy with its first sign of life', async () => {
		await play(async () => {
			const lease = await new Run('first').take(true);
			const taken = await new Run('second').try();
			expect(taken).toEqual({ ok: true, value: { kind: 'busy', holder: lease.runId } });
			expect(time.now).toBeLessThan(17_000);
			await lease.release();
		});
	});

	test('takes it as soon as it is released', async () => {
		await play(async () => {
			const first = await new Run('first').take(true);
			first.countRows(7);
			const second = new Run('second').take();
			await sleep(3_000);
			await first.release();
			const lease = await second;
			expect(time.now).toBeLessThan(9_000);
			expect([table.overtaken, lease.rowsBefore]).toEqual([[], 7]);
			await lease.release();
		});
	});

	test.each([
		['75 s', 30_000, 75_000],
		['45 s and as long as a request of its holder may take, where that is more', 60_000, 105_000],
	])('takes it over when it stands still for %s', async (_, timeoutMs, watchedMs) => {
		await play(async () => {
			const before = await killed(timeoutMs);
			const began = time.now;
			const lease = await new Run('second').take();
			expect(time.now - began).toBeGreaterThanOrEqual(watchedMs);
			expect(time.now - began).toBeLessThan(watchedMs + 6_000);
			expect(table.overtaken).toEqual([before.runId]);
			await lease.release();
		});
	});

	test('has not watched while it was frozen', async () => {
		await play(async () => {
			await killed();
			const began = time.now;
			const freeze: Trouble = { kind: 'freeze', ms: 300_000, steadyStops: false };
			const lease = await new Run('second', [[20, freeze]]).take();
			// Of the 300 s no more count than two looks are apart.
			expect(time.now - began).toBeGreaterThan(300_000 + 60_000);
			await lease.release();
		});
	});

	test('ends when it is cancelled', async () => {
		await play(async () => {
			await killed();
			const cancel = new AbortController();
			const taken = new Run('second').try(false, cancel.signal);
			await sleep(30_000);
			cancel.abort();
			expect(await taken).toEqual({ ok: true, value: { kind: 'cancelled' } });
			expect(time.now).toBeLessThan(32_000);
		});
	});
});

describe('The lease row', () => {
	test('is one again after two made the ledger at once, and one of them has the lease', async () => {
		await play(async () => {
			table.troubles = { ...QUICK, invisibleMs: 50 };
			const [one, other] = [new Run('one'), new Run('other')];
			const both = await Promise.all([one.try(true), other.try(true)]);
			const kinds = both.map((taken) => taken.ok && taken.value.kind);
			expect(kinds.sort()).toEqual(['acquired', 'busy']);
			for (const taken of both)
				if (taken.ok && taken.value.kind === 'acquired') await taken.value.lease.release();
		});
		const next = new Run('next');
		await play(async () => void (await (await next.take()).release()));
		expect(leaseRows()).toHaveLength(1);
	});

	test('is the one with the lowest id, as soon as it is visible', async () => {
		const free = (beat: number, rows: number) => leaseRow({ holder: '', beat, rows, timeoutMs: 30_000 }, 0);
		const [low, high] = table.number([free(0, 0), free(5, 70)]);
		table.show([high, low]);
		await play(async () => {
			const lease = await new Run('one').take();
			// It goes on from where the other one was.
			expect([lease.runId, lease.rowsBefore]).toEqual(['6-one', 70]);
			await lease.release();
		});
		expect(leaseRows().map(({ id }) => id)).toEqual([low.id]);
	});

	test('above it that was held is freed first: its holder may only be frozen', async () => {
		const held = leaseRow({ holder: 'frozen', beat: 5, rows: 0, timeoutMs: 0 }, 0);
		const [low, high] = table.number([leaseRow({ holder: '', beat: 0, rows: 0, timeoutMs: 0 }, 0), held]);
		table.show([low, high]);
		await play(async () => {
			const lease = await new Run('one').take();
			expect(time.now).toBeGreaterThanOrEqual(75_000);
			expect(table.replace(high, held)).toBe(false);
			await lease.release();
		});
	});
});

describe('Who holds the lease', () => {
	test('may send for 40 s after a renewal began, and again when one arrives and nobody has taken over', async () => {
		await play(async () => {
			const run = new Run('first');
			const lease = await run.take(true);
			const began = time.now;
			run.process.cutOffUntil = began + 60_000;
			await sleep(39_000);
			expect(lease.isValid()).toBe(true);
			await sleep(2_000);
			expect(lease.isValid()).toBe(false);
			await sleep(21_000);
			expect([lease.isValid(), lease.isLost]).toEqual([true, false]);
			await lease.release();
		});
	});

	test.each([true, false])(
		'may not send after a long sleep of its machine (the steady clock stands still: %s)',
		async (steadyStops) => {
			await play(async () => {
				const run = new Run('first', [[30, { kind: 'freeze', ms: 41_000, steadyStops }]]);
				const lease = await run.take(true);
				let fenced = 0;
				for (let second = 0; second < 40; second++) {
					await run.process.clock.sleep(1_000);
					if (!lease.isValid()) fenced += 1;
				}
				expect(fenced).toBeGreaterThan(0);
				// The first beat after it opens the fence again.
				expect(fenced).toBeLessThan(4);
				await lease.release();
			});
		},
	);

	test('does not take a clock that was set back for a beat', async () => {
		await play(async () => {
			const run = new Run('first', [[8, { kind: 'setClock', ms: -120_000 }]]);
			const lease = await run.take(true);
			run.process.cutOffUntil = time.now + 50_000;
			await sleep(42_000);
			expect(lease.isValid()).toBe(false);
			await lease.release();
		});
	});

	test('loses it to who took over, and leaves the row alone', async () => {
		await play(async () => {
			const run = new Run('first');
			const lease = await run.take(true);
			run.process.cutOffUntil = time.now + 150_000;
			const next = await new Run('second').take();
			await sleep(80_000);
			expect([lease.isLost, lease.isValid()]).toEqual([true, false]);
			expect(await storeResult(lease.release())).toEqual({ ok: true, value: undefined });
			expect(next.isValid()).toBe(true);
			expect(leaseRows()[0].run_id).toBe(next.runId);
			await next.release();
		});
	});

	test('knows its own row again when the answer to a beat was lost', async () => {
		await play(async () => {
			const run = new Run('first');
			const lease = await run.take(true);
			run.loseAnswers(1);
			for (let second = 0; second < 60; second++) {
				await sleep(1_000);
				expect([lease.isValid(), lease.isLost]).toEqual([true, false]);
			}
			await lease.release();
			expect(leaseState(leaseRows()[0]).holder).toBe('');
		});
	});

	test('may not send by a renewal whose answer was lost when it finds it much later', async () => {
		await play(async () => {
			const run = new Run('first');
			const lease = await run.take(true);
			const replaceLease = run.store.replaceLease.bind(run.store);
			let calls = 0;
			run.store.replaceLease = async (before, after) => {
				calls += 1;
				// The first one arrives, and its answer is lost; after a long time one learns that the row has changed.
				const answer = [1, 60].includes(calls) && (await replaceLease(before, after));
				if (calls !== 60) throw new StoreError(ANSWER_LOST);
				return answer;
			};
			await sleep(55_000);
			for (let second = 0; second < 40; second++) {
				await sleep(1_000);
				expect([lease.isValid(), lease.isLost]).toEqual([false, false]);
			}
			expect(calls).toBeGreaterThan(70);
			run.store.replaceLease = replaceLease;
			await lease.release();
		});
	});

	test('has it at once when only the answer was lost with which it was taken', async () => {
		await play(async () => {
			const run = new Run('first');
			run.loseAnswers(1);
			const lease = await run.take(true);
			expect(table.overtaken).toEqual([]);
			expect(time.now).toBeLessThan(3_000);
			await lease.release();
		});
	});

	test('has its count in the row when it has asked for a beat, whatever beat was under way', async () => {
		await play(async () => {
			const run = new Run('first');
			const lease = await run.take(true);
			lease.countRows(100);
			for (let tenth = 0; tenth < 150; tenth++) {
				await sleep(100);
				lease.countRows(100 + tenth);
				const asked = await storeResult(lease.renewNow());
				expect([asked.ok, leaseState(leaseRows()[0]).rows]).toEqual([true, 100 + tenth]);
				lease.countRows(0);
			}
			await lease.release();
		});
	});

	test('frees it with its count, and nothing goes on after a second', async () => {
		let released = 0;
		await play(async () => {
			const lease = await new Run('first').take(true);
			await sleep(15_300);
			lease.countRows(42);
			expect(await storeResult(lease.release())).toEqual({ ok: true, value: undefined });
			expect(lease.isValid()).toBe(false);
			released = time.now;
		});
		expect(leaseState(leaseRows()[0])).toMatchObject({ holder: '', rows: 42, timeoutMs: 30_000 });
		expect(time.now - released).toBeLessThanOrEqual(1_000);
	});

	test('is told when it could not be freed in 10 s', async () => {
		await play(async () => {
			const run = new Run('first');
			const lease = await run.take(true);
			run.process.cutOffUntil = time.now + 60_000;
			const began = time.now;
			expect(await storeResult(lease.release())).toMatchObject({ ok: false, failure: { isPassing: true } });
			expect(time.now - began).toBeGreaterThan(9_000);
			expect(time.now - began).toBeLessThan(12_000);
		});
	});
});
