import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from 'jose';
import { SandboxBrowser } from '../../sandbox/browser.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { openReceiver, type Receiver } from './receiver.mts';
import { requestToken } from './support.mts';

const redirectUri = 'http://localhost:9/callback';
const farewell = 'http://localhost:9/bye';
const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const backChannelEvent = 'http://schemas.openid.net/event/backchannel-logout';

describe('logout at the sandbox', () => {
	let sandbox: Sandbox;
	let browser: SandboxBrowser;
	let partner: Receiver;
	let accountId: string;

	beforeAll(async () => {
		sandbox = await startSandbox({ students: 12 });
		accountId = (await sandbox.admin.facts()).students[0].accountId;
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(async () => {
		await sandbox.admin.reset();
		partner = await openReceiver();
		browser = new SandboxBrowser(sandbox.baseUrl);
		await register('back');
	});
	afterEach(async () => {
		browser.close();
		await partner.close();
	});

	const register = async (logoutChannel: 'front' | 'back'): Promise<unknown> =>
		await sandbox.admin.changeRegistration({
			redirectUris: [redirectUri],
			postLogoutRedirectUris: [farewell],
			logoutUri: partner.url,
			logoutChannel,
		});
	const authorizationUrl = (): string => {
		const query = {
			response_type: 'code',
			client_id: sandbox.clientId,
			redirect_uri: redirectUri,
			code_challenge_method: 'S256',
			code_challenge: challenge,
			scope: 'openid profile offline_access',
		};
		return `${sandbox.issuerUrl}/connect/authorize?${new URLSearchParams(query).toString()}`;
	};
	/** Logs student1 in; gives the id token. */
	const logIn = async (): Promise<string> => {
		const code = (await browser.signIn(authorizationUrl(), 'student1')).searchParams.get('code') ?? '';
		const { data } = await requestToken(sandbox, {
			grant_type: 'authorization_code',
			code,
			redirect_uri: redirectUri,
			code_verifier: verifier,
		});
		return String(data.id_token);
	};
	const logoutUrl = (kind: 'client' | 'full', idToken: string): string => {
		const query = new URLSearchParams({ id_token_hint: idToken, post_logout_redirect_uri: farewell });
		return `${sandbox.issuerUrl}/connect/${kind}-endsession?${query.toString()}`;
	};
	const isLoggedIn = async (): Promise<boolean> =>
		(await browser.open(authorizationUrl())).url.href.startsWith(redirectUri);
	const sidOf = (idToken: string): unknown =>
		(JSON.parse(Buffer.from(idToken.split('.')[1], 'base64url').toString()) as { sid?: unknown }).sid;

	it("ends the session with the application only, and leaves the platform's", async () => {
		const { url } = await browser.open(logoutUrl('client', await logIn()));
		expect(url.href).toBe(farewell);
		expect(await isLoggedIn()).toBe(true);
	});

	it('ends the session with the application and with the platform', async () => {
		const { url } = await browser.open(logoutUrl('full', await logIn()));
		expect(url.href).toBe(farewell);
		expect(await isLoggedIn()).toBe(false);
	});

	it("lands on the platform's login screen without a post-logout redirect URI", async () => {
		const idToken = await logIn();
		const url = logoutUrl('full', idToken).replace(/&post_logout_redirect_uri=.*/, '');
		expect((await browser.open(url)).html).toContain('You are logged out.');
	});

	it('refuses a post-logout redirect URI that is not registered, and an id token that is none', async () => {
		const idToken = await logIn();
		await sandbox.admin.changeRegistration({ postLogoutRedirectUris: [] });
		expect((await browser.open(logoutUrl('full', idToken))).status).toBe(400);
		expect((await browser.open(logoutUrl('full', 'abc'))).status).toBe(400);
		expect(await isLoggedIn()).toBe(true);
	});

	it('posts a signed logout token to the registered back channel', async () => {
		const idToken = await logIn();
		await browser.open(logoutUrl('full', idToken));
		expect(partner.received).toHaveLength(1);
		const [{ method, headers, body }] = partner.received;
		expect([method, headers['content-type']]).toEqual([
			'POST',
			expect.stringContaining('application/x-www-form-urlencoded'),
		]);
		const token = new URLSearchParams(body).get('logout_token') ?? '';
		const keys = createRemoteJWKSet(new URL(`${sandbox.issuerUrl}/jwks`), { timeoutDuration: 60_000 });
		const { payload } = await jwtVerify(token, keys, {
			issuer: sandbox.issuerUrl,
			audience: sandbox.clientId,
		});
		expect(payload).toMatchObject({
			sub: accountId,
			sid: sidOf(idToken),
			events: { [backChannelEvent]: {} },
		});
		expect(payload).not.toHaveProperty('nonce');
		expect(await sandbox.admin.logoutDeliveries()).toMatchObject([
			{ channel: 'back', url: partner.url, status: 200 },
		]);
	});

	it('logs a user out without a browser, and keeps what the partner answered', async () => {
		await logIn();
		partner.answer = () => 400;
		expect(await sandbox.admin.logOut({ login: 'student1' })).toMatchObject([
			{ channel: 'back', status: 400, message: '{"status":"rejected"}' },
		]);
		expect(await isLoggedIn()).toBe(false);
		expect(await sandbox.admin.logOut({ login: 'student1' })).toEqual([]);
	});

	it('waits for a partner who is busy for some seconds, as with events', async () => {
		await logIn();
		partner.answersAfterMs = 3_000;
		expect(await sandbox.admin.logOut({ login: 'student1' })).toMatchObject([
			{ channel: 'back', status: 200 },
		]);
	});

	it('loads the registered front channel in an iframe with Sid, and nothing on the back channel', async () => {
		await register('front');
		const idToken = await logIn();
		expect((await browser.open(logoutUrl('full', idToken))).url.href).toBe(farewell);
		expect(browser.frames).toEqual([`${partner.url}?Sid=${String(sidOf(idToken))}`]);
		expect(partner.received).toHaveLength(0);
	});

	it("signs any token with the issuer's key, for tests of those who check it", async () => {
		const claims = { iss: 'https://elsewhere.example', events: {} };
		const token = await sandbox.admin.signToken({ claims, header: { typ: 'logout+jwt' } });
		const keys = createRemoteJWKSet(new URL(`${sandbox.issuerUrl}/jwks`), { timeoutDuration: 60_000 });
		expect((await jwtVerify(token, keys)).payload).toEqual(claims);
		expect(decodeProtectedHeader(token)).toMatchObject({ alg: 'RS256', typ: 'logout+jwt' });
	});
});
