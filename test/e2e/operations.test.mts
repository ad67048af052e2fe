/** Every operation of the action node in the real n8n with the packed package, and what a person does beyond filling in each field. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/admin-types.mts';
import { errorOf, itemsOf, loadedNodeTypes } from '../../playground/n8n-client.mts';
import { operations } from '../support/operations/index.mts';
import { expectRun, knownOf, parametersOf, type Known } from '../support/operations/row.mts';
import { person, personParameters } from '../support/person.mts';
import { ACTION_NODE, nodeWorkflow, runOnce, setStage, TESTED, type Stage } from '../support/stage.mts';

let stage: Stage;
let known: Known;

beforeAll(async () => {
	stage = await setStage();
	known = await knownOf(stage.sandbox.admin);
});
afterAll(async () => await stage?.end());

interface Seen {
	items: IDataObject[];
	requests: LoggedRequest[];
}

async function run(parameters: INodeParameters, rows: IDataObject[] = [{}]): Promise<Seen> {
	await stage.sandbox.admin.clearRequests();
	const execution = await runOnce(stage, nodeWorkflow(stage, { parameters, rows }));
	expect(errorOf(execution)).toBeUndefined();
	const requests = (await stage.sandbox.admin.requests()).filter(({ path }) => !path.startsWith('/identity'));
	return { items: itemsOf(execution, TESTED).map(({ json }) => json), requests };
}

const sent = ({ method, path, query, body }: LoggedRequest) => ({ method, path, query, body });

test.each(operations)(
	'$title sends what the document says, with the token, and gives the fields of its table',
	async (row) => {
		const { items, requests } = await run(parametersOf(row, known));
		expectRun(row.run(known), requests, items);
		for (const { method, headers } of requests) {
			expect(headers.authorization).toMatch(/^Bearer /);
			if (method !== 'GET') expect(headers['content-type']).toContain('application/json');
		}
	},
);

describe('The service holds', () => {
	const bond = () => ({
		schoolExternalId: known.bond.school,
		classExternalId: known.bond.class,
		userExternalId: known.bond.user,
		profileName: { __rl: true, mode: 'list', value: 'educator' },
	});
	const held = async () =>
		(await stage.sandbox.admin.bonds({ externalId: known.bond.user, profile: 'educator' })).count;

	test('a bond from its creation to its deletion', async () => {
		await run({ resource: 'bond', operation: 'create', ...bond() });
		expect(await held()).toBe(1);
		await run({ resource: 'bond', operation: 'delete', ...bond() });
		expect(await held()).toBe(0);
	});

	test('the status that an update has brought', async () => {
		const { accountId, schoolId, courseCode } = known;
		await run({
			resource: 'enrollment',
			operation: 'updateByAccount',
			accountId,
			schoolId,
			courseCode,
			status: 'paused',
		});
		const { items: courses } = await stage.sandbox.admin.courses({ accountId });
		expect(courses.find(({ code }) => code === courseCode)?.status).toBe('paused');
	});
});

describe('As a person fills it in', () => {
	test('class: Create sends the payload, with null and empty text where nothing is filled in', async () => {
		const { items, requests } = await run({
			resource: 'class',
			operation: 'create',
			schoolExternalId: 'school-001',
			externalId: 'class-e2e',
			educationalStage: { __rl: true, mode: 'list', value: 'EF1', cachedResultName: 'EF1' },
			grade: { __rl: true, mode: 'name', value: '5º ano' },
			year: '2026',
			code: '5A',
			name: 'Grade 5 A',
		});
		expect(requests.map(sent)).toEqual([
			{
				method: 'POST',
				path: '/integration/partner/v1/class',
				query: {},
				body: {
					school_external_id: 'school-001',
					external_id: 'class-e2e',
					educational_stage: 'EF1',
					grade: '5º ano',
					shift: null,
					year: 2026,
					code: '5A',
					name: 'Grade 5 A',
					description: '',
					course: null,
				},
			},
		]);
		expect(requests[0].headers['content-type']).toContain('application/json');
		expect(items).toEqual([
			expect.objectContaining({ external_id: 'class-e2e', name: 'Grade 5 A', status: 'active' }),
		]);
	});

	test('user: Create Responsible sends every field that was dragged in', async () => {
		const { requests } = await run(
			{ resource: 'user', operation: 'createResponsible', ...personParameters },
			[person],
		);
		expect(requests.map(sent)).toEqual([
			{
				method: 'POST',
				path: '/integration/partner/v1/user',
				query: {},
				body: { ...person, profiles: ['responsible'] },
			},
		]);
	});

	test('user: Create Student maps the fields of the item by itself and leaves unknown ones out', async () => {
		const row = {
			...person,
			external_id: 'student-e2e',
			first_name: 'Nina',
			email: '',
			responsible_external_id: 'responsible-e2e',
			shoe_size: 33,
		};
		const { requests } = await run(
			{ resource: 'user', operation: 'createStudent', dataMode: 'autoMapInputData' },
			[row],
		);
		const {
			email: _,
			shoe_size: __,
			...expected
		} = { ...row, responsible_external_id: ['responsible-e2e'], profiles: ['student'] };
		expect(requests.map(({ body }) => body)).toEqual([expected]);
	});

	test('account: an id with characters of an address stays one segment of the path', async () => {
		const { items, requests } = await run({
			resource: 'account',
			operation: 'get',
			accountId: 'a b?c=ü',
			tenantId: known.tenantId,
		});
		expect(requests.map(({ path, query }) => [path, query])).toEqual([
			['/sync/v1/accounts/a%20b%3Fc%3D%C3%BC', { tenant_id: known.tenantId }],
		]);
		expect(items).toEqual([]);
	});

	test('account: Get Snapshot makes one item of six answers, with lists where several are meant', async () => {
		const { items } = await run({
			resource: 'account',
			operation: 'getSnapshot',
			accountId: known.accountId,
			tenantId: known.tenantId,
		});
		expect(items).toEqual([
			{
				tenant: expect.objectContaining({ id: known.tenantId }),
				account: expect.objectContaining({ account_id: known.accountId }),
				sponsors: expect.arrayContaining([expect.objectContaining({ name: expect.any(String) })]),
				dependents: [],
				schools: [expect.objectContaining({ cnpj: expect.any(String) })],
				classes: expect.arrayContaining([expect.objectContaining({ school_id: expect.any(String) })]),
			},
		]);
	});

	test('enrollment: Update by User says when it was made, if nobody else does', async () => {
		const before = Date.now() - 1000;
		const { requests } = await run({
			resource: 'enrollment',
			operation: 'updateByUser',
			userId: known.userId,
			schoolId: known.schoolId,
			courseCode: known.courseCode,
			status: 'cancelled',
		});
		expect(requests.map(({ method, path }) => [method, path])).toEqual([
			['PUT', `/enrollment/v1/user/${known.userId}`],
		]);
		const [{ updated_at: updatedAt, ...rest }] = (requests[0].body as { data: IDataObject[] }).data;
		expect(rest).toEqual({ school_id: known.schoolId, course_code: known.courseCode, status: 'cancelled' });
		expect(String(updatedAt)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
		expect(Date.parse(String(updatedAt))).toBeGreaterThanOrEqual(before);
	});
});

describe('as n8n loads it', () => {
	test('n8n offers the nodes, their triggers, and two of them as tools of AI agents', async () => {
		const names = (await loadedNodeTypes(stage.session)).map(({ name }) => name);
		expect(names.filter((name) => name.startsWith('n8n-nodes-school-partner.')).sort()).toEqual([
			ACTION_NODE,
			'n8n-nodes-school-partner.schoolPartnerLogoutTrigger',
			'n8n-nodes-school-partner.schoolPartnerRoster',
			'n8n-nodes-school-partner.schoolPartnerRosterTool',
			`${ACTION_NODE}Tool`,
			'n8n-nodes-school-partner.schoolPartnerTrigger',
		]);
	});

	test('every operation shows what it gives before the first run', async () => {
		const description = (await loadedNodeTypes(stage.session)).find(({ name }) => name === ACTION_NODE);
		const operations = (description?.properties ?? [])
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) =>
				(options ?? []).map((option) => [
					String(displayOptions?.show?.resource?.[0]),
					'value' in option ? String(option.value) : '',
				]),
			)
			// n8n's own entry in every node that has a credential.
			.filter(([, operation]) => operation !== '__CUSTOM_API_CALL__');
		expect(operations.length).toBeGreaterThanOrEqual(20);
		for (const [resource, operation] of operations) {
			const schema = await stage.session.read(`/schemas/${ACTION_NODE}/1.0.0/${resource}/${operation}.json`);
			expect([resource, operation, schema]).toEqual([
				resource,
				operation,
				expect.objectContaining({ type: 'object', version: 1 }),
			]);
		}
	});
});
