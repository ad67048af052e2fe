/** The sandbox's page in a browser, as an integrator uses it: what came of a button is said beside it. */
import type { Browser, Page } from 'playwright-core';

import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { newPage, startBrowser } from '../support/browser.mts';
import { openReceiver } from './receiver.mts';

let sandbox: Sandbox;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	sandbox = await startSandbox();
	browser = await startBrowser();
	page = await newPage(browser);
});
afterAll(async () => {
	await browser?.close();
	await sandbox?.stop();
});
beforeEach(async () => {
	await sandbox.admin.reset();
	await page.goto(sandbox.adminUrl);
});

/** What is said beside the buttons of a form, once it is said. */
async function saidBeside(path: string, beginning: string): Promise<string> {
	const said = page.locator(`form[data-path="${path}"] output`);
	await said.getByText(beginning).waitFor();
	return await said.innerText();
}

const click = async (name: string): Promise<void> =>
	await page.getByRole('button', { name, exact: true }).click();

test('Grant access without a webhook says that one has to be registered, before and after the click', async () => {
	await page
		.getByText('No webhook is registered: register one, so that there is somebody to send events to.')
		.waitFor();
	await click('Grant access');
	expect(await saidBeside('access/grant', 'No webhook')).toBe(
		'No webhook is registered. Register one first: on the page, or with POST {"url": …, "apiKey": …} to webhook.',
	);
});

test('Grant access says beside the button what the webhook answered, and what to do when it did not take the event', async () => {
	const receiver = await openReceiver();
	receiver.answer = () => 401;
	await page.locator('input[name=url]').fill(receiver.url);
	await page.locator('input[name=apiKey]').fill('key');
	await page.locator('form[data-path="webhook"] button').click();
	expect(await saidBeside('webhook', 'Done')).toBe('Done.');
	await click('Grant access');
	expect(await saidBeside('access/grant', 'The webhook answered')).toBe(
		'The webhook answered 401: {"status":"rejected"} The key is not the one that the workflow expects: register the API Key of its credential here.',
	);
	receiver.answer = () => 200;
	await click('Grant access');
	expect(await saidBeside('access/grant', 'The webhook answered 200')).toBe(
		'The webhook answered 200: {"status":"accepted"}',
	);
	await receiver.close();
});

test('Revoke access of somebody who has none says so', async () => {
	await sandbox.admin.registerWebhook({ url: 'http://127.0.0.1:9/', apiKey: 'key' });
	await page.reload();
	await click('Revoke access');
	expect(await saidBeside('access/grant', 'User')).toMatch(/has no access that could be revoked/);
});

test('A sign-on that comes back to an unknown address says why, and where to register it; then it is taken', async () => {
	const back = 'https://club.example/callback';
	const query = new URLSearchParams({
		...{ response_type: 'code', client_id: sandbox.clientId, redirect_uri: back, scope: 'openid' },
		...{ code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM', code_challenge_method: 'S256' },
	});
	const address = `${sandbox.issuerUrl}/connect/authorize?${query.toString()}`;
	await page.goto(address);
	const advice = await page.locator('[role=alert]').innerText();
	expect(advice).toContain(`The address ${back} is not registered`);
	expect(advice).toContain(`Add it under Redirect URIs at ${sandbox.adminUrl}`);

	await page.goto(sandbox.adminUrl);
	const field = page.locator('textarea[name=redirectUris]');
	await field.fill(`${await field.inputValue()}\n${back}`);
	await page.locator('form[data-path="registration"] button').click();
	expect(await saidBeside('registration', 'Done')).toBe('Done.');
	expect((await sandbox.admin.registration()).redirectUris).toContain(back);
	await page.goto(address);
	expect(await page.locator('h1').innerText()).toBe('Platform login');
});

test('A registration that is refused says why', async () => {
	await page.locator('textarea[name=redirectUris]').fill('');
	await page.locator('form[data-path="registration"] button').click();
	expect(await saidBeside('registration', 'redirectUris')).toMatch(/redirectUris/);
});

test('A logout that goes to an unknown address says why', async () => {
	await page.goto(
		`${sandbox.issuerUrl}/connect/client-endsession?client_id=${sandbox.clientId}&post_logout_redirect_uri=https%3A%2F%2Fclub.example%2Fbye`,
	);
	expect(await page.locator('[role=alert]').innerText()).toContain(
		'The address https://club.example/bye is not registered, character by character. None is registered. Add it under Post-logout redirect URIs at',
	);
});
