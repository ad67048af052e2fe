/**
 * Every operation of the action node in the real n8n with the packed package. What must arrive is written here
 * from the service's document, not derived from the package.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/admin-types.mts';
import { errorOf, itemsOf, loadedNodeTypes } from '../../playground/n8n-client.mts';
import { person, personParameters } from '../support/person.mts';
import { ACTION_NODE, nodeWorkflow, runOnce, setStage, TESTED, type Stage } from '../support/stage.mts';

let stage: Stage;
let known: { tenantId: string; schoolId: string; accountId: string; responsibleAccountId: string; userId: string; courseCode: string };

beforeAll(async () => {
	stage = await setStage();
	const facts = await stage.sandbox.admin.facts();
	const course = facts.courses[0];
	known = {
		tenantId: facts.tenantId,
		schoolId: course.schoolId,
		accountId: course.accountId,
		userId: course.userId,
		courseCode: course.code,
		responsibleAccountId: facts.responsibles[0].accountId,
	};
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

describe('provisioning', () => {
	test('profile: Get Many gives one item for each profile', async () => {
		const { items, requests } = await run({ resource: 'profile', operation: 'getAll' });
		expect(requests.map(sent)).toEqual([{ method: 'GET', path: '/data/v1/profiles', query: {}, body: null }]);
		expect(requests[0].headers.authorization).toMatch(/^Bearer /);
		expect(items.map(({ type }) => type).sort()).toEqual(['coordinator', 'educator', 'responsible', 'student']);
	});

	test('educationalStage: Get Many gives the stages of the school with their grades', async () => {
		const { items, requests } = await run({ resource: 'educationalStage', operation: 'getAll', schoolExternalId: 'school-001' });
		expect(requests.map(sent)).toEqual([
			{ method: 'GET', path: '/data/v1/educational-stages', query: { school_external_id: 'school-001' }, body: null },
		]);
		expect(items[0]).toEqual(expect.objectContaining({ name: expect.any(String), grades: expect.any(Array) }));
	});

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
		expect(items).toEqual([expect.objectContaining({ external_id: 'class-e2e', name: 'Grade 5 A', status: 'active' })]);
	});

	test('user: Create Responsible sends every field that was dragged in', async () => {
		const { requests } = await run({ resource: 'user', operation: 'createResponsible', ...personParameters }, [person]);
		expect(requests.map(sent)).toEqual([
			{ method: 'POST', path: '/integration/partner/v1/user', query: {}, body: { ...person, profiles: ['responsible'] } },
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
		const { requests } = await run({ resource: 'user', operation: 'createStudent', dataMode: 'autoMapInputData' }, [row]);
		const { email: _, shoe_size: __, ...expected } = { ...row, responsible_external_id: ['responsible-e2e'], profiles: ['student'] };
		expect(requests.map(({ body }) => body)).toEqual([expected]);
	});

	test('user: Create sends the profiles that were picked', async () => {
		const { requests } = await run(
			{ resource: 'user', operation: 'create', ...personParameters, externalId: 'educator-e2e', profiles: ['educator', 'coordinator'] },
			[person],
		);
		expect(requests[0].body).toEqual({ ...person, external_id: 'educator-e2e', profiles: ['educator', 'coordinator'] });
	});

	const bond = {
		schoolExternalId: 'school-001',
		classExternalId: 'class-e2e',
		userExternalId: 'student-e2e',
		profileName: { __rl: true, mode: 'list', value: 'student' },
	};
	const bondBody = {
		school_external_id: 'school-001',
		class_external_id: 'class-e2e',
		user_external_id: 'student-e2e',
		profile_name: 'student',
	};

	test('bond: Create links the student, and the service holds the bond', async () => {
		const { requests } = await run({ resource: 'bond', operation: 'create', ...bond });
		expect(requests.map(sent)).toEqual([
			{ method: 'POST', path: '/integration/partner/v1/bond-user-class', query: {}, body: bondBody },
		]);
		expect((await stage.sandbox.admin.bonds({ externalId: 'student-e2e' })).count).toBe(1);
	});

	test('bond: Delete carries the bond in its body and says that it is deleted', async () => {
		const { items, requests } = await run({ resource: 'bond', operation: 'delete', ...bond });
		expect(requests.map(sent)).toEqual([
			{ method: 'DELETE', path: '/integration/partner/v1/bond-user-class', query: {}, body: bondBody },
		]);
		expect(items).toEqual([expect.objectContaining({ deleted: true })]);
		expect((await stage.sandbox.admin.bonds({ externalId: 'student-e2e' })).count).toBe(0);
	});

	test('accountCreation: Get passes the query on as it was typed', async () => {
		const { items, requests } = await run({
			resource: 'accountCreation',
			operation: 'get',
			queryParameters: { parameter: [{ name: 'external_id', value: 'student-e2e' }] },
		});
		expect(requests.map(sent)).toEqual([
			{ method: 'GET', path: '/integration/partner/v1/callback', query: { external_id: 'student-e2e' }, body: null },
		]);
		expect(items).toEqual([{ account_id: expect.any(String), user_id: expect.any(String), status: 'created' }]);
	});
});

describe('synchronization', () => {
	const lookups = [
		['get', (id: string) => `/sync/v1/accounts/${id}`],
		['getSponsors', (id: string) => `/sync/v1/accounts/${id}/sponsors`],
		['getDependents', (id: string) => `/sync/v1/accounts/${id}/dependents`],
		['getSchools', (id: string) => `/sync/v1/schools/${id}`],
		['getClasses', (id: string) => `/sync/v1/accounts/${id}/classes`],
	] as const;

	test.each(lookups)('account: %s asks for the account of the tenant', async (operation, pathOf) => {
		const accountId = operation === 'getDependents' ? known.responsibleAccountId : known.accountId;
		const { items, requests } = await run({ resource: 'account', operation, accountId, tenantId: known.tenantId });
		expect(requests.map(sent)).toEqual([
			{ method: 'GET', path: pathOf(accountId), query: { tenant_id: known.tenantId }, body: null },
		]);
		expect(items.length).toBeGreaterThan(0);
	});

	test('account: an id with characters of an address stays one segment of the path', async () => {
		const { items, requests } = await run({ resource: 'account', operation: 'get', accountId: 'a b?c=ü', tenantId: known.tenantId });
		expect(requests.map(({ path, query }) => [path, query])).toEqual([
			['/sync/v1/accounts/a%20b%3Fc%3D%C3%BC', { tenant_id: known.tenantId }],
		]);
		expect(items).toEqual([]);
	});

	test('account: Get Snapshot makes one item of six answers', async () => {
		const { items, requests } = await run({ resource: 'account', operation: 'getSnapshot', accountId: known.accountId, tenantId: known.tenantId });
		expect(requests.map(({ path }) => path).sort()).toEqual(
			[...lookups.map(([, pathOf]) => pathOf(known.accountId)), `/sync/v1/tenants/${known.tenantId}`].sort(),
		);
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

	test('tenant: Get asks for the tenant by its id', async () => {
		const { items, requests } = await run({ resource: 'tenant', operation: 'get', tenantId: known.tenantId });
		expect(requests.map(sent)).toEqual([{ method: 'GET', path: `/sync/v1/tenants/${known.tenantId}`, query: {}, body: null }]);
		expect(items).toEqual([expect.objectContaining({ id: known.tenantId })]);
	});
});

describe('enrollment', () => {
	test('enrollment: Get Courses gives one item for each course', async () => {
		const { items, requests } = await run({ resource: 'enrollment', operation: 'getCourses', accountId: known.accountId });
		expect(requests.map(sent)).toEqual([
			{ method: 'GET', path: `/enrollment/v1/accounts/${known.accountId}/courses`, query: {}, body: null },
		]);
		expect(items).toEqual(expect.arrayContaining([expect.objectContaining({ code: known.courseCode })]));
	});

	const update = () => ({ schoolId: known.schoolId, courseCode: known.courseCode, status: 'cancelled' });

	test('enrollment: Update by Account sends the update in a list', async () => {
		const { items, requests } = await run({
			resource: 'enrollment',
			operation: 'updateByAccount',
			accountId: known.accountId,
			...update(),
			additionalFields: { notes: 'Moved away', operator: 'Front office', payerId: known.responsibleAccountId, updatedAt: '2026-03-09T12:30:00Z' },
		});
		expect(requests.map(sent)).toEqual([
			{
				method: 'PUT',
				path: `/enrollment/v1/accounts/${known.accountId}`,
				query: {},
				body: {
					data: [
						{
							school_id: known.schoolId,
							course_code: known.courseCode,
							status: 'cancelled',
							payer_id: known.responsibleAccountId,
							operator: 'Front office',
							notes: 'Moved away',
							updated_at: '2026-03-09T12:30:00Z',
						},
					],
				},
			},
		]);
		expect(items).toHaveLength(1);
		const { items: courses } = await stage.sandbox.admin.courses({ accountId: known.accountId });
		expect(courses.find(({ code }) => code === known.courseCode)?.status).toBe('cancelled');
	});

	test('enrollment: Update by User says when it was made, if nobody else does', async () => {
		const before = Date.now() - 1000;
		const { requests } = await run({ resource: 'enrollment', operation: 'updateByUser', userId: known.userId, ...update() });
		expect(requests.map(({ method, path }) => [method, path])).toEqual([['PUT', `/enrollment/v1/user/${known.userId}`]]);
		const [{ updated_at: updatedAt, ...rest }] = (requests[0].body as { data: IDataObject[] }).data;
		expect(rest).toEqual({ school_id: known.schoolId, course_code: known.courseCode, status: 'cancelled' });
		expect(String(updatedAt)).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
		expect(Date.parse(String(updatedAt))).toBeGreaterThanOrEqual(before);
	});

	test('enrollment: Post Course Status sends the message with its responsible persons', async () => {
		const { requests } = await run({
			resource: 'enrollment',
			operation: 'postCourseStatus',
			...update(),
			userId: known.userId,
			additionalFields: { name: 'Nina Torres', dateOfBirth: '2015-03-09', updatedAt: '2026-03-09T12:30:00Z' },
			responsibles: { responsible: [{ name: 'Marina Torres', documentType: 'TAX_ID', document: '00000000191' }] },
		});
		expect(requests.map(sent)).toEqual([
			{
				method: 'POST',
				path: `/enrollment/v1/schools/${known.schoolId}/courses/${encodeURIComponent(known.courseCode)}/status`,
				query: {},
				body: {
					data: {
						school_id: known.schoolId,
						course_code: known.courseCode,
						user_id: known.userId,
						status: 'cancelled',
						name: 'Nina Torres',
						date_of_birth: '2015-03-09',
						updated_at: '2026-03-09T12:30:00Z',
						responsible: [{ name: 'Marina Torres', document_type: 'TAX_ID', document: '00000000191' }],
					},
				},
			},
		]);
	});
});

describe('as n8n loads it', () => {
	test('n8n offers the node, its triggers, and the node as a tool of AI agents', async () => {
		const names = (await loadedNodeTypes(stage.session)).map(({ name }) => name);
		expect(names.filter((name) => name.startsWith('n8n-nodes-school-partner.')).sort()).toEqual([
			ACTION_NODE,
			'n8n-nodes-school-partner.schoolPartnerLogoutTrigger',
			`${ACTION_NODE}Tool`,
			'n8n-nodes-school-partner.schoolPartnerTrigger',
		]);
	});

	test('every operation shows what it gives before the first run', async () => {
		const description = (await loadedNodeTypes(stage.session)).find(({ name }) => name === ACTION_NODE);
		const operations = (description?.properties ?? [])
			.filter(({ name }) => name === 'operation')
			.flatMap(({ displayOptions, options }) =>
				(options ?? []).map((option) => [String(displayOptions?.show?.resource?.[0]), 'value' in option ? String(option.value) : '']),
			)
			// n8n's own entry in every node that has a credential.
			.filter(([, operation]) => operation !== '__CUSTOM_API_CALL__');
		expect(operations.length).toBeGreaterThanOrEqual(20);
		for (const [resource, operation] of operations) {
			const schema = await stage.session.read(`/schemas/${ACTION_NODE}/1.0.0/${resource}/${operation}.json`);
			expect([resource, operation, schema]).toEqual([resource, operation, expect.objectContaining({ type: 'object', version: 1 })]);
		}
	});
});
