/**
 * The memory that refuses a logout token sent twice (OpenID Connect Back-Channel Logout 1.0 section 2.6, step 6:
 * no other token with the same `jti` recently). Bounded in number and in time: a token is remembered only as
 * long as it would be accepted.
 */
import { CLOCK_TOLERANCE_SECONDS } from './claims';

/** Most identifiers that are remembered at once; the ones that end first leave first. */
export const MOST_REMEMBERED = 5_000;

/** However far `exp` is away, this is how long a token is remembered at most: a day, in milliseconds. */
const LONGEST_MEMORY = 86_400_000;

/** Whether the token was seen before. */
export function isRemembered(memory: ReadonlyMap<string, number>, jti: string, now: number): boolean {
	const until = memory.get(jti);
	return until !== undefined && until > now;
}

/** Adds the token and forgets what has ended. Changes the memory in place. */
export function remember(memory: Map<string, number>, jti: string, expiresAt: number, now: number): void {
	for (const [known, until] of memory) if (until <= now) memory.delete(known);
	const until = Math.min(expiresAt + CLOCK_TOLERANCE_SECONDS * 1000, now + LONGEST_MEMORY);
	memory.set(jti, until);
	if (memory.size <= MOST_REMEMBERED) return;
	const byEnd = [...memory].sort(([, one], [, other]) => one - other);
	for (const [known] of byEnd.slice(0, memory.size - MOST_REMEMBERED)) memory.delete(known);
}
