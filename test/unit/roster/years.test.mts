/** Two years of small networks, night by night. More of them, and larger ones: `npm run nights`. */
import { liveYear } from '../../nights/year.mts';

test.each([11, 12])(
	'A year of network %d: nothing is sent that the network does not want, what is missing is told, and all comes right',
	async (seed) => {
		const year = await liveYear({ seed, nights: 400, mostPupils: 100, slips: 0.15, disasters: 0.03 });
		expect(year.broken.slice(0, 20)).toEqual([]);
		expect(year.disasters.length).toBeGreaterThan(3);
		expect(year.slips.length).toBeGreaterThan(20);
		expect([...year.newYears, ...year.falseAlarms].length).toBeLessThanOrEqual(3);
	},
);
