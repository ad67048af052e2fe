/** The school year of Brazil: lessons from February until the middle of December. */

export const DAY = 24 * 3_600_000;

/** The first night: the day on which a school year begins. */
export const FIRST_DAY = Date.UTC(2027, 1, 1);

export const isoDay = (time: number): string => new Date(time).toISOString().slice(0, 10);

/** What of the year a day is. */
export interface Season {
	year: number;
	/** `lessons`: classes of this year. `enrolling`: since October, classes of the next year too. `holidays`: this year is over. */
	name: 'lessons' | 'enrolling' | 'holidays';
}

export function seasonOf(time: number): Season {
	const [year, month, day] = isoDay(time).split('-').map(Number);
	if (month === 1) return { year: year - 1, name: 'holidays' };
	if (month === 12 && day > 18) return { year, name: 'holidays' };
	return { year, name: month >= 10 ? 'enrolling' : 'lessons' };
}
