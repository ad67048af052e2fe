/** What a refusal, an answer, or none means for the requests that follow, one at a time. The times are those of a clock that the test sets. */
import { Pace, type Feedback, type Permit } from '../../../nodes/shared/pace/pace.ts';

const NEXT_DOOR: Feedback = { kind: 'served', tookMs: 5 };
const away = (retryAfterMs?: number): Feedback => ({ kind: 'refused', tooMany: false, retryAfterMs });
const tooMany = (retryAfterMs?: number): Feedback => ({ kind: 'refused', tooMany: true, retryAfterMs });

/** What the service says to a request, as soon as it is sent. */
class Asked {
	readonly pace: Pace;

	now = 0;

	constructor(most = 100, isFixed = true) {
		this.pace = new Pace({ isFixed, most });
	}

	send(isRepeated = false): Permit {
		const permit = this.pace.acquire(this.now, isRepeated);
		if (typeof permit !== 'object') throw new Error(`Not let out at ${this.now}: ${permit}`);
		return permit;
	}

	/** The answer to it comes now. @param chance 0, so that nothing is added to a pause */
	hear(permit: Permit, feedback: Feedback, chance = 0): void {
		this.pace.release(permit, this.now, feedback, chance);
	}

	/** Waits until a request may be sent, sends one, and hears this. Gives how long that was. */
	ask(feedback: Feedback, chance = 0): number {
		const wait = this.pace.acquire(this.now);
		if (typeof wait === 'string' || wait === Infinity) throw new Error(`Not let out: ${wait}`);
		if (typeof wait === 'number') this.now += wait;
		this.hear(typeof wait === 'number' ? this.send() : wait, feedback, chance);
		return typeof wait === 'number' ? wait : 0;
	}
}

const pauses = (asked: Asked, count: number, feedback: Feedback, chance = 0): number[] =>
	Array.from({ length: count }, () => asked.ask(feedback, chance));

describe('A service that is away', () => {
	test('is asked after half a second, and then every second, a quarter later at most', () => {
		expect(pauses(new Asked(), 5, away())).toEqual([0, 500, 1_000, 1_000, 1_000]);
		expect(pauses(new Asked(), 4, away(), 1)).toEqual([0, 625, 1_250, 1_250]);
	});

	test('is asked by one request at a time, and when that has an answer gently by all', () => {
		const asked = new Asked(100, false);
		asked.ask(away());
		asked.now += 500;
		const probe = asked.send();
		expect([probe.isProbe, asked.pace.acquire(asked.now)]).toEqual([true, Infinity]);
		asked.hear(probe, NEXT_DOOR);
		expect(asked.pace.outageMs(asked.now)).toBe(0);
		expect([asked.send(), asked.send()].map(({ isProbe }) => isProbe)).toEqual([false, false]);
		expect(asked.pace.acquire(asked.now)).toBe(Infinity);
	});

	test('and says for how long is asked then, after half a second at least, and chance adds nothing', () => {
		expect(pauses(new Asked(), 3, away(30_000), 1)).toEqual([0, 30_000, 30_000]);
		expect(pauses(new Asked(), 3, away(0), 1)).toEqual([0, 500, 500]);
	});

	test('has paused the run once, however many requests it refuses that were on their way', () => {
		const asked = new Asked();
		const three = [asked.send(), asked.send(), asked.send()];
		for (const permit of three) asked.hear(permit, away());
		expect(asked.pace.acquire(0)).toBe(500);
		expect(asked.pace.summary).toMatchObject({ requests: 3, highestInFlight: 3, pauses: 1, pausedMs: 500 });
	});

	test('waits as long as the longest that it says to those that were on their way', () => {
		const asked = new Asked();
		const [first, second, third] = [asked.send(), asked.send(), asked.send()];
		asked.hear(first, away());
		asked.now = 100;
		asked.hear(second, away(10_000));
		asked.hear(third, away(2_000));
		expect(asked.pace.acquire(100)).toBe(10_000);
		expect(asked.pace.summary).toMatchObject({ pauses: 1, pausedMs: 10_100 });
	});

	test('is there when it answers what was on its way, and a pause that it asked for goes on all the same', () => {
		const asked = new Asked();
		const [first, second, third] = [asked.send(), asked.send(), asked.send()];
		asked.hear(first, away());
		asked.hear(second, NEXT_DOOR);
		expect(asked.send().isProbe).toBe(false);
		asked.hear(third, away(4_000));
		expect(asked.pace.acquire(0)).toBe(4_000);
	});

	test('and asked for a pause needs no probe behind it, once it has answered meanwhile', () => {
		const asked = new Asked();
		const [first, second] = [asked.send(), asked.send()];
		asked.hear(first, away(4_000));
		asked.now = 50;
		asked.hear(second, NEXT_DOOR);
		expect(asked.pace.acquire(50)).toBe(3_950);
		asked.now = 4_000;
		expect([asked.send(), asked.send()].map(({ isProbe }) => isProbe)).toEqual([false, false]);
	});

	test('is given up after two minutes, and asked once by what begins anew', () => {
		const asked = new Asked();
		while (asked.now < 119_500) asked.ask(away());
		expect(asked.pace.outageMs(asked.now)).toBe(asked.now);
		asked.now = 119_999;
		expect(asked.pace.acquire(119_999)).not.toBe('unavailable');
		asked.now = 120_000;
		expect(asked.pace.acquire(120_000)).toBe('unavailable');
		asked.pace.beginAnew(120_000);
		asked.now = 120_500;
		const probe = asked.send();
		expect(probe.isProbe).toBe(true);
		asked.hear(probe, away());
		asked.now = 121_500;
		expect(asked.pace.acquire(121_500)).toBe('unavailable');
	});

	test('and asks again and again for a pause is given up after two minutes, in the middle of one', () => {
		const asked = new Asked();
		expect(pauses(asked, 3, away(50_000))).toEqual([0, 50_000, 50_000]);
		expect(asked.pace.acquire(100_001)).toBe(19_999);
		expect(asked.pace.acquire(120_000)).toBe('unavailable');
	});

	test('and was away long ago is no outage of now', () => {
		const asked = new Asked();
		asked.ask(away());
		asked.now = 600_000;
		expect(asked.ask(away())).toBe(0);
		expect(asked.pace.outageMs(asked.now)).toBe(0);
		expect(asked.pace.acquire(asked.now)).toBe(500);
	});

	test('of which nothing is known, was not away', () => {
		const { pace } = new Asked();
		pace.beginAnew(5_000);
		expect([pace.outageMs(5_000), pace.isIdle, pace.ceiling]).toEqual([0, true, 100]);
	});
});

describe('A service that refuses because there are too many', () => {
	test('has pauses that double up to 15 seconds, unless it says how long', () => {
		expect(pauses(new Asked(), 8, tooMany())).toEqual([0, 500, 1_000, 2_000, 4_000, 8_000, 15_000, 15_000]);
		expect(pauses(new Asked(), 3, tooMany(), 1)).toEqual([0, 625, 1_250]);
		expect(pauses(new Asked(), 3, tooMany(1_000), 1)).toEqual([0, 1_000, 1_000]);
	});

	test('is there: no single request has to ask for it', () => {
		const asked = new Asked();
		asked.ask(tooMany());
		asked.now = 500;
		expect(asked.send().isProbe).toBe(false);
	});

	test('has short pauses again, once it has answered', () => {
		const asked = new Asked();
		pauses(asked, 3, tooMany());
		expect(asked.ask(NEXT_DOOR)).toBe(2_000);
		asked.now += 1_000;
		asked.ask(tooMany());
		expect(asked.pace.acquire(asked.now)).toBe(500);
	});
});

describe('How many are in flight', () => {
	const most = (asked: Asked) => {
		const permits: Permit[] = [];
		for (
			let one = asked.pace.acquire(asked.now);
			typeof one === 'object';
			one = asked.pace.acquire(asked.now)
		)
			permits.push(one);
		return permits;
	};

	test('is halved once by all that were sent before, and again by what was sent since', () => {
		const asked = new Asked(128, false);
		const permits = most(asked);
		expect(permits).toHaveLength(16);
		asked.now = 10;
		for (const permit of permits) asked.hear(permit, { kind: 'lost' });
		const second = most(asked);
		expect(second).toHaveLength(8);
		asked.now = 20;
		for (const permit of second) asked.hear(permit, { kind: 'lost' });
		expect(most(asked)).toHaveLength(4);
	});

	test('stays when a request ends that says nothing of the service', () => {
		const asked = new Asked(128, false);
		for (const permit of most(asked)) asked.hear(permit, { kind: 'none' });
		expect(most(asked)).toHaveLength(16);
		expect(asked.pace.hasServedSince()).toBe(false);
	});

	test('is not halved by a request that asks in vain whether the service is back; the next one asks a second later', () => {
		const asked = new Asked(128, false);
		asked.ask(away());
		asked.now = 500;
		asked.hear(asked.send(), { kind: 'lost', isSilent: true });
		expect(asked.pace.acquire(500)).toBe(1_000);
		asked.now = 1_500;
		asked.hear(asked.send(), NEXT_DOOR);
		expect(most(asked)).toHaveLength(2);
	});
});

test('A run knows when the newest request was sent that the service has worked on', () => {
	const asked = new Asked();
	asked.now = 100;
	const early = asked.send();
	asked.now = 200;
	const newest = asked.send();
	asked.now = 300;
	asked.hear(newest, NEXT_DOOR);
	asked.hear(early, NEXT_DOOR);
	expect([199, 200].map((time) => asked.pace.hasServedSince(time))).toEqual([true, false]);
	expect(asked.pace.hasServedSince()).toBe(true);
});

test('What a run has done is counted: requests, those that were repeated, and how many were on their way at most', () => {
	const asked = new Asked();
	const two = [asked.send(), asked.send(true)];
	expect(asked.pace.isIdle).toBe(false);
	for (const permit of two) asked.hear(permit, NEXT_DOOR);
	asked.hear(asked.send(true), NEXT_DOOR);
	expect(asked.pace.isIdle).toBe(true);
	expect(asked.pace.summary).toEqual({ requests: 3, retries: 2, highestInFlight: 2, pauses: 0, pausedMs: 0 });
});
