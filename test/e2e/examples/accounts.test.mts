/** The examples that read accounts, or preview a roster, imported into a real n8n as they stand: they ask, and change nothing. */
import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../../../nodes/shared/failure.ts';
import { callWebhook, createCredential, type WorkflowInput } from '../../../playground/n8n-client.mts';
import { heldBy } from '../../support/held.mts';
import { nodeWorkflow, runOnce } from '../../support/stage.mts';
import { startScriptedModel, type ScriptedModel } from '../agent/scripted-model.mts';
import { summaryOf } from './nights.mts';
import { jsonOf, useExamples } from './support.mts';

/** Who may have to look. */
const ORIGINS: Record<Failure['origin'], true> = {
	input: true,
	service: true,
	network: true,
	signOn: true,
	n8n: true,
};

const workroom = useExamples();

describe('Answer questions about an account', () => {
	const NAME = 'answer-questions-about-an-account';
	let model: ScriptedModel;

	beforeAll(async () => {
		model = await startScriptedModel();
	});
	afterAll(async () => await model.stop());

	/** The example with the model of the test in the place of a provider. */
	async function withModel(): Promise<WorkflowInput> {
		const key = await createCredential(workroom.stage.session, {
			name: 'Scripted model',
			type: 'openAiApi',
			data: { apiKey: 'none', url: model.baseUrl },
		});
		return workroom.example(NAME, key);
	}

	test('the model looks the account up, and nothing but the account is left to it', async () => {
		const [{ accountId }] = workroom.facts.students;
		const [{ name: responsible }] = workroom.facts.responsibles;
		model.say({ Get_Person_and_Family: { Account_ID: accountId } }, 'Giselda is responsible.');
		const execution = await workroom.run(await withModel());
		const offered = model.offered();
		expect(offered.map(({ name }) => name).sort()).toEqual([
			'Get_Courses',
			'Get_Person_and_Family',
			'Get_Tenant',
		]);
		expect(offered.map(({ parameters }) => Object.keys(parameters.properties)).sort()).toEqual([
			[],
			['Account_ID'],
			['Account_ID'],
		]);
		expect(await workroom.received(`/sync/v1/accounts/${accountId}`)).not.toEqual([]);
		expect(model.results().Get_Person_and_Family).toContain(responsible);
		expect(model.results().Get_Person_and_Family).not.toMatch(/documents|e-?mail|phone|birth|login/i);
		expect(jsonOf(execution, 'Answer')).toEqual([{ answer: 'Giselda is responsible.' }]);
	});

	test.each([
		['no account', '..', { origin: 'input', effect: 'none' }],
		[
			'an account while the service refuses',
			'a3f1c6de-0000-4000-8000-000000000000',
			{ origin: 'service', effect: 'none', status: 403 },
		],
	])(
		'the model is told as data who has to look when it asks for %s, and answers',
		async (_what, accountId, failure) => {
			await workroom.admin.addFault({ path: '/sync', times: 1 }, { status: 403 });
			model.say({ Get_Person_and_Family: { Account_ID: accountId } }, 'Please look.');
			const execution = await workroom.run(await withModel());
			const [told] = JSON.parse(model.results().Get_Person_and_Family) as IDataObject[];
			expect(told).toMatchObject({ error: expect.any(String) as string, failure });
			expect(jsonOf(execution, 'Answer')).toEqual([{ answer: 'Please look.' }]);
		},
	);

	test('its instructions name each origin that a failure can have', async () => {
		const { nodes } = await withModel();
		const { systemMessage } = (nodes.find(({ name }) => name === 'Agent')?.parameters.options ??
			{}) as IDataObject;
		for (const origin of Object.keys(ORIGINS)) expect(systemMessage).toContain(`\`${origin}\``);
	});

	test('its tools only read', async () => {
		const [{ accountId }] = workroom.facts.students;
		const all = {
			Get_Person_and_Family: { Account_ID: accountId },
			Get_Courses: { Account_ID: accountId },
			Get_Tenant: {},
		};
		model.say(all, 'All looked up.');
		await workroom.run(await withModel());
		const requests = (await workroom.received('/')).filter(({ path }) => !path.includes('/connect/'));
		expect(new Set(requests.map(({ method }) => method))).toEqual(new Set(['GET']));
	});
});

describe('Sync an account after login', () => {
	const PATH = 'sync-an-account-after-login';

	beforeAll(async () => void (await workroom.publish(workroom.example(PATH))));

	async function logIn(accountId: string, tenantId = workroom.facts.tenantId): Promise<unknown> {
		const { status, data } = await callWebhook(workroom.stage.n8n.baseUrl, PATH, {
			method: 'POST',
			data: { account_id: accountId, tenant_id: tenantId },
		});
		expect(status).toBe(200);
		return data;
	}

	const people = async (): Promise<IDataObject[]> => await workroom.rowsOf('School people');
	const rowOf = async (accountId: string) =>
		(await people()).filter(({ account_id }) => account_id === accountId);

	test('keeps the person and the family, a row each', async () => {
		const { facts, admin } = workroom;
		const [student] = facts.students;
		expect(await logIn(student.accountId)).toEqual({ account_id: student.accountId, people: 3 });
		const rows = await people();
		const [giselda, xaviro] = facts.responsibles;
		expect(rows.map(({ account_id, name }) => [account_id, name])).toEqual(
			[student, giselda, xaviro].map(({ accountId, name }) => [accountId, name]),
		);
		const [state] = (await admin.users({ accountId: student.accountId })).items;
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
		const [student] = workroom.facts.students;
		await logIn(student.accountId);
		const before = await people();
		const [{ external_id: classId, name: className }] = (
			await workroom.admin.classes({ schoolExternalId: student.schoolExternalId })
		).items.slice(-1);
		// Somebody bonds the student to another class meanwhile.
		const bond = {
			resource: 'bond',
			operation: 'create',
			schoolExternalId: student.schoolExternalId,
			classExternalId: classId,
			userExternalId: student.externalId,
			profileName: 'student',
		};
		await runOnce(workroom.stage, nodeWorkflow(workroom.stage, { parameters: bond }));
		await logIn(student.accountId);
		const after = await people();
		expect(after.map(({ id, account_id }) => [id, account_id])).toEqual(
			before.map(({ id, account_id }) => [id, account_id]),
		);
		expect(after[0].classes).toContain(className);
		expect(before[0].classes).not.toContain(className);
	});

	test('leaves to a sponsor what an own login brought', async () => {
		const { facts } = workroom;
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
			() => ['a3f1c6de-0000-4000-8000-000000000000', workroom.facts.tenantId],
		],
		['another tenant', () => [workroom.facts.students[3].accountId, 'a3f1c6de-0000-4000-8000-000000000000']],
	])('keeps nothing for %s', async (_what, ids) => {
		const [accountId, tenantId] = ids();
		expect(await logIn(accountId, tenantId)).toEqual({ account_id: accountId, people: 0 });
		expect(await rowOf(accountId)).toEqual([]);
	});

	test('runs in the editor with an account of the sandbox', async () => {
		const execution = await workroom.run(workroom.example(PATH));
		const [{ accountId }] = workroom.facts.students;
		expect(jsonOf(execution, 'Synced')).toEqual([{ account_id: accountId, people: 3 }]);
	});
});

describe("Preview tonight's roster", () => {
	const NAME = 'preview-tonights-roster';
	const PREVIEW = 'Preview';
	const LEDGER = 'A ledger to try';

	test('says which class, persons and bonds would be created, in their order; sends none of them, and makes no ledger', async () => {
		const execution = await workroom.run(workroom.example(NAME));
		const steps = jsonOf(execution, PREVIEW, 2).map(({ action, key }) => `${String(action)} ${String(key)}`);
		expect(steps).toEqual([
			'create c:school-001|night-class-1',
			'create u:school-001|night-mother-1',
			'create u:school-001|night-teacher-1',
			'create u:school-001|night-student-3',
			'create u:school-001|night-student-1',
			'create u:school-001|night-student-2',
			'create b:school-001|night-class-1|night-student-1|student',
			'create b:school-001|night-class-1|night-student-2|student',
			'create b:school-001|night-class-1|night-teacher-1|educator',
		]);
		expect(summaryOf(execution, PREVIEW)).toMatchObject({
			outcome: 'held',
			ledger: { name: LEDGER, rows: 0 },
		});
		expect(await workroom.received('/integration/')).toEqual([]);
		const lookups = (await workroom.received('/data/')).map(({ method }) => method);
		// What its grades are called, since one is not mapped; and what it would refuse.
		expect(lookups).toEqual(['GET', 'GET', 'GET']);
		expect(await workroom.hasTable(LEDGER)).toBe(false);
	});

	test('names the class whose grade is not in the mapping, and how many bonds wait for it', async () => {
		const told = jsonOf(await workroom.run(workroom.example(NAME)), PREVIEW, 1);
		expect(told[0].blocks).toBe(1);
		expect(told.map(({ severity, code, key, file, line }) => [severity, code, key, file, line])).toEqual([
			['error', 'gradeNotMapped', 'c:school-001|night-class-2', 'classes.csv', 3],
			['warning', 'held', undefined, undefined, undefined],
		]);
	});

	/** As its note says: one node that gives the files in the place of three. */
	function fromTheSandbox(format: string): WorkflowInput {
		const workflow = workroom.example(NAME);
		const url = `${workroom.stage.sandbox.adminUrl}roster?format=${format}`;
		const nodes = workflow.nodes.map((node) =>
			node.name === 'As File'
				? {
						...node,
						type: 'n8n-nodes-base.httpRequest',
						typeVersion: 4.2,
						parameters: { url, options: { response: { response: { responseFormat: 'file' } } } },
					}
				: node,
		);
		const connections = {
			...workflow.connections,
			'When Clicking Execute': { main: [[{ node: 'As File', type: 'main', index: 0 }]] },
		};
		return { ...workflow, nodes, connections } as WorkflowInput;
	}

	test.each(['oneroster-1.1', 'oneroster-1.2', 'sds'])(
		'takes a roster of the sandbox with the mapping that it has: %s',
		async (format) => {
			const execution = await workroom.run(fromTheSandbox(format));
			const planned = jsonOf(execution, PREVIEW, 2)
				.map(({ key }) => String(key))
				.sort();
			expect(planned).toEqual([...new Set(await heldBy(workroom.admin))]);
			expect(jsonOf(execution, PREVIEW, 1).filter(({ severity }) => severity === 'error')).toEqual([]);
		},
	);
});
