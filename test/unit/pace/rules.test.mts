/** What answers and refusals do to the numbers of a run, one rule at a time. Whole runs against models of services: pace.test.mts. */
import { ConcurrencyLimit } from '../../../nodes/shared/pace/concurrencyLimit.ts';
import { RateLimit } from '../../../nodes/shared/pace/rateLimit.ts';

const upTo = (most: number) => new ConcurrencyLimit({ isFixed: false, most });

/** Answers to requests that were sent with as many in flight as may be, until the limit has judged them. */
function answerRound(limit: ConcurrencyLimit, tookMs: number): number {
	const { round } = limit.sentWith(1);
	for (let count = 0; limit.sentWith(1).round === round; count++) {
		if (count > 1_000) throw new Error('A thousand answers are no round');
		limit.answered(limit.sentWith(limit.current), tookMs);
	}
	return limit.current;
}
const answerRounds = (limit: ConcurrencyLimit, ...took: number[]) =>
	took.map((tookMs) => answerRound(limit, tookMs));
const times = (count: number, tookMs: number) => Array.from({ length: count }, () => tookMs);

/** 128 in flight, each answered in 100 ms. */
function grown(): ConcurrencyLimit {
	const limit = upTo(128);
	answerRounds(limit, ...times(5, 100));
	return limit;
}

/** 32 that grow by leaps no more: answers took longer once. */
function settled(): ConcurrencyLimit {
	const limit = upTo(1_000);
	answerRounds(limit, 100, 130);
	return limit;
}

describe('How many are in flight', () => {
	test('begins with 16, or with what the user allows, and doubles with each round of quick answers up to the most', () => {
		const limit = upTo(128);
		expect([limit.current, ...answerRounds(limit, ...times(4, 100))]).toEqual([16, 32, 64, 128, 128]);
		expect(upTo(8).current).toBe(8);
		expect(new ConcurrencyLimit({ isFixed: true, most: 40 }).current).toBe(40);
	});

	test('does not double where the second half of the first burst waited for the first', () => {
		const limit = upTo(128);
		const burst = Array.from({ length: 16 }, (_, index) => limit.sentWith(index + 1));
		burst.forEach((sent, index) => limit.answered(sent, index < 8 ? 100 : 200));
		expect(limit.current).toBe(10);
	});

	test('stays when answers take longer once, and then grows by one with the fourth quick round, by two with the next', () => {
		const limit = settled();
		expect(answerRounds(limit, ...times(6, 100))).toEqual([32, 32, 32, 33, 35, 39]);
	});

	test('goes back to what the service works on when answers take longer twice, never below ten', () => {
		const limit = grown();
		// It has grown no more in the last round: nothing excuses the first slow one.
		expect(answerRound(limit, 150)).toBe(85);
		expect(answerRound(upTo(128), 100)).toBe(32);
		const leaping = upTo(128);
		expect(answerRounds(leaping, 100, 100, 160, 160)).toEqual([32, 64, 64, 40]);
		expect(answerRounds(grown(), 5_000)).toEqual([10]);
	});

	test('is a fifth lower for one round after four that were not quick, and after eight more the next time', () => {
		const limit = grown();
		const seen = answerRounds(limit, ...times(4, 110), 100, ...times(8, 110), 100);
		expect(seen.slice(0, 5)).toEqual([128, 128, 128, 102, 128]);
		expect(seen.slice(5)).toEqual([...times(7, 128), 102, 128]);
	});

	test('follows a service that has become slower for good: what it takes with fewer in flight is the measure from then on', () => {
		const limit = settled();
		expect(answerRounds(limit, ...times(3, 110), 110, ...times(4, 110))).toEqual([
			32, 32, 25, 32, 32, 32, 32, 33,
		]);
	});

	test('says nothing while fewer are sent than may be', () => {
		const limit = upTo(128);
		answerRound(limit, 100);
		const few = limit.sentWith(16);
		for (let count = 0; count < 500; count++) limit.answered(few, 900);
		expect(limit.current).toBe(32);
		expect(limit.sentWith(1).round).toBe(few.round);
	});

	test('is not judged by answers to what was sent with another limit', () => {
		const limit = upTo(128);
		const early = limit.sentWith(16);
		answerRound(limit, 100);
		for (let count = 0; count < 500; count++) limit.answered(early, 900);
		expect(limit.current).toBe(32);
	});

	test('is halved by too many in flight, and stays a fifth below what was refused for a while', () => {
		const limit = grown();
		limit.halve(true);
		expect(limit.current).toBe(64);
		expect(answerRounds(limit, 100, 100, 100)).toEqual([102, 102, 102]);
		const waited = grown();
		waited.halve(true);
		for (let count = 0; count < 10_199; count++) waited.answered(waited.sentWith(1), 100);
		expect(answerRounds(waited, 100, 100)).toEqual([128, 128]);
	});

	test('is halved by silence or too many in a second, and may be as many again', () => {
		const limit = grown();
		limit.halve(false);
		expect([limit.current, ...answerRounds(limit, 100, 100)]).toEqual([64, 128, 128]);
	});

	test('is halved down to one, and a fixed number never', () => {
		const limit = upTo(3);
		for (let count = 0; count < 4; count++) limit.halve(true);
		expect(limit.current).toBe(1);
		const fixed = new ConcurrencyLimit({ isFixed: true, most: 10 });
		fixed.halve(true);
		expect([fixed.current, ...answerRounds(fixed, ...times(8, 100), ...times(8, 500))]).toEqual(
			times(17, 10),
		);
	});

	test('that is refused while fewer are measured is halved from what it was', () => {
		const limit = grown();
		answerRounds(limit, ...times(4, 110));
		limit.halve(false);
		expect(limit.current).toBe(64);
	});

	test('is two after an outage, and soon as before, whatever was refused until then', () => {
		const limit = grown();
		limit.halve(true);
		limit.restart();
		expect(limit.current).toBe(2);
		const doubled = answerRounds(limit, ...times(7, 100));
		expect(doubled).toEqual([4, 8, 16, 32, 64, 128, 128]);
		const single = upTo(1);
		single.restart();
		expect(single.current).toBe(1);
	});
});

describe('Requests leave apart from each other', () => {
	test.each([
		[100, 100],
		[1_000, 125],
	])(
		'by nine tenths of what an answer takes for each that is in flight: %d ms count as %d',
		(tookMs, counted) => {
			const limit = settled();
			for (let count = 0; count < 2_000; count++) limit.answered(limit.sentWith(1), tookMs);
			expect(limit.apartMs).toBeCloseTo((counted / 32) * 0.9, 6);
		},
	);

	test('not while the number grows by leaps, next door, few at a time, or where the user has chosen the number', () => {
		const leaping = upTo(128);
		answerRound(leaping, 100);
		const near = upTo(1_000);
		answerRounds(near, 14, 18);
		const few = upTo(3);
		answerRounds(few, 100, 130, 130);
		const fixed = new ConcurrencyLimit({ isFixed: true, most: 32 });
		answerRounds(fixed, 100, 130, 130);
		expect([leaping, near, few, fixed].map(({ apartMs }) => apartMs)).toEqual([0, 0, 0, 0]);
	});
});

/** As a service that takes 20 at once and 100 a second refuses: in the first moment, and a second after the pause of one. */
function refusedTwice(): RateLimit {
	const rate = new RateLimit();
	const taken = (count: number, from: number) => {
		rate.sent(from);
		for (let index = 0; index < count; index++) rate.answered();
	};
	taken(20, 0);
	rate.refused({ at: 10, inFlight: 16 }, 30, 1_000);
	taken(120, 1_030);
	rate.refused({ at: 2_030, inFlight: 16 }, 2_050, 1_000);
	return rate;
}

describe('How many leave in a second', () => {
	test('has no limit before a refusal', () => {
		const rate = new RateLimit();
		for (let now = 0; now < 100; now++) rate.sent(now);
		expect(rate.waitMs(100)).toBe(0);
	});

	test('is none while the pause lasts', () => {
		const rate = refusedTwice();
		expect([2_050, 2_550, 3_049].map((now) => rate.waitMs(now))).toEqual([1_000, 500, 1]);
		expect(rate.waitMs(3_050)).toBe(0);
	});

	test('is what flowed in between two refusals, and a fiftieth less', () => {
		const rate = refusedTwice();
		rate.sent(3_050);
		// (120 - 20 + 1) in 990 ms.
		expect(rate.waitMs(3_050)).toBeCloseTo(990 / 101 / 0.98, 3);
	});

	test('what a timer has let slip by is made up for, up to 25 ms of it', () => {
		const rate = refusedTwice();
		rate.sent(3_050);
		rate.sent(3_120);
		expect(rate.waitMs(3_120)).toBe(0);
		expect(rate.waitMs(3_100)).toBeCloseTo(3_120 - 25 + 10 - 3_100, 0);
	});

	test('has doubled 50 s after the last refusal, and after 100 s there is no limit', () => {
		const rate = refusedTwice();
		rate.sent(53_050);
		expect(rate.waitMs(53_050 - 25)).toBeCloseTo(990 / 101 / 0.98 / 2, 3);
		rate.sent(102_000);
		expect(rate.waitMs(102_000 - 25)).toBeGreaterThan(0);
		rate.sent(103_051);
		expect(rate.waitMs(103_051)).toBe(0);
	});

	test('that is only a guess has doubled after 10 s', () => {
		const rate = new RateLimit();
		rate.sent(0);
		for (let index = 0; index < 20; index++) rate.answered();
		rate.refused({ at: 10, inFlight: 16 }, 30, 1_000);
		rate.sent(1_030);
		const first = rate.waitMs(1_030);
		// More than the 20 that were taken, and less than the 800 that were sent.
		expect(1_000 / first).toBeGreaterThan(20);
		expect(1_000 / first).toBeLessThan(800);
		rate.sent(11_030);
		expect(rate.waitMs(11_030 - 25)).toBeCloseTo(first / 2, 3);
		rate.sent(21_030);
		expect(rate.waitMs(21_030)).toBe(0);
	});

	test('is at most three tenths less after a long time without a refusal', () => {
		const rate = refusedTwice();
		rate.sent(3_050);
		rate.refused({ at: 23_050, inFlight: 1 }, 23_070, 1_000);
		rate.sent(24_070);
		const before = 98.98 * 1.0101 * (1 + 0.4 ** 3);
		expect(1_000 / rate.waitMs(24_070)).toBeGreaterThan(before * 0.69);
		expect(1_000 / rate.waitMs(24_070)).toBeLessThan(before * 0.72);
	});

	test('is one in two seconds at least, however often it is refused', () => {
		const rate = new RateLimit();
		rate.sent(0);
		for (let at = 0; at < 4_000; at += 20) rate.refused({ at, inFlight: 1 }, at + 19, 0);
		rate.sent(3_999);
		expect(rate.waitMs(3_999)).toBeCloseTo(2_000, 0);
	});
});
