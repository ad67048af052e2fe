/** The zone of the n8ns of tests: it is about noon there. */

/**
 * Trap: an example that is published also starts by its own schedule, in the night of `America/New_York`, n8n's default. A test that ran
 * then saw a night that it had not asked for. Noon keeps every night twelve hours away, and the day is that of UTC.
 */
export const DAYTIME = { GENERIC_TIMEZONE: zoneAtNoon(new Date().getUTCHours()) };

/** Trap: the signs of these names are turned round, `Etc/GMT-5` is five hours ahead of UTC. */
function zoneAtNoon(hourOfUtc: number): string {
	const ahead = 12 - hourOfUtc;
	return ahead < 0 ? `Etc/GMT+${-ahead}` : `Etc/GMT-${ahead}`;
}
