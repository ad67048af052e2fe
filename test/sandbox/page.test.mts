/** What a person sees on the sandbox's page of what a workflow has created. */
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
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
		.replaceAll('</th><th>', ' | ')
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
