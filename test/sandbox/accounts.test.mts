/** Accounts that come behind the creation of their user, or never; and creations that are answered 200 and not done. */
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { Api, bondPayload, classPayload, userPayload, type ErrorsBody } from './support.mts';

const base = '/integration/partner/v1';
let sandbox: Sandbox;
let api: Api;

beforeAll(async () => {
	sandbox = await startSandbox();
	api = await Api.open(sandbox);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.admin.reset());

const creationOf = async (external_id: string) =>
	await api.get<{ data: { account_id: string; status: string } }>(`${base}/callback`, { external_id });
const create = async (external_id: string) =>
	await api.post(`${base}/user`, userPayload({ external_id, profiles: ['educator'] }));
const bond = async (user_external_id: string) =>
	await api.post<ErrorsBody>(
		`${base}/bond-user-class`,
		bondPayload({ user_external_id, profile_name: 'educator' }),
	);

test('An account that comes later is pending until then, and bonds of its user are refused like those of nobody', async () => {
	await sandbox.admin.changeSettings({ accounts: { delayMs: 60_000 } });
	await api.post(`${base}/class`, classPayload());
	expect((await create('late-1')).status).toBe(200);
	const { status, data } = await creationOf('late-1');
	expect([status, data.data]).toMatchObject([200, { account_id: '', status: 'pending' }]);
	const [refused, unknown] = [await bond('late-1'), await bond('nobody')];
	expect([refused.status, refused.data.Errors[0].Message]).toEqual([
		unknown.status,
		unknown.data.Errors[0].Message.replace('nobody', 'late-1'),
	]);
	expect((await create('late-1')).status).toBe(409);
	await sandbox.admin.changeSettings({ accounts: { delayMs: 0 } });
	expect((await creationOf('late-1')).data.data).toMatchObject({
		account_id: (await sandbox.admin.users({ externalId: 'late-1' })).items[0].account_id,
		status: 'created',
	});
	expect((await bond('late-1')).status).toBe(200);
});

test('An account comes when its time has passed', async () => {
	await sandbox.admin.changeSettings({ accounts: { delayMs: 300 } });
	await create('late-1');
	expect((await creationOf('late-1')).data.data.status).toBe('pending');
	await new Promise((resolve) => setTimeout(resolve, 350));
	expect((await creationOf('late-1')).data.data.status).toBe('created');
});

test('An account of the chosen external ids never comes: no creation result is found', async () => {
	await sandbox.admin.changeSettings({ accounts: { never: ['never-1'] } });
	await create('never-1');
	await create('always-1');
	expect([(await creationOf('never-1')).status, (await creationOf('always-1')).status]).toEqual([404, 200]);
});

test('Of a share of the created users no account comes, of the same ones each time; seeded users have theirs', async () => {
	const missing = async () => {
		await sandbox.admin.changeSettings({ accounts: { neverShare: 0.4 } });
		const ids = Array.from({ length: 50 }, (_, index) => `drawn-${index}`);
		await Promise.all(ids.map(create));
		const states = await Promise.all(ids.map(creationOf));
		return ids.filter((_, index) => states[index].status === 404);
	};
	const first = await missing();
	expect(first.length).toBeGreaterThan(10);
	expect(first.length).toBeLessThan(30);
	expect((await creationOf('student-00001')).status).toBe(200);
	await sandbox.admin.reset();
	expect(await missing()).toEqual(first);
});

test.each([{ success: false }, { Error: 'No room.' }, { Errors: ['No room.', 'Really.'] }])(
	'A creation may be answered 200 with %j, and nothing is created',
	async (body) => {
		await sandbox.admin.addFault({ path: `${base}/user`, method: 'POST' }, { body });
		const answer = await create('not-made');
		expect([answer.status, answer.data]).toEqual([200, body]);
		expect((await sandbox.admin.users({ externalId: 'not-made' })).count).toBe(0);
	},
);

test('A setting of accounts that is misspelt is refused with what there is', async () => {
	await expect(
		sandbox.admin.changeSettings({ accounts: { delay: 5 } as unknown as { delayMs: number } }),
	).rejects.toThrow('It has: delayMs, neverShare, never.');
});
