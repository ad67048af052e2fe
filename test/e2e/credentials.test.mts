/** The Test button of the credential, through the endpoint that n8n's dialog calls. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { capabilities } from '../../playground/capabilities.mts';
import { createCredential, testCredential, type StoredCredential } from '../../playground/n8n-client.mts';
import { machineAccess, setStage, type Stage } from '../support/stage.mts';

type CredentialType = StoredCredential['type'];

let stage: Stage;
let page: Server;

/** How often somebody came for the page. */
let visits = 0;

/** The token that the last visitor of the page showed. */
let shown: string | undefined;

/** Not a service: answers every request with a page, as a portal or a proxy does. */
function startPage(): Promise<Server> {
	const server = createServer(({ headers }, response) => {
		visits++;
		shown = headers.authorization;
		response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Welcome</title>');
	});
	return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)));
}

beforeAll(async () => {
	stage = await setStage();
	page = await startPage();
});
afterAll(async () => {
	page?.close();
	await stage?.end();
});

async function verdictOn(
	change: ICredentialDataDecryptedObject,
	type: CredentialType = 'schoolPartnerOAuth2Api',
) {
	const data = { ...machineAccess(stage.sandbox), ...change };
	const credential = await createCredential(stage.session, { name: 'Tested', type, data });
	return await testCredential(stage.session, credential);
}

/** How n8n tells it, in its own words or in those of the sign-on. */
const WRONG_CLIENT = /invalid_client|client authentication/i;

const portOf = (server: Server) => (server.address() as AddressInfo).port;

test('right values are green', async () => {
	expect(await verdictOn({})).toEqual({ status: 'OK', message: 'Connection successful!' });
});

test('right addresses with slashes and spaces around them are green', async () => {
	const { baseUrl, issuerUrl } = stage.sandbox;
	expect(await verdictOn({ baseUrl: ` ${baseUrl}/ `, issuerUrl: `${issuerUrl}//` })).toEqual(
		expect.objectContaining({ status: 'OK' }),
	);
});

test('a wrong secret is red, and n8n says why there is no token', async () => {
	const verdict = await verdictOn({ clientSecret: 'wrong' });
	expect(verdict.status).toBe('Error');
	expect(verdict.message).toMatch(WRONG_CLIENT);
});

test('a credential that has a token is tested as n8n does: with that token, or with a new one', async () => {
	const credential = await createCredential(stage.session, {
		name: 'Tested',
		type: 'schoolPartnerOAuth2Api',
		data: machineAccess(stage.sandbox),
	});
	expect(await testCredential(stage.session, credential)).toMatchObject({ status: 'OK' });
	await stage.sandbox.admin.clearRequests();
	expect(await testCredential(stage.session, credential)).toMatchObject({ status: 'OK' });
	expect(await stage.sandbox.admin.countRequests({ path: '/identity/connect/token' })).toBe(
		capabilities.testsWithANewToken ? 1 : 0,
	);
	const wrong = await testCredential(stage.session, credential, { clientSecret: 'wrong' });
	expect(wrong.status).toBe(capabilities.testsWithANewToken ? 'Error' : 'OK');
});

test('a wrong client is red', async () => {
	expect(await verdictOn({ clientId: 'nobody' })).toEqual({
		status: 'Error',
		message: expect.stringMatching(/invalid_client|client/i),
	});
});

test('a base address where nothing answers is red', async () => {
	expect(await verdictOn({ baseUrl: 'http://127.0.0.1:9' })).toEqual({
		status: 'Error',
		message: expect.stringMatching(/ECONNREFUSED|refused/),
	});
});

test('an issuer address where nothing answers is red', async () => {
	expect(await verdictOn({ issuerUrl: 'http://127.0.0.1:9' })).toEqual(
		expect.objectContaining({ status: 'Error' }),
	);
});

test('a base address of another path is red and says to check it', async () => {
	expect(await verdictOn({ baseUrl: `${stage.sandbox.baseUrl}/data/v1` })).toEqual({
		status: 'Error',
		message: capabilities.showsOwnTextsOfCredentialTest
			? 'There is no such service at this address. Check Base URL: it has no path.'
			: 'The resource you are requesting could not be found',
	});
});

test('a base address that answers with a page is red and says to check it', async () => {
	expect(await verdictOn({ baseUrl: `http://127.0.0.1:${portOf(page)}` })).toEqual({
		status: 'Error',
		message: expect.stringContaining('Check Base URL'),
	});
});

test('a token that the service does not accept is red and says what to check', async () => {
	await stage.sandbox.admin.addFault({ path: '/data/v1/profiles', times: 10 }, { documented: 401 });
	const verdict = await verdictOn({});
	await stage.sandbox.admin.clearFaults();
	expect(verdict).toEqual({
		status: 'Error',
		message: capabilities.showsOwnTextsOfCredentialTest
			? 'The service does not accept the token. Check Client ID, Client Secret and Authorization Scheme.'
			: 'Authorization failed - please check your credentials',
	});
});

describe('an address that redirects is red with our words, and the token does not travel on:', () => {
	test.each([301, 302, 303, 307, 308])('%d', async (status) => {
		const leading = createServer((_request, response) => {
			response.writeHead(status, { location: `http://127.0.0.1:${portOf(page)}/` }).end();
		}).listen(0, '127.0.0.1');
		await once(leading, 'listening');
		visits = 0;
		const verdict = await verdictOn({ baseUrl: `http://127.0.0.1:${portOf(leading)}` });
		leading.close();
		expect(visits).toBe(0);
		expect(verdict.status).toBe('Error');
		if (capabilities.showsOwnTextsOfCredentialTest)
			expect(verdict.message).toBe(
				'The service answers with a redirect, which is not followed. Enter the address that it really has as Base URL.',
			);
	});
});

describe('an address that cannot be used is red with our words, and nothing is sent to it:', () => {
	const here = () => `127.0.0.1:${portOf(page)}`;

	test.each<[string, 'baseUrl' | 'issuerUrl', () => string, string]>([
		[
			'a password in Base URL',
			'baseUrl',
			() => `http://bob:planted@${here()}`,
			'it holds a user name or a password',
		],
		[
			'a password in Issuer URL',
			'issuerUrl',
			() => `http://bob:planted@${here()}`,
			'it holds a user name or a password',
		],
		['a query in Base URL', 'baseUrl', () => `http://${here()}?planted=1`, 'it holds a ? or a #'],
		['a fragment in Issuer URL', 'issuerUrl', () => `http://${here()}/#planted`, 'it holds a ? or a #'],
		[
			'a file as Base URL',
			'baseUrl',
			() => 'file:///etc/planted',
			'it does not begin with https:// or http://',
		],
		['no scheme in Issuer URL', 'issuerUrl', () => here(), 'it does not begin with https:// or http://'],
	])('%s', async (_what, field, typed, why) => {
		const types: CredentialType[] = ['schoolPartnerOAuth2Api'];
		if (field === 'issuerUrl') types.push('schoolPartnerOidcApi', 'schoolPartnerOidcOAuth2Api');
		visits = 0;
		for (const type of types) {
			const verdict = await verdictOn({ [field]: typed() }, type);
			const label = field === 'baseUrl' ? 'Base URL' : 'Issuer URL';
			expect(verdict.status).toBe('Error');
			if (capabilities.showsOwnTextsOfCredentialTest)
				expect(verdict.message).toContain(
					`${label} in the credential is not an address that can be used: ${why}. Open`,
				);
			expect(verdict.message).not.toContain('planted');
		}
		expect(visits).toBe(0);
	});
});

// What docs/credentials.md says of the token that n8n keeps.
describe('saving a changed credential keeps the token that n8n has stored:', () => {
	/** A credential that has its token, and is then saved with another value, as a person does in its dialog. */
	async function savedWith(change: ICredentialDataDecryptedObject): Promise<StoredCredential> {
		const data = machineAccess(stage.sandbox);
		const input = { name: 'Changed', type: 'schoolPartnerOAuth2Api', data };
		const credential = await createCredential(stage.session, input);
		expect((await testCredential(stage.session, credential)).status).toBe('OK');
		return await stage.session.request('PATCH', `/credentials/${credential.id}`, {
			...input,
			data: { ...data, ...change },
		});
	}

	test('a wrong secret is green until the service refuses the token, where n8n tests with that token, and red from then on', async () => {
		const credential = await savedWith({ clientSecret: 'wrong' });
		expect((await testCredential(stage.session, credential)).status).toBe(
			capabilities.testsWithANewToken ? 'Error' : 'OK',
		);
		await stage.sandbox.admin.expireTokens();
		const verdict = await testCredential(stage.session, credential);
		expect(verdict.status).toBe('Error');
		// Of a renewal, n8n 2.40.7 tells the code alone.
		expect(verdict.message).toMatch(new RegExp(`${WRONG_CLIENT.source}|^EAUTH$`, 'i'));
	});

	test('the service of another Base URL is sent the token of the one before, or one that the same sign-on gave', async () => {
		const credential = await savedWith({ baseUrl: `http://127.0.0.1:${portOf(page)}` });
		const tokens = async () => await stage.sandbox.admin.countRequests({ path: '/identity/connect/token' });
		const before = await tokens();
		expect((await testCredential(stage.session, credential)).message).toContain('Check Base URL');
		expect(shown).toMatch(/^Bearer \S+$/);
		expect(await tokens()).toBe(before + Number(capabilities.testsWithANewToken));
	});
});
