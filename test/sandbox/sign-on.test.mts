import { createHash } from 'node:crypto';
import * as client from 'openid-client';
import { SandboxBrowser } from '../../sandbox/browser.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { requestToken, send, type TokenBody } from './support.mts';

const redirectUri = 'http://localhost:9/callback';
/** RFC 7636, appendix B. */
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';

describe('sign-on at the sandbox', () => {
	let sandbox: Sandbox;
	let browser: SandboxBrowser;

	beforeAll(async () => {
		sandbox = await startSandbox({ students: 12 });
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(async () => {
		await sandbox.admin.reset();
		await sandbox.admin.changeRegistration({ redirectUris: [redirectUri] });
		browser = new SandboxBrowser(sandbox.baseUrl);
	});
	afterEach(() => browser.close());

	/** The documented request: nothing in it that the document does not show. */
	const authorizationUrl = (change: Record<string, string> = {}, issuer = sandbox.issuerUrl): string => {
		const query = {
			response_type: 'code',
			client_id: sandbox.clientId,
			redirect_uri: redirectUri,
			code_challenge_method: 'S256',
			code_challenge: challenge,
			scope: 'openid profile offline_access',
			...change,
		};
		return `${issuer}/connect/authorize?${new URLSearchParams(query).toString()}`;
	};
	const codeFor = async (login = 'student1', change: Record<string, string> = {}): Promise<string> =>
		(await browser.signIn(authorizationUrl(change), login)).searchParams.get('code') ?? '';
	const redeem = async (code: string, change: Record<string, string> = {}): Promise<TokenBody> =>
		(
			await requestToken(sandbox, {
				grant_type: 'authorization_code',
				code,
				redirect_uri: redirectUri,
				code_verifier: verifier,
				...change,
			})
		).data;
	const userInfo = async (token: string): Promise<{ status: number; data: Record<string, unknown> }> =>
		await send({
			url: `${sandbox.issuerUrl}/connect/userinfo`,
			headers: { authorization: `Bearer ${token}` },
		});

	it('uses the check values of RFC 7636', () => {
		expect(createHash('sha256').update(verifier).digest('base64url')).toBe(challenge);
	});

	it('shows the login screen, refuses a wrong password, and redirects with a code after the right one', async () => {
		const screen = await browser.open(authorizationUrl({ state: 'a state' }));
		expect(screen.html).toContain('<h1>Platform login</h1>');
		const refused = await browser.logIn(screen, 'student1', 'wrong');
		expect([refused.status, refused.html]).toEqual([
			401,
			expect.stringContaining('Login or password is not right.'),
		]);
		const { url } = await browser.logIn(screen, 'student1');
		expect(`${url.origin}${url.pathname}`).toBe(redirectUri);
		expect(url.searchParams.get('state')).toBe('a state');
		expect(url.searchParams.get('code')).toBeTruthy();
	});

	it('gives id, access and refresh token for the code, with and without the scope in the request', async () => {
		for (const scope of [{ scope: 'openid profile offline_access' }, {}]) {
			const tokens = await redeem(await codeFor(), scope as Record<string, string>);
			expect(tokens).toMatchObject({ expires_in: 3600, token_type: 'Bearer' });
			expect(tokens.id_token?.split('.')).toHaveLength(3);
			expect(String(tokens.refresh_token).length).toBeLessThan(tokens.access_token.length);
		}
	});

	it('tells who logged in', async () => {
		const [student] = (await sandbox.admin.facts()).students;
		const { access_token } = await redeem(await codeFor(student.login));
		const { status, data } = await userInfo(access_token);
		expect(status).toBe(200);
		expect(data).toMatchObject({
			sub: student.accountId,
			name: student.name,
			preferred_username: student.login,
		});
		expect(data.users).toMatchObject([{ user_id: student.userId, external_id: student.externalId }]);
	});

	it('takes the access token of a user at the API, too', async () => {
		const { access_token } = await redeem(await codeFor());
		const headers = { authorization: `Bearer ${access_token}` };
		expect((await send({ url: `${sandbox.baseUrl}/data/v1/profiles`, headers })).status).toBe(200);
	});

	it('redeems a code once, and takes the tokens of a code back that is used twice', async () => {
		const code = await codeFor();
		const { access_token } = await redeem(code);
		expect((await redeem(code)).error).toBe('invalid_grant');
		expect((await userInfo(access_token)).status).toBe(401);
	});

	it('refuses a code after its time', async () => {
		await sandbox.admin.changeSettings({ codeLifetime: 1 });
		const code = await codeFor();
		await new Promise((resolve) => setTimeout(resolve, 2_100));
		expect((await redeem(code)).error).toBe('invalid_grant');
	});

	it.each([
		['a wrong verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
		['another redirect URI', { redirect_uri: 'http://localhost:9/other' }, 'invalid_grant'],
		['a wrong secret', { client_secret: 'wrong' }, 'invalid_client'],
	])('refuses a code with %s', async (_what, change, error) => {
		expect((await redeem(await codeFor(), change as Record<string, string>)).error).toBe(error);
	});

	it('insists on PKCE and on a registered redirect URI', async () => {
		const { url } = await browser.open(authorizationUrl({ code_challenge: '', code_challenge_method: '' }));
		expect(url.searchParams.get('error')).toBe('invalid_request');
		const elsewhere = await browser.open(authorizationUrl({ redirect_uri: 'http://localhost:9/unknown' }));
		expect([elsewhere.status, elsewhere.html]).toEqual([400, expect.stringContaining('redirect_uri')]);
	});

	it('renews with the refresh token, with and without scope, and replaces it when told to', async () => {
		const { refresh_token } = await redeem(await codeFor());
		const renew = async (fields = {}): Promise<TokenBody> =>
			(
				await requestToken(sandbox, {
					grant_type: 'refresh_token',
					refresh_token: String(refresh_token),
					...fields,
				})
			).data;
		expect((await userInfo((await renew()).access_token)).status).toBe(200);
		expect((await renew({ scope: 'openid profile offline_access' })).refresh_token).toBe(refresh_token);
		await sandbox.admin.changeSettings({ rotateRefreshTokens: true });
		expect((await renew()).refresh_token).not.toBe(refresh_token);
		expect((await renew()).error).toBe('invalid_grant');
	});

	it('gives the extra scopes when they are asked for', async () => {
		const scope = 'openid profile offline_access platform-account platform-account-user.read';
		expect((await redeem(await codeFor('student1', { scope }))).scope).toBe(scope);
	});

	it('does not ask a browser that is logged in, unless the application wants it', async () => {
		await codeFor();
		expect((await browser.open(authorizationUrl())).url.origin).toBe('http://localhost:9');
		expect((await browser.open(authorizationUrl({ prompt: 'login' }))).url.pathname).toMatch(
			/^\/identity\/login\//,
		);
	});

	it('answers prompt=none without a session with login_required', async () => {
		const { url } = await browser.open(authorizationUrl({ prompt: 'none' }));
		expect(url.searchParams.get('error')).toBe('login_required');
	});

	it('does not show a login to a browser that did not ask for it', async () => {
		const { url } = await browser.open(authorizationUrl());
		const other = await send({ url: url.href });
		expect(other.status).toBe(400);
	});

	it('takes deep links as redirect URIs', async () => {
		await sandbox.admin.changeRegistration({ redirectUris: ['partnerapp://signed-in'] });
		const url = await browser.signIn(
			authorizationUrl({ redirect_uri: 'partnerapp://signed-in' }),
			'student1',
		);
		expect(url.href).toMatch(/^partnerapp:\/\/signed-in\?code=/);
	});

	it('allows the origins of the registered redirect URIs, and no others', async () => {
		const { access_token } = await redeem(await codeFor());
		const url = `${sandbox.issuerUrl}/connect/userinfo`;
		const from = async (origin: string): Promise<string | undefined> => {
			const headers = { authorization: `Bearer ${access_token}`, origin };
			return (await send({ url, headers })).headers['access-control-allow-origin'];
		};
		expect(await from('http://localhost:9')).toBe('http://localhost:9');
		expect(await from('http://evil.example')).toBeUndefined();
		const preflight = await send({
			method: 'OPTIONS',
			url: `${sandbox.issuerUrl}/connect/token`,
			headers: { origin: 'http://localhost:9', 'access-control-request-method': 'POST' },
		});
		expect(preflight.headers['access-control-allow-origin']).toBe('http://localhost:9');
	});

	it('has a test environment with an issuer, keys and a sign-on front of its own', async () => {
		const url = authorizationUrl({}, sandbox.testIssuerUrl);
		expect((await browser.open(url)).url.pathname).toMatch(/^\/sso-test\/login\//);
		const front = await send<string>({ url: `${sandbox.baseUrl}/sso-test` });
		expect(front.data).toContain(sandbox.testIssuerUrl);
		const code = (await browser.signIn(url, 'student1')).searchParams.get('code') ?? '';
		expect((await redeem(code)).error).toBe('invalid_grant');
	});

	it('satisfies an independent client', async () => {
		for (const issuer of [sandbox.issuerUrl, sandbox.testIssuerUrl]) {
			const config = await client.discovery(
				new URL(issuer),
				sandbox.clientId,
				undefined,
				client.ClientSecretPost(sandbox.clientSecret),
				{ execute: [client.allowInsecureRequests] },
			);
			const parameters = {
				redirect_uri: redirectUri,
				scope: 'openid profile offline_access',
				code_challenge: challenge,
				code_challenge_method: 'S256',
				state: 'state',
				nonce: 'nonce',
			};
			const back = await browser.signIn(client.buildAuthorizationUrl(config, parameters).href, 'student2');
			const tokens = await client.authorizationCodeGrant(config, back, {
				pkceCodeVerifier: verifier,
				expectedState: 'state',
				expectedNonce: 'nonce',
			});
			const sub = tokens.claims()?.sub ?? '';
			expect((await client.fetchUserInfo(config, tokens.access_token, sub)).preferred_username).toBe(
				'student2',
			);
			const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '');
			expect(renewed.claims()?.sub).toBe(sub);
		}
	});

	it('refuses a registration that cannot be', async () => {
		const { admin } = sandbox;
		await expect(admin.changeRegistration({ redirectUris: [] })).rejects.toThrow(
			'"redirectUris" does not fit',
		);
		await expect(admin.changeRegistration({ redirectUris: ['no address'] })).rejects.toThrow('refused');
		expect((await admin.registration()).redirectUris).toEqual([redirectUri]);
	});
});
