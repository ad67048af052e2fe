/** The Test button of School Partner OIDC API: the package's own function, with what n8n gives to one. */
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';

import { CredentialTestContext } from 'n8n-core';
import type { ICredentialDataDecryptedObject, INodeCredentialTestResult } from 'n8n-workflow';

import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { loadedPackage } from '../support/engine.mts';

const TOKEN = '/identity/connect/token';

let sandbox: Sandbox;
beforeAll(async () => {
	sandbox = await startSandbox({ students: 1 });
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	await sandbox.admin.reset();
	await sandbox.admin.clearRequests();
});

/** As n8n tests it: by the first node that has the function. */
async function verdictOn(
	change: ICredentialDataDecryptedObject = {},
	node = 'schoolPartner',
): Promise<INodeCredentialTestResult> {
	const { issuerUrl, clientId, clientSecret } = sandbox;
	const data = { issuerUrl, clientId, clientSecret, ...change };
	const { description, methods } = (await loadedPackage()).getNode(node).type as never as {
		description: { credentials: Array<{ name: string; testedBy?: string }> };
		methods: { credentialTest: Record<string, (...of: unknown[]) => Promise<INodeCredentialTestResult>> };
	};
	const { testedBy = '' } = description.credentials.find(({ name }) => name === 'schoolPartnerOidcApi') ?? {};
	const credential = { id: '1', name: 'Tested', type: 'schoolPartnerOidcApi', data };
	const verdict = await methods.credentialTest[testedBy].call(
		new CredentialTestContext({} as never),
		credential,
	);
	for (const secret of [clientSecret, 'wrong-secret']) expect(verdict.message).not.toContain(secret);
	return verdict;
}

async function serverThat(answer: Parameters<typeof createServer>[1]) {
	const server = createServer(answer).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, end: () => server.close() };
}

test.each(['schoolPartner', 'schoolPartnerLogoutTrigger'])(
	'right values are green, and nobody has connected (%s)',
	async (node) => {
		expect(await verdictOn({}, node)).toEqual({
			status: 'OK',
			message: 'The sign-on accepts Client ID and Client Secret.',
		});
		const asked = (await sandbox.admin.requests()).map(({ method, path }) => `${method} ${path}`);
		expect(asked).toEqual([`GET /identity/.well-known/openid-configuration`, `POST ${TOKEN}`]);
	},
);

test.each([
	['secret', { clientSecret: 'wrong-secret' }],
	['client', { clientId: 'nobody' }],
])('a wrong %s is red and says what to check', async (_what, change) => {
	expect(await verdictOn(change)).toEqual({
		status: 'Error',
		message: expect.stringMatching(
			/^The sign-on does not accept the client ID or the client secret\. Check Client ID and Client Secret/,
		),
	});
});

test('no secret is red, and nothing is sent', async () => {
	expect(await verdictOn({ clientSecret: ' ' })).toMatchObject({
		status: 'Error',
		message: expect.stringContaining('has no Client Secret'),
	});
	expect(await sandbox.admin.requests()).toEqual([]);
});

test.each(['unauthorized_client', 'invalid_scope'])(
	'a client that gets no token of its own, but is let in, is green (%s)',
	async (error) => {
		await sandbox.admin.addFault({ path: TOKEN }, { status: 400, body: { error } });
		expect(await verdictOn()).toMatchObject({ status: 'OK' });
	},
);

// As Keycloak answers a wrong secret.
test('a client that is not let in is red, whatever the sign-on calls it', async () => {
	const body = { error: 'unauthorized_client', error_description: 'Invalid client credentials' };
	await sandbox.admin.addFault({ path: TOKEN }, { status: 401, body });
	expect(await verdictOn()).toMatchObject({ status: 'Error' });
});

test('a sign-on that does not tell is green, and the words say so', async () => {
	await sandbox.admin.addFault({ path: TOKEN }, { status: 400, body: { error: 'unsupported_grant_type' } });
	expect(await verdictOn({ clientSecret: 'wrong-secret' })).toEqual({
		status: 'OK',
		message: 'The sign-on answers. It does not tell whether Client Secret is right.',
	});
});

describe('An Issuer URL is red', () => {
	test('where nothing answers, with the reason', async () => {
		expect(await verdictOn({ issuerUrl: 'http://127.0.0.1:9' })).toEqual({
			status: 'Error',
			message: expect.stringMatching(
				/cannot be reached at http:\/\/127\.0\.0\.1:9 \(the connection was refused\)/,
			),
		});
	});

	test('with a path too many', async () => {
		expect(await verdictOn({ issuerUrl: `${sandbox.issuerUrl}/connect` })).toEqual({
			status: 'Error',
			message: expect.stringMatching(/Check .*Issuer URL/),
		});
	});

	test('of another issuer, which gets no secret', async () => {
		let asked = 0;
		const { address, end } = await serverThat((_request, response) => {
			asked++;
			const document = { issuer: sandbox.issuerUrl, jwks_uri: `${sandbox.issuerUrl}/jwks` };
			response.end(JSON.stringify(document));
		});
		expect(await verdictOn({ issuerUrl: address })).toEqual({
			status: 'Error',
			message: expect.stringContaining('belongs to another issuer'),
		});
		end();
		expect(asked).toBe(1);
	});

	test.each([
		['holds a user name or a password', 'http://bob:planted@127.0.0.1:9'],
		['does not begin with https:// or http://', 'login.school.example'],
	])('that %s, and nothing is sent to it', async (why, issuerUrl) => {
		const verdict = await verdictOn({ issuerUrl });
		expect(verdict.message).toContain(
			`Issuer URL in the credential is not an address that can be used: it ${why}. Open`,
		);
		expect(verdict.message).not.toContain('planted');
	});

	test.each([301, 302, 307, 308])(
		'that redirects with %i, and the secret does not travel on',
		async (status) => {
			const onward = await serverThat((_request, response) => response.end('{}'));
			const visits: string[] = [];
			const { address, end } = await serverThat((request, response) => {
				visits.push(String(request.method));
				if (request.method === 'POST') response.writeHead(status, { location: onward.address }).end();
				else response.end(JSON.stringify({ issuer: address, jwks_uri: `${address}/jwks` }));
			});
			const verdict = await verdictOn({ issuerUrl: address });
			end();
			onward.end();
			expect(verdict).toMatchObject({ status: 'Error', message: expect.stringMatching(/redirect/) });
			expect(visits).toEqual(['GET', 'POST']);
		},
	);
});
