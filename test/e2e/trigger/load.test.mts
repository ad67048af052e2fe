import { createHash } from 'node:crypto';

import { setStage, type Stage } from '../../support/stage.mts';
import {
	inParallel,
	KEY,
	LAZY,
	LONG_MS,
	openTrigger,
	settledExecutions,
	startedWith,
	tally,
	withOptions,
} from './support.mts';

let stage: Stage;

beforeAll(async () => {
	stage = await setStage({ env: LAZY, sandbox: { students: 100 } });
});
afterAll(async () => await stage.end());

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test(
	'2,000 deliveries, 5 % repeats, 5 % with a wrong key, 5 % malformed, start exactly the runs they should',
	async () => {
		const { session, sandbox } = stage;
		const { url, workflow } = await openTrigger(session, withOptions({ deviations: 'reject' }));
		await sandbox.admin.registerWebhook({ url, apiKey: KEY });
		const result = await sandbox.admin.runLoad({
			count: 2_000,
			concurrency: 10,
			repeatShare: 0.05,
			wrongKeyShare: 0.05,
			malformedShare: 0.05,
			revocationEvery: 4,
		});
		console.log(
			`2,000 deliveries: ${result.perSecond} per second, answers ${JSON.stringify(result.statuses)}`,
		);
		expect(result.statuses).toEqual({
			valid: { 200: 1_700 },
			repeat: { 200: 100 },
			wrongKey: { 401: 100 },
			malformed: { 400: 100 },
		});

		const executions = await settledExecutions(session, workflow.id, (counts) => counts.success >= 1_700);
		expect(executions).toHaveLength(1_700);
		const items = await inParallel(executions, 4, async ({ id }) => await startedWith(session, id));
		const recorded = items.map((item) => {
			const { header, delivery } = item as { header: { request_id: string }; delivery: { sha256: string } };
			return `${header.request_id} ${delivery.sha256}`;
		});
		const sent = await sandbox.admin.deliveries();
		const expected = sent
			.filter(({ requestId }) => result.acceptedIds.includes(requestId))
			.map(({ requestId, payload }) => `${requestId} ${sha256(payload)}`);
		expect(recorded.sort()).toEqual(expected.sort());
		expect(tally(sent, ({ action }) => action).USER_ACCESS_REVOCATION).toBeGreaterThan(400);
	},
	LONG_MS,
);
