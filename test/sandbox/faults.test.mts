import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { until } from '../../playground/eventually.mts';
import { Api, codeOfFailure, requestToken, send, userPayload, type ErrorsBody } from './support.mts';

describe('faults on demand', () => {
	const users = '/integration/partner/v1/user';
	const profiles = '/data/v1/profiles';
	let sandbox: Sandbox;
	let api: Api;

	beforeAll(async () => {
		sandbox = await startSandbox();
		api = await Api.open(sandbox);
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(async () => await sandbox.admin.reset());

	const statuses = async (count: number): Promise<number[]> => {
		const seen: number[] = [];
		for (let index = 0; index < count; index += 1) seen.push((await api.get(profiles)).status);
		return seen;
	};

	it('answers a status with Retry-After so many times, and counts', async () => {
		await sandbox.admin.addFault({ path: profiles, times: 2 }, { status: 429, retryAfter: 1 });
		const first = await api.get(profiles);
		expect([first.status, first.headers['retry-after']]).toEqual([429, '1']);
		expect(await statuses(2)).toEqual([429, 200]);
		expect(await sandbox.admin.faults()).toMatchObject([{ matched: 3, used: 2 }]);
	});

	it.each([
		['the second request', { nth: 2 }, [200, 503, 200, 200]],
		['the first and the third request', { nth: [1, 3] }, [503, 200, 503, 200]],
		['every second request', { every: 2 }, [200, 503, 200, 503]],
		['all after the first two', { after: 2 }, [200, 200, 503, 503]],
	])('strikes %s', async (_what, match, expected) => {
		await sandbox.admin.addFault({ path: profiles, ...match }, { status: 503 });
		expect(await statuses(4)).toEqual(expected);
	});

	it('picks requests by method, pattern and text of the body', async () => {
		await sandbox.admin.addFault(
			{ method: 'post', pathPattern: '/user$', bodyContains: '"external_id":"r-2"' },
			{ documented: 400, message: 'Not this one.' },
		);
		const answers = await Promise.all(
			['r-1', 'r-2', 'r-3'].map(async (external_id) => await api.post(users, userPayload({ external_id }))),
		);
		expect(answers.map(({ status }) => status)).toEqual([200, 400, 200]);
		expect(answers[1].data).toEqual({ Errors: [{ Code: 'PROV-0400', Message: 'Not this one.' }] });
		expect((await sandbox.admin.users({ provisioned: true })).count).toBe(2);
	});

	it('breaks the connection before the work is done', async () => {
		await sandbox.admin.addFault({ path: users, times: 1 }, { drop: 'before' });
		expect(await codeOfFailure(api.post(users, userPayload()))).toBe('ECONNRESET');
		expect((await sandbox.admin.users({ provisioned: true })).count).toBe(0);
	});

	it('breaks the connection after the work was done', async () => {
		const fault = await sandbox.admin.addFault({ path: users, times: 1 }, { drop: 'after' });
		expect(await codeOfFailure(api.post(users, userPayload()))).toBe('ECONNRESET');
		expect((await sandbox.admin.users({ provisioned: true })).count).toBe(1);
		expect(await sandbox.admin.requests({ path: users })).toMatchObject([{ status: 0, fault }]);
	});

	it('answers something else after the work was done', async () => {
		await sandbox.admin.addFault({ path: users }, { status: 204, afterwards: true });
		expect((await api.post(users, userPayload())).status).toBe(204);
		expect((await sandbox.admin.users({ provisioned: true })).count).toBe(1);
	});

	it('does the work and answers too late', async () => {
		await sandbox.admin.addFault({ path: users }, { delayMs: 2_000, afterwards: true });
		let isAnswered = false;
		const answer = api.post(users, userPayload()).finally(() => (isAnswered = true));
		await until(async () => (await sandbox.admin.users({ provisioned: true })).count === 1);
		expect(isAnswered).toBe(false);
		expect((await answer).status).toBe(200);
	});

	it('cuts an answer short', async () => {
		await sandbox.admin.addFault({ path: profiles }, { cutBody: true });
		expect(await codeOfFailure(api.get(profiles))).toMatch(/^ERR_BAD_RESPONSE|ECONNRESET$/);
	});

	it('answers like a proxy in between', async () => {
		await sandbox.admin.addFault({ path: profiles }, { htmlPage: true });
		const { status, headers, data } = await api.get(profiles);
		expect([status, headers['content-type']]).toEqual([502, 'text/html']);
		expect(data).toContain('<html>');
	});

	it('answers a body that is not what it should be', async () => {
		await sandbox.admin.addFault({ path: profiles, nth: 1 }, { body: { other: true } });
		await sandbox.admin.addFault(
			{ path: profiles, nth: 2 },
			{ body: 'no JSON', contentType: 'application/json' },
		);
		expect((await api.get(profiles)).data).toEqual({ other: true });
		expect((await api.get(profiles)).data).toBe('no JSON');
	});

	it('waits before it answers', async () => {
		await sandbox.admin.addFault({ path: profiles }, { delayMs: 300 });
		const startedAt = Date.now();
		expect((await api.get(profiles)).status).toBe(200);
		expect(Date.now() - startedAt).toBeGreaterThanOrEqual(290);
	});

	it('expires the token of a request, and only that one', async () => {
		const other = await Api.open(sandbox);
		await sandbox.admin.addFault({ path: profiles, times: 1 }, { expireToken: true });
		expect(await statuses(2)).toEqual([401, 401]);
		expect((await other.get(profiles)).status).toBe(200);
		api = other;
	});

	it('takes the token endpoint down', async () => {
		await sandbox.admin.addFault({ path: '/identity/connect/token', times: 1 }, { status: 503 });
		expect((await requestToken(sandbox)).status).toBe(503);
		expect((await requestToken(sandbox)).status).toBe(200);
	});

	it('refuses connections for a while', async () => {
		await sandbox.admin.refuseConnections(2_000);
		expect(await codeOfFailure(api.get(profiles))).toBe('ECONNREFUSED');
		expect((await sandbox.admin.health()).status).toBe('ok');
		await until(async () => (await codeOfFailure(api.get(profiles))) !== 'ECONNREFUSED');
		expect((await api.get(profiles)).status).toBe(200);
	});

	it('labels a 500 of the enrollment area as the samples do', async () => {
		await sandbox.admin.addFault({ path: '/enrollment' }, { documented: 500 });
		const answer = await api.get<ErrorsBody>('/enrollment/v1/accounts/x/courses');
		expect([answer.status, answer.statusText]).toEqual([500, 'Bad Request']);
		expect(answer.data.Errors[0].Code).toBe(500);
	});

	it('refuses a fault with a misspelt word', async () => {
		const rule = { match: { tmes: 1 }, fault: { status: 503 } };
		const url = `${sandbox.adminUrl}faults`;
		const answer = await send<{ message: string }>({ method: 'POST', url, data: rule });
		expect([answer.status, answer.data.message]).toEqual([
			400,
			expect.stringContaining('"match" has no "tmes"'),
		]);
	});

	it('disarms one fault or all of them', async () => {
		const id = await sandbox.admin.addFault({ path: profiles }, { status: 503 });
		await sandbox.admin.addFault({ path: profiles }, { status: 504 });
		await sandbox.admin.clearFaults(id);
		expect(await statuses(1)).toEqual([504]);
		await sandbox.admin.clearFaults();
		expect(await statuses(1)).toEqual([200]);
	});
});
