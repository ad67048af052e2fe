/**
 * The whole way of a visitor through the two examples of the sign-on, in a headless browser: start, login at the
 * sandbox, callback, synced page, logout from the application only, logout from the platform with the back-channel
 * delivery that ends the session.
 */
import { readFileSync } from 'node:fs';

import axios from 'axios';
import type { IDataObject } from 'n8n-workflow';
import type { Browser, BrowserContext, Page } from 'playwright-core';

import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	credentialReference,
	getExecution,
	itemsOf,
	listExecutions,
	waitForExecutions,
	withCredential,
	type StoredCredential,
	type WorkflowInput,
} from '../../playground/n8n-client.mts';
import { SandboxBrowser } from '../../sandbox/browser.mts';
import { PAGE_MS, startBrowser } from '../support/browser.mts';
import { eventually, until } from '../../playground/eventually.mts';
import { runOnce, setStage, type Stage } from '../support/stage.mts';
import { logoutTrigger, stepByStep } from './signOnWorkflow.mts';

let stage: Stage;
let browser: Browser;
let address: string;
let logIn: { workflowId: string };
let oidc: StoredCredential;

beforeAll(async () => {
	stage = await setStage({ env: { N8N_LOG_LEVEL: 'debug' } });
	browser = await startBrowser();
	address = `${stage.n8n.baseUrl}/webhook`;
	await stage.sandbox.admin.changeRegistration({
		redirectUris: [`${address}/school-callback`],
		postLogoutRedirectUris: [`${address}/school-logout`],
		logoutUri: `${address}/school-partner-logout/logout`,
		logoutChannel: 'back',
	});
	const { issuerUrl, clientId, clientSecret } = stage.sandbox;
	oidc = await createCredential(stage.session, {
		name: 'School Partner OIDC',
		type: 'schoolPartnerOidcApi',
		data: { issuerUrl, clientId, clientSecret },
	});
	logIn = { workflowId: await publishExample('log-a-user-in-and-sync') };
	await publishExample('end-our-session-on-logout');
});

afterAll(async () => {
	await browser?.close();
	await stage?.end();
});

async function publishExample(name: string): Promise<string> {
	const example = JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as WorkflowInput;
	const stored = await createWorkflow(
		stage.session,
		withCredential(withCredential(example, oidc), stage.credential),
	);
	await activateWorkflow(stage.session, stored.id);
	return stored.id;
}

/** A visitor with a browser of their own: no cookies yet. */
async function visitor(): Promise<{ context: BrowserContext; page: Page }> {
	const context = await browser.newContext();
	context.setDefaultTimeout(PAGE_MS);
	return { context, page: await context.newPage() };
}

/** n8n answers 404 for a fraction of a second after a workflow was published. */
async function start(page: Page, query = ''): Promise<void> {
	await eventually(async () =>
		(await page.goto(`${address}/school-login${query}`))?.status() === 404 ? undefined : true,
	);
}

async function logInAt(page: Page, login: string): Promise<void> {
	await page.locator('input[name=login]').fill(login);
	await page.locator('input[name=password]').fill(login);
	await page.getByRole('button', { name: 'Log in', exact: true }).click();
}

const heading = async (page: Page) => await page.locator('h1').innerText();
const listOf = async (page: Page, id: string) => await page.locator(`#${id} li`).allInnerTexts();

/** The rows of the data table that both examples share. */
async function sessions(): Promise<IDataObject[]> {
	const parameters = {
		resource: 'row',
		operation: 'get',
		dataTableId: { __rl: true, mode: 'name', value: 'School sessions' },
		returnAll: true,
	};
	const rows = { name: 'Rows', type: 'n8n-nodes-base.dataTable', parameters };
	const execution = await runOnce(stage, stepByStep('Read the sessions', [rows]));
	return itemsOf(execution, 'Rows').map(({ json }) => json);
}

test('a visitor logs in, sees the synced page, logs out here, and out of the platform', async () => {
	const { context, page } = await visitor();

	await start(page, '?page=/books/7');
	expect(await heading(page)).toBe('Platform login');
	const [binding] = (await context.cookies()).filter(({ name }) => name === 'school_binding');
	expect(binding).toMatchObject({ httpOnly: true, secure: true, sameSite: 'Lax' });

	await logInAt(page, 'student1');
	await page.waitForURL('**/school-callback?**');
	expect(await heading(page)).toMatch(/^Welcome, \S+/);
	expect((await listOf(page, 'schools')).length).toBeGreaterThan(0);
	expect((await listOf(page, 'family')).length).toBeGreaterThan(0);
	expect(await page.locator('#page').innerText()).toBe('/books/7');
	const [first] = await sessions();
	expect(first).toMatchObject({
		status: 'open',
		sid: expect.stringMatching(/.+/),
		account_id: expect.stringMatching(/.+/),
	});

	await page.locator('#leave').click();
	await page.waitForURL('**/school-logout**');
	expect(await heading(page)).toBe('Goodbye');
	expect((await context.cookies()).map(({ name }) => name)).not.toContain('school_session');

	// Only the application was left: the platform still knows the visitor and shows no login screen.
	await page.locator('#again').click();
	await page.waitForURL('**/school-callback?**');
	expect(await heading(page)).toMatch(/^Welcome, /);
	const second = (await sessions()).at(-1);
	expect(second).toMatchObject({ status: 'open' });

	await page.locator('#leave-all').click();
	await page.waitForURL('**/school-logout**');
	expect(await heading(page)).toBe('Goodbye');
	const delivered = (await stage.sandbox.admin.logoutDeliveries()).at(-1);
	expect(delivered).toMatchObject({ channel: 'back', status: 200 });
	const ended = await eventually(async () =>
		(await sessions()).find(({ sid, status }) => sid === second?.sid && status === 'ended'),
	);
	expect(ended.ended_at).not.toBeNull();

	// The platform has forgotten the visitor.
	await page.locator('#again').click();
	expect(await heading(page)).toBe('Platform login');
	await context.close();
});

test('a session that the platform ends without any browser ends here too', async () => {
	const { context, page } = await visitor();
	await start(page);
	await logInAt(page, 'student2');
	await page.waitForURL('**/school-callback?**');
	const opened = (await sessions()).at(-1);
	const deliveries = await stage.sandbox.admin.logOut({ login: 'student2' });
	expect(deliveries).toEqual([expect.objectContaining({ channel: 'back', status: 200 })]);
	await eventually(async () =>
		(await sessions()).find(({ sid, status }) => sid === opened?.sid && status === 'ended'),
	);
	await context.close();
});

test('a logout that the platform tells by the front channel arrives through the frame of its logout screen', async () => {
	const trigger = logoutTrigger('front', 'front-channel', credentialReference(oidc));
	const { id } = await createWorkflow(stage.session, trigger);
	await activateWorkflow(stage.session, id);
	const { logoutUri, logoutChannel } = await stage.sandbox.admin.registration();
	await stage.sandbox.admin.changeRegistration({
		logoutUri: `${address}/front-channel/logout`,
		logoutChannel: 'front',
	});

	const { context, page } = await visitor();
	await start(page);
	await logInAt(page, 'student4');
	await page.waitForURL('**/school-callback?**');
	const opened = (await sessions()).at(-1);
	const framed = page.waitForResponse('**/front-channel/logout?**');
	await page.locator('#leave-all').click();
	expect((await framed).status()).toBe(200);
	await page.waitForURL('**/school-logout**');
	const [{ id: executionId }] = await waitForExecutions(stage.session, id, 1);
	const [item] = itemsOf(await getExecution(stage.session, executionId), 'Logout');
	expect(item.json).toMatchObject({ sid: opened?.sid, channel: 'front' });
	await context.close();
	await stage.sandbox.admin.changeRegistration({ logoutUri, logoutChannel });
});

describe('who is not let in', () => {
	test('a callback in another browser than the one that started', async () => {
		// A browser that starts, logs in, and is held up just before the callback.
		const started = await axios.get(`${address}/school-login`, {
			maxRedirects: 0,
			validateStatus: () => true,
		});
		const binding = /school_binding=([^;]+)/.exec(String(started.headers['set-cookie']))?.[1] ?? '';
		const platform = new SandboxBrowser(stage.sandbox.baseUrl);
		const callback = (await platform.signIn(String(started.headers.location), 'student3')).href;
		platform.close();

		const other = await visitor();
		const answer = await other.page.goto(callback);
		expect(answer?.status()).toBe(400);
		expect(await heading(other.page)).toBe('You are not logged in');
		expect(await other.page.locator('#reason').innerText()).toMatch(/^Browser Binding must not be empty/);

		await start(other.page);
		await other.page.goto(callback);
		expect(await other.page.locator('#reason').innerText()).toBe(
			'The state was started in another browser than the one that came back.',
		);

		// The code was not spent: the browser that started still gets in.
		const one = await visitor();
		await one.context.addCookies([{ name: 'school_binding', value: binding, url: address }]);
		await one.page.goto(callback);
		expect(await heading(one.page)).toMatch(/^Welcome, /);

		// And only once.
		await one.page.goto(callback);
		expect(await one.page.locator('#reason').innerText()).toMatch(
			/does not accept the code: it was used before/,
		);
		await Promise.all([one.context.close(), other.context.close()]);
	});

	test('a visitor for whom the platform gives no ID token, of whom no session is kept', async () => {
		const before = (await sessions()).length;
		await stage.sandbox.admin.changeSettings({ variants: ['null-id-token'] });
		const { context, page } = await visitor();
		await start(page);
		await logInAt(page, 'student5');
		await page.waitForURL('**/school-callback?**');
		expect(await page.locator('#reason').innerText()).toMatch(/^The sign-on gave no ID token/);
		await stage.sandbox.admin.changeSettings({ variants: [] });
		await context.close();
		expect(await sessions()).toHaveLength(before);
	});

	test('a visitor whom the service does not know, of whom no session is kept', async () => {
		const before = (await sessions()).length;
		await stage.sandbox.admin.addFault({ path: '/sync/v1/' }, { status: 409 });
		const { context, page } = await visitor();
		await start(page);
		await logInAt(page, 'student6');
		await page.waitForURL('**/school-callback?**');
		expect(await heading(page)).toBe('You are not logged in');
		await stage.sandbox.admin.clearFaults();
		await context.close();
		expect(await sessions()).toHaveLength(before);
	});

	test.each([
		['whose account the service does not find, though it has the tenant', '/sync/v1/accounts/'],
		['of whom the service finds nothing at all', '/sync/v1/'],
	])('a visitor %s, of whom no session is kept', async (_who, path) => {
		const before = (await sessions()).length;
		await stage.sandbox.admin.addFault({ path }, { status: 204 });
		const { context, page } = await visitor();
		await start(page);
		await logInAt(page, 'student7');
		await page.waitForURL('**/school-callback?**');
		expect(await page.locator('#reason').innerText()).toBe('The service does not know this account.');
		expect((await context.cookies()).map(({ name }) => name)).not.toContain('school_session');
		await stage.sandbox.admin.clearFaults();
		await context.close();
		expect(await sessions()).toHaveLength(before);
	});

	test('a visitor whom the sign-on refuses for another reason reads which', async () => {
		const { context, page } = await visitor();
		await eventually(async () => {
			const answer = await page.goto(`${address}/school-callback?error=invalid_scope`);
			return answer?.status() === 404 ? undefined : true;
		});
		expect(await page.locator('#reason').innerText()).toBe('The sign-on refused the login (invalid_scope).');
		await context.close();
	});

	test('a visitor who cancels the login is told so', async () => {
		const { context, page } = await visitor();
		await start(page);
		await page.getByRole('button', { name: 'Cancel' }).click();
		await page.waitForURL('**/school-callback?**');
		expect(await page.locator('#reason').innerText()).toBe('The login was cancelled.');
		await context.close();
	});
});

test('no token and no secret is kept: neither in the log of n8n nor in its executions', async () => {
	// n8n takes a run that is not kept away when it has ended, which may be after its visitor was answered.
	await until(async () => (await listExecutions(stage.session, logIn.workflowId)).length === 0);
	const log = stage.n8n.process.log();
	expect(log.length).toBeGreaterThan(1_000);
	expect(log).not.toContain(stage.sandbox.clientSecret);
	// Every token of the sandbox begins like this: {"alg":
	expect(log).not.toMatch(/eyJhbGciOi/);
});
