/**
 * The endpoint tables of synchronization, enrollment and event query, row by row, as the real n8n sends them; and what
 * leaves the node. What must arrive is written here from the service's document, not derived from the package. Status updates by
 * the thousand: merged, halved where the service refuses, each failure with its own row.
 */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { errorOf, itemsOf } from '../../playground/n8n-client.mts';
import type { CourseState, Facts, LoggedRequest } from '../../sandbox/admin-types.mts';
import { nodeWorkflow, runOnce, setStage, TESTED, type NodeWorkflow, type Stage } from '../support/stage.mts';

let stage: Stage;
let facts: Facts;
beforeAll(async () => {
	stage = await setStage({ sandbox: { students: 120 } });
	facts = await stage.sandbox.admin.facts();
});
beforeEach(async () => await stage.sandbox.admin.reset());
afterAll(async () => await stage?.end());

const TENANT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const SCHOOL = '9b2e1f00-0000-4000-8000-00000000005c';
const USER = '0c7d9a10-0000-4000-8000-0000000000b3';
/** An id that is only safe as a path segment when it is escaped. */
const ID = 'a b?c=d&é#%';
const ESCAPED = 'a%20b%3Fc%3Dd%26%C3%A9%23%25';
const at = '2026-03-09T12:30:00Z';

async function run(workflow: NodeWorkflow) {
	const execution = await runOnce(stage, nodeWorkflow(stage, workflow));
	return {
		error: errorOf(execution),
		outputs: [0, 1].map((output) => itemsOf(execution, TESTED, output)),
	};
}

const received = async (): Promise<LoggedRequest[]> =>
	(await stage.sandbox.admin.requests()).filter(({ path }) => !path.startsWith('/identity'));

const account = (operation: string): INodeParameters => ({
	resource: 'account',
	operation,
	accountId: '={{ $json.id }}',
	tenantId: TENANT,
});
const update = { resource: 'enrollment', schoolId: SCHOOL, courseCode: 'MATH 5', status: 'CANCELLED' };
const updated = { data: [{ school_id: SCHOOL, course_code: 'MATH 5', status: 'CANCELLED', updated_at: at }] };
const byTenant = { tenant_id: TENANT };

/** Parameters, method, path, query, body. */
const rows: Array<[INodeParameters, string, string, object, unknown]> = [
	[account('get'), 'GET', `/sync/v1/accounts/${ESCAPED}`, byTenant, null],
	[account('getSponsors'), 'GET', `/sync/v1/accounts/${ESCAPED}/sponsors`, byTenant, null],
	[account('getDependents'), 'GET', `/sync/v1/accounts/${ESCAPED}/dependents`, byTenant, null],
	[{ resource: 'tenant', operation: 'get', tenantId: TENANT }, 'GET', `/sync/v1/tenants/${TENANT}`, {}, null],
	[account('getSchools'), 'GET', `/sync/v1/schools/${ESCAPED}`, byTenant, null],
	[account('getClasses'), 'GET', `/sync/v1/accounts/${ESCAPED}/classes`, byTenant, null],
	[
		{ resource: 'enrollment', operation: 'getCourses', accountId: '={{ $json.id }}' },
		'GET',
		`/enrollment/v1/accounts/${ESCAPED}/courses`,
		{},
		null,
	],
	[
		{
			...update,
			operation: 'updateByAccount',
			accountId: '={{ $json.id }}',
			additionalFields: { updatedAt: at },
		},
		'PUT',
		`/enrollment/v1/accounts/${ESCAPED}`,
		{},
		updated,
	],
	[
		{ ...update, operation: 'updateByUser', userId: '={{ $json.id }}', additionalFields: { updatedAt: at } },
		'PUT',
		`/enrollment/v1/user/${ESCAPED}`,
		{},
		updated,
	],
	[
		{ ...update, operation: 'postCourseStatus', userId: USER, additionalFields: { updatedAt: at } },
		'POST',
		`/enrollment/v1/schools/${SCHOOL}/courses/MATH%205/status`,
		{},
		{ data: { ...updated.data[0], user_id: USER } },
	],
	[
		{ resource: 'event', operation: 'get', requestId: TENANT },
		'GET',
		`/webhook/v1/webhooks/callback/${TENANT}`,
		{},
		null,
	],
];

describe('Every row of the endpoint tables arrives as the document has it', () => {
	test.each(rows)('%j', async (parameters, method, path, query, body) => {
		await stage.sandbox.admin.addFault({ pathPattern: '^/(sync|enrollment|webhook)/' }, { status: 204 });
		const { error } = await run({ parameters, rows: [{ id: ID }] });
		expect(error).toBeUndefined();
		const requests = await received();
		expect(requests.map((request) => [request.method, request.path, request.query, request.body])).toEqual([
			[method, path, query, body],
		]);
		expect(requests[0].headers).toMatchObject({
			'content-type': expect.stringMatching(/^application\/json/) as string,
			authorization: expect.stringMatching(/^Bearer /) as string,
		});
	});
});

describe('What the samples of the document have another way', () => {
	const fields = (item: IDataObject, ...names: string[]) => names.map((name) => name in item);

	async function both(operation: string, id: string): Promise<[canonical: IDataObject, raw: IDataObject]> {
		const parameters = { ...account(operation), tenantId: facts.tenantId };
		const [canonical] = (await run({ parameters, rows: [{ id }] })).outputs[0];
		const [raw] = (await run({ parameters: { ...parameters, simplify: false }, rows: [{ id }] })).outputs[0];
		return [canonical.json, raw.json];
	}

	test('user_id of an account', async () => {
		const [canonical, raw] = await both('get', facts.students[0].accountId);
		expect(canonical.id).toBe(facts.students[0].userId);
		expect(fields(canonical, 'id', 'user_id')).toEqual([true, false]);
		expect(fields(raw, 'id', 'user_id')).toEqual([false, true]);
	});

	test('the date of birth of a sponsor with a time part', async () => {
		const [canonical, raw] = await both('getSponsors', facts.students[0].accountId);
		expect(canonical.date_of_birth).toMatch(/^\d{4}-\d\d-\d\d$/);
		expect(raw.date_of_birth).toBe(`${canonical.date_of_birth as string}T00:00:00`);
	});

	test('the phone of a dependent as one text', async () => {
		const [canonical, raw] = await both('getDependents', facts.responsibles[0].accountId);
		expect(canonical.cell_phone).toEqual({ ddi: null, value: raw.phone });
		expect(fields(canonical, 'phone')).toEqual([false]);
		expect(fields(raw, 'phone', 'cell_phone')).toEqual([true, false]);
	});

	test('Zip, City, State and cpnj of a school', async () => {
		const [canonical, raw] = await both('getSchools', facts.students[0].accountId);
		expect(canonical.cnpj).toBe(raw.cpnj);
		const [[address], [rawAddress]] = [canonical.addresses, raw.addresses] as IDataObject[][];
		expect([address.zip, address.city, address.state]).toEqual([
			rawAddress.Zip,
			rawAddress.City,
			rawAddress.State,
		]);
		expect(fields(address, 'Zip', 'City', 'State')).toEqual([false, false, false]);
	});

	test('tagId of a shift', async () => {
		const [canonical, raw] = await both('getClasses', facts.students[0].accountId);
		const [shift, rawShift] = [canonical.shift, raw.shift] as IDataObject[];
		expect(shift).toEqual({ id: rawShift.tagId, name: rawShift.name });
	});
});

test('2,000 lookups over 100 accounts cost 100 GETs', async () => {
	const { items } = await stage.sandbox.admin.users({ profile: 'student' });
	const ids = Array.from({ length: 2_000 }, (_, index) => ({ id: items[index % 100].account_id }));
	const { outputs } = await run({ parameters: { ...account('get'), tenantId: facts.tenantId }, rows: ids });
	expect(await received()).toHaveLength(100);
	expect(outputs[0].map(({ json, pairedItem }) => [json.account_id, pairedItem])).toEqual(
		ids.map(({ id }, item) => [id, { item }]),
	);
});

test('an account id with a slash is refused by name, leaves with its own input, and nothing is sent for it', async () => {
	const [{ accountId }] = facts.students;
	const { outputs } = await run({
		parameters: { ...account('get'), tenantId: facts.tenantId },
		rows: [
			{ id: 'a/b', row: 1 },
			{ id: accountId, row: 2 },
		],
		onError: 'continueErrorOutput',
	});
	expect(outputs[1].map(({ json, pairedItem }) => [json.id, json.row, json.error, pairedItem])).toEqual([
		[
			'a/b',
			1,
			'Account ID must not hold a slash [Item 0]\n' +
				'Nothing was sent for this item. Correct its values and run it again.',
			{ item: 0 },
		],
	]);
	expect((await received()).map(({ path }) => path)).toEqual([`/sync/v1/accounts/${accountId}`]);
});

test('an event that was delivered is read back, as text and as an event', async () => {
	await stage.sandbox.admin.registerWebhook({
		url: `${stage.n8n.baseUrl}/webhook/nobody`,
		apiKey: 'key-of-a-test',
	});
	const { requestId, payload } = await stage.sandbox.admin.grantAccess({
		externalId: facts.students[0].externalId,
	});
	const { outputs } = await run({ parameters: { resource: 'event', operation: 'get', requestId } });
	expect(outputs[0].map(({ json }) => json)).toEqual([
		{
			payload,
			message: expect.any(String) as string,
			status: 404,
			sentAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/) as string,
			isSuccessful: false,
			event: expect.objectContaining({
				header: expect.objectContaining({ request_id: requestId }) as object,
			}) as object,
		},
	]);
});

describe('Status updates by the thousand', () => {
	const ACCOUNTS = 40;
	const ITEMS = 2_000;
	const PATH = '/enrollment/v1/accounts/';
	let courses: CourseState[];

	beforeAll(async () => {
		await stage.sandbox.admin.reset();
		const { items } = await stage.sandbox.admin.courses();
		courses = [...new Map(items.map((course) => [course.account_id, course])).values()].slice(0, ACCOUNTS);
	});

	/** Rows of a sheet that goes through the accounts again and again; the status says which row it was. */
	function rowsOfSheet(count: number): IDataObject[] {
		return Array.from({ length: count }, (_, row) => {
			const { account_id, school_id, code } = courses[row % ACCOUNTS];
			return {
				account: account_id,
				school: school_id,
				course: code,
				status: `status-${row}`,
				notes: '',
				time: '',
			};
		});
	}

	async function update(rows: IDataObject[]) {
		const parameters = {
			resource: 'enrollment',
			operation: 'updateByAccount',
			accountId: '={{ $json.account }}',
			schoolId: '={{ $json.school }}',
			courseCode: '={{ $json.course }}',
			status: '={{ $json.status }}',
			additionalFields: { notes: '={{ $json.notes }}', updatedAt: '={{ $json.time }}' },
		};
		const workflow = nodeWorkflow(stage, { parameters, rows, onError: 'continueErrorOutput' });
		const execution = await runOnce(stage, workflow);
		expect(errorOf(execution)).toBeUndefined();
		return { written: itemsOf(execution, TESTED, 0), failed: itemsOf(execution, TESTED, 1) };
	}

	async function puts() {
		const requests = await stage.sandbox.admin.requests({ path: PATH });
		return requests.map(({ path, body, status }) => ({
			account: path.slice(PATH.length),
			rows: (body as { data: Array<{ status: string }> }).data.map((entry) =>
				Number(entry.status.slice('status-'.length)),
			),
			status,
		}));
	}

	test('2,000 status updates for 40 accounts travel in 40 PUTs, those of an account in the order of the rows', async () => {
		const { written, failed } = await update(rowsOfSheet(ITEMS));
		expect(failed).toEqual([]);
		expect(written.map(({ pairedItem }) => pairedItem)).toEqual(
			rowsOfSheet(ITEMS).map((_, item) => ({ item })),
		);
		const seen = await puts();
		expect(seen).toHaveLength(ACCOUNTS);
		for (const { account, rows } of seen) {
			const first = courses.findIndex(({ account_id }) => account_id === account);
			expect(rows).toEqual(Array.from({ length: ITEMS / ACCOUNTS }, (_, index) => first + index * ACCOUNTS));
		}
	});

	test('with three bad records among them 1,997 are written, and three leave with their own row', async () => {
		const rows = rowsOfSheet(ITEMS);
		const bad = [3, 1000, 1999];
		for (const row of bad) rows[row].course = 'NO-SUCH-COURSE';
		const { written, failed } = await update(rows);
		expect(written).toHaveLength(ITEMS - bad.length);
		expect(failed.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual(
			bad.map((item) => ({
				json: {
					...rows[item],
					error:
						'The service refuses the data (400): ENRL-0400: data[0]: there is no enrollment in course ' +
						`"NO-SUCH-COURSE" of this school. [Item ${item}]\n` +
						'Correct the values that the service names and run the item again.',
					failure: {
						origin: 'service',
						effect: 'none',
						status: 400,
						code: 'ENRL-0400',
						next: 'Correct the values that the service names and run the item again.',
					},
				},
				pairedItem: { item },
			})),
		);
		const seen = await puts();
		expect(seen.length).toBeLessThanOrEqual(ACCOUNTS + 3 * 12);
		const accepted = seen.filter(({ status }) => status === 200).flatMap((put) => put.rows);
		expect(accepted).toHaveLength(ITEMS - bad.length);
		expect(new Set(accepted).size).toBe(ITEMS - bad.length);
	});

	test('what cannot be sent is refused by name, each row with its own reason, and the others are written', async () => {
		const rows = rowsOfSheet(8);
		Object.assign(rows[1], { notes: 'n'.repeat(513) });
		Object.assign(rows[2], { status: '' });
		Object.assign(rows[3], { time: '2026-03-09T12:30:00' });
		Object.assign(rows[4], { account: 'a/b' });
		Object.assign(rows[5], { account: '..' });
		Object.assign(rows[6], { account: '' });
		Object.assign(rows[7], { notes: 'n'.repeat(512) });
		const { written, failed } = await update(rows);
		const NOTHING_SENT = 'Nothing was sent for this item. Correct its values and run it again.';
		const words = [
			'Notes must be at most 512 characters long',
			'Status must not be empty',
			'Updated At must be a time in UTC, written as ISO 8601 with a zone, for example 2026-03-09T12:30:00Z',
			'Account ID must not hold a slash',
			'Account ID must not be "." or ".."',
			'Account ID must not be empty',
		];
		expect(failed.map(({ json, pairedItem }) => ({ json, pairedItem }))).toEqual(
			words.map((finding, index) => ({
				json: {
					...rows[index + 1],
					error: `${finding} [Item ${index + 1}]\n${NOTHING_SENT}`,
					failure: { origin: 'input', effect: 'none', next: NOTHING_SENT },
				},
				pairedItem: { item: index + 1 },
			})),
		);
		expect(written.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 7 }]);
		expect((await puts()).map(({ account }) => account).sort()).toEqual(
			[rows[0].account, rows[7].account].sort(),
		);
	});
});
