/** How old an event is. */
import { isUtcTimestamp } from '../../shared/contract/blocks';

const PARTS = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d+))?)?/;

/**
 * A UTC time of ISO 8601 in milliseconds; NaN for a text that is none. Trap: `Date.parse` does not know
 * decimal commas and zones without a colon, which the contract's `utcTimestamp` takes.
 */
export function momentOf(utcTime: string): number {
	const [, year, month, day, hour, minute, second = '0', fraction = '0'] = PARTS.exec(utcTime) ?? [];
	const moment = new Date(0);
	// Trap: Date.UTC reads the years 0 to 99 as 1900 to 1999.
	moment.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
	moment.setUTCHours(Number(hour), Number(minute), Number(second));
	return moment.getTime() + Math.floor(Number(`0.${fraction}`) * 1000);
}

/** Whole seconds from the time of creation to the receipt (milliseconds); null where the first is no time in UTC. */
export function ageOf(createdAt: unknown, receivedAt: number): number | null {
	if (typeof createdAt !== 'string' || !isUtcTimestamp(createdAt)) return null;
	return Math.floor((receivedAt - momentOf(createdAt)) / 1000);
}
