/** What a strict sandbox refuses is what the service's document does not show, and nothing that it shows. */
import type { Facts } from '../../sandbox/admin-types.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import type { StrictPart } from '../../sandbox/strict.mts';
import { listedScope, signIn } from './sign-in.mts';
import {
	Api,
	bondPayload,
	classPayload,
	requestToken,
	send,
	userPayload,
	type ErrorsBody,
	type Reply,
	type TokenBody,
} from './support.mts';

const base = '/integration/partner/v1';

let sandbox: Sandbox;
let api: Api;
let facts: Facts;

beforeAll(async () => {
	sandbox = await startSandbox({ students: 12, strict: true });
	api = await Api.open(sandbox);
	facts = await sandbox.admin.facts();
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.admin.reset());

const only = async (...strict: StrictPart[]): Promise<unknown> =>
	await sandbox.admin.changeSettings({ strict });

/** Two reads of each area, with any headers. */
const paths = (): Record<'profiles' | 'tenant' | 'courses' | 'event', string> => ({
	profiles: '/data/v1/profiles',
	tenant: `/sync/v1/tenants/${facts.tenantId}`,
	courses: `/enrollment/v1/accounts/${facts.courses[0].accountId}/courses`,
	event: '/webhook/v1/webhooks/callback/a3f1c6de-0000-4000-8000-000000000000',
});
async function read<Body = unknown>(
	path: string,
	{ form = 'Bearer ', headers = {} }: { form?: string; headers?: Record<string, string> } = {},
): Promise<Reply<Body>> {
	const authorization = form + (await requestToken(sandbox)).data.access_token;
	return await send({
		url: sandbox.baseUrl + path,
		headers: { authorization, 'content-type': 'application/json', ...headers },
	});
}

const redeem = async (fields: Record<string, string>): Promise<Reply<TokenBody>> =>
	await requestToken(sandbox, { ...(await signIn(sandbox)), ...fields });

test('A strict sandbox takes every request that is made as the document shows it', async () => {
	const { data } = await redeem({ scope: listedScope });
	const renewed = await requestToken(sandbox, {
		grant_type: 'refresh_token',
		refresh_token: String(data.refresh_token),
		scope: listedScope,
	});
	expect([data.expires_in, renewed.status]).toEqual([3600, 200]);
	const { accountId, schoolId, code } = facts.courses[0];
	const student = userPayload({
		external_id: 'student-new',
		profiles: ['student'],
		responsible_external_id: ['responsible-new'],
	});
	const update = { school_id: schoolId, course_code: code, status: 'PAUSED' };
	const answers = [
		await api.get('/data/v1/profiles'),
		await api.get('/data/v1/educational-stages', { school_external_id: 'school-001' }),
		await api.post(`${base}/class`, classPayload()),
		await api.post(`${base}/user`, userPayload()),
		await api.post(`${base}/user`, student),
		await api.post(`${base}/bond-user-class`, bondPayload()),
		await api.delete(`${base}/bond-user-class`, bondPayload()),
		await api.get(`${base}/callback`, { external_id: 'student-new' }),
		await api.get(`/sync/v1/accounts/${accountId}`, { tenant_id: facts.tenantId }),
		await api.get(paths().tenant),
		await api.get(paths().courses),
		await api.put(`/enrollment/v1/accounts/${accountId}`, { data: [update] }),
	];
	expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
});

test.each([
	['none', {}],
	['one that is not the listed one', { scope: 'openid' }],
] as Array<[string, Record<string, string>]>)(
	'A code and a refresh token need the listed scope: %s is refused before the code is spent',
	async (_what, fields) => {
		const form = await signIn(sandbox);
		const refused = await requestToken(sandbox, { ...form, ...fields });
		expect([refused.status, refused.data.error]).toEqual([400, 'invalid_request']);
		const { data } = await requestToken(sandbox, { ...form, scope: listedScope });
		const refresh = { grant_type: 'refresh_token', refresh_token: String(data.refresh_token) };
		expect((await requestToken(sandbox, { ...refresh, ...fields })).data.error).toBe('invalid_request');
		expect((await requestToken(sandbox, { ...refresh, scope: listedScope })).status).toBe(200);
	},
);

test('A machine token needs no scope', async () => {
	expect((await requestToken(sandbox)).status).toBe(200);
});

test('Scope can be left out where everything else is strict: an application like n8n does not send it', async () => {
	await only('authorization', 'members', 'query', 'content-type');
	expect((await redeem({})).status).toBe(200);
});

test('A field that the row of a grant does not list is refused', async () => {
	const { status, data } = await requestToken(sandbox, { audience: 'x' });
	expect([status, data.error]).toEqual([400, 'invalid_request']);
	await only('scope');
	expect((await requestToken(sandbox, { audience: 'x' })).status).toBe(200);
});

test('Enrollment and event query take Bearer only', async () => {
	const { courses, event } = paths();
	expect((await read(courses, { form: '' })).status).toBe(401);
	expect((await read(event, { form: '' })).status).toBe(401);
	expect((await read(courses)).status).toBe(200);
	await only('scope');
	expect((await read(courses, { form: '' })).status).toBe(200);
});

test.each([
	['bearer', 200, 401],
	['token', 401, 200],
	['either', 200, 200],
] as const)(
	'Provisioning and synchronization take what is expected of them: %s',
	async (authorization, bearer, token) => {
		await sandbox.admin.changeSettings({ authorization });
		const { profiles, tenant, courses } = paths();
		for (const path of [profiles, tenant]) {
			expect((await read(path)).status).toBe(bearer);
			expect((await read(path, { form: '' })).status).toBe(token);
		}
		expect((await read(courses)).status).toBe(200);
	},
);

test.each(['tenant', 'courses', 'event'] as const)(
	'The Content-Type that is listed for a read (%s) is missed',
	async (name) => {
		const path = name === 'event' ? await storedEvent() : paths()[name];
		expect((await read(path)).status).toBe(200);
		expect((await read(path, { headers: { 'content-type': 'text/plain' } })).status).toBe(400);
		await only('scope');
		expect((await read(path, { headers: { 'content-type': 'text/plain' } })).status).toBe(200);
	},
);

/** A delivery that nobody took has a stored record all the same. */
async function storedEvent(): Promise<string> {
	await sandbox.admin.registerWebhook({ url: 'http://127.0.0.1:9/', apiKey: 'a key for tests' });
	const { requestId } = await sandbox.admin.grantAccess({ login: 'student1' });
	return `/webhook/v1/webhooks/callback/${requestId}`;
}

test('Lookups of provisioning need no Content-Type: none is listed', async () => {
	expect((await read(paths().profiles, { headers: { 'content-type': 'text/plain' } })).status).toBe(200);
});

test.each([
	['/data/v1/profiles?page=2', 'The query parameter "page" is not shown for this request.'],
	[
		'/data/v1/educational-stages?school_external_id=school-001&school_external_id=school-002',
		'The query parameter "school_external_id" is there more than once.',
	],
])('A query that is not shown is refused: %s', async (path, message) => {
	const { status, data } = await read<ErrorsBody>(path);
	expect([status, data.Errors[0].Message]).toEqual([400, message]);
	await only('scope');
	expect((await read(path)).status).toBe(200);
});

test('A read with a body is refused', async () => {
	const { data } = await requestToken(sandbox);
	const headers = { authorization: `Bearer ${data.access_token}`, 'content-type': 'application/json' };
	const url = `${sandbox.baseUrl}/data/v1/profiles`;
	expect((await send({ url, headers, data: {} })).status).toBe(400);
	await only('scope');
	expect((await send({ url, headers, data: {} })).status).toBe(200);
});

test('Nothing of it is refused when nothing is said', async () => {
	await only();
	expect((await redeem({ audience: 'x' })).status).toBe(200);
	expect((await read(paths().courses, { form: '', headers: { 'content-type': 'text/plain' } })).status).toBe(
		200,
	);
	expect((await read('/data/v1/profiles?page=2')).status).toBe(200);
});
