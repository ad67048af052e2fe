/** A part of the school year, by the names that both formats have for it. */
export type Session = {
	readonly sourcedId: string;
	readonly title: string;
	readonly type: 'schoolYear' | 'semester';
	readonly startDate: string;
	readonly endDate: string;
	readonly parentSourcedId: string;
	/** The year in which the school year ends. */
	readonly schoolYear: string;
};

export const yearSession = (year: number): string => `session-${year}`;

/** The school year, from February to December as in the invented network, and its two halves. */
export function sessionsOf(year: number): Session[] {
	const id = yearSession(year);
	const schoolYear = String(year);
	const half = (number: 1 | 2, from: string, to: string): Session => ({
		sourcedId: `${id}-${number}`,
		title: `${year}, half ${number}`,
		type: 'semester',
		startDate: `${year}-${from}`,
		endDate: `${year}-${to}`,
		parentSourcedId: id,
		schoolYear,
	});
	return [
		{
			sourcedId: id,
			title: `School year ${year}`,
			type: 'schoolYear',
			startDate: `${year}-02-02`,
			endDate: `${year}-12-18`,
			parentSourcedId: '',
			schoolYear,
		},
		half(1, '02-02', '07-10'),
		half(2, '07-27', '12-18'),
	];
}
