/**
 * `npm run nights`: 400 nights in networks that are drawn by chance. `SEEDS=1-100 npm run nights` says which, and a table says what they were like.
 * Seeds that found something stay here.
 */
import { liveYear, type Year } from './year.mts';

const FOUND_SOMETHING = '1-6,10,12,33,38,57,80';

const seeds = (process.env.SEEDS ?? FOUND_SOMETHING).split(',').flatMap((some) => {
	const [first, last = first] = some.split('-').map(Number);
	return Array.from({ length: last - first + 1 }, (_, place) => first + place);
});

const MOST_FALSE_ALARMS = 3;

const lines: string[] = [];
const line = (seed: number, { requests, disasters, slips, newYears, falseAlarms, tookMs }: Year) =>
	`network ${seed}: ${requests} requests, ${disasters.length} nights with a disaster, ${slips.length} with a mistake, ` +
	`${newYears.length} holds of a new year, ${falseAlarms.length} of nothing, ${Math.round(tookMs / 1_000)} s`;

afterAll(() => console.log(lines.join('\n')));

test.each(seeds)(
	'A year of network %d: no promise is broken, and few holds are false alarms',
	async (seed) => {
		const year = await liveYear({ seed, nights: 400, mostPupils: 160, slips: 0.1, disasters: 0.02 });
		lines.push(line(seed, year));
		expect(year.broken.slice(0, 20)).toEqual([]);
		expect(year.requests).toBeGreaterThan(100);
		// Coming and leaving are held apart: a new year counts one.
		const newYears = new Set(year.newYears.map((words) => /\((\d+)\)/.exec(words)?.[1]));
		expect(newYears.size + year.falseAlarms.length).toBeLessThanOrEqual(MOST_FALSE_ALARMS);
	},
);
