/** What is told of updates that were sent in a larger batch before. The service is scripted. */
import { updateByAccount } from '../../../nodes/shared/calls/enrollment.ts';
import type { CallWork } from '../../../nodes/shared/calls/call.ts';
import { outcomesOf } from '../../../nodes/shared/engine/engine.ts';
import { failed, NOT_BEGUN, success, type Failure } from '../../../nodes/shared/failure.ts';

const refusal = (effect: Failure['effect']): Failure => ({
	...{ origin: 'service', effect, status: 400, message: 'Refused', next: 'Look.' },
});

/** Each failure in turn answers a request. */
async function effectsOf(answers: Failure[], count: number, stopsAtFailure = false) {
	const left = [...answers];
	const outcomes = await outcomesOf({
		...{ count, begunAtOnce: 1, batchSize: count, simplify: true, stopsAtFailure, signal: undefined },
		inputOf: () =>
			success({ account_id: 'a', data: { school_id: 's', external_reference_code: 'c', status: 'x' } }),
		work: updateByAccount.work as CallWork<unknown>,
		reach: 'unknown',
		resultOf: (found) => success(found),
		send: async () => await Promise.resolve(failed(left.shift() ?? NOT_BEGUN)),
	});
	expect(left).toEqual([]);
	return outcomes.map((outcome) => (outcome.ok ? 'done' : [outcome.failure.message, outcome.failure.effect]));
}

test('A batch that was surely not done leaves its halves as they are', async () => {
	const none = refusal('none');
	expect(await effectsOf([none, none, refusal('unknown')], 2)).toEqual([
		['Refused', 'none'],
		['Refused', 'unknown'],
	]);
});

test('What may be done with a batch may be done with each half of its halves', async () => {
	const none = refusal('none');
	expect(await effectsOf([refusal('unknown'), none, none, none, none], 3)).toEqual(
		Array(3).fill(['Refused', 'unknown']),
	);
});

test('Only the half that may be done hands that on', async () => {
	const none = refusal('none');
	expect(await effectsOf([none, refusal('unknown'), none, none, none], 3)).toEqual([
		['Refused', 'unknown'],
		['Refused', 'unknown'],
		['Refused', 'none'],
	]);
});

test('A half that the end of the run kept back was sent with the batch, and says so', async () => {
	expect(await effectsOf([refusal('unknown'), refusal('none')], 2, true)).toEqual(
		Array(2).fill(['Refused', 'unknown']),
	);
});
