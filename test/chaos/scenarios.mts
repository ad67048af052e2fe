/** The part of the matrix in which something happens to a whole run. */
import { setTimeout as wait } from 'node:timers/promises';

import { stopExecution, waitForExecution } from '../../playground/n8n-client.mts';
import { eventually } from '../../playground/eventually.mts';
import { TESTED } from '../support/stage.mts';

import { TOKEN_PATH } from './keys.mts';
import { received, rowsOf, run, seenRun, start, workflowOf } from './runs.mts';
import { counts, Findings, freshKeys, IMPATIENT, PATIENT, type Scenario } from './scenario.mts';
import { closedUnread, refusedForAMoment, refusedForGood } from './scenariosOfTheWay.mts';
import { everyTenthToken, signOnDown, signOnDownForGood } from './scenariosOfTokens.mts';

/** On Error: Stop Workflow, the default. The second item is refused, one request at a time. */
const stopsWorkflow: Scenario = {
	column: 'stop at 500',
	perform: async (session, lane, operation) => {
		const keys = await freshKeys(lane, operation, 4);
		const struck = keys[operation.alone ? 0 : 1];
		await lane.sandbox.admin.addFault({ ...struck?.match }, { status: 500 });
		const options = { ...IMPATIENT, concurrency: 1 };
		const credential = lane.credentials[operation.credential];
		const ended = seenRun(
			await run(session, workflowOf(operation, keys, credential, options, 'stopWorkflow')),
			0,
		);
		const findings = new Findings();
		findings.hold(ended.status === 'error', `the run ended as ${ended.status}`);
		const item = operation.alone ? 0 : operation.itemsPerKey;
		findings.hold(
			ended.error.includes(`[Item ${item}]`),
			`the failure does not name item ${item}: ${ended.error}`,
		);
		findings.hold(/500/.test(ended.error), `the failure does not say what happened: ${ended.error}`);
		const seen = await counts(lane, keys);
		const wanted = operation.alone ? [1] : [1, 1, 0, 0];
		findings.hold(seen.join() === wanted.join(), `the requests arrived ${seen.join(', ')} times`);
		return { short: `error, ${wanted.join('·')}`, findings: findings.list, details: ended };
	},
};

/** n8n's own setting. It is promised to nobody: this shows why it is to be left off. */
const retriedByN8n: Scenario = {
	column: 'Retry On Fail',
	isFor: ({ name }) => name === 'user.createStudent',
	perform: async (session, lane, operation) => {
		const keys = await freshKeys(lane, operation, 3);
		await lane.sandbox.admin.addFault({ ...keys[1]?.match, times: 1 }, { status: 400 });
		const credential = lane.credentials[operation.credential];
		const workflow = workflowOf(
			operation,
			keys,
			credential,
			{ ...IMPATIENT, concurrency: 1 },
			'stopWorkflow',
		);
		for (const node of workflow.nodes) {
			if (node.name === TESTED)
				Object.assign(node, { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 });
		}
		const ended = seenRun(await run(session, workflow), 0);
		const findings = new Findings();
		findings.hold(ended.status === 'error', `the run ended as ${ended.status}`);
		const seen = await counts(lane, keys);
		// The second time, the service finds that the first student is there already, and the run ends with that.
		findings.hold(seen.join() === '2,1,0', `the requests arrived ${seen.join(', ')} times`);
		findings.hold(/\(409\)/.test(ended.error), `the run ended with: ${ended.error}`);
		return { short: `error, ${seen.join('·')}`, findings: findings.list, details: ended };
	},
};

/** The editor's stop button. */
const cancelled: Scenario = {
	column: 'cancelled',
	perform: async (session, lane, operation) => {
		const keys = await freshKeys(lane, operation, 40);
		const { admin } = lane.sandbox;
		const slow = { delayMs: 1_500, afterwards: true };
		await admin.addFault(
			{ pathPattern: operation.credential === 'machine' ? '^/(?!identity)' : TOKEN_PATH },
			slow,
		);
		const options = { ...PATIENT, concurrency: 4 };
		const { execution } = await start(
			session,
			workflowOf(operation, keys, lane.credentials[operation.credential], options),
		);
		const begun = async () => (await counts(lane, keys)).filter((count) => count > 0).length;
		await eventually(async () => ((await begun()) >= (operation.alone ? 1 : 2) ? true : undefined), 60_000);
		const stoppedAt = Date.now();
		await stopExecution(session, execution);
		const ended = await waitForExecution(session, execution);
		const endedMs = Date.now() - stoppedAt;
		const sent = (await received(lane.sandbox)).length;
		await wait(2_000);
		const findings = new Findings();
		findings.hold(ended.status === 'canceled', `the run ended as ${ended.status}`);
		findings.within(endedMs, 1_400);
		const late = (await received(lane.sandbox)).length - sent;
		findings.hold(late === 0, `${late} requests went out after the run had ended`);
		const seen = await counts(lane, keys);
		findings.hold(Math.max(...seen) <= 1, 'a request arrived twice');
		const given = seenRun(ended, rowsOf(operation, keys).length).items.filter(
			({ outcome }) => outcome !== 'missing',
		).length;
		return { short: `${endedMs} ms`, findings: findings.list, details: { endedMs, sent, given } };
	},
};

export const SCENARIOS: readonly Scenario[] = [
	signOnDown,
	refusedForAMoment,
	everyTenthToken,
	cancelled,
	signOnDownForGood,
	refusedForGood,
	closedUnread,
	stopsWorkflow,
	retriedByN8n,
];
