/** What a person sees on the sandbox's page of what a workflow has created. */
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { openReceiver } from './receiver.mts';
import { Api, bondPayload, classPayload, send, userPayload } from './support.mts';

const BASE = '/integration/partner/v1';

let sandbox: Sandbox;
let api: Api;

beforeAll(async () => {
	sandbox = await startSandbox();
	api = await Api.open(sandbox);
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.admin.reset());

/** The part of the page below its heading, as lines: a heading, or the cells of a row. */
async function created(): Promise<string[]> {
	const { data } = await send<string>({ url: sandbox.adminUrl });
	const [, part = ''] = /<h2>Created over the API<\/h2>([^]*?)<h2>/.exec(data) ?? [];
	return part
		.replaceAll(/<\/(h3|tr|p)>/g, '\n')
		.replaceAll('</td><td>', ' | ')
		.replaceAll('</th><th scope="col">', ' | ')
		.replaceAll(/<[^>]+>/g, '')
		.trim()
		.split('\n');
}

test('The page says that nothing was created yet, though the network is full of people', async () => {
	expect(await created()).toEqual([
		'Nothing yet. Classes, people and bonds that a workflow creates are listed here.',
	]);
});

test('The page lists the classes, people and bonds that were created, as a person looks for them', async () => {
	await api.post(`${BASE}/class`, classPayload());
	await api.post(`${BASE}/user`, userPayload());
	await api.post(
		`${BASE}/user`,
		userPayload({
			external_id: 'student-new',
			first_name: 'Davino',
			profiles: ['student'],
			responsible_external_id: ['responsible-new'],
		}),
	);
	await api.post(`${BASE}/bond-user-class`, bondPayload());
	expect(await created()).toEqual([
		'Classes (1)',
		'external id | name | school | stage | grade | year',
		'class-new | New class | school-001 | EF1 | 1º ano | 2026',
		'People (2)',
		'external id | name | school | profiles | responsible persons',
		'student-new | Davino Dornelo | school-001 | student | responsible-new',
		'responsible-new | Elvina Dornelo | school-001 | responsible | ',
		'Bonds (1)',
		'user | class | school | profile',
		'student-new | class-new | school-001 | student',
	]);
	await api.delete(`${BASE}/bond-user-class`, bondPayload());
	expect(await created()).not.toContain('Bonds (1)');
});

test('Of many the page lists the newest ten, newest first, and says how many there are', async () => {
	for (let number = 1; number <= 12; number += 1)
		await api.post(`${BASE}/class`, classPayload({ external_id: `class-${number}` }));
	const [heading, , first, ...others] = await created();
	expect([heading, first?.split(' | ')[0], others.length, others.at(-1)?.split(' | ')[0]]).toEqual([
		'Classes (12, the newest 10)',
		'class-12',
		9,
		'class-3',
	]);
});

test('What a name holds is text on the page, never markup', async () => {
	await api.post(`${BASE}/class`, classPayload({ name: '<img src=x onerror=alert(1)>' }));
	const { data } = await send<string>({ url: sandbox.adminUrl });
	expect(data).not.toContain('<img');
	expect(data).toContain('&#60;img');
});

describe('What an integrator needs stands on the page', () => {
	const page = async () => (await send<string>({ url: sandbox.adminUrl })).data;
	/** What its button sends. */
	const resetOfPage = async (): Promise<unknown> => {
		const [, body = ''] = /data-path="reset" data-body="([^"]*)"/.exec(await page()) ?? [];
		return JSON.parse(body.replaceAll('&#34;', '"'));
	};

	test('a webhook whose address changes keeps its key, which nobody has to know', async () => {
		expect(await page()).toContain('<input name="apiKey" type="password" required ');
		await sandbox.admin.registerWebhook({ url: 'http://127.0.0.1:9/events', apiKey: 'key' });
		expect(await page()).toContain('placeholder="leave empty to keep the registered key"');
		const receiver = await openReceiver();
		const data = { url: receiver.url };
		expect((await send({ method: 'POST', url: `${sandbox.adminUrl}webhook`, data })).status).toBe(200);
		await sandbox.admin.grantAccess({ login: 'student1' });
		await receiver.close();
		expect(receiver.received[0]?.headers['x-api-key']).toBe('key');
	});

	test('a reset that keeps where events and users come back to', async () => {
		const redirectUris = ['https://club.example/callback'];
		await sandbox.admin.registerWebhook({ url: 'http://127.0.0.1:9/events', apiKey: 'key' });
		await sandbox.admin.changeRegistration({ redirectUris });
		await api.post(`${BASE}/class`, classPayload());
		await send({ method: 'POST', url: `${sandbox.adminUrl}reset`, data: await resetOfPage() });
		expect(await created()).toEqual([expect.stringMatching(/^Nothing yet/)]);
		expect((await sandbox.admin.registration()).redirectUris).toEqual(redirectUris);
		expect((await send<object>({ url: `${sandbox.adminUrl}webhook` })).data).toMatchObject({
			url: 'http://127.0.0.1:9/events',
		});
		expect(await page()).toContain('The webhook and the registered addresses stay.');
		await sandbox.admin.reset();
		expect((await sandbox.admin.registration()).redirectUris).not.toEqual(redirectUris);
	});

	test.each([
		[401, /The key is not the one that the workflow expects/],
		[404, /No workflow listens at this address/],
		[400, /The workflow refuses what the event holds/],
		[503, /n8n could not take the event/],
	])('what to do when the webhook answers %d', async (status, advice) => {
		const receiver = await openReceiver();
		receiver.answer = () => status;
		await sandbox.admin.registerWebhook({ url: receiver.url, apiKey: 'key' });
		await sandbox.admin.grantAccess({ login: 'student1' });
		await receiver.close();
		const [, row = ''] = /<tr>((?:(?!<tr>)[^])*USER_ACCESS[^]*?)<\/tr>/.exec(await page()) ?? [];
		expect(row).toContain(`<td>${status}</td>`);
		expect(row).toMatch(advice);
	});

	test('what to do when nothing answers', async () => {
		await sandbox.admin.registerWebhook({ url: 'http://127.0.0.1:9/events', apiKey: 'key' });
		await sandbox.admin.grantAccess({ login: 'student1' });
		expect(await page()).toMatch(/<td>none<\/td>.*Nothing answers at this address/);
	});
});

test('The page has what a credential needs under the names of its fields, and the grades that a mapping may name', async () => {
	const { data } = await send<string>({ url: sandbox.adminUrl });
	const { clientSecret } = sandbox;
	for (const cells of [
		`Base URL</td><td>${sandbox.baseUrl}`,
		'Issuer URL</td><td>',
		'Client ID</td><td>',
		`Client Secret</td><td>${clientSecret}`,
	])
		expect(data).toContain(cells);
	expect(data).toMatch(/>school-001 .*EF1: 1º ano, 2º ano/);
});

test('The page has the address at which an HTTP Request gets the export of tonight', async () => {
	const { data } = await send<string>({ url: sandbox.adminUrl });
	const [, address = ''] = /<code>(http[^<]*roster\?[^<]*)<\/code>/.exec(data) ?? [];
	const { status, headers } = await send<string>({ url: `${address}&tonight=10` });
	expect([status, headers['content-type']]).toEqual([200, 'application/zip']);
});
