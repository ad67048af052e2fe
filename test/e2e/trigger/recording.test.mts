/** Between the arrival of a request and the answer, n8n records the run: what holds when that moment goes wrong. */
import { setTimeout as wait } from 'node:timers/promises';

import axios from 'axios';

import { capabilities } from '../../../playground/capabilities.mts';
import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	credentialReference,
	waitForExecutions,
} from '../../../playground/n8n-client.mts';
import { eventually, until } from '../../../playground/eventually.mts';
import { setStage, type Stage } from '../../support/stage.mts';
import { guid, userAccess } from '../../unit/trigger/sample-events.mts';
import { CLIENT_ID } from '../../unit/signOn/peer.mts';
import { logoutToken, startIssuer, type TestIssuer } from '../signOnIssuer.mts';
import { logoutTrigger } from '../signOnWorkflow.mts';
import { lockDatabase } from './database.mts';
import { allExecutions, KEY, openTrigger, startedWith, tally } from './support.mts';

let stage: Stage;
let issuer: TestIssuer;

beforeAll(async () => {
	issuer = await startIssuer();
	stage = await setStage({ withoutCredential: true });
});
afterAll(async () => {
	await stage?.end();
	await issuer?.stop();
});

test('a sender who hangs up while n8n records the run, and sends the event again, starts one run', async () => {
	const { session, n8n } = stage;
	const { url, workflow } = await openTrigger(session);
	const ids: string[] = [];
	const send = async (id: string, signal?: AbortSignal) =>
		await axios.post<{ status?: string }>(url, userAccess(id), {
			headers: { 'x-api-key': KEY },
			signal,
			validateStatus: () => true,
		});
	// On a busy machine the first may hang up before n8n has read it: then it counts for nothing, and the next one is tried.
	for (let caught = 0; caught < 5 && ids.length < 30; ) {
		const id = guid(ids.length + 1);
		ids.push(id);
		const release = await lockDatabase(n8n);
		const impatient = new AbortController();
		const first = send(id, impatient.signal).catch(() => 'hung up');
		// n8n waits for its database for a second.
		await wait(400);
		impatient.abort();
		expect(await first).toBe('hung up');
		await release();
		const answers: Array<string | undefined> = [];
		await until(async () => {
			const { status, data } = await send(id);
			answers.push(data.status);
			return status === 200;
		});
		// Not "accepted": the run of the first is there.
		const isCaught = !capabilities.recordsBeforeAnswering || answers[0] === 'duplicate';
		if (!isCaught) expect(answers).toEqual(['accepted']);
		else if (capabilities.recordsBeforeAnswering) expect(answers).toEqual(['duplicate']);
		caught += Number(isCaught);
	}
	expect(ids.length).toBeLessThan(30);
	const runs = await waitForExecutions(session, workflow.id, ids.length);
	const started = await Promise.all(runs.map(async ({ id }) => await startedWith(session, id)));
	const idsOfRuns = started.map((item) => (item as { header: { request_id: string } }).header.request_id);
	expect(tally(idsOfRuns, (id) => id)).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
});

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
