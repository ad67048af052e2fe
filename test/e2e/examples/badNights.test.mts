/**
 * Bad nights of the example that keeps the service in step, in a real n8n: what cannot be right is not sent, and the rest goes on; the nights of the one that
 * reads the sheet of an office; and "Report of the night", the page that a person opens in the morning.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import axios from 'axios';
import { parse } from 'csv-parse/sync';
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import type { Browser, Page } from 'playwright-core';

import {
	createCredential,
	errorOf,
	itemsOf,
	type Execution,
	type StoredCredential,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { RosterQuery } from '../../../sandbox/roster-types.mts';
import { newPage, screenshot, startBrowser } from '../../support/browser.mts';
import { heldBy } from '../../support/held.mts';
import { startMailbox } from '../../support/mailbox.mts';
import {
	fetching,
	holdsOf,
	keysOf,
	LEDGER,
	loginOfApprovers,
	Nights,
	summaryOf,
	SYNC,
	writesIn,
	type Night,
} from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

/** Three schools, each with so many bonds that a third of them is too much at once. */
const workroom = useExamples({ sandbox: { empty: true, students: 600, schools: 3 } });

type Files = Record<string, string>;

/** What the school system gives at the address of the export. */
let exported: Buffer;
let schoolSystem: Server;
/** The files as they are when nothing is wrong. */
let right: Files;

const zipOf = (files: Files): Buffer =>
	Buffer.from(
		zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
	);

/** The files without so many students' places in the classes of a school, and the keys of these places. */
function without(files: Files, school: string, count: number): { files: Files; gone: string[] } {
	const [header, ...lines] = files['enrollments.csv'].trimEnd().split('\r\n');
	const places = lines
		.filter((line) => line.includes(`,${school},`) && line.includes(',student,'))
		.slice(0, count);
	const gone = places.map((line) => {
		const [, , , group, , user] = line.split(',');
		return `b:${school}|${group}|${user}|student`;
	});
	const left = lines.filter((line) => !places.includes(line));
	return { files: { ...files, 'enrollments.csv': [header, ...left, ''].join('\r\n') }, gone };
}

/** Two schools have a change as on any night. */
function anyNight(files: Files): { files: Files; gone: string[] } {
	const first = without(files, 'school-001', 1);
	const second = without(first.files, 'school-002', 2);
	return { files: second.files, gone: [...first.gone, ...second.gone].sort() };
}

/** The files with all classes and persons of a school under other ids, as if another school's had come. */
function ofAnotherSchool(files: Files, school: string): Files {
	const rowsOf = (name: string) => parse<Record<string, string>>(files[name], { columns: true, bom: true });
	const others = [
		...rowsOf('classes.csv').filter((row) => row.schoolSourcedId === school),
		...rowsOf('users.csv').filter((row) => row.orgSourcedIds === school),
	].map(({ sourcedId }) => sourcedId);
	const known = new Set(others);
	const renamed = (text: string) =>
		text.replace(/[\w-]+/g, (word) => (known.has(word) ? `other-${word}` : word));
	return Object.fromEntries(Object.entries(files).map(([name, text]) => [name, renamed(text)]));
}

/** What a school system gives that has failed, in the place of its export. */
const FAILED: Readonly<Record<string, { zip: () => Buffer; says: string }>> = {
	'an empty file in it': { zip: () => zipOf({ ...right, 'users.csv': '' }), says: 'users.csv is empty' },
	'a file without rows': {
		zip: () => zipOf({ ...right, 'users.csv': right['users.csv'].split('\r\n')[0] }),
		says: 'users.csv has no rows',
	},
	'a file that is missing': {
		zip: () => zipOf(Object.fromEntries(Object.entries(right).filter(([name]) => name !== 'classes.csv'))),
		says: 'classes.csv is missing',
	},
	'half of it': { zip: () => zipOf(right).subarray(0, zipOf(right).length / 2), says: 'zip' },
	'a web page': { zip: () => Buffer.from('<!doctype html><title>Sign in</title>'), says: 'file' },
};

const BAD = ['otherSchool', 'manyGone'] as const;

/** Every night goes on where the one before has ended; the tests look at them. */
const failed: Record<string, Night> = {};
const bad = {} as Record<(typeof BAD)[number], Night>;
/** What has to be sent in the nights with a school that is held, and what the service held in the end. */
const expected = { otherSchool: [''], manyGone: [''], inTheEnd: [''] };
let nightAfter: Night;
let heldInTheEnd: string[];

beforeAll(async () => {
	schoolSystem = createServer((_request, response) => void response.end(exported)).listen(0, '127.0.0.1');
	await new Promise((listens) => schoolSystem.once('listening', listens));
	right = Object.fromEntries(
		Object.entries(unzipSync(await workroom.admin.roster('oneroster-1.1'))).map(([name, bytes]) => [
			name,
			strFromU8(bytes),
		]),
	);
	const login = await loginOfApprovers(workroom.stage.session);
	const nights = await Nights.of(workroom, workroom.example('sync-the-roster-every-night', login));
	const address = `http://127.0.0.1:${(schoolSystem.address() as AddressInfo).port}/`;
	const night = async (zip: Buffer): Promise<Night> => {
		exported = zip;
		return await nights.run(address);
	};

	exported = zipOf(right);
	await nights.first(address);
	for (const [what, { zip }] of Object.entries(FAILED)) failed[what] = await night(zip());

	const first = anyNight(right);
	expected.otherSchool = first.gone;
	bad.otherSchool = await night(zipOf(ofAnotherSchool(first.files, 'school-003')));

	const before = await heldBy(workroom.admin);
	const second = anyNight(first.files);
	expected.manyGone = second.gone;
	const places = without(right, 'school-003', Infinity).gone.length;
	bad.manyGone = await night(zipOf(without(second.files, 'school-003', Math.ceil(places * 0.3)).files));

	nightAfter = await night(zipOf(second.files));
	expected.inTheEnd = before.filter((key) => !second.gone.includes(key));
	heldInTheEnd = await heldBy(workroom.admin);
}, 600_000);

afterAll(() => void schoolSystem.close());

test.each(Object.keys(FAILED))(
	'an export with %s: the night stops, says what it is, and sends nothing',
	(what) => {
		const { execution, writes } = failed[what];
		expect([execution.status, writes]).toEqual(['error', []]);
		expect(errorOf(execution)?.message).toContain(FAILED[what].says);
		expect(errorOf(execution)?.description).toMatch(/exported again|made again|Give the node/);
	},
);

describe.each(BAD)('a school that cannot be right (%s)', (which) => {
	test('is held, and the other schools go on', () => {
		const { execution, writes } = bad[which];
		expect(execution.status).toBe('success');
		expect([keysOf(writes, 'POST'), keysOf(writes, 'DELETE')]).toEqual([[], expected[which]]);
		expect(summaryOf(execution).outcome).toBe('held');
		expect(new Set(holdsOf(execution).map(({ school_external_id: school }) => school))).toEqual(
			new Set(['school-003']),
		);
	});

	test('is told to a person, with why and where to decide', () => {
		const { subject, text } = jsonOf(bad[which].execution, 'Mail or Chat')[0];
		expect(subject).toBe('The roster of tonight: please decide');
		for (const { hold_id: id, reason } of holdsOf(bad[which].execution)) {
			expect(text).toContain(`HELD: ${reason}`);
			expect(text).toContain(`?Hold%20ID=${id}`);
		}
		expect(text).toMatch(/HELD: .*school-003/);
	});
});

test('the night after, with the right file, nothing is held, and everybody is where they were', () => {
	const { execution, writes } = nightAfter;
	expect([execution.status, writes, holdsOf(execution)]).toEqual(['success', [], []]);
	expect(heldInTheEnd).toEqual(expected.inTheEnd);
});

describe('Sync a sheet every night', () => {
	const NAME = 'sync-a-sheet-every-night';
	const SYNC = 'Sync the Sheet';
	let login: StoredCredential;

	beforeAll(async () => void (login = await loginOfApprovers(workroom.stage.session)));
	beforeEach(async () => await workroom.admin.reset({ students: 60 }));

	const sheetOf = (tonight: number) => `${workroom.stage.sandbox.adminUrl}roster/sheet?tonight=${tonight}`;

	/** Who is in which class: by the sheet of a night, and in the service. */
	async function bondsOf(tonight: number): Promise<string[]> {
		const { data } = await axios.get<string>(sheetOf(tonight), { proxy: false });
		const rows: Array<Record<string, string>> = parse(data, { columns: true });
		return rows.map((row) => `${row.codigo_escola} ${row.codigo_turma} ${row.matricula}`).sort();
	}

	async function bondsHeld(): Promise<string[]> {
		const { items } = await workroom.admin.bonds({ limit: 10_000 });
		return items
			.map((bond) => `${bond.school_external_id} ${bond.class_external_id} ${bond.user_external_id}`)
			.sort();
	}

	test('a first night is held, and a person approves it; the same sheet sends nothing; another night sends what is new and who left', async () => {
		const nights = await Nights.of(workroom, workroom.example(NAME, login), sheetOf(0));
		const first = await nights.run(sheetOf(0));
		expect([first.writes, summaryOf(first.execution, SYNC).outcome]).toEqual([[], 'held']);
		const [message] = jsonOf(first.execution, 'Message to a Person');
		expect(message).toMatchObject({ subject: 'The sheet of tonight: please decide' });
		const [hold] = holdsOf(first.execution, SYNC);
		expect(message?.text).toContain(`/form/${nights.form}?Hold%20ID=${hold?.hold_id}`);

		const approved = await nights.decide(hold);
		expect(summaryOf(approved.execution, SYNC).outcome).toBe('done');
		expect(await bondsHeld()).toEqual(await bondsOf(0));

		const again = await nights.run(sheetOf(0));
		expect([again.writes, summaryOf(again.execution, SYNC).outcome]).toEqual([[], 'nothing']);

		const changed = await nights.run(sheetOf(10));
		expect(keysOf(changed.writes, 'POST').length).toBeGreaterThan(0);
		expect(keysOf(changed.writes, 'DELETE').length).toBeGreaterThan(0);
		expect(await bondsHeld()).toEqual(await bondsOf(10));
	});

	test('a sheet with nothing but headings stops the night: nobody takes it for a night without changes', async () => {
		const server = createServer((_request, response) =>
			response.setHeader('content-type', 'text/csv').end('codigo_escola;matricula;nome_completo\n'),
		);
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/alunos.csv`;
		const nights = await Nights.of(workroom, workroom.example(NAME, login), sheetOf(0));
		const { execution, writes } = await nights.run(url);
		server.close();
		expect([execution.status, writes]).toEqual(['error', []]);
		expect(errorOf(execution)?.message).toContain('Map Automatically');
	});

	test('a sheet that is no sheet stops the night, and nothing is sent', async () => {
		const nights = await Nights.of(workroom, workroom.example(NAME, login), sheetOf(0));
		const { execution, writes } = await nights.run(`${workroom.stage.sandbox.adminUrl}roster/mapping`);
		expect([execution.status, writes]).toEqual(['error', []]);
		expect(errorOf(execution)?.message).toContain('is not in csv format');
	});
});

describe('Report of the night', () => {
	const NAME = 'report-of-the-night';
	/** The picture of examples/README.md comes from here; set SCREENSHOTS=1 to take it anew. */
	const PICTURES = process.env.SCREENSHOTS === '1' ? 'docs/images' : undefined;

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

	beforeEach(async () => {
		await workroom.admin.reset({ students: 240, schools: 6 });
		await workroom.deleteTable(LEDGER);
	});

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
});
