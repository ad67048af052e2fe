/** The demo as `npm run demo` brings it up, in a folder of its own: everything is in place and connected. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import axios from 'axios';

import { capabilities } from '../../playground/capabilities.mts';
import { loginAddress } from '../../playground/demo/connect.mts';
import { credentialsFor, rosterCredentialFor } from '../../playground/demo/credentials.mts';
import { fillFromRoster, STUDENTS, whatIsWrong, whatWasFilled } from '../../playground/demo/roster.mts';
import { startDemo, type RunningDemo } from '../../playground/demo/start.mts';
import {
	getExecution,
	getWorkflow,
	itemsOf,
	listCredentials,
	waitForExecutions,
	waitForWebhook,
} from '../../playground/n8n-client.mts';
import { newPage, screenshot, startBrowser } from '../support/browser.mts';
import { reportOnVersion3 } from '../support/migration-report.mts';
import { textOf } from '../unit/documents/markdown.mts';

/** README's picture of the filled service comes from here; set SCREENSHOTS=1 to take it anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

/** Those that only a person starts, and two that would do the work of the nightly example a second time. */
const IDLE = [
	'Answer questions about an account',
	'Ask why a student is not there',
	'Cancel enrollments from a sheet',
	'Move students to the next class',
	"Preview tonight's roster",
	'Provision a school',
	'Report of the night',
	'Sync a sheet every night',
	'Sync every part of a network side by side',
	'Take over a network that the service has already',
];

let home: string;
let demo: RunningDemo;

beforeAll(async () => {
	home = mkdtempSync(join(tmpdir(), 'school-partner-demo-test-'));
	demo = await startDemo(home, {}, () => undefined);
});
afterAll(async () => {
	await demo?.stop();
	rmSync(home, { recursive: true, force: true });
});

test('every example is there, and those that start by themselves are active', () => {
	const idle = demo.examples.filter(({ active }) => !active).map(({ name }) => name);
	expect(idle.sort()).toEqual(IDLE);
	expect(demo.examples.length - idle.length).toBeGreaterThanOrEqual(7);
});

test('every node of the package has a credential that is there', async () => {
	const stored = new Set((await listCredentials(demo.session)).map(({ id }) => id));
	for (const { id } of demo.examples) {
		const { nodes } = await getWorkflow(demo.session, id);
		const named = nodes.flatMap(({ name, credentials = {} }) =>
			Object.entries(credentials)
				.filter(([type]) => type.startsWith('schoolPartner'))
				.map(([type, credential]) => ({ name, type, isThere: stored.has(credential.id ?? '') })),
		);
		expect(named.filter(({ isThere }) => !isThere)).toEqual([]);
	}
});

test('an empty service is filled from the export of the night once somebody has approved it in the form, each record once, and the night after sends nothing', async () => {
	const { admin } = demo.rosterSandbox;
	expect((await admin.users({ limit: 1 })).count).toBe(0);
	const said: string[] = [];
	const nights = await fillFromRoster(demo, (line) => said.push(line));
	if (nights === undefined) throw new Error('The example was not run');
	expect(await whatIsWrong(nights, admin)).toEqual([]);
	expect([nights.held, nights.next]).toEqual([0, 0]);
	expect(said).toEqual([
		`The first night is held: ${nights.heldBecause}`,
		'Dana Whitfield has approved it in the form, and it was done',
		'The night after is done',
	]);
	expect((await admin.users({ profile: 'student', limit: 1 })).count).toBe(STUDENTS);
	expect(await whatWasFilled(nights, admin)).toMatch(
		/^12 classes, 771 persons and 318 bonds from tonight's export, with 1101 requests, which Dana Whitfield approved; the night after sent nothing$/,
	);
	// What is not right is seen.
	expect(await whatIsWrong({ ...nights, held: 2, next: 1 }, admin)).toEqual([
		'the night that was held sent 2 requests that write',
		'the night after sent 1 requests that write',
	]);
	expect(await whatIsWrong(nights, demo.sandbox.admin)).not.toEqual([]);
});

test('the page of the sandbox shows a visitor what the night has created', async () => {
	const browser = await startBrowser();
	try {
		const page = await newPage(browser, { width: 1120, height: 900 });
		await page.goto(demo.rosterSandbox.adminUrl);
		const { admin } = demo.rosterSandbox;
		const one = { limit: 1 };
		for (const [title, { count }] of Object.entries({
			Classes: await admin.classes(one),
			People: await admin.users(one),
			Bonds: await admin.bonds(one),
		}))
			await page.getByRole('heading', { name: `${title} (${count}` }).waitFor();
		await page.evaluate(
			`document.evaluate('//h2[.="Created over the API"]', document).iterateNext().scrollIntoView()`,
		);
		if (PICTURES !== undefined) await screenshot(page, `${PICTURES}/sandbox-filled.png`);
	} finally {
		await browser.close();
	}
});

test('access that is granted at the sandbox runs the example that keeps users', async () => {
	const [student] = (await demo.sandbox.admin.facts()).students;
	await waitForWebhook(demo.n8n.baseUrl, 'upsert-users-on-access/events');
	const { status } = await demo.sandbox.admin.grantAccess({ userId: student.userId });
	expect(status).toBe(200);
	const upsert = demo.examples.find(({ name }) => name === 'Upsert users on access');
	const [newest] = await waitForExecutions(demo.session, upsert?.id ?? '', 1);
	const execution = await getExecution(demo.session, newest.id);
	expect(itemsOf(execution, 'Each User').map(({ json }) => json.user_id)).toContain(student.userId);
});

test('a visitor who wants to sign in is sent to the sandbox, which knows the address to come back to', async () => {
	await waitForWebhook(demo.n8n.baseUrl, 'school-login');
	const options = { maxRedirects: 0, validateStatus: () => true, proxy: false as const };
	const started = await axios.get<unknown>(loginAddress(demo.n8n.baseUrl), options);
	const target = String(started.headers.location);
	expect(target).toContain(demo.sandbox.issuerUrl);
	// An address that is not registered is answered with an error page and no way on.
	expect((await axios.get<unknown>(target, options)).status).toBe(303);
});

test('a later start brings the credentials of the first one up to date, and their ids stay', async () => {
	const idsOf = (credentials: Array<{ id: string }>) => credentials.map(({ id }) => id).sort();
	const made = idsOf(await listCredentials(demo.session));
	const later = [
		...(await credentialsFor(demo.session, demo.sandbox, 'another-key')),
		await rosterCredentialFor(demo.session, demo.rosterSandbox),
	];
	expect(idsOf(later)).toEqual(made);
});

test("n8n's report on its next major version names no example", async () => {
	const report = await reportOnVersion3(demo.session);
	expect(report?.workflowResults).toEqual(capabilities.reportsOnVersion3 ? [] : undefined);
});

test("what the pages call n8n's defaults is what it says of itself", async () => {
	interface Settings {
		timezone: string;
		saveExecutionProgress: boolean;
		pruning: { isEnabled: boolean; maxAge: number; maxCount: number };
		dataTables: { maxSize: number };
	}
	const { timezone, saveExecutionProgress, pruning, dataTables } = await demo.session.request<Settings>(
		'GET',
		'/settings',
	);
	const { isEnabled, maxAge, maxCount } = pruning;
	expect([isEnabled, saveExecutionProgress]).toEqual([true, false]);
	expect(textOf('docs/personal-data.md')).toContain(
		`| ${maxAge / 24} days, and at most ${maxCount.toLocaleString('en')} | \`EXECUTIONS_DATA_MAX_AGE\` (hours, ${maxAge}),`,
	);
	expect(textOf('docs/running.md')).toContain(`which is \`${timezone}\` until you set it`);
	expect(textOf('docs/reliability.md')).toContain('*Save execution progress* off (the default)');
	expect(textOf('docs/ledger.md')).toContain(`${dataTables.maxSize / 1024 ** 2} MiB`);
});
