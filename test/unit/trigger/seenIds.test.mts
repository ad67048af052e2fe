import {
	idDigest,
	MOST_KEPT,
	MOST_REMEMBERED,
	NOTE_WIDTH,
	SeenIds,
} from '../../../nodes/shared/webhooks/seenIds.ts';

const noteOf = (number: number) => number.toString(36).padStart(NOTE_WIDTH, '0');

function taken(first: number, count: number): SeenIds {
	const memory = new SeenIds();
	for (let i = first; i < first + count; i++) memory.add(idDigest(`id-${i}`), noteOf(i));
	return memory;
}

function remembers(memory: SeenIds, from: number, to: number): number {
	let count = 0;
	for (let i = from; i < to; i++) if (memory.noteOf(idDigest(`id-${i}`)) === noteOf(i)) count++;
	return count;
}

describe('What a trigger has taken', () => {
	test('is known after a restart, with its notes', () => {
		const after = new SeenIds();
		after.merge(taken(0, 10).toText());
		expect(remembers(after, 0, 10)).toBe(10);
		expect(after.noteOf(idDigest('id-10'))).toBeUndefined();
	});

	test('is known to both of two processes once each has read what the other kept', () => {
		const one = taken(0, 50);
		const other = taken(50, 50);
		one.merge(other.toText());
		other.merge(one.toText());
		expect([remembers(one, 0, 100), remembers(other, 0, 100)]).toEqual([100, 100]);
	});

	test('is not lost when another process replaced what was kept', () => {
		const one = taken(0, 5);
		one.toText();
		one.merge(taken(5, 5).toText());
		const later = new SeenIds();
		later.merge(one.toText());
		expect(remembers(later, 0, 10)).toBe(10);
	});

	test('is bounded, and the newest stays, however often texts are exchanged', () => {
		const one = taken(0, 3 * MOST_KEPT);
		const other = new SeenIds();
		other.merge(one.toText());
		other.add(idDigest('newest'), noteOf(7));
		one.merge(other.toText());
		// docs/scaling.md says what it adds to each execution.
		expect(other.toText()).toHaveLength(9 + 18 * MOST_KEPT);
		expect(one.toText()).toHaveLength(9 + 18 * MOST_KEPT);
		const after = new SeenIds();
		after.merge(one.toText());
		expect(after.noteOf(idDigest('newest'))).toBe(noteOf(7));
		expect(remembers(after, 2 * MOST_KEPT, 3 * MOST_KEPT)).toBe(MOST_KEPT - 1);
		expect(remembers(after, 0, 2 * MOST_KEPT)).toBe(0);
	});

	test('is known to the process that took it for longer than it is kept', () => {
		expect(remembers(taken(0, MOST_REMEMBERED), 0, MOST_REMEMBERED)).toBe(MOST_REMEMBERED);
		const busy = taken(0, 4 * MOST_REMEMBERED);
		expect(remembers(busy, 3 * MOST_REMEMBERED, 4 * MOST_REMEMBERED)).toBe(MOST_REMEMBERED);
		expect(remembers(busy, 0, 2 * MOST_REMEMBERED)).toBe(0);
	});

	test('is kept only while it is worth keeping', () => {
		const after = new SeenIds();
		after.merge(taken(0, 10).toText(noteOf(7)));
		expect(remembers(after, 0, 10)).toBe(3);
		expect(remembers(after, 7, 10)).toBe(3);
	});

	test.each([
		undefined,
		null,
		7,
		{},
		'',
		'2',
		'rubbish',
		'2rubbish',
		`1${'a'.repeat(44)}`,
		`2${'!'.repeat(44)}`,
		`2${'a'.repeat(25)}`,
	])('is nothing when what was kept is %p', (kept) => {
		const memory = new SeenIds();
		memory.merge(kept);
		expect(memory.toText()).toMatch(/^2[\w-]{8}$/);
	});

	test('is kept as digests, which tell no id', () => {
		const memory = new SeenIds();
		memory.add(idDigest('lia@students.example'), noteOf(1));
		expect(memory.toText()).not.toContain('lia');
		expect(idDigest('\uD800')).not.toBe(idDigest('\uD801'));
		expect(idDigest(['a', 'bc'])).not.toBe(idDigest(['ab', 'c']));
	});
});
