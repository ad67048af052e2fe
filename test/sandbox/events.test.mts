import { checkFields } from '../../sandbox/checks/check-fields.mts';
import * as tables from '../../sandbox/document/events.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { openReceiver, type Receiver } from './receiver.mts';
import { Api, send, userPayload } from './support.mts';

interface Envelope {
	header: Record<string, string>;
	payload: {
		structure_school: { school: Record<string, unknown>; class: Record<string, unknown> };
		structure_users: { users: Array<Record<string, unknown>>; bond: Record<string, unknown> };
		bond: Record<string, unknown>;
	};
}

describe('access events of the sandbox', () => {
	const apiKey = 'a key for tests';
	let sandbox: Sandbox;
	let api: Api;
	let partner: Receiver;

	beforeAll(async () => {
		sandbox = await startSandbox();
		api = await Api.open(sandbox);
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(async () => {
		await sandbox.admin.reset();
		partner = await openReceiver();
		await sandbox.admin.registerWebhook({ url: partner.url, apiKey });
	});
	afterEach(async () => await partner.close());

	const envelopes = (): Envelope[] => partner.received.map(({ body }) => JSON.parse(body) as Envelope);
	/** Optional fields may be null; the tables say which ones are required and how long they may be. */
	const findings = (table: typeof tables.eventHeader, value: unknown): string[] => {
		const withoutNulls: unknown = JSON.parse(
			JSON.stringify(value, (_name, member: unknown) => (member === null ? undefined : member)),
		);
		const refusedWhenEmpty = table.fields.filter(({ required }) => required === true).map(({ name }) => name);
		return checkFields(table, withoutNulls, { refusedWhenEmpty });
	};

	it("delivers USER_ACCESS with the tables' fields, the key, and the responsible persons", async () => {
		await sandbox.admin.changeSettings({ deviations: false });
		const record = await sandbox.admin.grantAccess({ externalId: 'student-00001' });
		const [{ header, payload }] = envelopes();
		expect(partner.received[0].headers).toMatchObject({
			'content-type': 'application/json',
			'x-api-key': apiKey,
		});
		expect(findings(tables.eventHeader, header)).toEqual([]);
		expect(findings(tables.userAccessPayload, payload)).toEqual([]);
		expect(header).toMatchObject({
			action: 'USER_ACCESS',
			client_id: sandbox.clientId,
			request_id: record.requestId,
		});
		const { items } = await sandbox.admin.users({ externalId: 'student-00001' });
		const { users } = payload.structure_users;
		expect(users.map(({ external_id }) => external_id)).toEqual([
			'student-00001',
			...items[0].responsible_external_id,
		]);
		expect(users[0].responsible_ids).toEqual(users.slice(1).map(({ id }) => id));
	});

	it('delivers USER_ACCESS_REVOCATION for the same bond', async () => {
		await sandbox.admin.grantAccess({ login: 'student1' });
		await sandbox.admin.revokeAccess({ login: 'student1' });
		const [granted, revoked] = envelopes();
		expect(revoked.header.action).toBe('USER_ACCESS_REVOCATION');
		expect(findings(tables.userAccessRevocationPayload, revoked.payload)).toEqual([]);
		expect(revoked.payload.bond).toEqual(granted.payload.structure_users.bond);
	});

	it('spells the tax id as the samples do unless told otherwise', async () => {
		await sandbox.admin.grantAccess({ login: 'student1' });
		const { school } = envelopes()[0].payload.structure_school;
		expect(school).toHaveProperty('cpnj');
		expect(school).not.toHaveProperty('cnpj');
	});

	it.each([
		[
			'a user who does not exist',
			async () => await sandbox.admin.grantAccess({ login: 'x' }),
			'There is no such user.',
		],
		[
			'a revocation of what was not granted',
			async () => await sandbox.admin.revokeAccess({ login: 'student1' }),
			'has no access',
		],
		[
			'a user without a class',
			async () => await sandbox.admin.grantAccess({ login: 'responsible1' }),
			'bond it to one first',
		],
	])('refuses %s', async (_what, act, message) => {
		await expect(act()).rejects.toThrow(message);
		expect(partner.received).toHaveLength(0);
	});

	it('tells of a freshly provisioned and bonded user', async () => {
		const base = '/integration/partner/v1';
		await api.post(`${base}/user`, userPayload({ external_id: 'educator-new', profiles: ['educator'] }));
		const [{ external_id: class_external_id }] = (
			await sandbox.admin.classes({ schoolExternalId: 'school-001' })
		).items;
		await api.post(`${base}/bond-user-class`, {
			school_external_id: 'school-001',
			class_external_id,
			user_external_id: 'educator-new',
			profile_name: 'educator',
		});
		expect((await sandbox.admin.grantAccess({ externalId: 'educator-new' })).isSuccessful).toBe(true);
		expect(envelopes()[0].payload.structure_school.class.external_id).toBe(class_external_id);
	});

	it('keeps the stored record that the event query returns', async () => {
		const { requestId, payload } = await sandbox.admin.grantAccess({ login: 'student1' });
		const { status, data } = await api.get<Record<string, unknown>>(
			`/webhook/v1/webhooks/callback/${requestId}`,
		);
		expect(status).toBe(200);
		expect(Object.keys(data)).toEqual(tables.storedEvent.fields.map(({ name }) => name));
		expect(data).toMatchObject({
			payload,
			message: '{"status":"accepted"}',
			status: 200,
			isSuccessful: true,
		});
		expect(payload).toBe(partner.received[0].body);
		expect(data.sentAt).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}$/);
	});

	it.each(['not-a-uuid', 'a3f1c6de-0000-4000-8000-000000000000'])(
		'has no stored record of %s',
		async (id) => {
			const { status, data } = await api.get(`/webhook/v1/webhooks/callback/${id}`);
			expect([status, data]).toEqual([400, '']);
		},
	);

	it('tries again with the same request_id when it is told to, until it is answered 2xx', async () => {
		await sandbox.admin.registerWebhook({ url: partner.url, apiKey, retries: 4, backoffMs: 10 });
		partner.answer = (_received, index) => (['break', 503, 404, 200] as const)[index - 1];
		const record = await sandbox.admin.grantAccess({ login: 'student1' });
		expect(record.attempts.map(({ status }) => status)).toEqual([0, 503, 404, 200]);
		expect(new Set(envelopes().map(({ header }) => header.request_id)).size).toBe(1);
	});

	it('does not repeat what was refused, and keeps the refusal', async () => {
		await sandbox.admin.registerWebhook({ url: partner.url, apiKey, retries: 4, backoffMs: 10 });
		partner.answer = () => 401;
		const { requestId } = await sandbox.admin.grantAccess({ login: 'student1' });
		expect(partner.received).toHaveLength(1);
		const { data } = await api.get(`/webhook/v1/webhooks/callback/${requestId}`);
		expect(data).toMatchObject({ status: 401, isSuccessful: false, message: '{"status":"rejected"}' });
	});

	it('delivers anything by hand: another body, another key, no key', async () => {
		await sandbox.admin.sendDelivery({
			body: 'not JSON',
			apiKey: null,
			headers: { 'content-type': 'text/plain' },
		});
		await sandbox.admin.sendDelivery({ body: { a: 1 }, apiKey: 'other' });
		expect(
			partner.received.map(({ body, headers }) => [body, headers['x-api-key'], headers['content-type']]),
		).toEqual([
			['not JSON', undefined, 'text/plain'],
			['{"a":1}', 'other', 'application/json'],
		]);
	});

	it('delivers many at once with exact shares of repeats, wrong keys and malformed envelopes', async () => {
		const seen = new Set<string>();
		partner.answer = ({ headers, body }) => {
			if (headers['x-api-key'] !== apiKey) return 401;
			const id = (JSON.parse(body) as Envelope | null)?.header?.request_id;
			if (!id || seen.has(id)) return id ? 208 : 400;
			seen.add(id);
			return 200;
		};
		const { statuses, acceptedIds } = await sandbox.admin.runLoad({
			count: 200,
			repeatShare: 0.05,
			wrongKeyShare: 0.1,
			malformedShare: 0.05,
			revocationEvery: 4,
		});
		expect(statuses.valid).toEqual({ 200: 160 });
		expect(statuses.repeat).toEqual({ 208: 10 });
		expect(statuses.wrongKey).toEqual({ 401: 20 });
		expect(Object.values(statuses.malformed).reduce((sum, count) => sum + count)).toBe(10);
		expect(new Set(acceptedIds).size).toBe(160);
		expect(partner.received).toHaveLength(200);
	});

	it('never shows the key', async () => {
		const record = await sandbox.admin.grantAccess({ login: 'student1' });
		const page = await send<string>({ url: sandbox.adminUrl });
		const webhook = await send<object>({ url: `${sandbox.adminUrl}webhook` });
		expect(webhook.data).toMatchObject({ url: partner.url, apiKeyLength: apiKey.length });
		expect(JSON.stringify([record, page.data, webhook.data])).not.toContain(apiKey);
	});

	it('explains that a webhook has to be registered first', async () => {
		await sandbox.admin.reset();
		await expect(sandbox.admin.grantAccess({ login: 'student1' })).rejects.toThrow(
			'No webhook is registered.',
		);
	});
});
