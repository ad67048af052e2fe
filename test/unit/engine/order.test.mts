/** Course statuses of one student and course, which go one after another. The service is scripted. */
import { postCourseStatus } from '../../../nodes/shared/calls/enrollment.ts';
import type { CallWork } from '../../../nodes/shared/calls/call.ts';
import { outcomesOf } from '../../../nodes/shared/engine/engine.ts';
import { success } from '../../../nodes/shared/failure.ts';
import type { ServiceRequest } from '../../../nodes/shared/transport/request.ts';

const status = (item: number, user = 'c') =>
	success({ school_id: 'a', course_code: 'b', user_id: user, status: `s${item}` });
const statusIn = ({ body }: ServiceRequest) => (body as { data: { status: string } }).data.status;

test('What fails in an unexpected way does not keep the next one of the student from being sent', async () => {
	const sent: string[] = [];
	let isFirst = true;
	const outcomes = await outcomesOf({
		...{ count: 2, begunAtOnce: 2, batchSize: 1, simplify: true, stopsAtFailure: false, signal: undefined },
		inputOf: (item) => status(item),
		work: postCourseStatus.work as CallWork<unknown>,
		reach: 'unknown',
		resultOf: (found) => {
			if (!isFirst) return success(found);
			isFirst = false;
			throw new TypeError('no such thing');
		},
		send: async (request) => {
			sent.push(statusIn(request));
			return await Promise.resolve(success({ status: 200, headers: {}, text: '{}' }));
		},
	});
	expect(sent).toEqual(['s0', 's1']);
	expect(outcomes.map(({ ok }) => ok)).toEqual([false, true]);
});

test('Another student does not wait for them', async () => {
	const begun: string[] = [];
	const answers: Array<() => void> = [];
	const run = outcomesOf({
		...{ count: 3, begunAtOnce: 3, batchSize: 1, simplify: true, stopsAtFailure: false, signal: undefined },
		inputOf: (item) => status(item, item === 2 ? 'd' : 'c'),
		work: postCourseStatus.work as CallWork<unknown>,
		reach: 'unknown',
		resultOf: (found) => success(found),
		send: async (request) => {
			begun.push(statusIn(request));
			await new Promise<void>((resolve) => answers.push(resolve));
			return success({ status: 200, headers: {}, text: '{}' });
		},
	});
	while (answers.length < 2) await new Promise((resolve) => setImmediate(resolve));
	expect(begun).toEqual(['s0', 's2']);
	for (const answer of answers.splice(0)) answer();
	while (answers.length < 1) await new Promise((resolve) => setImmediate(resolve));
	answers[0]();
	expect((await run).map(({ ok }) => ok)).toEqual([true, true, true]);
});
