/**
 * What n8n does with a redirect of the token endpoint. It fetches the tokens of OAuth2 credentials by a client of its own
 * (@n8n/client-oauth2), which follows redirects and which no package can tell not to. SECURITY.md and docs/credentials.md say so; a test here
 * that fails says that n8n has changed, and that they can say something better.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

import { TOKEN_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

/** Another origin, and what reached it. */
const arrived: Array<{ method?: string; body: string }> = [];
let elsewhere: Server;
let location: string;

beforeAll(async () => {
	elsewhere = createServer(async (request, response) => {
		arrived.push({ method: request.method, body: await text(request) });
		response
			.setHeader('content-type', 'application/json')
			.end('{"access_token":"of-another","expires_in":3600}');
	}).listen(0, '127.0.0.1');
	await once(elsewhere, 'listening');
	location = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
});
afterAll(() => elsewhere.close());
beforeEach(() => arrived.splice(0));

const profiles = { resource: 'profile', operation: 'getAll', options: { maxRetries: 0 } };

async function redirectTokens(status: number) {
	await workroom.admin.addFault({ path: TOKEN_PATH }, { status, headers: { location } });
}

const sentForm = () =>
	expect.stringContaining(`client_secret=${encodeURIComponent(workroom.sandbox.clientSecret)}`) as string;

describe('n8n, fetching the token of machine access,', () => {
	test.each([307, 308])('sends the form with the client secret on when it is answered %d', async (status) => {
		await redirectTokens(status);
		await workroom.run(profiles);
		expect(arrived[0]).toEqual({ method: 'POST', body: sentForm() });
	});

	test.each([301, 302, 303])(
		'leaves the form behind when it is answered %d, and takes the token that it is given',
		async (status) => {
			await redirectTokens(status);
			await workroom.run(profiles);
			for (const request of arrived) expect(request).toEqual({ method: 'GET', body: '' });
			expect(workroom.credentials.data.oauthTokenData).toMatchObject({ access_token: 'of-another' });
		},
	);

	test('does the same when it renews a token', async () => {
		await workroom.storeToken();
		await workroom.admin.expireTokens();
		await redirectTokens(307);
		await workroom.run(profiles);
		expect(arrived[0]).toEqual({ method: 'POST', body: sentForm() });
	});
});

describe.each([301, 302, 303, 307, 308])(
	'The operations of Sign-On, which ask for tokens themselves, answered %d,',
	(status) => {
		test.each([
			['getMachineToken', {}],
			['refreshToken', { refreshToken: 'a-refresh-token' }],
		])('follow no redirect: %s', async (operation, given) => {
			const credentials = await workroom.signOnCredential();
			await redirectTokens(status);
			const { message } = wordsOf(
				await workroom.run({ resource: 'signOn', operation, ...given }, undefined, { credentials }),
			);
			expect(message).toContain(String(status));
			expect(arrived).toEqual([]);
		});
	},
);
