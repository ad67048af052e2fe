/** Every variant over HTTP, one by one: what differs, and that the work is done all the same. */
import { decodeProtectedHeader, createRemoteJWKSet, jwtVerify, type JWTPayload } from 'jose';
import type { Facts } from '../../sandbox/admin-types.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import type { Variant } from '../../sandbox/variants.mts';
import { openReceiver } from './receiver.mts';
import { redirectUri, signIn } from './sign-in.mts';
import { Api, bondPayload, classPayload, requestToken, userPayload, type Reply } from './support.mts';

const base = '/integration/partner/v1';

let sandbox: Sandbox;
let api: Api;
let facts: Facts;

beforeAll(async () => {
	sandbox = await startSandbox({ students: 12 });
	api = await Api.open(sandbox);
	facts = await sandbox.admin.facts();
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.admin.reset());

const turnOn = async (...variants: Variant[]): Promise<unknown> =>
	await sandbox.admin.changeSettings({ variants });

/** Every write, in an order in which each finds what it needs. */
async function everyWrite(): Promise<Array<Reply<unknown>>> {
	const { accountId, userId, schoolId, code } = facts.courses[0];
	const item = { school_id: schoolId, course_code: code, status: 'PAUSED' };
	const student = { external_id: 'student-new', profiles: ['student'] };
	return [
		await api.post(`${base}/class`, classPayload()),
		await api.post(`${base}/user`, userPayload(student)),
		await api.post(`${base}/bond-user-class`, bondPayload()),
		await api.delete(`${base}/bond-user-class`, bondPayload()),
		await api.put(`/enrollment/v1/accounts/${accountId}`, { data: [item] }),
		await api.put(`/enrollment/v1/user/${userId}`, { data: [item] }),
		await api.post(`/enrollment/v1/schools/${schoolId}/courses/${code}/status`, {
			data: { user_id: userId, status: 'CONFIRMED' },
		}),
	];
}

/** The writes were done: what they were to make is there. */
async function expectTheWorkDone(): Promise<void> {
	expect((await sandbox.admin.classes({ provisioned: true })).count).toBe(1);
	expect((await sandbox.admin.users({ provisioned: true })).count).toBe(1);
	expect((await sandbox.admin.bonds({ externalId: 'student-new' })).count).toBe(0);
	const { items } = await sandbox.admin.courses({ accountId: facts.courses[0].accountId });
	expect(items.find(({ code }) => code === facts.courses[0].code)?.status).toBe('CONFIRMED');
}

const classCreated = { data: expect.objectContaining({ status: 'active' }) as unknown };

describe('answers of the API', () => {
	test('plain-text-answers: writes whose body is not shown say Created or OK', async () => {
		await turnOn('plain-text-answers');
		const answers = await everyWrite();
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		expect(answers.map(({ data }) => data)).toEqual([
			classCreated,
			'Created',
			'Created',
			'OK',
			'OK',
			'OK',
			'OK',
		]);
		expect(answers[1].headers['content-type']).toMatch(/^text\/plain/);
		await expectTheWorkDone();
	});

	test('empty-bodies: writes whose body is not shown say nothing', async () => {
		await turnOn('empty-bodies');
		const answers = await everyWrite();
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		expect(answers.map(({ data }) => data)).toEqual([classCreated, '', '', '', '', '', '']);
		await expectTheWorkDone();
	});

	test('location-headers: creations answer 201 and say where', async () => {
		await turnOn('location-headers');
		const answers = await everyWrite();
		expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 200, 200, 200, 200]);
		const { id } = (await sandbox.admin.classes({ provisioned: true })).items[0];
		expect(answers[0].headers.location).toBe(`${base}/class/${id}`);
		expect(answers[2].headers.location).toBe(`${base}/bond-user-class`);
		expect(answers[3].headers.location).toBeUndefined();
		await expectTheWorkDone();
	});

	test('Two variants that fit together are on together', async () => {
		await turnOn('location-headers', 'plain-text-answers');
		const [, user] = await everyWrite();
		expect([user.status, user.data, typeof user.headers.location]).toEqual([201, 'Created', 'string']);
	});

	test('doubles-as-400: what is there already is a bad request', async () => {
		await turnOn('doubles-as-400');
		await api.post(`${base}/class`, classPayload());
		const { status, data } = await api.post(`${base}/class`, classPayload());
		expect([status, data]).toEqual([
			400,
			{ Errors: [{ Code: 'PROV-0400', Message: expect.stringContaining('exists') as string }] },
		]);
	});

	test('bare-errors: refusals are the object itself, and several are a list', async () => {
		await turnOn('bare-errors');
		const one = await api.post(`${base}/class`, classPayload({ code: '' }));
		expect(one.data).toEqual({ Code: 'PROV-0400', Message: 'code must not be empty.' });
		const two = await api.post(`${base}/class`, classPayload({ code: '', name: '' }));
		expect(two.data).toHaveLength(2);
		const conflict = await api.get(`/sync/v1/accounts/${facts.students[0].accountId}`);
		expect(conflict.data).toMatchObject({
			Code: 'FLU001',
			ErrorProperties: [{ PropertyName: 'tenant_id' }],
		});
		expect((await api.get('/data/v1/nothing')).data).toMatchObject({ Code: 'PROV-0404' });
		await sandbox.admin.addFault({ path: '/sync' }, { documented: 500 });
		expect((await api.get(`/sync/v1/tenants/${facts.tenantId}`)).data).toMatchObject({ Code: 'INT500' });
	});

	test('numbers-as-text: no number is left in an answer', async () => {
		await turnOn('numbers-as-text');
		const { data } = await api.get<{ data: Array<{ code: unknown }> }>('/data/v1/profiles');
		expect(data.data.map(({ code }) => typeof code)).toEqual(['string', 'string', 'string', 'string']);
		const courses = await api.get<{ data: Array<{ year: unknown }> }>(
			`/enrollment/v1/accounts/${facts.courses[0].accountId}/courses`,
		);
		expect(courses.data.data[0].year).toMatch(/^\d{4}$/);
		await sandbox.admin.addFault({ path: '/enrollment' }, { documented: 500 });
		expect((await api.get('/enrollment/v1/accounts/x/courses')).data).toMatchObject({
			Errors: [{ Code: '500' }],
		});
	});

	test('digits-as-numbers: texts of digits are numbers, but for those that a number cannot hold', async () => {
		const person = { external_id: '4711', cell_phone: '11900000000', document_value: '00000000191' };
		await api.post(`${base}/user`, userPayload(person));
		const { items } = await sandbox.admin.users({ externalId: '4711' });
		await turnOn('digits-as-numbers');
		const { data } = await api.get(`/sync/v1/accounts/${items[0].account_id}`, { tenant_id: facts.tenantId });
		expect(data).toMatchObject({
			external_id: 4711,
			cell_phone: { value: 11900000000 },
			documents: [{ value: '00000000191' }],
		});
	});
});

describe('token answers', () => {
	const tokens = async (): Promise<Record<string, unknown>> => ({ ...(await requestToken(sandbox)).data });

	test.each([
		['null-refresh-token', { refresh_token: null, expires_in: 3600 }],
		['null-id-token', { id_token: null, expires_in: 3600 }],
		['text-expires-in', { expires_in: '3600' }],
		['extra-token-members', { 'not-before-policy': 0, expires_in: 3600 }],
	] as Array<[Variant, object]>)('%s: a machine token', async (variant, expected) => {
		await turnOn(variant);
		const answer = await tokens();
		expect(answer).toMatchObject(expected);
		expect(typeof answer.access_token).toBe('string');
	});

	test('null-refresh-token and null-id-token: the tokens of a code', async () => {
		await turnOn('null-refresh-token', 'null-id-token');
		const { data } = await requestToken(sandbox, await signIn(sandbox));
		expect(data).toMatchObject({ refresh_token: null, id_token: null, token_type: 'Bearer' });
	});

	test('A refused token request is as it was', async () => {
		await turnOn('null-refresh-token', 'extra-token-members');
		const { data } = await requestToken(sandbox, { client_secret: 'wrong' });
		expect(Object.keys(data)).toEqual(['error', 'error_description']);
	});
});

describe('events', () => {
	interface Sent {
		header: Record<string, unknown>;
		payload: {
			structure_school: Record<'tenant' | 'school' | 'class', Record<string, unknown>>;
			structure_users: { users: Array<Record<string, unknown>>; bond: Record<string, unknown[]> };
			bond: Record<string, unknown[]>;
		};
	}
	/** The same event without and with a variant, then the revocation with it. */
	async function sent(variant: Variant): Promise<[plain: Sent, varied: Sent, revocation: Sent]> {
		await sandbox.admin.changeSettings({ deviations: false });
		const partner = await openReceiver();
		await sandbox.admin.registerWebhook({ url: partner.url, apiKey: 'a key for tests' });
		await sandbox.admin.grantAccess({ login: 'student1' });
		await turnOn(variant);
		await sandbox.admin.grantAccess({ login: 'student1' });
		await sandbox.admin.revokeAccess({ login: 'student1' });
		await partner.close();
		return partner.received.map(({ body }) => JSON.parse(body) as Sent) as [Sent, Sent, Sent];
	}

	test('empty-event-texts: required texts are empty, the ids and what is optional stay', async () => {
		const [plain, { header, payload }, revocation] = await sent('empty-event-texts');
		const { tenant, school, class: schoolClass } = payload.structure_school;
		expect(tenant).toEqual({
			...plain.payload.structure_school.tenant,
			hash: '',
			name: '',
			brand_name: '',
		});
		expect([school.cnpj, schoolClass.code, schoolClass.year]).toEqual(['', '', expect.any(Number)]);
		const [user] = payload.structure_users.users;
		expect(user).toMatchObject({ name: '', date_of_birth: '', login: 'student1' });
		expect(user.id).toBe(plain.payload.structure_users.users[0].id);
		expect(revocation.payload.bond.profiles[0]).toMatchObject({ name: '' });
		expect(header).toMatchObject({ action: 'USER_ACCESS', client_id: sandbox.clientId });
	});

	test('long-event-values: everything with a size is one over it', async () => {
		const [, { header, payload }, revocation] = await sent('long-event-values');
		const { tenant, school, class: schoolClass } = payload.structure_school;
		expect([tenant.brand_name, tenant.hash, school.cnpj].map((text) => String(text).length)).toEqual([
			51, 501, 19,
		]);
		expect(String(tenant.id)).toHaveLength(36);
		expect(schoolClass.year).toBeGreaterThan(9999);
		expect(payload.structure_users.users[0].date_of_birth).toMatch(/T00:00:00$/);
		expect(header.created_at).toMatch(/\.000Z$/);
		expect(header.action).toBe('USER_ACCESS');
		expect(revocation.payload.bond.profiles[0]).toMatchObject({ name: expect.stringMatching(/^.{65}$/) });
	});

	test('wrong-event-kinds: lists for texts, texts for numbers and objects', async () => {
		const [plain, { payload }] = await sent('wrong-event-kinds');
		const { tenant, class: schoolClass } = payload.structure_school;
		expect(tenant.brand_name).toEqual([plain.payload.structure_school.tenant.brand_name]);
		expect([typeof schoolClass.year, Array.isArray(schoolClass.code)]).toEqual(['string', true]);
		const [user] = payload.structure_users.users;
		expect([typeof user.cell_phone, typeof user.responsible_ids]).toEqual(['string', 'string']);
		expect(Array.isArray(user.documents)).toBe(false);
		expect(user.id).toBe(plain.payload.structure_users.users[0].id);
	});

	test('A load of deliveries varies, too', async () => {
		const partner = await openReceiver();
		await sandbox.admin.registerWebhook({ url: partner.url, apiKey: 'a key for tests' });
		await turnOn('empty-event-texts');
		await sandbox.admin.runLoad({ count: 3 });
		await partner.close();
		const events = partner.received.map(({ body }) => JSON.parse(body) as Sent);
		expect(events.map(({ payload }) => payload.structure_school.tenant.name)).toEqual(['', '', '']);
	});
});

describe('logout tokens', () => {
	/** The verified claims of the logout token that the partner gets; it is signed by the issuer in every variant. */
	async function claimsWith(variant: Variant): Promise<JWTPayload> {
		const partner = await openReceiver();
		await sandbox.admin.changeRegistration({ redirectUris: [redirectUri], logoutUri: partner.url });
		await requestToken(sandbox, await signIn(sandbox));
		await turnOn(variant);
		await sandbox.admin.logOut({ login: 'student1' });
		await partner.close();
		const token = new URLSearchParams(partner.received[0].body).get('logout_token') ?? '';
		const keys = createRemoteJWKSet(new URL(`${sandbox.issuerUrl}/jwks`), { timeoutDuration: 60_000 });
		const { payload } = await jwtVerify(token, keys, {
			issuer: sandbox.issuerUrl,
			audience: sandbox.clientId,
		});
		expect(decodeProtectedHeader(token).typ).toBe('logout+jwt');
		return payload;
	}
	const usual = ['aud', 'events', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub'];

	test('logout-extra-claims: account and tenant are named', async () => {
		const { accountId } = facts.students[0];
		expect(await claimsWith('logout-extra-claims')).toMatchObject({
			sub: accountId,
			account_id: accountId,
			tenant_id: facts.tenantId,
			events: expect.any(Object),
		});
	});

	test.each([
		['logout-without-exp', ['exp']],
		['logout-without-jti', ['jti']],
		['logout-without-events', ['events']],
		['logout-without-sub-and-sid', ['sub', 'sid']],
	] as Array<[Variant, string[]]>)('%s: that and nothing else is missing', async (variant, missing) => {
		expect(Object.keys(await claimsWith(variant)).sort()).toEqual(
			usual.filter((name) => !missing.includes(name)),
		);
	});
});

test('A variant with a name that is not known is refused', async () => {
	await expect(sandbox.admin.changeSettings({ variants: ['typo' as Variant] })).rejects.toThrow(
		'"variants.0" must be a list of these: plain-text-answers,',
	);
});
