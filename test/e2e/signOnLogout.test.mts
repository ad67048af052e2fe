/** The logout trigger in the real n8n: what n8n makes of a request, keeps and logs. Forged and repeated tokens: test/hostile/areas/logouts.mts. */
import { rmSync } from 'node:fs';

import axios, { type AxiosResponse } from 'axios';
import type { IDataObject } from 'n8n-workflow';

import { httpAgent } from '../../playground/client/http.mts';
import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	credentialReference,
	getExecution,
	itemsOf,
	listExecutions,
	signIn,
	waitForExecutions,
	type Session,
	type StoredCredential,
} from '../../playground/n8n-client.mts';
import { startN8n, type RunningN8n } from '../../playground/n8n.mts';
import { prepareUserFolder } from '../support/user-folder.mts';
import { eventually } from '../../playground/eventually.mts';
import { CLIENT_ID, signed } from '../unit/signOn/peer.mts';
import { logoutTrigger } from './signOnWorkflow.mts';
import { logoutClaims, logoutToken, startIssuer, type TestIssuer } from './signOnIssuer.mts';

axios.defaults.httpAgent = httpAgent;

const TRIGGER = 'Logout';

let issuer: TestIssuer;
let n8n: RunningN8n;
let session: Session;
let credential: StoredCredential;
let back: Trigger;
let front: Trigger;

/** The body of a refusal. */
interface Refused {
	reasons?: string[];
}

interface Trigger {
	readonly workflowId: string;
	readonly url: string;
}

beforeAll(async () => {
	issuer = await startIssuer();
	n8n = await startN8n({
		editor: false,
		env: { N8N_LOG_LEVEL: 'debug' },
		prepare: prepareUserFolder,
	});
	session = await signIn(n8n.baseUrl);
	credential = await createCredential(session, {
		name: 'Sign-on',
		type: 'schoolPartnerOidcApi',
		data: { issuerUrl: `${issuer.url}/`, clientId: CLIENT_ID, clientSecret: 'a-made-up-secret' },
	});
	back = await publishTrigger('back');
	front = await publishTrigger('front');
});

afterAll(async () => {
	await n8n?.stop();
	// The last test starts n8n again on the same folder, which n8n then leaves to us.
	if (n8n !== undefined) rmSync(n8n.userFolder, { recursive: true, force: true });
	await issuer?.stop();
});

async function publishTrigger(channel: 'back' | 'front'): Promise<Trigger> {
	const webhookId = `logout-${channel}`;
	const workflow = logoutTrigger(channel, webhookId, credentialReference(credential));
	const { id } = await createWorkflow(session, workflow);
	await activateWorkflow(session, id);
	const url = `${n8n.baseUrl}/webhook/${webhookId}/logout`;
	await eventually(async () =>
		(await axios.put(url, '', { validateStatus: () => true })).status === 404 ? await answered(url) : true,
	);
	return { workflowId: id, url };
}

/** n8n answers 404 for a fraction of a second after a workflow was published. */
async function answered(url: string): Promise<true | undefined> {
	const { status } = await axios.get(url, { validateStatus: () => true });
	return status === 404 ? undefined : true;
}

async function post(token: string, url = back.url): Promise<AxiosResponse<Refused>> {
	return await axios.post(url, new URLSearchParams({ logout_token: token }), {
		validateStatus: () => true,
		maxBodyLength: Infinity,
	});
}

const good = (changes: object = {}) => logoutToken(issuer, CLIENT_ID, changes);
const claims = () => logoutClaims(issuer.url, CLIENT_ID);
const executions = async ({ workflowId }: Trigger) => (await listExecutions(session, workflowId)).length;

async function itemOfLast({ workflowId }: Trigger, count: number): Promise<IDataObject> {
	const [{ id }] = await waitForExecutions(session, workflowId, count);
	const [item] = itemsOf(await getExecution(session, id), TRIGGER);
	return item.json;
}

describe('the back channel', () => {
	test('takes a logout token, answers 200 that nobody keeps, and tells who is logged out', async () => {
		const { jti } = claims();
		const answer = await post(good({ jti }));
		expect(answer.status).toBe(200);
		expect(answer.data).toBe('');
		expect(answer.headers['cache-control']).toBe('no-store');
		expect(await itemOfLast(back, 1)).toEqual({
			sub: 'account-17',
			sid: 'session-4',
			iss: issuer.url,
			jti,
			channel: 'back',
			received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
			claims: {},
		});
	});

	test.each<[string, Record<string, string>, () => string]>([
		['JSON', { 'content-type': 'application/json' }, () => JSON.stringify({ logout_token: good() })],
		['another field', { 'content-type': 'application/x-www-form-urlencoded' }, () => 'token=x'],
		[
			'two tokens',
			{ 'content-type': 'application/x-www-form-urlencoded' },
			() => 'logout_token=x&logout_token=y',
		],
		['no body', {}, () => ''],
	])('refuses %s', async (_, headers, body) => {
		const answer: AxiosResponse<Refused> = await axios.post(back.url, body(), {
			headers,
			validateStatus: () => true,
		});
		expect([answer.status, answer.data.reasons]).toEqual([400, ['no_logout_token']]);
	});

	test('takes a token of a new key: the keys are looked up again, but not for every forged one', async () => {
		await new Promise((resolve) => setTimeout(resolve, 11_000));
		issuer.changeKey();
		const before = issuer.asked();
		expect((await post(good())).status).toBe(200);
		expect(issuer.asked()).toBe(before + 1);
		const began = Date.now();
		for (let index = 0; index < 20; index++) {
			expect((await post(signed(claims(), issuer.signer, { kid: `forged-${index}` }))).status).toBe(400);
		}
		// On a slow machine twenty refusals may take longer than the ten seconds after which one more look is allowed.
		const allowed = Math.floor((Date.now() - began) / 10_000) + 1;
		expect(issuer.asked() - before - 1).toBeLessThanOrEqual(allowed);
	});

	test('goes on with the keys it knows while the issuer is down', async () => {
		issuer.setDown(true);
		const answer = await post(good());
		issuer.setDown(false);
		expect(answer.status).toBe(200);
	});

	test('answers the other method 405', async () => {
		const { status, headers } = await axios.get(`${back.url}?Sid=session-4`, { validateStatus: () => true });
		expect([status, headers.allow]).toEqual([405, 'POST']);
	});

	test('writes no token into the log of n8n, not even at its most talkative', async () => {
		const token = good();
		await post(token);
		await post(token);
		const log = n8n.process.log();
		expect(log).not.toContain(token.slice(0, 60));
		expect(log).not.toContain(token.split('.')[1].slice(0, 60));
	});
});

describe('the front channel', () => {
	test('takes the session id in a frame: a small page that nobody keeps and everybody may frame', async () => {
		const answer = await axios.get(`${front.url}?Sid=session-9&iss=${encodeURIComponent(issuer.url)}`);
		expect(answer.status).toBe(200);
		expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
		expect(answer.headers['cache-control']).toBe('no-store');
		expect(answer.headers['x-frame-options']).toBeUndefined();
		expect(String(answer.headers['content-security-policy'])).not.toMatch(/frame-ancestors/);
		expect(answer.data).toMatch(/^<!doctype html>.{1,300}$/);
		expect(await itemOfLast(front, 1)).toMatchObject({
			sub: null,
			sid: 'session-9',
			iss: issuer.url,
			jti: null,
			channel: 'front',
		});
	});

	test('answers the other method 405', async () => {
		const { status, headers } = await post(good(), front.url);
		expect([status, headers.allow]).toEqual([405, 'GET']);
	});
});

describe('after a restart of n8n', () => {
	test('a token that was taken before is still refused', async () => {
		const token = good();
		const before = await executions(back);
		expect((await post(token)).status).toBe(200);
		await waitForExecutions(session, back.workflowId, before + 1);
		const { userFolder, port } = n8n;
		await n8n.kill();
		n8n = await startN8n({ userFolder, port, editor: false });
		await eventually(async () => await answered(back.url));
		expect((await post(token)).data).toMatchObject({ reasons: ['repeated_jti'] });
		expect((await post(good())).status).toBe(200);
	});
});
