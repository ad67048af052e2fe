import { createHash } from 'node:crypto';

import { Keeping, LONGEST_WAIT } from '../../../nodes/shared/deliveries/keeping.ts';
import {
	idDigest,
	MOST_KEPT,
	MOST_REMEMBERED,
	SeenDeliveries,
} from '../../../nodes/shared/deliveries/seen.ts';
import { Simultaneous, type Turn } from '../../../nodes/shared/deliveries/simultaneous.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const START = Date.UTC(2026, 2, 9);

function taken(first: number, count: number, seconds = 0): SeenDeliveries {
	const seen = new SeenDeliveries();
	for (let i = first; i < first + count; i++)
		seen.add(idDigest(`id-${i}`), sha256(`body-${i}`), START + (seconds + i) * 1000);
	return seen;
}

function remembers(seen: SeenDeliveries, from: number, to: number): number {
	let count = 0;
	for (let i = from; i < to; i++) if (seen.has(idDigest(`id-${i}`))) count++;
	return count;
}

describe('Deliveries that were taken', () => {
	test('are known after a restart, with their bodies', () => {
		const after = new SeenDeliveries();
		after.merge(taken(0, 10).toText());
		expect(remembers(after, 0, 10)).toBe(10);
		expect(after.has(idDigest('id-10'))).toBe(false);
		expect(after.hadBody(idDigest('id-3'), sha256('body-3'))).toBe(true);
		expect(after.hadBody(idDigest('id-3'), sha256('another body'))).toBe(false);
	});

	test('of two processes are known to both once each has read what the other kept', () => {
		const one = taken(0, 50);
		const other = taken(50, 50);
		one.merge(other.toText());
		other.merge(one.toText());
		expect([remembers(one, 0, 100), remembers(other, 0, 100)]).toEqual([100, 100]);
	});

	test('are not lost when another process replaced what was kept', () => {
		const one = taken(0, 5);
		one.toText();
		one.merge(taken(5, 5).toText());
		const later = new SeenDeliveries();
		later.merge(one.toText());
		expect(remembers(later, 0, 10)).toBe(10);
	});

	test('are bounded, and the newest stay, however often texts are exchanged', () => {
		const one = taken(0, 3 * MOST_KEPT);
		const other = new SeenDeliveries();
		other.merge(one.toText());
		other.add(idDigest('newest'), sha256('b'), START + 1e9);
		one.merge(other.toText());
		expect(one.toText().length).toBeLessThan(12_000);
		expect(other.toText()).toHaveLength(9 + 22 * MOST_KEPT);
		const after = new SeenDeliveries();
		after.merge(one.toText());
		expect(after.has(idDigest('newest'))).toBe(true);
		expect(remembers(after, 2 * MOST_KEPT, 3 * MOST_KEPT)).toBe(MOST_KEPT - 1);
		expect(remembers(after, 0, MOST_KEPT)).toBe(0);
	});

	test('are known to the process that took them for longer than they are kept', () => {
		expect(remembers(taken(0, MOST_REMEMBERED), 0, MOST_REMEMBERED)).toBe(MOST_REMEMBERED);
		const busy = taken(0, 3 * MOST_REMEMBERED);
		expect(remembers(busy, 2 * MOST_REMEMBERED, 3 * MOST_REMEMBERED)).toBe(MOST_REMEMBERED);
		expect(remembers(busy, 0, MOST_REMEMBERED)).toBe(0);
	});

	test.each([
		undefined,
		null,
		7,
		{},
		'',
		'1',
		'rubbish',
		'1rubbish',
		`2${'a'.repeat(52)}`,
		`1${'!'.repeat(52)}`,
	])('are none when what was kept is %p', (kept) => {
		const seen = new SeenDeliveries();
		seen.merge(kept);
		expect(seen.toText()).toMatch(/^1[\w-]{8}$/);
	});

	test('are kept as digests, which tell no id', () => {
		const seen = new SeenDeliveries();
		seen.add(idDigest('lia@students.example'), sha256('b'), START);
		expect(seen.toText()).not.toContain('lia');
		expect(idDigest('\uD800')).not.toBe(idDigest('\uD801'));
	});
});

const never = new Promise<'gone'>(() => undefined);

async function first(simultaneous: Simultaneous, seen: Set<string>, id = 'a'): Promise<Turn> {
	const turn = await simultaneous.turn(id, () => seen.has(id), never);
	if (typeof turn === 'string') throw new Error(turn);
	return turn;
}

describe('Simultaneous deliveries of the same id', () => {
	test('wait for the first, and are repeats when it was taken', async () => {
		const simultaneous = new Simultaneous();
		const seen = new Set<string>();
		const turn = await first(simultaneous, seen);
		const waiting = Array.from({ length: 20 }, () => simultaneous.turn('a', () => seen.has('a'), never));
		seen.add('a');
		turn.end();
		expect(await Promise.all(waiting)).toEqual(Array.from({ length: 20 }, () => 'seen'));
		expect(simultaneous.size).toBe(0);
	});

	test('go one after another, exactly one at a time, while the ones before them fail', async () => {
		const simultaneous = new Simultaneous();
		const seen = new Set<string>();
		let running = 0;
		const runs: number[] = [];
		const deliver = async (number: number) => {
			const turn = await simultaneous.turn('a', () => seen.has('a'), never);
			if (typeof turn === 'string') return turn;
			expect(++running).toBe(1);
			await new Promise((resolve) => setTimeout(resolve, 1));
			runs.push(number);
			if (number === 3) seen.add('a');
			running--;
			turn.end();
			return 'ran';
		};
		const ends = await Promise.all([1, 2, 3, 4, 5].map(deliver));
		expect(ends).toEqual(['ran', 'ran', 'ran', 'seen', 'seen']);
		expect(runs).toEqual([1, 2, 3]);
	});

	test('do not hold up other ids', async () => {
		const simultaneous = new Simultaneous();
		await first(simultaneous, new Set(), 'a');
		await expect(first(simultaneous, new Set(), 'b')).resolves.toHaveProperty('end');
	});

	test('stop waiting when their sender has gone', async () => {
		const simultaneous = new Simultaneous();
		await first(simultaneous, new Set());
		expect(await simultaneous.turn('a', () => false, Promise.resolve('gone'))).toBe('gone');
	});

	test('may end a turn twice without ending the next one', async () => {
		const simultaneous = new Simultaneous();
		const turn = await first(simultaneous, new Set());
		turn.end();
		await first(simultaneous, new Set());
		turn.end();
		expect(simultaneous.size).toBe(1);
	});
});

describe('What is remembered is kept with the workflow', () => {
	const at = (moment: { now: number }) => new Keeping(() => moment.now);

	test('by every delivery that comes alone', () => {
		const keeping = at({ now: 0 });
		expect([1, 2, 3].map(() => keeping.begin().taken())).toEqual([true, true, true]);
	});

	test('by the last one of those that come together, once its time is over or nobody follows', () => {
		const clock = { now: 1_000 };
		const keeping = at(clock);
		const passages = Array.from({ length: 6 }, () => keeping.begin());
		expect(passages.slice(0, 3).map((passage) => passage.taken())).toEqual([true, false, false]);
		clock.now += LONGEST_WAIT;
		expect(passages.slice(3).map((passage) => passage.taken())).toEqual([true, false, true]);
	});

	test('without waiting for one that failed', () => {
		const keeping = at({ now: 0 });
		const [first, failing, last] = [keeping.begin(), keeping.begin(), keeping.begin()];
		expect(first?.taken()).toBe(true);
		failing?.ended();
		failing?.ended();
		expect(last?.taken()).toBe(true);
	});

	test('even when the clock was put back', () => {
		const clock = { now: 1e6 };
		const keeping = at(clock);
		const passages = Array.from({ length: 3 }, () => keeping.begin());
		passages[0]?.taken();
		clock.now = 0;
		expect(passages[1]?.taken()).toBe(true);
	});
});
