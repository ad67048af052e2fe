/** n8n's Connect button with the sign-on credential, and the sign-on's operations, in the real n8n. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

import { CREDENTIAL_BLANKING_VALUE, type IDataObject, type INodeParameters } from 'n8n-workflow';
import type { Browser, Page } from 'playwright-core';

import { capabilities } from '../../playground/capabilities.mts';
import {
	createCredential,
	createWorkflow,
	deleteCredential,
	errorOf,
	itemsOf,
	listCredentials,
	PLAYGROUND_ACCOUNT,
	testCredential,
	type StoredCredential,
} from '../../playground/n8n-client.mts';
import { newPage, screenshot, startBrowser } from '../support/browser.mts';
import {
	closeCredential,
	connectButton,
	executeStep,
	fillCredential,
	openChosenCredential,
	openNewCredential,
	openNode,
	openWorkflow,
	outputShows,
	signInToEditor,
	signOfConnection,
} from '../support/n8n-editor.mts';
import { runOnce, setStage, type Stage } from '../support/stage.mts';
import { BOOK, png, svg } from '../unit/clientRegistration/pictures.mts';
import { stepByStep } from './signOnWorkflow.mts';

const NODE = 'n8n-nodes-school-partner.schoolPartner';
const TYPE = 'schoolPartnerOidcOAuth2Api';
const USUAL_SCOPES = 'openid profile offline_access';

let stage: Stage;
let browser: Browser;
let page: Page;

beforeAll(async () => {
	stage = await setStage({ editor: true, withoutCredential: true, env: { N8N_LOG_LEVEL: 'debug' } });
	browser = await startBrowser();
	page = await newPage(browser);
	await stage.sandbox.admin.changeRegistration({
		redirectUris: [`${stage.n8n.baseUrl}/rest/oauth2-credential/callback`, 'http://localhost:9/callback'],
	});
});

afterAll(async () => {
	await browser?.close();
	await stage?.end();
});

const values = (change: IDataObject = {}) => {
	const { issuerUrl, clientId, clientSecret } = stage.sandbox;
	return { issuerUrl, clientId, clientSecret, ...change };
};

async function credentialWith(change: IDataObject): Promise<StoredCredential> {
	return await createCredential(stage.session, {
		name: 'Sign-on',
		type: TYPE,
		data: values(change) as never,
	});
}

const tokenRequests = async () =>
	(await stage.sandbox.admin.requests()).filter(({ path }) => path === '/identity/connect/token');

describe('Connect in the credential dialog', () => {
	test('sends the user to the login, comes back connected, and the node reads who it is', async () => {
		// Two seconds, so that the token has expired when the next test runs. A code without the documented scopes is refused.
		const strict = capabilities.connectsWithSecretInTheForm ? ['scope' as const] : [];
		await stage.sandbox.admin.changeSettings({ tokenLifetime: 2, strict });
		await signInToEditor(page, stage.n8n.baseUrl, PLAYGROUND_ACCOUNT);
		const parameters = { resource: 'signOn', operation: 'getUserInfo', user: 'connected' };
		const whoAmI = { name: 'User', type: NODE, parameters };
		const { id } = await createWorkflow(stage.session, stepByStep('Who am I', [whoAmI]));
		await openWorkflow(page, stage.n8n.baseUrl, id);
		await openNode(page, 'User');
		await openNewCredential(page);
		await fillCredential(
			page,
			values({ issuerUrl: `${stage.sandbox.issuerUrl}/` }) as Record<string, string>,
		);

		const dialog = page.locator('[data-test-id="editCredential-modal"]');
		const [login] = await Promise.all([page.waitForEvent('popup'), connectButton(page).click()]);
		await login.waitForURL('**/identity/login/**');
		await login.locator('input[name=login]').fill('student1');
		await login.locator('input[name=password]').fill('student1');
		await login.getByRole('button', { name: 'Log in', exact: true }).click();
		if (capabilities.closesGreenCredentials) {
			// A new credential that is connected closes its dialog by itself; opened again, it says so.
			await dialog.waitFor({ state: 'hidden' });
			await openChosenCredential(page);
		}
		await signOfConnection(page).waitFor();
		// From here on tokens are renewed, which n8n asks for without a scope.
		await stage.sandbox.admin.changeSettings({ strict: [] });
		if (process.env.SCREENSHOTS === '1') await screenshot(page, 'docs/images/sign-on-connected.png');
		await closeCredential(page);

		const shown = await executeStep(page);
		expect(shown).toMatch(/1 item/);
		await outputShows(page, 'account_id');
	});

	test('has asked as the document says: S256, the documented scopes, the secret in the form', async () => {
		const requests = await stage.sandbox.admin.requests();
		const asked = requests.find(({ path }) => path === '/identity/connect/authorize');
		expect(asked?.query).toMatchObject({
			response_type: 'code',
			client_id: stage.sandbox.clientId,
			code_challenge_method: 'S256',
			code_challenge: expect.stringMatching(/^[\w-]{43}$/),
			scope: USUAL_SCOPES,
		});
		const [redeemed] = await tokenRequests();
		if (capabilities.connectsWithSecretInTheForm) {
			expect(redeemed.headers.authorization).toBeUndefined();
			expect(redeemed.body).toMatchObject({ client_id: stage.sandbox.clientId, scope: USUAL_SCOPES });
		} else {
			expect(redeemed.headers.authorization).toMatch(/^Basic /);
			expect(redeemed.body).not.toHaveProperty('scope');
		}
		expect(redeemed.body).toMatchObject({
			grant_type: 'authorization_code',
			code_verifier: expect.stringMatching(/^[\w.~-]{43,128}$/),
		});
	});

	test('after the access token has expired, the next run renews it and succeeds', async () => {
		await wait(2_500);
		await stage.sandbox.admin.clearRequests();
		// The renewed token lives long: it must not expire once more within this run.
		await stage.sandbox.admin.changeSettings({ tokenLifetime: 3_600 });
		expect(await executeStep(page)).toMatch(/1 item/);
		const forms = (await tokenRequests()).map(({ body }) => body as IDataObject);
		// No n8n sends the scope here, whatever the credential says: a sign-on that demands it asks for another Connect.
		expect(forms).toEqual([expect.not.objectContaining({ scope: expect.anything() })]);
		expect(forms[0].grant_type).toBe('refresh_token');
	});

	test('leaves a credential whose Test is green, and red with what to do for wrong addresses', async () => {
		const connected = (await listCredentials(stage.session)).find(({ type }) => type === TYPE);
		if (connected === undefined) throw new Error('Connect must have saved the credential');
		// n8n's editor has no Test for it, its interface has. 2.41.1 takes no token that is not sent along, and puts its own in this place.
		const token = { oauthTokenData: CREDENTIAL_BLANKING_VALUE };
		expect(await testCredential(stage.session, connected, token)).toEqual({
			status: 'OK',
			message: 'Connection successful!',
		});
		const elsewhere = { ...token, issuerUrl: `${stage.sandbox.issuerUrl}/connect` };
		expect(await testCredential(stage.session, connected, elsewhere)).toEqual({
			status: 'Error',
			message: capabilities.showsOwnTextsOfCredentialTest
				? 'There is no sign-on at this address. Check Issuer URL: it ends before /connect.'
				: 'The resource you are requesting could not be found',
		});
		const page = createServer((_request, response) => {
			response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
		});
		await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', () => resolve()));
		const issuerUrl = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
		expect(await testCredential(stage.session, connected, { ...token, issuerUrl })).toEqual({
			status: 'Error',
			message: 'Something answers at this address, but not the sign-on. Check Issuer URL.',
		});
		page.closeAllConnections();
		await new Promise((resolve) => page.close(resolve));
	});

	test('is red in its Test while nobody has connected it', async () => {
		const credential = await credentialWith({});
		expect(await testCredential(stage.session, credential)).toMatchObject({ status: 'Error' });
		await deleteCredential(stage.session, credential.id);
	});

	test.each([
		['the usual scopes by default', {}, USUAL_SCOPES],
		[
			'picked ones',
			{ scope: 'openid profile offline_access platform-account' },
			'openid profile offline_access platform-account',
		],
		[
			'typed ones',
			{ scope: '=openid profile offline_access my-scope' },
			'openid profile offline_access my-scope',
		],
	])('asks for %s', async (_, change, chosen) => {
		const expected = capabilities.connectsWithChosenScopes ? chosen : USUAL_SCOPES;
		const credential = await credentialWith(change);
		const address = await stage.session.request<string>('GET', `/oauth2-credential/auth?id=${credential.id}`);
		expect(new URL(address).searchParams.get('scope')).toBe(expected);
		await deleteCredential(stage.session, credential.id);
	});
});

/** Runs the action node once, with a code node before it that gives the item. */
async function run(parameters: INodeParameters, source: string): Promise<IDataObject> {
	const execution = await runOnce(
		stage,
		stepByStep('Test', [
			{ name: 'Item', type: 'n8n-nodes-base.code', version: 2, parameters: { jsCode: source } },
			{ name: 'Tested', type: NODE, parameters },
		]),
	);
	expect(errorOf(execution)).toBeUndefined();
	const [item] = itemsOf(execution, 'Tested');
	return item.json;
}

describe('the operations', () => {
	test('have a credential that is green without Connect, and red for a wrong secret', async () => {
		const type = 'schoolPartnerOidcApi';
		const credential = await createCredential(stage.session, {
			name: 'Login',
			type,
			data: values() as never,
		});
		expect(await testCredential(stage.session, credential)).toEqual({
			status: 'OK',
			message: 'The sign-on accepts Client ID and Client Secret.',
		});
		expect(await testCredential(stage.session, credential, { clientSecret: 'wrong' })).toEqual({
			status: 'Error',
			message: expect.stringContaining('Check Client ID and Client Secret in the credential.'),
		});
	});

	test('a client registration with its logos from the input item: all findings at once, or the dossier', async () => {
		const files = (vector: string) => `
			const file = async (text, name) => await this.helpers.prepareBinaryData(Buffer.from(text, 'base64'), name);
			return [{
				json: { redirects: ['https://club.example/callback', 'reading-club://callback'] },
				binary: {
					vector: await file(${JSON.stringify(Buffer.from(vector).toString('base64'))}, 'reading-club.svg'),
					raster: await file(${JSON.stringify(png().toString('base64'))}, 'reading-club_32x32.png'),
				},
			}];`;
		const parameters: INodeParameters = {
			resource: 'clientRegistration',
			operation: 'validate',
			applicationName: 'Reading Club',
			applicationDescription: 'Books for every class',
			logoSvgField: 'vector',
			logoPngField: 'raster',
			mainColor: '#1A73E8',
			accessProfiles: ['student', 'janitor'],
			redirectUris: '={{ $json.redirects }}',
			defaultRedirectUri: 'https://club.example/callback',
			postLogoutRedirectUris: 'https://club.example/bye,\nhttps://club.example/away',
			logoutUri: 'https://flows.club.example/webhook/6b0c/logout',
			logoutChannel: 'back',
			publicKeyExchanged: true,
		};
		const good = await run(parameters, files(svg(BOOK)));
		expect(good).toMatchObject({
			valid: true,
			findings: [],
			warnings: [{ field: 'accessProfiles' }],
			dossier: {
				redirect_uris: ['https://club.example/callback', 'reading-club://callback'],
				post_logout_redirect_uris: ['https://club.example/bye', 'https://club.example/away'],
				logo_vector: { file_name: 'reading-club.svg' },
			},
		});
		const changes = { applicationName: 'x'.repeat(51), mainColor: 'blue', logoPngField: 'missing' };
		const bad = await run({ ...parameters, ...changes }, files(svg(BOOK, 'width="64" height="64"')));
		expect((bad.findings as IDataObject[]).map(({ field }) => field)).toEqual([
			'applicationName',
			'mainColor',
			'logoSvgField',
			'logoPngField',
		]);
		expect(bad).toMatchObject({ valid: false, dossier: null });
	});
});

test('neither the secret nor a token stands in the log of n8n', () => {
	const log = stage.n8n.process.log();
	expect(log.length).toBeGreaterThan(1_000);
	expect(log).not.toContain(stage.sandbox.clientSecret);
	expect(log).not.toMatch(/eyJhbGciOi/);
});
