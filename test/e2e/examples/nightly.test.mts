/** The example that keeps the service in step with the export of every night, and the one that takes over a network that the service has already, imported into a real n8n as they stand. */
import type { IDataObject } from 'n8n-workflow';
import type { Browser } from 'playwright-core';

import {
	createWorkflow,
	activateWorkflow,
	errorOf,
	getExecution,
	listExecutions,
	submitForm,
	waitForNextExecution,
	type Execution,
	type StoredCredential,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import { PAGE_MS, startBrowser } from '../../support/browser.mts';
import { eventually } from '../../../playground/eventually.mts';
import { bondKey, heldBy, networkOf } from '../../support/held.mts';
import {
	APPROVER,
	EVERY_NIGHT,
	fetching,
	holdsOf,
	keysOf,
	LEDGER,
	loginOfApprovers,
	Nights,
	summaryOf,
	withLedger,
	withParameters,
	writesIn,
	type Night,
} from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const NAME = 'sync-the-roster-every-night';
const STUDENTS = 600;
/** As many of each of the five kinds. */
const CHANGES = 30;
const SMALL = { students: 60 };
const userKey = ({
	school_external_id: school,
	external_id: id,
}: {
	school_external_id: string;
	external_id: string;
}) => `u:${school}|${id}`;

const workroom = useExamples({ sandbox: { empty: true, students: STUDENTS } });
let login: StoredCredential;

beforeAll(async () => void (login = await loginOfApprovers(workroom.stage.session)));

const example = (ledger: string): WorkflowInput => withLedger(workroom.example(NAME, login), ledger);

/** What the person is told in the end. */
const told = (execution: Execution): IDataObject => jsonOf(execution, 'Mail or Chat')[0];

describe(`nights of a network of ${STUDENTS} students`, () => {
	interface Seen extends Night {
		/** What the service holds in the morning. */
		holds: string[];
	}
	let first: Seen;
	let approved: Seen;
	let second: Seen;
	let third: Seen;
	let expected: string[];

	beforeAll(async () => {
		expected = await networkOf(workroom.admin);
		const nights = await Nights.of(workroom, workroom.example(NAME, login));
		const seen = async (night: Promise<Night>): Promise<Seen> => ({
			...(await night),
			holds: await heldBy(workroom.admin),
		});
		first = await seen(nights.run());
		approved = await seen(nights.decide(holdsOf(first.execution)[0]));
		second = await seen(nights.run());
		third = await seen(nights.run({ tonight: CHANGES }));
	}, 180_000);

	test('the first night sends nothing: everything is new to an empty ledger, and a person is asked once, with the address of the form', () => {
		expect(first.writes).toEqual([]);
		expect(summaryOf(first.execution).outcome).toBe('held');
		const [hold, ...others] = holdsOf(first.execution);
		expect(others).toEqual([]);
		const { subject, text } = told(first.execution);
		expect(subject).toBe('The roster of tonight: please decide');
		expect(text).toContain(`HELD: ${hold.reason}`);
		// Once: the hold is among what needs attention, too.
		expect(String(text).split(hold.reason)).toHaveLength(2);
		expect(text).toMatch(
			new RegExp(
				`\nLook, and decide: ${workroom.stage.n8n.baseUrl}/form/[\\w-]+\\?Hold%20ID=${hold.hold_id}\n?`,
			),
		);
	});

	test('what is approved in the form goes at once: classes, persons and bonds, each once', () => {
		expect(approved.execution.status).toBe('success');
		expect(expected.length).toBeGreaterThan(3 * STUDENTS);
		expect(approved.holds).toEqual(expected);
		expect(keysOf(approved.writes, 'POST')).toEqual(expected);
		expect(approved.writes.filter(({ status }) => status > 299)).toEqual([]);
		const { counts } = summaryOf(approved.execution);
		expect(Object.values(counts).reduce((sum, { applied = 0 }) => sum + applied, 0)).toBe(expected.length);
		expect(told(approved.execution).subject).toBe('The roster of tonight: done');
	});

	test('the second night sends nothing that writes, and says so', () => {
		expect(second.execution.status).toBe('success');
		expect(second.writes).toEqual([]);
		expect(told(second.execution)).toMatchObject({ subject: 'The roster of tonight: nothing to do' });
	});

	test(`a night of ${CHANGES} changes sends exactly these`, async () => {
		const { users, bonds } = await workroom.admin.rosterChanges({ tonight: CHANGES });
		const created = [...new Set([...users.new.map(userKey), ...bonds.new.map(bondKey)])].sort();
		expect(keysOf(third.writes, 'POST')).toEqual(created);
		expect(keysOf(third.writes, 'DELETE')).toEqual(bonds.gone.map(bondKey).sort());
		const gone = new Set(bonds.gone.map(bondKey));
		expect(third.holds).toEqual([...expected.filter((key) => !gone.has(key)), ...created].sort());
	});

	test('whoever moves is in the new class before the old one is left', async () => {
		const { changes } = await workroom.admin.rosterChanges({ tonight: CHANGES });
		const moved = changes
			.filter(({ change }) => change === 'moved')
			.map(({ user_external_id }) => user_external_id);
		expect(moved).toHaveLength(CHANGES / 5);
		for (const student of moved) {
			const ofStudent = third.writes.filter(({ body }) => (body as IDataObject).user_external_id === student);
			expect(ofStudent.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
		}
	});

	test('the person is told what the service cannot do: changed names, other responsible persons', () => {
		const { subject, text } = told(third.execution);
		expect(subject).toBe('The roster of tonight: please look');
		expect(text).toMatch(/^WARNING: The content of a user has changed since it was created \(6 times\)/m);
		expect(text).toMatch(/^WARNING: The responsible persons of a student have changed \(6 times\)/m);
		expect(text).toMatch(/^ {2}users\.csv, line \d+: u:school-\d+\|\S+$/m);
	});

	test('no message has the name of a person in it', async () => {
		// The service is empty before each test: the people of the export are those of a service that is seeded.
		await workroom.admin.reset({ empty: false });
		const { items } = await workroom.admin.users({ limit: 100_000 });
		expect(items.length).toBeGreaterThan(STUDENTS);
		const texts = [first, approved, second, third]
			.map(({ execution }) => String(told(execution).text))
			.join('\n');
		const names = new Set(items.map(({ first_name: given, last_name: family }) => `${given} ${family}`));
		expect([...names].filter((name) => texts.includes(name))).toEqual([]);
	});
});

describe('the form that approves', () => {
	/** What the visitor of a form sees. */
	async function statusOf(form: string, auth?: { username: string; password: string }): Promise<number> {
		return (await submitForm(workroom.stage.n8n.baseUrl, form, ['h', 'Yes', 'Somebody'], auth)).status;
	}

	test('asks for a login: without it, or with another, nothing begins', async () => {
		const nights = await Nights.of(workroom, example('Ledger with a login'), SMALL);
		expect(await statusOf(nights.form)).toBe(401);
		expect(await statusOf(nights.form, { ...APPROVER, password: 'another' })).toBe(401);
		expect(await listExecutions(workroom.stage.session, nights.stored.id)).toEqual([]);
	});

	let browser: Browser;
	beforeAll(async () => void (browser = await startBrowser()));
	afterAll(async () => await browser?.close());

	test('is opened from the address of the message with the hold filled in, and a Yes in a browser brings everything', async () => {
		const network = await networkOf(workroom.admin, SMALL);
		const nights = await Nights.of(workroom, example('Ledger in a browser'), SMALL);
		const { execution } = await nights.run(SMALL);
		const address = /http\S+/.exec(String(told(execution).text))?.[0] ?? '';
		const context = await browser.newContext({ httpCredentials: APPROVER });
		const page = await context.newPage();
		page.setDefaultTimeout(PAGE_MS);
		await page.goto(address);
		expect(await page.getByLabel('Hold ID').inputValue()).toBe(holdsOf(execution)[0].hold_id);
		await page.getByLabel('Approve').selectOption('Yes');
		await page.getByLabel('Your Name').fill('Dana');
		await page.getByRole('button', { name: 'Decide' }).click();
		await page.getByText('Noted.').waitFor();
		await waitForNextExecution(workroom.stage.session, nights.stored.id, execution.id);
		expect(await heldBy(workroom.admin)).toEqual(network);
		await context.close();
	});

	test('leaves with a No what is held as it is', async () => {
		await workroom.admin.reset(SMALL);
		const nights = await Nights.of(workroom, example('Ledger of a No'), SMALL);
		const [hold] = holdsOf((await nights.run(SMALL)).execution);
		const { execution, writes } = await nights.decide(hold, 'No');
		expect(writes).toEqual([]);
		expect(holdsOf(execution).map(({ hold_id: id }) => id)).toEqual([hold.hold_id]);
		expect((await nights.decide(hold)).writes.length).toBeGreaterThan(0);
	});

	test('takes no hold that was never reported: nothing is sent, and a person is told', async () => {
		await workroom.admin.reset(SMALL);
		const { session } = workroom.stage;
		const nights = await Nights.of(workroom, example('Ledger of a typing error'), SMALL);
		await nights.run(SMALL);
		const { execution, writes } = await nights.decide({ hold_id: 'h0123456789abcdef' });
		expect(writes).toEqual([]);
		expect(execution.status).toBe('error');
		const message = await waitForNextExecution(session, nights.stored.id, execution.id);
		expect(told(message)).toMatchObject({ subject: 'The roster of tonight has stopped' });
		expect(told(message).text).toContain('h0123456789abcdef');
	});
});

/** Four waves of this take longer than the other run has to look whether this one is alive; one answer comes long before the node gives up. */
const HELD_UP_MS = 8_000;

test('two starts at once: one does the night, the other says that it is under way', async () => {
	const network = await networkOf(workroom.admin, SMALL);
	const nights = await Nights.of(workroom, example('Ledger of two starts'), SMALL);
	const [hold] = holdsOf((await nights.run(SMALL)).execution);
	await workroom.admin.changeSettings({ latencyMs: HELD_UP_MS });
	const decided = nights.decide(hold);
	await eventually(async () => ((await workroom.received('/integration/')).length > 0 ? true : undefined));
	const beside = await nights.beside();
	expect(summaryOf(beside).outcome).toBe('busy');
	expect(told(beside)).toMatchObject({ subject: 'The roster of tonight: another run is under way' });
	await workroom.admin.changeSettings({ latencyMs: 0 });
	await decided;
	expect(await heldBy(workroom.admin)).toEqual(network);
});

test('a night whose export does not come stops before anything is sent, and a person is told', async () => {
	const { session } = workroom.stage;
	const schedule = { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } };
	const night = fetching(
		example('Ledger without an export'),
		workroom.exportOf({}).replace('oneroster-1.2', 'nothing'),
	);
	const { id } = await createWorkflow(
		session,
		withParameters(night, ({ name }) => name === EVERY_NIGHT, schedule),
	);
	await activateWorkflow(session, id);
	const stopped = await waitForNextExecution(session, id, undefined);
	await session.request('POST', `/workflows/${id}/deactivate`, {});
	expect(stopped.status).toBe('error');
	const message = await eventually(async () =>
		(await listExecutions(session, id)).find(({ mode, stoppedAt }) => mode === 'error' && stoppedAt !== null),
	);
	const { subject, text } = told(await getExecution(session, message.id));
	expect(subject).toBe('The roster of tonight has stopped');
	expect(text).toContain(errorOf(stopped)?.message);
	expect(await workroom.received('/integration/')).toEqual([]);
});

describe('Take over a network that the service has already', () => {
	/** Runs the example for the export of a day. */
	async function takeOver() {
		const workflow = fetching(workroom.example('take-over-a-network'), workroom.exportOf(SMALL));
		await workroom.admin.clearRequests();
		const execution = await workroom.run(workflow);
		return {
			summary: summaryOf(execution, 'Take Over'),
			writes: writesIn(await workroom.received('/integration/')),
		};
	}

	test('the ledger learns that everything is there and nothing is sent; from then on the nightly workflow sends what is different, and needs no approval', async () => {
		await workroom.deleteTable(LEDGER);
		const network = await networkOf(workroom.admin, SMALL);
		await workroom.admin.reset({ ...SMALL, empty: false });
		const { summary, writes } = await takeOver();
		expect(writes).toEqual([]);
		expect(Object.values(summary.counts).reduce((sum, { applied = 0 }) => sum + applied, 0)).toBe(
			network.length,
		);

		const nights = await Nights.of(workroom, workroom.example(NAME, login));
		const same = await nights.run(SMALL);
		expect([summaryOf(same.execution).outcome, same.writes]).toEqual(['nothing', []]);
		const night = await nights.run({ ...SMALL, tonight: 5 });
		const { users, bonds } = await workroom.admin.rosterChanges({ ...SMALL, tonight: 5 });
		expect(keysOf(night.writes, 'POST')).toEqual(
			[...users.new.map(userKey), ...bonds.new.map(bondKey)].sort(),
		);
		expect(keysOf(night.writes, 'DELETE')).toEqual(bonds.gone.map(bondKey).sort());
	});
});
