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

const DELIVERIES = 600;

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

test(
	`${DELIVERIES} deliveries, 5 % repeats, 5 % with a wrong key, 5 % malformed, start exactly the runs they should`,
	async () => {
		const { session, sandbox } = stage;
		const { url, workflow } = await openTrigger(session, withOptions({ deviations: 'reject' }));
		await sandbox.admin.registerWebhook({ url, apiKey: KEY });
		const result = await sandbox.admin.runLoad({
			count: DELIVERIES,
			concurrency: 10,
			repeatShare: 0.05,
			wrongKeyShare: 0.05,
			malformedShare: 0.05,
			revocationEvery: 4,
		});
		console.log(
			`${DELIVERIES} deliveries: ${result.perSecond} per second, answers ${JSON.stringify(result.statuses)}`,
		);
		expect(result.statuses).toEqual({
			valid: { 200: 510 },
			repeat: { 200: 30 },
			wrongKey: { 401: 30 },
			malformed: { 400: 30 },
		});

		const executions = await settledExecutions(session, workflow.id, (counts) => counts.success >= 510);
		expect(executions).toHaveLength(510);
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
		expect(tally(sent, ({ action }) => action).USER_ACCESS_REVOCATION).toBeGreaterThan(120);
	},
	LONG_MS,
);
