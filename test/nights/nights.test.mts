import { liveYear } from './year.mts';

const seeds = (process.env.SEEDS ?? '1-5').split(',').flatMap((some) => {
	const [first, last = first] = some.split('-').map(Number);
	return Array.from({ length: last - first + 1 }, (_, place) => first + place);
});

test.each(seeds)('A year of the network %d', async (seed) => {
	const year = await liveYear({
		seed,
		nights: Number(process.env.NIGHTS ?? 400),
		slips: 0.1,
		disasters: 0.02,
	});
	console.log(
		seed,
		Math.round(year.tookMs),
		year.requests,
		year.disasters.length,
		year.slips.length,
		year.newYears,
		year.falseAlarms,
	);
	expect(year.broken.slice(0, 20)).toEqual([]);
});
