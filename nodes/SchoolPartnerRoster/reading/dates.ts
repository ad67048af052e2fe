/** Dates of a roster, in the one way of writing that the mapping names. Nothing is guessed: 05/06/2010 says nothing by itself. */
import { isCalendarDate } from '../../shared/contract/blocks';

/** What each way of writing looks like. */
const FORMATS = {
	'YYYY-MM-DD': /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/,
	'DD/MM/YYYY': /^(?<day>\d{1,2})\/(?<month>\d{1,2})\/(?<year>\d{4})$/,
	'MM/DD/YYYY': /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/,
	'DD.MM.YYYY': /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
} as const;

export type DateFormat = keyof typeof FORMATS;

/** YYYY-MM-DD of a cell, without a time that stands behind it; nothing when it is not a day of the calendar in that format. */
export function readDate(cell: string, format: DateFormat): string | undefined {
	const written = cell.trim().replace(/[T ].*$/s, '');
	if (isCalendarDate(written)) return written;
	const { year, month = '', day = '' } = FORMATS[format].exec(written)?.groups ?? {};
	const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
	return isCalendarDate(date) ? date : undefined;
}

const EXCEL_BEGINS = Date.UTC(1899, 11, 30);

/** Trap: n8n reads the days of an Excel file as numbers. A smaller one is a year, one of more digits a date without its signs, in whatever order. */
export function dayOfExcel(days: number): string | undefined {
	if (!(days >= 7_000 && days < 100_000)) return undefined;
	return new Date(EXCEL_BEGINS + Math.floor(days) * 86_400_000).toISOString().slice(0, 10);
}
