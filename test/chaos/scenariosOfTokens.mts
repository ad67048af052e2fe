/** Runs whose tokens are taken back, and runs for which there is none to be had. */
import { setTimeout as wait } from 'node:timers/promises';

import { waitForExecution } from '../../playground/n8n-client.mts';
import { eventually } from '../../playground/eventually.mts';

import { longestRequest } from './expectations.mts';
import { TOKEN_PATH } from './keys.mts';
import { arrivalsByKey, rowsOf, seenRun, seenRunOf, start, workflowOf } from './runs.mts';
import {
	counts,
	FEW,
	Findings,
	freshKeys,
	IMPATIENT,
	isMachine,
	PATIENT,
	signed,
	SLACK_MS,
	type Scenario,
} from './scenario.mts';
import { newCredential } from './stage.mts';

const SIGN_ON_DOWN_MS = 5_000;

export const everyTenthToken: Scenario = {
	column: 'token expires every 10th',
	isFor: isMachine,
	perform: async (session, lane, operation) => {
		const keys = await freshKeys(lane, operation, 40);
		const { admin } = lane.sandbox;
		const match = keys[0]?.match;
		// All keys of an operation differ in what names them; what they have in common is the method and the area.
		const area = {
			method: match?.method ?? 'GET',
			pathPattern: '^/(data|integration|sync|enrollment|webhook)/',
		};
		await admin.addFault(operation.alone ? { ...area, times: 1 } : { ...area, every: 10 }, {
			expireToken: true,
		});
		const options = { ...PATIENT, maxRetries: 0 };
		const ended = await seenRunOf(session, operation, keys, lane.credentials.machine, options);
		const findings = new Findings();
		findings.allItems(ended, 'success');
		for (const [id, requests] of await arrivalsByKey(lane.sandbox, keys)) {
			const accepted = requests.filter(({ status }) => status < 300).length;
			findings.hold(accepted === 1, `${id} was accepted ${accepted} times`);
		}
		const refused = await admin.countRequests({ status: 401 });
		const renewals = await admin.countRequests({ path: TOKEN_PATH });
		findings.hold(refused > 0 && renewals > 0, 'no token was refused: the fault did not strike');
		findings.hold(renewals <= refused, `${renewals} tokens were fetched for ${refused} that were refused`);
		await findings.allDone(lane, operation, keys);
		findings.within(ended.nodeMs, keys.length * 200 + SLACK_MS);
		return {
			short: `ok, ${renewals} renewed`,
			findings: findings.list,
			details: { refused, renewals, ...ended, items: undefined },
		};
	},
};

/** The sign-on answers 503, and asks to wait, from the first request for a token on, for five seconds. */
export const signOnDown: Scenario = {
	column: 'token endpoint down 5 s',
	perform: async (session, lane, operation) => {
		const keys = await freshKeys(lane, operation, FEW);
		const { admin } = lane.sandbox;
		const credential = await newCredential(session, operation.credential, lane.sandbox);
		const fault = await admin.addFault({ path: TOKEN_PATH }, { status: 503, retryAfter: 1 });
		const { execution } = await start(session, workflowOf(operation, keys, credential, PATIENT));
		await eventually(
			async () => ((await admin.countRequests({ path: TOKEN_PATH })) > 0 ? true : undefined),
			60_000,
		);
		await wait(SIGN_ON_DOWN_MS);
		const early = await signed(lane);
		await admin.clearFaults(fault);
		const ended = seenRun(await waitForExecution(session, execution), rowsOf(operation, keys).length);
		const findings = new Findings();
		findings.allItems(ended, 'success');
		findings.hold(early === 0, `${early} requests went out without a token`);
		const seen = await counts(lane, keys);
		const isRight = isMachine(operation)
			? seen.every((count) => count === 1)
			: seen.every((count) => count > 1);
		findings.hold(isRight, `the requests arrived ${seen.join(', ')} times`);
		await findings.allDone(lane, operation, keys);
		findings.within(ended.nodeMs, longestRequest(0, PATIENT.maxRetries) + SIGN_ON_DOWN_MS + SLACK_MS);
		return {
			short: `ok after ${(ended.nodeMs / 1_000).toFixed(1)} s`,
			findings: findings.list,
			details: ended,
		};
	},
};

export const signOnDownForGood: Scenario = {
	column: 'token endpoint down',
	perform: async (session, lane, operation) => {
		const keys = await freshKeys(lane, operation, FEW);
		const credential = await newCredential(session, operation.credential, lane.sandbox);
		await lane.sandbox.admin.addFault({ path: TOKEN_PATH }, { status: 503 });
		const ended = await seenRunOf(session, operation, keys, credential, IMPATIENT);
		const findings = new Findings();
		findings.allItems(ended, 'failure', /sign-on .*(gives no token|\(503\))/);
		const sent = await signed(lane);
		findings.hold(sent === 0, `${sent} requests went out without a token`);
		findings.within(ended.nodeMs, longestRequest(IMPATIENT.timeout, IMPATIENT.maxRetries) + SLACK_MS);
		return { short: 'fail0', findings: findings.list, details: ended };
	},
};
