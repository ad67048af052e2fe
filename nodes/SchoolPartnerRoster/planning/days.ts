/** Days as a plan counts them: what must be remembered over nights is counted in days, and not in runs. */
export const DAY_MS = 24 * 3_600_000;

/** YYYY-MM-DD, in UTC. @param time milliseconds since 1970 */
export function utcDay(time: number): string {
	return new Date(time).toISOString().slice(0, 10);
}

/** Since when something is so that was noted on this day, '' where it was not. Trap: a day that is still to come would never be long ago. */
export function sinceDay(noted: string, today: string): string {
	return noted === '' || noted > today ? today : noted;
}

/** @param day YYYY-MM-DD */
export function dayAfter(day: string, days: number): string {
	return utcDay(Date.parse(day) + days * DAY_MS);
}

/** @param from YYYY-MM-DD @param to YYYY-MM-DD */
export function daysBetween(from: string, to: string): number {
	return Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);
}
