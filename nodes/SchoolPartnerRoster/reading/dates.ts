/** Dates of a roster, in the one way of writing that the mapping names. Nothing is guessed: 05/06/2010 says nothing by itself. */
import { isCalendarDate } from '../../shared/contract/blocks';

/** What each way of writing looks like, and where year, month and day stand in it. */
const FORMATS = {
	'YYYY-MM-DD': { form: /^(\d{4})-(\d{2})-(\d{2})$/, year: 1, month: 2, day: 3 },
	'DD/MM/YYYY': { form: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, year: 3, month: 2, day: 1 },
	'MM/DD/YYYY': { form: /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, year: 3, month: 1, day: 2 },
	'DD.MM.YYYY': { form: /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, year: 3, month: 2, day: 1 },
} as const;

export type DateFormat = keyof typeof FORMATS;

export function isDateFormat(name: string): name is DateFormat {
	return Object.hasOwn(FORMATS, name);
}

/** YYYY-MM-DD of a cell, without a time that stands behind it; nothing when it is not a day of the calendar in that format. */
export function readDate(cell: string, format: DateFormat): string | undefined {
	const day = cell.trim().replace(/[T ].*$/s, '');
	if (isCalendarDate(day)) return day;
	const parts = FORMATS[format].form.exec(day);
	if (parts === null) return undefined;
	const two = (part: number) => parts[part].padStart(2, '0');
	const date = `${parts[FORMATS[format].year]}-${two(FORMATS[format].month)}-${two(FORMATS[format].day)}`;
	return isCalendarDate(date) ? date : undefined;
}

const EXCEL_BEGINS = Date.UTC(1899, 11, 30);

/** Trap: n8n reads the days of an Excel file as numbers. A smaller one is a year, one of more digits a date without its signs, in whatever order. */
export function dayOfExcel(days: number): string | undefined {
	if (!(days >= 7_000 && days < 100_000)) return undefined;
	return new Date(EXCEL_BEGINS + Math.floor(days) * 86_400_000).toISOString().slice(0, 10);
}
