/**
 * What n8n answers before the trigger is asked, deliveries by the hundred, which start exactly the runs they should, and a run that n8n cannot
 * record. Bodies that are none, strange ones, and senders that hang up: test/hostile/areas/deliveries.mts.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import axios from 'axios';

import { capabilities } from '../../../playground/capabilities.mts';
import { httpAgent } from '../../../playground/client/http.mts';
import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	credentialReference,
	waitForExecutions,
} from '../../../playground/n8n-client.mts';
import { eventually } from '../../../playground/eventually.mts';
import { CLIENT_ID } from '../../unit/signOn/peer.mts';
import { setStage, type Stage } from '../../support/stage.mts';
import { logoutToken, startIssuer, type TestIssuer } from '../signOnIssuer.mts';
import { logoutTrigger } from '../signOnWorkflow.mts';
import { lockDatabase } from './database.mts';
import { n8nAnswers, sendRaw, triggerAnswers } from './own-answers.mts';
import {
	allExecutions,
	inParallel,
	KEY,
	LAZY,
	LONG_MS,
	openTrigger,
	settledExecutions,
	startedWith,
	tally,
	withOptions,
	type OpenTrigger,
} from './support.mts';

axios.defaults.httpAgent = httpAgent;

const BROKEN_MULTIPART = 'A multipart body that does not parse';

let stage: Stage;
let trigger: OpenTrigger;

beforeAll(async () => {
	stage = await setStage({ env: LAZY });
	trigger = await openTrigger(stage.session, withOptions({ deviations: 'reject' }));
});
afterAll(async () => await stage.end());

/** Memory of the n8n process in MB. */
function residentMegabytes(): number {
	const status = readFileSync(`/proc/${stage.n8n.process.pid}/status`, 'utf8');
	return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

const document = readFileSync(join(process.cwd(), 'docs', 'events.md'), 'utf8');

/** Where n8n does not answer 400: it fails, or asks the trigger, which refuses every form. */
const OLDER_BROKEN_MULTIPART = capabilities.noticesBrokenMultipart ? 500 : 415;

test.each(n8nAnswers.map((answer) => [answer.what, answer] as const))(
	'%s: n8n answers as the document says, before the trigger is asked',
	async (what, answer) => {
		expect(document).toContain(`| ${what} | ${answer.status} |`);
		const { status, text } = await sendRaw(trigger.url, answer);
		const isOlder = what === BROKEN_MULTIPART && !capabilities.answersBrokenMultipart;
		expect(status).toBe(isOlder ? OLDER_BROKEN_MULTIPART : answer.status);
		expect(text.includes('"rejected"')).toBe(status === 415);
	},
);

test.each(triggerAnswers.map((answer) => [answer.what, answer] as const))(
	'%s: the trigger refuses with its own status',
	async (_what, answer) => {
		const { status, text } = await sendRaw(trigger.url, answer);
		expect(status).toBe(answer.status);
		expect(text).toContain('"status":"rejected"');
	},
);

test('memory stays flat under large bodies', async () => {
	const large = triggerAnswers.filter(({ what }) => what.includes('MB'));
	const round = async () => {
		await inParallel([...large, ...large, ...large], 3, async (answer) => await sendRaw(trigger.url, answer));
		return residentMegabytes();
	};
	const sizes: number[] = [];
	for (let rounds = 0; rounds < 6; rounds++) sizes.push(await round());
	console.log(`n8n's memory after rounds of nine large bodies, in MB: ${sizes.map(Math.round).join(', ')}`);
	// Two rounds each, and the smaller one counts: when memory is cleaned up is up to Node.js. Kept bodies would add 300 MB.
	expect(Math.min(...sizes.slice(4)) - Math.min(...sizes.slice(1, 3))).toBeLessThan(200);
});

test('n8n is alive, and nothing of the key stands in its log', async () => {
	await expect(stage.session.read('/healthz')).resolves.toEqual({ status: 'ok' });
	const log = stage.n8n.process.log();
	expect(log).not.toContain(KEY);
	expect(log).not.toContain('Lia');
});

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

describe('While n8n records the run', () => {
	let issuer: TestIssuer;

	beforeAll(async () => void (issuer = await startIssuer()));
	afterAll(async () => await issuer?.stop());

	test('a logout that n8n cannot record is answered 500, and taken when it comes again', async () => {
		const { session, n8n } = stage;
		const credential = await createCredential(session, {
			name: 'Sign-on',
			type: 'schoolPartnerOidcApi',
			data: { issuerUrl: issuer.url, clientId: CLIENT_ID, clientSecret: 'a-made-up-secret' },
		});
		const { id } = await createWorkflow(
			session,
			logoutTrigger('back', 'locked', credentialReference(credential)),
		);
		await activateWorkflow(session, id);
		const url = `${n8n.baseUrl}/webhook/locked/logout`;
		const post = async (token: string) =>
			await axios.post<{ reasons?: string[] }>(url, new URLSearchParams({ logout_token: token }), {
				validateStatus: () => true,
			});
		await eventually(async () => ((await post('')).status === 404 ? undefined : true));
		// The keys of the issuer are known before the database is locked.
		expect((await post(logoutToken(issuer, CLIENT_ID))).status).toBe(200);
		// Trap: what n8n saves of that run would meet the lock too.
		await waitForExecutions(session, id, 1);

		const token = logoutToken(issuer, CLIENT_ID);
		const release = await lockDatabase(n8n);
		const refused = await post(token);
		await release();
		expect(refused.status).toBe(capabilities.recordsBeforeAnswering ? 500 : 200);
		expect((await post(logoutToken(issuer, CLIENT_ID))).status).toBe(200);
		if (capabilities.recordsBeforeAnswering) expect((await post(token)).status).toBe(200);
		expect((await post(token)).data.reasons).toEqual(['repeated_jti']);
		// Older versions answer first: what they could not record at once may have come in time, or not.
		const recorded = capabilities.recordsBeforeAnswering ? 3 : 2;
		await waitForExecutions(session, id, recorded);
		expect([recorded, 3]).toContain((await allExecutions(session, id)).length);
	});
});
