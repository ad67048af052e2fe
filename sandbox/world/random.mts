import { createHash } from 'node:crypto';

/** A small reproducible source of numbers: the same seed gives the same world. Not for secrets. */
export interface Random {
	/** A whole number from 0 to `below` - 1. */
	whole(below: number): number;
	/** One of the given values. */
	pick<T>(values: readonly T[]): T;
	/** True with the given chance (0 to 1). */
	chance(share: number): boolean;
	/** `length` decimal digits as text. */
	digits(length: number): string;
}

/** Mulberry32: 32 bits of state, well spread, and fast enough for a hundred thousand records. */
export function createRandom(seed: number): Random {
	let state = seed >>> 0;
	const next = (): number => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
	const whole = (below: number): number => Math.floor(next() * below);
	return {
		whole,
		pick: (values) => values[whole(values.length)],
		chance: (share) => next() < share,
		digits: (length) => String(Math.floor(next() * 10 ** length)).padStart(length, '0'),
	};
}

/**
 * A UUID that follows from what it names (RFC 9562 section 5.5, version 5): the same seed and the same
 * external id give the same id in every run, so a test may know it beforehand.
 */
export function uuidFrom(seed: number, kind: string, key: string): string {
	const digest = createHash('sha1').update(`${seed}\u0000${kind}\u0000${key}`).digest();
	digest[6] = (digest[6] & 0x0f) | 0x50;
	digest[8] = (digest[8] & 0x3f) | 0x80;
	const hex = digest.toString('hex');
	return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
		'-',
	);
}
