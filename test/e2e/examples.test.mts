/** The examples, imported into a real n8n as they stand and run against the sandbox: what a user gets who imports them. */
import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import {
	activateWorkflow,
	callWebhook,
	createWorkflow,
	errorOf,
	itemsOf,
	runAndWait,
	withCredential,
	type Execution,
	type WorkflowInput,
} from '../../playground/n8n-client.mts';
import type { Facts, LoggedRequest } from '../../sandbox/admin-types.mts';
import { runOnce, setStage, type Stage } from '../support/stage.mts';

const TRIGGER = 'When Clicking Execute';

let stage: Stage;
let facts: Facts;
beforeAll(async () => {
	stage = await setStage();
	facts = await stage.sandbox.admin.facts();
}, 180_000);
beforeEach(async () => await stage.sandbox.admin.reset());
afterAll(async () => await stage?.end());

/** The file, with the credential picked where it names one. */
function example(name: string): WorkflowInput {
	return withCredential(
		JSON.parse(readFileSync(`examples/${name}.json`, 'utf8')) as WorkflowInput,
		stage.credential,
	);
}

async function run(workflow: WorkflowInput): Promise<Execution> {
	const execution = await runOnce(stage, workflow, TRIGGER);
	expect(errorOf(execution)).toBeUndefined();
	expect(execution.status).toBe('success');
	return execution;
}

const jsonOf = (execution: Execution, node: string, output = 0): IDataObject[] =>
	itemsOf(execution, node, output).map(({ json }) => json);

async function received(path: string): Promise<LoggedRequest[]> {
	return await stage.sandbox.admin.requests({ path });
}

describe('Provision a school', () => {
	test('creates the class, the responsible persons, the students and their bonds, and reads the results', async () => {
		const { admin } = stage.sandbox;
		const execution = await run(example('provision-a-school'));
		const { items: classes } = await admin.classes({ provisioned: true });
		const { items: users } = await admin.users({ provisioned: true });
		expect(classes.map(({ code, school_external_id }) => [code, school_external_id])).toEqual([
			['5A', 'school-001'],
		]);
		expect(users.map(({ first_name, profiles }) => [first_name, profiles])).toEqual([
			['Marina', ['responsible']],
			['Otto', ['responsible']],
			['Nina', ['student']],
			['Caio', ['student']],
		]);
		const [marina, otto, nina, caio] = users;
		expect(nina.responsible_external_id).toEqual([marina.external_id]);
		expect(caio.responsible_external_id).toEqual([marina.external_id, otto.external_id]);
		const { items: bonds } = await admin.bonds({ externalId: classes[0].external_id });
		expect(bonds.map(({ user_external_id, profile_name }) => [user_external_id, profile_name])).toEqual([
			[nina.external_id, 'student'],
			[caio.external_id, 'student'],
		]);
		expect(jsonOf(execution, 'Get Creation Results')).toEqual(
			[nina, caio].map(({ account_id, user_id }) => ({ account_id, user_id, status: 'created' })),
		);
	});
});

describe('Cancel enrollments from a sheet', () => {
	const PATH = '/enrollment/v1/accounts/';
	const UPDATES = 'Set Enrollment Status';

	/** The example with another sheet. */
	function withSheet(csv: string): WorkflowInput {
		const workflow = example('cancel-enrollments-from-a-sheet');
		const nodes = workflow.nodes.map((node) =>
			node.name === 'Sheet'
				? {
						...node,
						parameters: { mode: 'raw', jsonOutput: JSON.stringify({ csv }), options: {} },
					}
				: node,
		);
		return { ...workflow, nodes };
	}

	const columnsOf = (rows: IDataObject[], ...columns: string[]) =>
		rows.map((row) => columns.map((column) => row[column]));

	test('writes every right row, merged by account, and reports the two wrong ones', async () => {
		const execution = await run(example('cancel-enrollments-from-a-sheet'));
		const done = columnsOf(jsonOf(execution, 'Done'), 'student', 'course_code', 'outcome');
		expect(done).toEqual([
			['Palmiro Ibarrel', 'ROBOTICS', 'done'],
			['Palmiro Ibarrel', 'ENGLISH', 'done'],
			['Melvira Castrello', 'ROBOTICS', 'done'],
			['Calista Norvelle', 'CHESS', 'done'],
		]);
		expect(jsonOf(execution, 'Not Done')).toEqual([
			{
				student: 'Palmiro Ibarrel',
				account_id: facts.students[2].accountId,
				course_code: 'HARP',
				status: 'CANCELLED',
				outcome: 'not done',
				reason:
					'The service refuses the data (400): ENRL-0400: data[0]: ' +
					'there is no enrollment in course "HARP" of this school. [Item 1]',
				what_to_do: 'Correct the values that the service names and run the item again.',
			},
			{
				student: 'Melvira Castrello',
				account_id: facts.students[3].accountId,
				course_code: 'CODING',
				status: null,
				outcome: 'not done',
				reason: 'The field "status" of the input item must be text, but is empty [Item 4]',
				what_to_do: 'Nothing was sent for this item. Correct its values and run it again.',
			},
		]);
	});

	test('changes the enrollments of the right rows, and no others', async () => {
		const { items: before } = await stage.sandbox.admin.courses();
		const execution = await run(example('cancel-enrollments-from-a-sheet'));
		const { items: after } = await stage.sandbox.admin.courses();
		const changed = after.filter(({ status }, index) => status !== before[index].status);
		expect(changed.map(({ account_id, code, status }) => [account_id, code, status])).toEqual(
			columnsOf(jsonOf(execution, 'Done'), 'account_id', 'course_code', 'status'),
		);
		const notes = changed.find(({ code }) => code === 'CHESS')?.last_update;
		expect(notes).toMatchObject({
			operator: 'Front office',
			notes: 'Moves to another city, at the end of the term',
		});
	});

	test('sends one request for each account, and halves the one that is refused', async () => {
		await run(example('cancel-enrollments-from-a-sheet'));
		const sent = (await received(PATH)).map(({ method, path, body, status }) => ({
			account: path.slice(PATH.length),
			is: `${method} ${status}`,
			courses: (body as { data: IDataObject[] }).data.map(({ course_code }) => course_code),
		}));
		const [, , palmiro, melvira, calista] = facts.students.map(({ accountId }) => accountId);
		expect(sent.filter(({ account }) => account === palmiro)).toEqual([
			{ account: palmiro, is: 'PUT 400', courses: ['ROBOTICS', 'HARP', 'ENGLISH'] },
			{ account: palmiro, is: 'PUT 400', courses: ['ROBOTICS', 'HARP'] },
			{ account: palmiro, is: 'PUT 200', courses: ['ROBOTICS'] },
			{ account: palmiro, is: 'PUT 400', courses: ['HARP'] },
			{ account: palmiro, is: 'PUT 200', courses: ['ENGLISH'] },
		]);
		expect(sent.filter(({ account }) => account !== palmiro)).toEqual(
			expect.arrayContaining([
				{ account: melvira, is: 'PUT 200', courses: ['ROBOTICS'] },
				{ account: calista, is: 'PUT 200', courses: ['CHESS'] },
			]),
		);
		expect(sent).toHaveLength(7);
	});

	test('gives the report as a sheet', async () => {
		// The workflow stays until the file has been read: n8n removes the files of a workflow with it.
		const stored = await createWorkflow(stage.session, example('cancel-enrollments-from-a-sheet'));
		const execution = await runAndWait(stage.session, stored.id, { trigger: TRIGGER });
		const file = itemsOf(execution, 'Report')[0].binary?.data;
		expect(file).toMatchObject({ fileName: 'report.csv', mimeType: 'text/csv' });
		const id = encodeURIComponent(file?.id ?? '');
		const lines = (await stage.session.request<string>('GET', `/binary-data?id=${id}&action=view`))
			.trim()
			.split('\n');
		expect(lines[0]).toBe('student,account_id,course_code,status,outcome,reason,what_to_do');
		expect(lines.slice(1).map((line) => line.split(',').slice(2, 5))).toEqual([
			['ROBOTICS', 'CANCELLED', 'done'],
			['ENGLISH', 'CANCELLED', 'done'],
			['ROBOTICS', 'CANCELLED', 'done'],
			['CHESS', 'CANCELLED', 'done'],
			['HARP', 'CANCELLED', 'not done'],
			['CODING', '', 'not done'],
		]);
		expect(lines[5]).toContain('Correct the values that the service names and run the item again.');
	});

	test('gives a report as well when every row is right', async () => {
		const [{ accountId, schoolId, code }] = facts.courses;
		const execution = await run(
			withSheet(
				`student,account_id,school_id,course_code,status\nMelvira,${accountId},${schoolId},${code},CANCELLED\n`,
			),
		);
		expect(itemsOf(execution, UPDATES, 1)).toEqual([]);
		expect(columnsOf(jsonOf(execution, 'All Rows'), 'student', 'outcome')).toEqual([['Melvira', 'done']]);
		expect(itemsOf(execution, 'Report')).toHaveLength(1);
	});

	test('gives a report as well when no row is right', async () => {
		const execution = await run(
			withSheet('student,account_id,school_id,course_code,status\nMelvira,..,x,,\n'),
		);
		expect(columnsOf(jsonOf(execution, 'All Rows'), 'student', 'outcome')).toEqual([['Melvira', 'not done']]);
		expect(await received(PATH)).toEqual([]);
	});
});

describe('Sync an account after login', () => {
	const PATH = 'sync-an-account-after-login';

	beforeAll(async () => {
		const { id } = await createWorkflow(stage.session, example(PATH));
		await activateWorkflow(stage.session, id);
	});

	async function logIn(accountId: string, tenantId = facts.tenantId): Promise<unknown> {
		const { status, data } = await callWebhook(stage.n8n.baseUrl, PATH, {
			method: 'POST',
			data: { account_id: accountId, tenant_id: tenantId },
		});
		expect(status).toBe(200);
		return data;
	}

	/** The rows of the data table, read as n8n's own page reads them. */
	async function people(): Promise<IDataObject[]> {
		const { data: tables } = await stage.session.request<{
			data: Array<{ id: string; name: string; projectId: string }>;
		}>('GET', '/data-tables-global');
		const table = tables.find(({ name }) => name === 'School people');
		if (table === undefined) throw new Error('There is no such table');
		const { data } = await stage.session.request<{ data: IDataObject[] }>(
			'GET',
			`/projects/${table.projectId}/data-tables/${table.id}/rows?take=100`,
		);
		return data;
	}

	const rowOf = async (accountId: string) =>
		(await people()).filter(({ account_id }) => account_id === accountId);

	test('keeps the person and the family, a row each', async () => {
		const [student] = facts.students;
		expect(await logIn(student.accountId)).toEqual({ account_id: student.accountId, people: 3 });
		const rows = await people();
		const [giselda, xaviro] = facts.responsibles;
		expect(rows.map(({ account_id, name }) => [account_id, name])).toEqual(
			[student, giselda, xaviro].map(({ accountId, name }) => [accountId, name]),
		);
		const [state] = (await stage.sandbox.admin.users({ accountId: student.accountId })).items;
		expect(rows[0]).toMatchObject({
			user_id: student.userId,
			external_id: student.externalId,
			date_of_birth: state.birth_date,
			email: state.email,
			cell_phone: `+${state.ddi} ${state.cell_phone}`,
			schools: facts.schools[0].name,
			sponsors: `${giselda.accountId}, ${xaviro.accountId}`,
			dependents: '',
			synced_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/) as string,
		});
		expect(rows[1]).toMatchObject({ schools: null, dependents: null });
		expect(JSON.stringify(rows)).not.toContain(String(state.document_value));
	});

	test('updates the rows of the next login, and adds none', async () => {
		const [student] = facts.students;
		await logIn(student.accountId);
		const before = await people();
		const [{ external_id: classId, name: className }] = (
			await stage.sandbox.admin.classes({ schoolExternalId: student.schoolExternalId })
		).items.slice(-1);
		await run(bondWorkflow(student.schoolExternalId, classId, student.externalId));
		await logIn(student.accountId);
		const after = await people();
		expect(after.map(({ id, account_id }) => [id, account_id])).toEqual(
			before.map(({ id, account_id }) => [id, account_id]),
		);
		expect(after[0].classes).toContain(className);
		expect(before[0].classes).not.toContain(className);
	});

	test('leaves to a sponsor what an own login brought', async () => {
		const [student] = facts.students;
		const [sponsor] = facts.responsibles;
		await logIn(sponsor.accountId);
		const [before] = await rowOf(sponsor.accountId);
		expect(before.dependents).toContain(student.accountId);
		await logIn(student.accountId);
		const [after, ...others] = await rowOf(sponsor.accountId);
		expect(others).toEqual([]);
		expect([after.schools, after.dependents]).toEqual([before.schools, before.dependents]);
	});

	test.each([
		[
			'an account that the service does not know',
			() => ['a3f1c6de-0000-4000-8000-000000000000', facts.tenantId],
		],
		['another tenant', () => [facts.students[3].accountId, 'a3f1c6de-0000-4000-8000-000000000000']],
	])('keeps nothing for %s', async (_what, ids) => {
		const [accountId, tenantId] = ids();
		expect(await logIn(accountId, tenantId)).toEqual({ account_id: accountId, people: 0 });
		expect(await rowOf(accountId)).toEqual([]);
	});

	test('runs in the editor with an account of the sandbox', async () => {
		const execution = await run(example(PATH));
		expect(jsonOf(execution, 'Synced')).toEqual([{ account_id: facts.students[0].accountId, people: 3 }]);
	});

	/** Somebody bonds the student to another class meanwhile. */
	function bondWorkflow(school: string, classExternalId: string, userExternalId: string): WorkflowInput {
		const snapshot = example(PATH);
		const node = snapshot.nodes.find(({ name }) => name === 'Get Snapshot');
		const trigger = snapshot.nodes.find(({ name }) => name === TRIGGER);
		if (node === undefined || trigger === undefined) throw new Error('The example has changed');
		const parameters = {
			resource: 'bond',
			operation: 'create',
			schoolExternalId: school,
			classExternalId,
			userExternalId,
			profileName: { __rl: true, mode: 'name', value: 'student' },
		};
		return {
			name: 'Bond',
			nodes: [trigger, { ...node, parameters }],
			connections: { [TRIGGER]: { main: [[{ node: node.name, type: 'main', index: 0 }]] } },
		};
	}
});
