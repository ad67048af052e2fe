import type { Facts, PersonFact } from '../../sandbox/admin-types.mts';
import * as tables from '../../sandbox/document/synchronization.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { Api, bondPayload, classPayload, userPayload } from './support.mts';

type Item = Record<string, unknown>;

describe('synchronization in the sandbox', () => {
	let sandbox: Sandbox;
	let api: Api;
	let facts: Facts;
	let student: PersonFact;

	beforeAll(async () => {
		sandbox = await startSandbox();
		api = await Api.open(sandbox);
		facts = await sandbox.admin.facts();
		student = facts.students[0];
	});
	afterAll(async () => await sandbox.stop());
	beforeEach(async () => await sandbox.admin.reset());

	const read = async <Body,>(path: string): Promise<Body> => {
		const { status, data } = await api.get<Body>(`/sync/v1/${path}`, { tenant_id: facts.tenantId });
		expect(status).toBe(200);
		return data;
	};
	const namesOf = ({ fields }: { fields: readonly { name: string }[] }): string[] =>
		fields.map(({ name }) => name).sort();
	const fieldsOf = (item: Item): string[] => Object.keys(item).sort();

	it('answers exactly the fields of the tables when deviations are off', async () => {
		await sandbox.admin.changeSettings({ deviations: false });
		const account = await read<Item>(`accounts/${student.accountId}`);
		const [sponsor] = await read<Item[]>(`accounts/${student.accountId}/sponsors`);
		const [dependent] = await read<Item[]>(`accounts/${String(sponsor.account_id)}/dependents`);
		const [school] = await read<Item[]>(`schools/${student.accountId}`);
		const [schoolClass] = await read<Item[]>(`accounts/${student.accountId}/classes`);
		expect(fieldsOf(account)).toEqual(namesOf(tables.accountUser));
		expect(fieldsOf(sponsor)).toEqual(namesOf(tables.sponsor));
		expect(fieldsOf(dependent)).toEqual(namesOf(tables.dependent));
		expect(fieldsOf(school)).toEqual(namesOf(tables.school));
		expect(fieldsOf((school.addresses as Item[])[0])).toEqual(namesOf(tables.address));
		expect(fieldsOf(schoolClass)).toEqual(namesOf(tables.classOfUser));
		expect(fieldsOf(await read<Item>(`tenants/${facts.tenantId}`))).toEqual(namesOf(tables.tenant));
		expect(account).toMatchObject({
			id: student.userId,
			account_id: student.accountId,
			login: student.login,
		});
	});

	it('deviates by default as the samples do', async () => {
		const account = await read<Item>(`accounts/${student.accountId}`);
		expect(account.user_id).toBe(student.userId);
		expect(account).not.toHaveProperty('id');
		const [sponsor] = await read<Item[]>(`accounts/${student.accountId}/sponsors`);
		expect(sponsor.date_of_birth).toMatch(/^\d{4}-\d{2}-\d{2}T00:00:00$/);
		const [dependent] = await read<Item[]>(`accounts/${String(sponsor.account_id)}/dependents`);
		expect(typeof dependent.phone).toBe('string');
		expect(dependent).not.toHaveProperty('cell_phone');
		const [school] = await read<Item[]>(`schools/${student.accountId}`);
		expect(school).toHaveProperty('cpnj');
		expect(Object.keys((school.addresses as Item[])[0]).slice(0, 3)).toEqual(['Zip', 'City', 'State']);
		const classes = await Promise.all(
			facts.students.map(async ({ accountId }) => (await read<Item[]>(`accounts/${accountId}/classes`))[0]),
		);
		const shift = classes.find((one) => one.shift !== null)?.shift as Item;
		expect(Object.keys(shift)).toEqual(['tagId', 'name']);
	});

	it('shows the responsible persons as sponsors, and the students as their dependents', async () => {
		for (const { accountId, externalId } of facts.students.slice(0, 5)) {
			const { items } = await sandbox.admin.users({ externalId });
			const sponsors = await read<Item[]>(`accounts/${accountId}/sponsors`);
			expect(sponsors.map((sponsor) => sponsor.external_id)).toEqual(items[0].responsible_external_id);
			for (const sponsor of sponsors) {
				const dependents = await read<Item[]>(`accounts/${String(sponsor.account_id)}/dependents`);
				expect(dependents.map((dependent) => dependent.account_id)).toContain(accountId);
			}
		}
	});

	it('shows a freshly provisioned student with sponsor and class, until the bond is deleted', async () => {
		const base = '/integration/partner/v1';
		await api.post(`${base}/class`, classPayload());
		await api.post(`${base}/user`, userPayload());
		await api.post(
			`${base}/user`,
			userPayload({
				external_id: 'student-new',
				profiles: ['student'],
				responsible_external_id: ['responsible-new'],
			}),
		);
		const { data } = await api.get<{ data: { account_id: string } }>(`${base}/callback`);
		const classes = `/sync/v1/accounts/${data.data.account_id}/classes`;
		expect((await api.get(classes, { tenant_id: facts.tenantId })).status).toBe(204);
		await api.post(`${base}/bond-user-class`, bondPayload());
		const [schoolClass] = await read<Item[]>(`accounts/${data.data.account_id}/classes`);
		expect(schoolClass).toMatchObject({ external_id: 'class-new', profiles: [{ name: 'Student' }] });
		const [sponsor] = await read<Item[]>(`accounts/${data.data.account_id}/sponsors`);
		expect(sponsor.external_id).toBe('responsible-new');
		await api.delete(`${base}/bond-user-class`, bondPayload());
		expect((await api.get(classes, { tenant_id: facts.tenantId })).status).toBe(204);
	});

	it('shows every school in which a responsible person has children', async () => {
		const { items } = await sandbox.admin.users({ profile: 'responsible' });
		const accounts = items.map(({ account_id }) => account_id);
		const twice = accounts.find((account, index) => accounts.indexOf(account) !== index);
		const users = items.filter(({ account_id }) => account_id === twice);
		const schools = await read<Item[]>(`schools/${String(twice)}`);
		expect(schools.map((school) => school.external_id)).toEqual(users.map((user) => user.school_external_id));
	});

	const paths = [
		'accounts/ID',
		'accounts/ID/sponsors',
		'accounts/ID/dependents',
		'schools/ID',
		'accounts/ID/classes',
	];

	it.each(paths)('answers %s in the documented words when tenant_id is missing or empty', async (path) => {
		const url = `/sync/v1/${path.replace('ID', student.accountId)}`;
		for (const [params, message] of [
			[{}, 'tenant_id is required.'],
			[{ tenant_id: '' }, 'tenant_id is required.'],
			[{ tenant_id: '00000000-0000-0000-0000-000000000000' }, 'tenant_id cannot be an empty GUID.'],
		] as const) {
			const { status, data } = await api.get<{ Error: Item }>(url, params);
			expect(status).toBe(409);
			expect(data.Error).toMatchObject({
				Code: 'FLU001',
				ErrorProperties: [{ PropertyName: 'tenant_id', ErrorMessage: message }],
			});
		}
	});

	it.each(paths)('answers %s with 204 for an unknown account or another tenant', async (path) => {
		const unknown = 'a3f1c6de-0000-4000-8000-000000000000';
		const nobody = await api.get(`/sync/v1/${path.replace('ID', unknown)}`, { tenant_id: facts.tenantId });
		const elsewhere = await api.get(`/sync/v1/${path.replace('ID', student.accountId)}`, {
			tenant_id: unknown,
		});
		expect([nobody.status, nobody.data, elsewhere.status]).toEqual([204, '', 204]);
	});

	it('counts characters, not UTF-16 units, of an account id: 36 emoji are nobody, and not too long', async () => {
		const of = async (id: string) =>
			await api.get(`/sync/v1/accounts/${encodeURIComponent(id)}`, { tenant_id: facts.tenantId });
		const [emoji, unknown] = [await of('🎒'.repeat(36)), await of('x'.repeat(36))];
		expect([emoji.status, emoji.data]).toEqual([unknown.status, unknown.data]);
	});

	it('answers 400 with USR001 for a tenant_id that is no GUID and for an account id that is too long', async () => {
		const url = `/sync/v1/accounts/${student.accountId}`;
		for (const reply of [
			await api.get<{ Error: Item }>(url, { tenant_id: 'abc' }),
			await api.get<{ Error: Item }>(`/sync/v1/accounts/${'x'.repeat(37)}`, { tenant_id: facts.tenantId }),
			await api.get<{ Error: Item }>('/sync/v1/tenants/abc'),
		]) {
			expect([reply.status, reply.data.Error.Code]).toEqual([400, 'USR001']);
		}
	});

	it('reads account ids that need escaping', async () => {
		expect((await api.get('/sync/v1/accounts/a%20b%25c', { tenant_id: facts.tenantId })).status).toBe(204);
		expect((await api.get('/sync/v1/accounts/%E0%A4%A', { tenant_id: facts.tenantId })).status).toBe(400);
		const [logged] = await sandbox.admin.requests({ path: '/sync' });
		expect(logged.path).toBe('/sync/v1/accounts/a%20b%25c');
	});

	it('answers the documented 500 on demand', async () => {
		await sandbox.admin.addFault({ path: '/sync' }, { documented: 500 });
		const { status, data } = await api.get<{ Error: Item }>(`/sync/v1/tenants/${facts.tenantId}`);
		expect([status, data.Error.Code]).toEqual([500, 'INT500']);
	});
});
