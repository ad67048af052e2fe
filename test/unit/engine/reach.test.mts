/** What is told of work that throws on its way: by what the service may have got of it. */
import { getProfiles } from '../../../nodes/shared/calls/provisioning.ts';
import { outcomesOf, type Job } from '../../../nodes/shared/engine/engine.ts';
import { success } from '../../../nodes/shared/failure.ts';

test.each<[Job['reach'], string, RegExp]>([
	['nothing', 'none', /^Nothing was sent for this item\. /],
	['questions', 'none', /^Nothing was changed: this item only looks something up\. /],
	['unknown', 'unknown', /^It may be done all the same: look for the record /],
])('When it gets %s, the effect is %s, and the next step says so', async (reach, effect, next) => {
	const [outcome] = await outcomesOf({
		...{ count: 1, begunAtOnce: 1, batchSize: 1, simplify: true, stopsAtFailure: false, signal: undefined },
		inputOf: () => success({}),
		work: getProfiles.work as Job['work'],
		reach,
		resultOf: success,
		send: async () => await Promise.reject(new Error('Broken')),
	});
	expect(outcome).toMatchObject({
		ok: false,
		failure: { origin: 'n8n', effect, next: expect.stringMatching(next) },
	});
});
