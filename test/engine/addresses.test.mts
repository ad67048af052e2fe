import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { CredentialStore, type NodeRun } from '../support/engine.mts';
import {
	asked,
	PROFILES_PATH,
	studentParameters,
	students,
	TOKEN_PATH,
	useWorkroom,
	wordsOf,
} from './workroom.mts';

const workroom = useWorkroom();

const profiles = { resource: 'profile', operation: 'getAll', options: { maxRetries: 0 } };

test.each([
	['without anything around them', (address: string) => address],
	['with a slash at the end', (address: string) => `${address}/`],
	['with slashes and spaces', (address: string) => `  ${address}//  `],
])('Base URL and Issuer URL work %s, also when the token is renewed', async (_how, typed) => {
	const { baseUrl, issuerUrl } = workroom.sandbox;
	const credentials = await workroom.credentialWith({ baseUrl: typed(baseUrl), issuerUrl: typed(issuerUrl) });
	const first = await workroom.run(profiles, undefined, { credentials });
	await workroom.admin.expireTokens();
	const second = await workroom.run(profiles, undefined, { credentials });
	expect([first.error, second.error]).toEqual([undefined, undefined]);
	expect(new Set((await workroom.received()).map(asked).map(({ path }) => path))).toEqual(
		new Set([PROFILES_PATH]),
	);
	expect(await workroom.admin.countRequests({ path: TOKEN_PATH })).toBe(2);
});

test.each([
	['no scheme', '127.0.0.1:4010', 'Base URL in the credential is not an address'],
	['nothing', '', 'Base URL in the credential is not an address'],
	['no host', 'http://', 'Base URL in the credential is not an address'],
	['https where http is spoken', 'https', 'no secure connection could be agreed'],
])('A Base URL with %s fails with a message of its own', async (_what, typed, expected) => {
	await workroom.storeToken();
	const { oauthTokenData } = workroom.credentials.data;
	const baseUrl = typed === 'https' ? workroom.sandbox.baseUrl.replace('http:', 'https:') : typed;
	const credentials = await workroom.credentialWith({ baseUrl });
	credentials.data = { ...credentials.data, oauthTokenData };
	const { message, description } = wordsOf(await workroom.run(profiles, undefined, { credentials }));
	expect(message).toContain(expected);
	expect(`${message} ${description}`).toContain('Base URL');
});

describe('An address of the credential that cannot be used is refused before anything is sent, and is not quoted', () => {
	/** Whoever answers at the address that must not be asked. */
	let visits = 0;
	let elsewhere: Server;
	let host: string;
	beforeAll(async () => {
		elsewhere = createServer((_request, response) => {
			visits++;
			response.setHeader('content-type', 'application/json').end('{"access_token":"a","data":[]}');
		}).listen(0, '127.0.0.1');
		await once(elsewhere, 'listening');
		host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
	});
	afterAll(() => elsewhere.close());
	beforeEach(() => {
		visits = 0;
	});

	const cases: Array<[what: string, typed: () => string, why: string]> = [
		['a user name and a password', () => `http://bob:planted@${host}`, 'it holds a user name or a password'],
		['a query', () => `http://${host}/?planted=1`, 'it holds a ? or a #'],
		['a fragment', () => `http://${host}#planted`, 'it holds a ? or a #'],
		['a file', () => 'file:///etc/planted', 'it does not begin with https:// or http://'],
		['another protocol', () => `ftp://${host}/planted`, 'it does not begin with https:// or http://'],
		['no protocol', () => `//${host}`, 'it does not begin with https:// or http://'],
		['a blank within', () => `http://${host}/ planted`, 'it holds a blank or a backslash'],
	];

	async function expectRefused(
		field: string,
		why: string,
		run: (store: CredentialStore) => Promise<NodeRun>,
		store: CredentialStore,
	) {
		const { message, description } = wordsOf(await run(store));
		expect(message).toBe(`${field} in the credential is not an address that can be used: ${why} [Item 0]`);
		expect(description).toMatch(
			/^Open the credential and enter the address alone as \w+ URL, for example https:/,
		);
		expect(message + description).not.toContain('planted');
		expect(visits).toBe(0);
		expect(await workroom.admin.requests()).toEqual([]);
	}

	test.each(cases)('%s as Base URL, with and without a stored token', async (_what, typed, why) => {
		const run = async (credentials: CredentialStore) =>
			await workroom.run(profiles, undefined, { credentials });
		const store = await workroom.credentialWith({ baseUrl: typed() });
		await expectRefused('Base URL', why, run, store);
		store.data = { ...store.data, oauthTokenData: { access_token: 'stored' } };
		await expectRefused('Base URL', why, run, store);
	});

	test.each(cases)('%s as Issuer URL of machine access', async (_what, typed, why) => {
		const store = await workroom.credentialWith({ issuerUrl: typed() });
		await expectRefused(
			'Issuer URL',
			why,
			async (credentials) => await workroom.run(profiles, undefined, { credentials }),
			store,
		);
	});

	test.each(cases)('%s as Issuer URL of a sign-on', async (_what, typed, why) => {
		const { clientId, clientSecret } = workroom.sandbox;
		const data = { issuerUrl: typed(), clientId, clientSecret, oauthTokenData: { access_token: 'stored' } };
		for (const [type, parameters] of [
			['schoolPartnerOidcApi', { operation: 'getMachineToken' }],
			['schoolPartnerOidcApi', { operation: 'getDiscovery' }],
			['schoolPartnerOidcApi', { operation: 'getUserInfo', accessToken: 'given' }],
			['schoolPartnerOidcOAuth2Api', { operation: 'getUserInfo', user: 'connected' }],
		] as const) {
			const run = async (credentials: CredentialStore) =>
				await workroom.run({ resource: 'signOn', ...parameters }, undefined, { credentials });
			await expectRefused('Issuer URL', why, run, await CredentialStore.of(type, data));
		}
	});

	test('each item leaves by the failure output', async () => {
		const credentials = await workroom.credentialWith({ baseUrl: `http://bob:planted@${host}` });
		const { outputs, error } = await workroom.run(studentParameters(), students(3), {
			credentials,
			onError: 'continueErrorOutput',
		});
		expect(error).toBeUndefined();
		expect(outputs[0]).toEqual([]);
		expect(outputs[1].map(({ json }) => json.id)).toEqual(['student-1', 'student-2', 'student-3']);
		expect(JSON.stringify(outputs)).not.toContain('planted');
		expect(visits).toBe(0);
	});
});

test('A Base URL with a path too many fails with 404 and names Base URL', async () => {
	const credentials = await workroom.credentialWith({ baseUrl: `${workroom.sandbox.baseUrl}/api` });
	const { message, description } = wordsOf(await workroom.run(profiles, undefined, { credentials }));
	expect(message).toContain('(404)');
	expect(description).toContain('Base URL');
});

test('A node without a credential fails before anything is sent', async () => {
	const { error } = await workroom.run(profiles, undefined, { credentials: undefined });
	expect(error?.message).toContain('credentials');
	expect(await workroom.received()).toEqual([]);
});
