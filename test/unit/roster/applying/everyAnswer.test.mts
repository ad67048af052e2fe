/** What holds for every plan, whatever the service answers to it. */
import fc from 'fast-check';

import { records } from '../exports.mts';
import { applied, LIMITS, night, nightOf, planned } from '../night.mts';
import { Service } from '../service.mts';
import { rosterOf } from '../world.mts';

test('Each change has one row, and no more than one request, which nothing that failed stands before, whatever the service answers', async () => {
	const answers = fc.infiniteStream(
		fc.constantFrom(undefined, undefined, undefined, 400, 404, 409, 429, 500, 503, 'breaks'),
	);
	await fc.assert(
		fc.asyncProperty(
			records('network'),
			records('network'),
			answers,
			fc.nat(5),
			async (first, second, stream, stopAfterTroubles) => {
				const service = new Service();
				const { ledger } = await night(nightOf(0), rosterOf(first), [], service, { firstRun: true });
				fc.pre(ledger.length > 0);
				const requests: string[] = [];
				service.fault = (action, body) => {
					requests.push(JSON.stringify([action, body]));
					const { value } = stream.next() as { value: number | 'breaks' | undefined };
					if (value === 'breaks') throw new Error('broken off');
					return value;
				};
				const { changes } = await planned(nightOf(1), rosterOf(second), ledger, {
					holdCreationsPercent: 100,
					holdRemovalsPercent: 100,
					batchSize: 3,
				});
				const rows = await applied(changes, service, nightOf(1), Infinity, { ...LIMITS, stopAfterTroubles });
				expect(rows.map(({ key, sequence }) => [key, Number(sequence)])).toEqual(
					changes.map(({ key, sequence }) => [key, sequence]),
				);
				expect(new Set(requests).size).toBe(requests.length);
				const sent = new Set(requests);
				const failed = new Set(
					rows
						.filter(({ state }) => ['failed', 'blocked', 'not tried'].includes(state))
						.map(({ key }) => key),
				);
				for (const change of changes) {
					if (!sent.has(JSON.stringify([change.action, change.send]))) continue;
					expect(change.needs.filter((key) => failed.has(key))).toEqual([]);
				}
			},
		),
		{ numRuns: 200 },
	);
});
