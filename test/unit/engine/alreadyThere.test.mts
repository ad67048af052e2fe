/** What creations and deletions take for done, without any panel: whoever has values can say it. The service is scripted. */
import { createClass, createUser, deleteBond } from '../../../nodes/shared/calls/provisioning.ts';
import type { CallWork } from '../../../nodes/shared/calls/call.ts';
import { outcomesOf, type Job } from '../../../nodes/shared/engine/engine.ts';
import { failed, success, type Failure } from '../../../nodes/shared/failure.ts';

const refusal = (status: number, origin: Failure['origin'] = 'service') =>
	failed<Failure>({ origin, effect: 'none', status, message: 'Refused', next: 'Look.' });

async function outcomeOf(
	call: { work: CallWork<never> },
	reply: ReturnType<typeof refusal>,
	already?: Job['already'],
) {
	const [outcome] = await outcomesOf({
		...{ count: 1, begunAtOnce: 1, batchSize: 1, simplify: true, stopsAtFailure: false, signal: undefined },
		already,
		inputOf: () => success({}),
		work: call.work as CallWork<unknown>,
		reach: 'unknown',
		resultOf: (found) => success(found),
		send: async () => reply,
	});
	return outcome;
}

test('what exists, and what is gone, is done by the statuses that the caller names', async () => {
	const already = { exists: [409, 422], gone: [404] };
	expect(await outcomeOf(createClass, refusal(422), already)).toEqual(success([{ already_there: true }]));
	expect(await outcomeOf(createUser, refusal(409), already)).toEqual(success([{ already_there: true }]));
	expect(await outcomeOf(deleteBond, refusal(404), already)).toEqual(success([{ already_gone: true }]));
});

test('everything else stays the refusal that it is', async () => {
	const already = { exists: [409], gone: [404] };
	const kept: Array<Parameters<typeof outcomeOf>> = [
		[createClass, refusal(404), already],
		[deleteBond, refusal(409), already],
		[createClass, refusal(409, 'signOn'), already],
		[createClass, refusal(409)],
		[deleteBond, refusal(404), { exists: [404] }],
	];
	for (const each of kept) expect(await outcomeOf(...each)).toEqual(each[1]);
});
