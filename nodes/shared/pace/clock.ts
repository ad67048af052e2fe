/** The clock by which is waited. */

/**
 * Milliseconds since 1970, as the process counts them. Trap: `Date.now()` jumps when the computer's clock is put right. Put back an hour, a pause of a
 * second would last an hour; put forward, all that is on its way would seem late.
 */
export function steadyNow(): number {
	return Math.round(performance.timeOrigin + performance.now());
}
