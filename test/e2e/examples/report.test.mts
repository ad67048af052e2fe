/** "Report of the night": the page that a person opens in the morning. */
import type { Browser, Page } from 'playwright-core';

import {
	createCredential,
	itemsOf,
	type Execution,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { RosterQuery } from '../../../sandbox/roster-types.mts';
import { newPage, screenshot, startBrowser } from '../../support/browser.mts';
import { startMailbox } from '../../support/mailbox.mts';
import { fetching, holdsOf, LEDGER, SYNC, summaryOf, writesIn } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const NAME = 'report-of-the-night';

/** The picture of examples/README.md comes from here; set SCREENSHOTS=1 to take it anew. */
const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

const workroom = useExamples({ sandbox: { empty: true, students: 240, schools: 6 } });

let browser: Browser;
let page: Page;

beforeAll(async () => {
	browser = await startBrowser();
	page = await newPage(browser, { width: 1120, height: 1500 });
});
afterAll(async () => await browser?.close());

/** The numbers of the tiles, by their words. */
async function numbers(): Promise<Record<string, number>> {
	const tiles = await page.locator('.tiles div').allInnerTexts();
	return Object.fromEntries(
		tiles
			.map((tile) => tile.split('\n').map((part) => part.trim()))
			.map(([count, what]) => [what, Number(count?.replace(',', ''))]),
	);
}

/** The pieces of each bar, by its name. */
async function bars(title: string): Promise<Record<string, string[]>> {
	const section = page.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
	const rows = await section.locator('.bar').all();
	return Object.fromEntries(
		await Promise.all(
			rows.map(async (row) => [
				await row.locator('span').first().innerText(),
				await row
					.locator('i')
					.evaluateAll((pieces: Array<{ getAttribute(name: string): string | null }>) =>
						pieces.map((piece) => piece.getAttribute('title') ?? ''),
					),
			]),
		),
	) as Record<string, string[]>;
}

beforeEach(async () => void (await workroom.deleteTable(LEDGER)));

/** A night, started by hand. */
async function night(workflow: WorkflowInput, query: RosterQuery = {}) {
	await workroom.admin.clearRequests();
	const execution = await workroom.run(fetching(workflow, workroom.exportOf(query)));
	return { execution, writes: writesIn(await workroom.received('/integration/')) };
}

/** Says Yes, as the form of the nightly example does, to all that a night has held. */
async function approve(workflow: WorkflowInput, execution: Execution): Promise<void> {
	const { nodes } = workflow;
	const [start] = nodes.filter(({ name }) => name === 'When Clicking Execute');
	const [sync] = nodes.filter(({ name }) => name === SYNC);
	const holds = holdsOf(execution).map(({ hold_id: id }) => ({ hold_id: id, approve: true, by: 'Dana' }));
	const { ledger, ledgerName } = sync.parameters;
	await workroom.run({
		name: 'Approval',
		nodes: [
			start,
			{
				...{ id: 'holds', name: 'Holds', type: 'n8n-nodes-base.code', typeVersion: 2, position: [0, 0] },
				parameters: { jsCode: `return ${JSON.stringify(holds)}.map((json) => ({ json }));` },
			},
			{ ...sync, name: 'Approve', parameters: { operation: 'approve', ledger, ledgerName } },
		],
		connections: {
			[start.name]: { main: [[{ node: 'Holds', type: 'main', index: 0 }]] },
			Holds: { main: [[{ node: 'Approve', type: 'main', index: 0 }]] },
		},
	});
}

test('the page shows what was done, refused, held and odd, and no name of a person', async () => {
	const answer = { code: 'FLU001', message: 'Wrong parameters.' };
	await workroom.admin.addFault(
		{ method: 'POST', path: '/integration/partner/v1/user', every: 40 },
		{ status: 400, body: answer },
	);
	const workflow = workroom.example(NAME);
	const tonight = { tonight: 10 };
	await approve(workflow, (await night(workflow, tonight)).execution);
	const { execution, writes } = await night(workflow, tonight);
	const [file] = itemsOf(execution, 'Page as File');
	expect(file.binary?.data.fileName).toMatch(/^roster-\d{4}-\d\d-\d\d\.html$/);

	const [{ html }] = jsonOf(execution, 'Page') as Array<{ html: string }>;
	await page.setContent(html);
	const refused = writes.filter(({ status }) => status === 400).length;
	expect(refused).toBeGreaterThan(3);
	expect(await numbers()).toMatchObject({
		done: writes.filter(({ status }) => status < 300).length,
		refused,
		'held: a person decides': 0,
	});
	const kinds = await bars('What was done');
	expect(Object.keys(kinds)).toEqual(['Classes', 'Persons', 'Persons in classes']);
	expect(kinds.Classes).toEqual([`${(await workroom.admin.classes({ provisioned: true })).count} done`]);
	expect(Object.keys(await bars('School by school'))).toHaveLength(6);
	const records = await page.locator('.records').allInnerTexts();
	const keys = records.flatMap((text) => text.match(/\bu:\S+ \(users\.csv, line \d+\)/g) ?? []);
	expect(keys.length).toBeGreaterThanOrEqual(refused);
	const { items } = await workroom.admin.users({ provisioned: true, limit: 1_000 });
	const names = items.flatMap(({ first_name: first, last_name: last }) => [first, last]);
	expect(names.filter((name) => html.includes(name))).toEqual([]);
	if (PICTURES !== undefined) await screenshot(page, `${PICTURES}/report-of-the-night.png`);
});

test('a night that is held says why, and by which id it is approved', async () => {
	const { execution } = await night(workroom.example(NAME));
	const holds = holdsOf(execution);
	await page.setContent((jsonOf(execution, 'Page') as Array<{ html: string }>)[0].html);
	expect(holds).toHaveLength(1);
	expect(await page.locator('.call h2').allInnerTexts()).toEqual(holds.map(({ reason }) => reason));
	expect(await page.locator('.call code').allInnerTexts()).toEqual(holds.map(({ hold_id: id }) => id));
	const { counts } = summaryOf(execution);
	expect((await numbers())['held: a person decides']).toBe(
		Object.values(counts).reduce((sum, { held = 0 }) => sum + held, 0),
	);
});

test('the page goes by e-mail, as a file, once a mail server is picked and the node is activated', async () => {
	const mailbox = await startMailbox();
	try {
		const { id, name } = await createCredential(workroom.stage.session, {
			name: 'Mail server',
			type: 'smtp',
			data: {
				host: '127.0.0.1',
				port: mailbox.port,
				secure: false,
				disableStartTls: true,
				user: '',
				password: '',
			},
		});
		const workflow = workroom.example(NAME);
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Send the Report'
				? { ...node, disabled: false, credentials: { smtp: { id, name } } }
				: node,
		);
		const { execution } = await night({ ...workflow, nodes });
		const [letter = ''] = mailbox.letters;
		expect(letter).toMatch(/^Subject: Roster of \d{4}-\d\d-\d\d: \d+ done\r$/m);
		expect(letter).toContain('Content-Type: text/html; name=roster-');
		expect(letter).toMatch(/filename=roster-\d{4}-\d\d-\d\d\.html/);
		const sent = letter.replaceAll('\r\n', '');
		const [{ html }] = jsonOf(execution, 'Page') as Array<{ html: string }>;
		expect(sent).toContain(Buffer.from(html).toString('base64'));
	} finally {
		await mailbox.stop();
	}
});
