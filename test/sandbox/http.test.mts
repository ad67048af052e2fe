import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { Api, classPayload, requestToken, send, type ErrorsBody, type Reply } from './support.mts';

describe('the sandbox as an HTTP service', () => {
	let sandbox: Sandbox;
	let api: Api;

	beforeAll(async () => {
		sandbox = await startSandbox();
		api = await Api.open(sandbox);
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(async () => await sandbox.admin.reset());

	const profilesWith = async (authorization: string): Promise<Reply<unknown>> =>
		await send({ url: `${sandbox.baseUrl}/data/v1/profiles`, headers: { authorization } });

	it('finds the token endpoint in its discovery document', async () => {
		const { data } = await send({ url: `${sandbox.issuerUrl}/.well-known/openid-configuration` });
		expect(data).toMatchObject({
			issuer: sandbox.issuerUrl,
			token_endpoint: `${sandbox.issuerUrl}/connect/token`,
		});
	});

	it('gives a JWT for client id and secret, without a scope and with an extra one', async () => {
		const plain = await requestToken(sandbox);
		expect(plain.data).toMatchObject({ token_type: 'Bearer', expires_in: 3600 });
		expect(plain.data.access_token.split('.')).toHaveLength(3);
		expect((await requestToken(sandbox, { scope: 'platform-account' })).data.scope).toBe('platform-account');
	});

	it.each([
		['a wrong secret', { client_secret: 'wrong' }, 401, 'invalid_client'],
		['an unknown client', { client_id: 'nobody' }, 401, 'invalid_client'],
		['an unknown grant', { grant_type: 'password' }, 400, 'unsupported_grant_type'],
	])('refuses a token for %s', async (_what, fields, status, error) => {
		const answer = await requestToken(sandbox, fields);
		expect([answer.status, answer.data.error]).toEqual([status, error]);
	});

	it('takes the token with and without the word Bearer', async () => {
		const { data } = await requestToken(sandbox);
		expect((await profilesWith(`Bearer ${data.access_token}`)).status).toBe(200);
		expect((await profilesWith(data.access_token)).status).toBe(200);
	});

	it('answers 401 without a body to a missing, altered, foreign or expired token', async () => {
		const { data } = await requestToken(sandbox);
		const foreign = await requestToken({ ...sandbox, issuerUrl: sandbox.testIssuerUrl });
		expect((await profilesWith(`Bearer ${data.access_token}`)).status).toBe(200);
		await sandbox.admin.expireTokens();
		const altered = `${data.access_token.slice(0, -4)}AAAA`;
		for (const token of ['', altered, foreign.data.access_token, data.access_token]) {
			const answer = await profilesWith(`Bearer ${token}`);
			expect([answer.status, answer.data]).toEqual([401, '']);
		}
		api = await Api.open(sandbox);
		expect((await api.get('/data/v1/profiles')).status).toBe(200);
	});

	it('lets a token expire after the lifetime that was set', async () => {
		const tokenThatLives = async (seconds: number): Promise<string> => {
			await sandbox.admin.changeSettings({ tokenLifetime: seconds });
			const { data } = await requestToken(sandbox);
			expect(data.expires_in).toBe(seconds);
			return data.access_token;
		};
		const [short, long] = [await tokenThatLives(1), await tokenThatLives(600)];
		await new Promise((resolve) => setTimeout(resolve, 2_100));
		expect((await profilesWith(short)).status).toBe(401);
		expect((await profilesWith(long)).status).toBe(200);
	});

	it('answers 404 for unknown paths and 405 with Allow for wrong methods', async () => {
		const unknown = await api.get<ErrorsBody>('/data/v2/profiles');
		expect([unknown.status, unknown.data.Errors.length]).toEqual([404, 1]);
		const wrong = await api.put('/integration/partner/v1/bond-user-class', {});
		expect([wrong.status, wrong.headers.allow]).toEqual([405, 'POST, DELETE']);
	});

	it.each([
		['JSON that does not parse', '{"name": ', 'application/json', 400],
		['no body at all', '', 'application/json', 400],
		['a list instead of an object', '[]', 'application/json', 400],
		['a form', 'name=x', 'application/x-www-form-urlencoded', 415],
		['JSON that says it is text', JSON.stringify(classPayload()), 'text/plain', 415],
	])('refuses %s', async (_what, body, contentType, status) => {
		const answer = await api.postText<ErrorsBody>('/integration/partner/v1/class', body, contentType);
		expect([answer.status, answer.data.Errors.length]).toEqual([status, 1]);
	});

	it('logs what it received, without the token and the secret', async () => {
		await requestToken(sandbox);
		await api.post('/integration/partner/v1/class?x=1&x=2', classPayload());
		const [token, created] = await sandbox.admin.requests();
		expect(token).toMatchObject({
			path: '/identity/connect/token',
			body: { grant_type: 'client_credentials', client_id: sandbox.clientId },
			withheld: ['client_secret'],
			status: 200,
		});
		expect(created).toMatchObject({
			method: 'POST',
			path: '/integration/partner/v1/class',
			query: { x: ['1', '2'] },
			body: classPayload(),
			status: 200,
			inFlight: 1,
		});
		expect(created.headers.authorization).toMatch(/^Bearer [0-9a-f]{8}$/);
		expect(JSON.stringify([token, created])).not.toContain(sandbox.clientSecret);
	});

	it('counts requests by path, method, status and since', async () => {
		await api.get('/data/v1/profiles');
		const { lastId } = await sandbox.admin.requestLog();
		await api.get('/data/v1/profiles');
		await api.get('/data/v1/nothing');
		expect(await sandbox.admin.countRequests({ path: '/data/v1/profiles' })).toBe(2);
		expect(await sandbox.admin.countRequests({ since: lastId })).toBe(2);
		expect(await sandbox.admin.countRequests({ status: 404 })).toBe(1);
		expect(await sandbox.admin.countRequests({ method: 'post' })).toBe(0);
		await sandbox.admin.clearRequests();
		expect(await sandbox.admin.countRequests()).toBe(0);
	});

	it('shows how many requests were in flight at once', async () => {
		// Long enough for all seven to arrive before the first is answered.
		await sandbox.admin.changeSettings({ latencyMs: 1_500 });
		await Promise.all(Array.from({ length: 7 }, async () => await api.get('/data/v1/profiles')));
		expect((await sandbox.admin.requestLog({ countOnly: true })).maxInFlight).toBe(7);
	});

	it('has a page for people that loads nothing from elsewhere', async () => {
		const { data, headers } = await send<string>({ url: sandbox.adminUrl });
		expect(headers['content-type']).toMatch(/^text\/html/);
		expect(data).toContain(sandbox.issuerUrl);
		expect(data).not.toMatch(/<(script|link|img)[^>]+(src|href)=/);
	});
});
