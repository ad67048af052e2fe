/** The sandbox drifts: what somebody changes in the service by hand is what the service shows from then on, and nobody is told. */
import type { PersonFact } from '../../sandbox/admin-types.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { openReceiver } from './receiver.mts';
import { Api, send } from './support.mts';

type Entry = Record<string, unknown>;

let sandbox: Sandbox;
let api: Api;
let tenantId: string;
let student: PersonFact;

beforeAll(async () => {
	sandbox = await startSandbox();
	api = await Api.open(sandbox);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	await sandbox.admin.reset();
	const facts = await sandbox.admin.facts();
	tenantId = facts.tenantId;
	[student] = facts.students;
});

/** What synchronization says of the student. */
async function shown<Body = Entry>(part = ''): Promise<Body> {
	const { status, data } = await api.get<Body>(`/sync/v1/accounts/${student.accountId}${part}`, {
		tenant_id: tenantId,
	});
	return status === 200 ? data : ([] as Body);
}
const classes = async () => await shown<Entry[]>('/classes');
const person = () => ({ userId: student.userId });

test.each([
	['firstName', 'Renata', 'name', expect.stringMatching(/^Renata /)],
	['birthDate', '2011-01-01', 'date_of_birth', '2011-01-01'],
	['email', 'other@family.example', 'email', 'other@family.example'],
	['documentValue', '99', 'documents', [{ type: expect.any(String), value: '99' }]],
	['externalId', 'another', 'external_id', 'another'],
] as const)('Another %s is what the service shows', async (field, value, name, seen) => {
	await sandbox.admin.drift('change', { ...person(), field, value });
	expect((await shown())[name]).toEqual(seen);
});

test('A class has another name for everybody in it', async () => {
	const [{ external_id: id }] = await classes();
	const names = { schoolExternalId: student.schoolExternalId, classExternalId: String(id) };
	await sandbox.admin.drift('change-class', { ...names, field: 'name', value: 'Turma do Sol' });
	expect((await classes())[0]).toMatchObject({ external_id: id, name: 'Turma do Sol' });
});

test('A bond that is dropped is not shown any more, and one that is added is', async () => {
	const before = (await classes()).length;
	const { items } = await sandbox.admin.classes({ schoolExternalId: student.schoolExternalId });
	const known = (await classes()).map(({ external_id }) => external_id);
	const other = items.find(({ external_id }) => !known.includes(external_id));
	const bond = { classExternalId: other?.external_id ?? '', profile: 'student' };
	await sandbox.admin.drift('add-bond', { ...person(), ...bond });
	expect((await classes()).map(({ external_id }) => external_id)).toContain(bond.classExternalId);
	await sandbox.admin.drift('drop-bond', { ...person(), ...bond });
	expect(await classes()).toHaveLength(before);
	await sandbox.admin.drift('drop-bond', person());
	expect(await classes()).toHaveLength(before - 1);
});

test('Another responsible person is shown instead of those before', async () => {
	const { items } = await sandbox.admin.users({ profile: 'responsible' });
	const before = (await shown<Entry[]>('/sponsors')).map(({ external_id }) => external_id);
	const other = items.find(({ external_id }) => !before.includes(external_id))?.external_id ?? '';
	await sandbox.admin.drift('responsibles', { ...person(), responsibleExternalIds: [other] });
	expect((await shown<Entry[]>('/sponsors')).map(({ external_id }) => external_id)).toEqual([other]);
});

test('Somebody who was removed is not found, and has no bonds', async () => {
	const { count } = await sandbox.admin.users();
	await sandbox.admin.drift('remove', person());
	expect([await shown(), await classes()]).toEqual([[], []]);
	expect((await sandbox.admin.users()).count).toBe(count - 1);
	expect((await sandbox.admin.bonds({ externalId: student.externalId })).count).toBe(0);
});

test.each([204, 500] as const)(
	'The service answers %i for one person, and as usual for the others',
	async (status) => {
		await sandbox.admin.drift('answer', { ...person(), status });
		const answers = await Promise.all(
			['', '/sponsors', '/classes'].map(
				async (part) =>
					await api.get(`/sync/v1/accounts/${student.accountId}${part}`, { tenant_id: tenantId }),
			),
		);
		expect(answers.map((one) => one.status)).toEqual([status, status, status]);
		[, student] = (await sandbox.admin.facts()).students;
		expect(await shown()).toMatchObject({ account_id: student.accountId });
	},
);

test('Classes can be left out of lists although the bonds are there, and lists become whole again', async () => {
	const before = await classes();
	await sandbox.admin.drift('hide-classes', {
		classExternalIds: before.map((one) => String(one.external_id)),
	});
	expect(await classes()).toEqual([]);
	expect((await sandbox.admin.bonds({ externalId: student.externalId })).count).toBeGreaterThan(0);
	await sandbox.admin.drift('hide-classes', {});
	expect(await classes()).toHaveLength(before.length);
});

test('Access can be revoked without an event', async () => {
	const receiver = await openReceiver();
	await sandbox.admin.registerWebhook({ url: receiver.url, apiKey: 'key' });
	await sandbox.admin.grantAccess(person());
	await sandbox.admin.drift('revoke', person());
	expect((await sandbox.admin.deliveries()).map(({ action }) => action)).toEqual(['USER_ACCESS']);
	await expect(sandbox.admin.revokeAccess(person())).rejects.toThrow(/no access that could be revoked/);
	await receiver.close();
});

test.each([
	['change', { externalId: 'nobody', field: 'email', value: 'a' }, /no such user/],
	[
		'change',
		{ login: 'student1', field: 'hash', value: 'a' },
		/"field" must be one of these: externalId, firstName/,
	],
	['drop-bond', { login: 'student1', profile: 'none' }, /has no such bond/],
	[
		'add-bond',
		{ login: 'student1', classExternalId: 'none', profile: 'student' },
		/There is no class "none"/,
	],
	['answer', { login: 'student1', status: 418 }, /204 or 500/],
] as const)('What cannot be drifted is refused in words (%s)', async (what, body, words) => {
	const { status, data } = await send<{ message: string }>({
		method: 'POST',
		url: `${sandbox.adminUrl}drift/${what}`,
		data: body,
	});
	expect([status, data.message]).toEqual([400, expect.stringMatching(words)]);
});

test('The page of the sandbox has a form for what can be done by hand', async () => {
	const { data } = await send<string>({ url: sandbox.adminUrl });
	for (const what of ['change', 'drop-bond', 'add-bond', 'remove', 'revoke', 'hide-classes'])
		expect(data).toContain(`drift/${what}"`);
});
