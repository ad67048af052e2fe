/** The example that keeps the service in step with the export of every night, imported into a real n8n as it stands. */
import { setTimeout as wait } from 'node:timers/promises';

import type { IDataObject } from 'n8n-workflow';

import {
	createWorkflow,
	activateWorkflow,
	errorOf,
	getExecution,
	listExecutions,
	nodeRun,
	runAndWait,
	waitForExecutions,
	type Execution,
} from '../../../playground/n8n-client.mts';
import type { LoggedRequest } from '../../../sandbox/admin-types.mts';
import { bondKey, heldBy, networkOf } from '../../support/held.mts';
import { BY_HAND, EVERY_NIGHT, keysOf, Nights, withLedger, withOptions } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

const NAME = 'sync-the-roster-every-night';
const STUDENTS = 2000;

const workroom = useExamples({ sandbox: { empty: true, students: STUDENTS } });

/** What the person is told in the end. */
const told = (execution: Execution): IDataObject => jsonOf(execution, 'Mail or Chat')[0];

describe(`nights of a network of ${STUDENTS} students`, () => {
	interface Night {
		execution: Execution;
		writes: LoggedRequest[];
		/** What the service holds in the morning. */
		holds: string[];
	}
	let first: Night;
	let second: Night;
	let third: Night;
	let expected: string[];

	beforeAll(async () => {
		expected = await networkOf(workroom.admin);
		const nights = await Nights.of(workroom, workroom.example(NAME));
		const night = async (...given: Parameters<Nights['run']>): Promise<Night> => ({
			...(await nights.run(...given)),
			holds: await heldBy(workroom.admin),
		});
		first = await night(BY_HAND);
		second = await night(EVERY_NIGHT);
		third = await night(EVERY_NIGHT, { tonight: 100 });
	}, 180_000);

	test('the first load creates everything once: classes, persons and bonds', () => {
		expect(first.execution.status).toBe('success');
		expect(expected.length).toBeGreaterThan(3 * STUDENTS);
		expect(first.holds).toEqual(expected);
		expect(keysOf(first.writes, 'POST')).toEqual(expected);
		expect(first.writes.filter(({ status }) => status > 299)).toEqual([]);
	});

	test('each record has its row in the ledger, and the rows of the plan were there before anything was sent', () => {
		const rows = jsonOf(second.execution, 'Rows of the Ledger');
		const applied = rows.filter(({ state }) => state === 'applied').map(({ key }) => String(key));
		expect(applied.sort()).toEqual(expected);
		expect(rows.filter(({ state }) => state !== 'applied').map(({ state }) => state)).not.toContain('failed');
		const order = (node: string) => first.execution.data.resultData.runData[node][0].executionIndex;
		expect(order('Rows of the Plan')).toBeLessThan(order('Apply Changes'));
		expect(rows[0]).toMatchObject({ kind: 'run', state: 'planned' });
	});

	test('the second night sends nothing that writes, and adds no row', async () => {
		expect(second.execution.status).toBe('success');
		expect(second.writes).toEqual([]);
		expect(nodeRun(second.execution, 'Rows of the Plan')).toBeUndefined();
		expect(told(second.execution)).toMatchObject({ subject: 'The roster of tonight is done' });
	});

	test('a night of 100 changes sends exactly these', async () => {
		const { users, bonds } = await workroom.admin.rosterChanges({ tonight: 100 });
		const created = [...users.new.map(({ external_id }) => `u:${external_id}`), ...bonds.new.map(bondKey)];
		expect(keysOf(third.writes, 'POST')).toEqual([...new Set(created)].sort());
		expect(keysOf(third.writes, 'DELETE')).toEqual(bonds.gone.map(bondKey).sort());
		const gone = new Set(bonds.gone.map(bondKey));
		expect(third.holds).toEqual([...expected.filter((key) => !gone.has(key)), ...new Set(created)].sort());
	});

	test('whoever moves is in the new class before the old one is left', async () => {
		const { changes } = await workroom.admin.rosterChanges({ tonight: 100 });
		const moved = changes
			.filter(({ change }) => change === 'moved')
			.map(({ user_external_id }) => user_external_id);
		expect(moved).toHaveLength(20);
		for (const student of moved) {
			const ofStudent = third.writes.filter(({ body }) => (body as IDataObject).user_external_id === student);
			expect(ofStudent.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
		}
	});

	test('the person is told what the service cannot do: changed names, other responsible persons', () => {
		const { text } = told(third.execution);
		expect(text).toMatch(/^\d+ done, 0 not done, 0 held, 0 left to the next run\.\n/);
		expect(text).toContain('WARNING: The content of a user has changed since it was created (20 times');
		expect(text).toContain('WARNING: The responsible persons of a student have changed (20 times');
	});
});

describe('a small network', () => {
	const SMALL = { students: 60 };

	test('what is more than the most changes of a run goes on by itself, run after run, until all is there', async () => {
		const expected = await networkOf(workroom.admin, SMALL);
		const most = Math.ceil(expected.length / 4);
		const workflow = withOptions(withLedger(workroom.example(NAME), 'Ledger of the rest'), 'Plan Changes', {
			mostChanges: most,
		});
		const nights = await Nights.of(workroom, workflow);
		await nights.run(BY_HAND, SMALL);
		const runs = await waitForExecutions(workroom.stage.session, nights.stored.id, 4);
		expect(runs.map(({ status, mode }) => [status, mode])).toEqual([
			['success', 'integrated'],
			['success', 'integrated'],
			['success', 'integrated'],
			['success', 'manual'],
		]);
		expect(await heldBy(workroom.admin)).toEqual(expected);
		const [last, ...before] = await Promise.all(
			runs.map(async ({ id }) => await getExecution(workroom.stage.session, id)),
		);
		expect(told(last).text).toMatch(new RegExp(`^${expected.length} done, 0 not done, 0 held, 0 left`));
		expect(before.map((each) => jsonOf(each, 'Mail or Chat'))).toEqual([[], [], []]);
		expect(jsonOf(last, 'Plan Changes', 4)[0]).toMatchObject({ first_run: false, left: 0 });
	});

	test('a run that gets nothing done does not go on, however much is left', async () => {
		const small = withOptions(withLedger(workroom.example(NAME), 'Ledger of a bad night'), 'Plan Changes', {
			mostChanges: 10,
		});
		await workroom.admin.reset(SMALL);
		await workroom.admin.addFault({ method: 'POST', path: '/integration/' }, { documented: 400 });
		const nights = await Nights.of(workroom, small);
		const { execution } = await nights.run(BY_HAND, SMALL);
		expect(jsonOf(execution, 'Outcome of the Night')[0]).toMatchObject({ done: 0 });
		expect(nodeRun(execution, 'Go On with the Rest')).toBeUndefined();
		expect(told(execution)).toMatchObject({ subject: 'The roster of tonight: not everything could be done' });
		expect(told(execution).text).toMatch(/\nNOT DONE: c:school-001\|\S+ \(classes\.csv, line 2\): /);
	});

	test('a workflow that is not published goes on once after a start by hand, and fails where it should go on again', async () => {
		const { session } = workroom.stage;
		const workflow = withOptions(withLedger(workroom.example(NAME), 'Ledger of a draft'), 'Plan Changes', {
			mostChanges: 10,
		});
		const { id } = await createWorkflow(session, workflow);
		expect((await runAndWait(session, id, { trigger: BY_HAND })).status).toBe('success');
		const [next] = (await waitForExecutions(session, id, 2)).filter(({ mode }) => mode === 'integrated');
		const failed = errorOf(await getExecution(session, next.id), 'Go On with the Rest');
		expect(failed?.message).toContain('not active and cannot be executed');
	});

	test('a run by hand that fails starts no error workflow', async () => {
		const nights = await Nights.of(workroom, withLedger(workroom.example(NAME), 'Ledger by hand'));
		// Only the trigger for a start by hand makes a first run.
		const { execution } = await nights.run(EVERY_NIGHT, SMALL);
		expect(execution.status).toBe('error');
		// What an error workflow needs to begin, and more.
		await wait(1_000);
		expect((await listExecutions(workroom.stage.session, nights.stored.id)).map(({ mode }) => mode)).toEqual([
			'manual',
		]);
	});

	test('only a start by hand is a first run: an empty ledger stops the night, and the person is told', async () => {
		const workflow = withLedger(workroom.example(NAME), 'Ledger that was lost');
		const schedule = { rule: { interval: [{ field: 'seconds', secondsInterval: 2 }] } };
		const nodes = workflow.nodes.map((node) =>
			node.name === EVERY_NIGHT ? { ...node, parameters: schedule } : node,
		);
		const { session } = workroom.stage;
		const { id } = await createWorkflow(session, { ...workflow, nodes });
		await activateWorkflow(session, id);
		const [stopped, message] = await (async () => {
			for (;;) {
				const ended = await waitForExecutions(session, id, 2);
				const [error] = ended.filter(({ mode }) => mode === 'error');
				const [night] = ended.filter(({ mode }) => mode === 'trigger');
				if (error && night) return [night, error];
			}
		})();
		await session.request('POST', `/workflows/${id}/deactivate`, {});
		expect(stopped.status).toBe('error');
		const { text } = told(await getExecution(session, message.id));
		expect(text).toContain('The ledger is empty, so that everything in the export would be created');
		expect(text).toContain('switch the option First Run on');
		expect(await workroom.received('/integration/')).toEqual([]);
	});
});
