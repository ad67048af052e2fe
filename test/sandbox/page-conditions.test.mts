/** A hard day of the service, made by hand: an integrator clicks on the sandbox's page and needs no terminal. */
import type { Browser, BrowserContext, Page } from 'playwright-core';

import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { PAGE_MS, startBrowser } from '../support/browser.mts';
import { openReceiver, type Receiver } from './receiver.mts';
import { Api, classPayload, codeOfFailure, userPayload } from './support.mts';

const BASE = '/integration/partner/v1';

let sandbox: Sandbox;
let api: Api;
let browser: Browser;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
	sandbox = await startSandbox();
	api = await Api.open(sandbox);
	browser = await startBrowser();
	context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
	context.setDefaultTimeout(PAGE_MS);
	page = await context.newPage();
});
afterAll(async () => {
	await browser?.close();
	await sandbox?.stop();
});
beforeEach(async () => {
	await sandbox.admin.reset();
	await page.goto(sandbox.adminUrl);
});

const click = async (name: string): Promise<void> =>
	await page.getByRole('button', { name, exact: true }).click();

/** Waits until the part of the page with this name says so. */
const says = async (part: string, text: string): Promise<void> =>
	await page.locator(`[data-live="${part}"]`).getByText(text).first().waitFor();

const create = async (externalId: string): Promise<number> =>
	(await api.post(`${BASE}/class`, classPayload({ external_id: externalId }))).status;

test('Busy, slow, refused doubles, an answer that says no and late accounts are each a click, and Back to normal ends them', async () => {
	await says('conditions', 'Nothing: the service is as it was at the start.');
	await click('Busy');
	await says('conditions', 'Busy');
	const answers = [await create('busy-1'), await create('busy-2'), await create('busy-3')];
	expect(answers).toContain(429);
	await click('Back to normal');
	await says('conditions', 'Nothing');

	await click('Doubles accepted');
	await says('conditions', 'Doubles accepted');
	expect([await create('double'), await create('double')]).toEqual([200, 200]);
	await click('Doubles refused with 400');
	await says('conditions', 'Doubles refused with 400');
	expect(await create('double')).toBe(400);
	await click('Back to normal');
	await says('conditions', 'Nothing');
	expect(await create('double')).toBe(409);

	await click('200 that says no');
	await says('conditions', '200 that says no');
	expect(await api.post(`${BASE}/user`, userPayload())).toMatchObject({
		status: 200,
		data: { success: false },
	});
	expect((await sandbox.admin.users({ provisioned: true })).count).toBe(0);
	await click('Back to normal');
	await says('conditions', 'Nothing');

	await click('Late accounts');
	await click('Slow');
	await says('conditions', 'Slow');
	await says('conditions', 'Late accounts');
	expect((await sandbox.admin.health()).settings).toMatchObject({
		latencyMs: 3000,
		accounts: { delayMs: 60_000 },
	});
	await click('Back to normal');
	await says('conditions', 'Nothing');
	expect((await sandbox.admin.health()).settings).toMatchObject({ latencyMs: 0, accounts: null });
});

test('What was set from elsewhere is shown as being on', async () => {
	await sandbox.admin.changeSettings({ tokenLifetime: 5 });
	await sandbox.admin.addFault({ path: '/sync' }, { status: 503 });
	await says('conditions', 'tokenLifetime: 5');
	await says('conditions', 'Fault {"match":{"path":"/sync"},"fault":{"status":503}}, used 0 times');
});

test('A request that comes while the page is open appears without a reload', async () => {
	await page.evaluate('window.isSamePage = true');
	await api.get('/sync/v1/tenants/nobody');
	await says('requests', '/sync/v1/tenants/nobody');
	await create('class-live');
	await says('created', 'class-live');
	expect(await page.evaluate('window.isSamePage')).toBe(true);
});

test('The client secret and the id of an account are copied by their buttons', async () => {
	const copied = async (): Promise<unknown> => await page.evaluate('navigator.clipboard.readText()');
	await click(`Copy Client Secret`);
	await page.getByText('Copied', { exact: true }).first().waitFor();
	expect(await copied()).toBe(sandbox.clientSecret);
	const { students } = await sandbox.admin.facts();
	await page.locator(`button[data-copy="${students[0].accountId}"]`).click();
	await page.getByText('Copied', { exact: true }).nth(1).waitFor();
	expect(await copied()).toBe(students[0].accountId);
});

test('Whoever reads by ear or key finds the main part, heads of columns, names of fields and the focus', async () => {
	await create('class-heads');
	await says('created', 'class-heads');
	expect(await page.locator('main').count()).toBe(1);
	expect(await page.locator('th:not([scope=col])').count()).toBe(0);
	const unnamed = `[...document.querySelectorAll('input:not([type=hidden]), select, textarea')]
		.filter((field) => field.labels.length === 0).length`;
	expect(await page.evaluate(unnamed)).toBe(0);
	await page.keyboard.press('Tab');
	expect(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle')).not.toBe('none');
});

describe('An application is tried on the page alone', () => {
	let partner: Receiver;
	beforeEach(async () => void (partner = await openReceiver()));
	afterEach(async () => await partner.close());

	const register = async (channel: string): Promise<void> => {
		await page.getByLabel('Name of the application').fill('Club');
		await page.locator('textarea[name=redirectUris]').fill(partner.url);
		await page.getByLabel('Logout address').fill(`${partner.url}/logout`);
		await page.getByLabel('Logout channel').selectOption(channel);
		await page.locator('form[data-path="registration"] button').click();
		await page.locator('form[data-path="registration"] output').getByText('Done.').waitFor();
	};

	/** Logs student1 in, in a window that opens, as a visitor of the application; gives the address it comes back to. */
	const logIn = async (): Promise<URL> => {
		const opened = context.waitForEvent('page');
		await click('Log in');
		const window = await opened;
		await window.getByText('to continue to Club').waitFor();
		await window.getByLabel('Login').fill('student1');
		await window.getByLabel('Password').fill('student1');
		await window.getByRole('button', { name: 'Log in', exact: true }).click();
		await window.waitForURL(`${partner.url}**`);
		const back = new URL(window.url());
		await window.close();
		return back;
	};

	test('a first login, an outage and its end, and a logout by the back channel', async () => {
		await register('back');
		expect((await logIn()).searchParams.get('code')).toMatch(/.{20}/);
		await says('sessions', 'student1');

		await click('Away');
		await says('conditions', 'Away');
		expect(await codeOfFailure(create('away'))).toBe('ECONNREFUSED');
		await click('Back to normal');
		await says('conditions', 'Nothing');
		expect(await create('here')).toBe(200);

		await page.getByLabel('Person to log out').selectOption('student1');
		await click('Log out');
		await says('sessions', 'Nobody is logged in.');
		await says('sessions', `${partner.url}/logout`);
		const logout = partner.received.find(({ url }) => url === '/events/logout');
		expect(logout?.body).toMatch(/^logout_token=/);
	});

	test('a logout by the front channel, in the browser that logged in', async () => {
		await register('front');
		await logIn();
		await says('sessions', 'student1');
		const opened = context.waitForEvent('page');
		await click('Log out in this browser');
		const window = await opened;
		await says('sessions', 'Nobody is logged in.');
		await window.close();
		expect(partner.received.map(({ url }) => url)).toContainEqual(
			expect.stringMatching(/^\/events\/logout\?Sid=/),
		);
	});
});
