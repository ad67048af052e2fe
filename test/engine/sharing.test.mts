/** Identical lookups of a run are sent once. */
import type { IDataObject } from 'n8n-workflow';

import type { Facts } from '../../sandbox/admin-types.mts';
import { useWorkroom } from './workroom.mts';

const ACCOUNTS = 100;
const ITEMS = 2_000;

const workroom = useWorkroom({ students: 120 });

let facts: Facts;
let accounts: string[];
beforeAll(async () => {
	facts = await workroom.admin.facts();
	const { items } = await workroom.admin.users({ profile: 'student' });
	accounts = items.slice(0, ACCOUNTS).map(({ account_id }) => account_id);
});

const lookup = (operation: string) => ({
	resource: 'account',
	operation,
	accountId: '={{ $json.account }}',
	tenantId: '={{ $json.tenant }}',
});

/** Items that go through the accounts again and again. */
const rows = (count: number) =>
	Array.from({ length: count }, (_, index) => ({
		account: accounts[index % accounts.length],
		tenant: facts.tenantId,
		row: index,
	}));

test('2,000 items over 100 accounts cost 100 GETs, and every item has its own answer', async () => {
	await workroom.storeToken();
	const items = rows(ITEMS);
	const { outputs, error } = await workroom.run(lookup('get'), items);
	expect(error).toBeUndefined();
	const paths = (await workroom.received()).map(({ path }) => path);
	expect(paths).toHaveLength(ACCOUNTS);
	expect(new Set(paths).size).toBe(ACCOUNTS);
	expect(outputs[0].map(({ json, pairedItem }) => [json.account_id, pairedItem])).toEqual(
		items.map(({ account }, item) => [account, { item }]),
	);
});

test('2,000 identical items cost one GET', async () => {
	await workroom.storeToken();
	const { items } = await workroom.run(
		lookup('getClasses'),
		rows(ITEMS).map((row) => ({ ...row, account: accounts[0] })),
	);
	expect(await workroom.received()).toHaveLength(1);
	expect(items).toHaveLength(ITEMS);
});

test('items that share an answer do not share its objects', async () => {
	const [row] = rows(1);
	const { items } = await workroom.run(lookup('get'), [row, row, row]);
	(items[0].cell_phone as IDataObject).value = 'changed';
	(items[1].documents as IDataObject[]).pop();
	expect(items[2]).toEqual((await workroom.run(lookup('get'), [row])).items[0]);
});

test('items that share a refusal do not share its objects', async () => {
	const ErrorProperties = [{ PropertyName: 'tenant_id', ErrorMessage: 'Unknown.' }];
	const body = { Error: { Code: 'FLU001', Message: 'Wrong.', ErrorProperties } };
	await workroom.admin.addFault({ pathPattern: `${accounts[0]}$` }, { status: 400, body });
	const [row] = rows(1);
	const { items } = await workroom.run(lookup('get'), [row, row], { onError: 'continueRegularOutput' });
	const [first, second] = items.map(({ failure }) => (failure as IDataObject).properties as IDataObject[]);
	first[0].message = 'changed';
	first.push({});
	expect(second).toEqual([{ property: 'tenant_id', message: 'Unknown.' }]);
});

test('the same account of another tenant is another lookup', async () => {
	await workroom.storeToken();
	const other = 'a3f1c6de-0000-4000-8000-000000000000';
	const [row] = rows(1);
	const { outputs } = await workroom.run(lookup('get'), [row, { ...row, tenant: other }, row]);
	expect((await workroom.received()).map(({ query }) => query.tenant_id).sort()).toEqual(
		[facts.tenantId, other].sort(),
	);
	expect(outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
});

test('a lookup that fails, fails for every item that shares it, and is sent once', async () => {
	await workroom.storeToken();
	await workroom.admin.addFault({ pathPattern: `${accounts[1]}$` }, { documented: 500 });
	const { outputs } = await workroom.run(lookup('get'), rows(300), { onError: 'continueErrorOutput' });
	expect(outputs[1].map(({ json, pairedItem }) => [json.row, pairedItem])).toEqual([
		[1, { item: 1 }],
		[101, { item: 101 }],
		[201, { item: 201 }],
	]);
	expect(outputs[1].map(({ json }) => (json.error as string).split('\n')[0])).toEqual(
		[1, 101, 201].map(
			(item) =>
				'The service could not complete the request (500): INT500: An internal server error occurred. ' +
				`[Item ${item}]`,
		),
	);
	expect(outputs[0]).toHaveLength(297);
	expect(await workroom.admin.countRequests({ path: `/sync/v1/accounts/${accounts[1]}` })).toBe(1);
});

test('answers are not kept for the next run', async () => {
	await workroom.storeToken();
	for (let run = 0; run < 2; run++) await workroom.run(lookup('get'), rows(1));
	expect(await workroom.received()).toHaveLength(2);
});

test('writes that look the same are all sent', async () => {
	await workroom.storeToken();
	const [course] = facts.courses;
	const message = {
		resource: 'enrollment',
		operation: 'postCourseStatus',
		schoolId: course.schoolId,
		courseCode: course.code,
		userId: course.userId,
		status: 'CONFIRMED',
	};
	const { error } = await workroom.run(message, [{}, {}, {}]);
	expect(error).toBeUndefined();
	expect(await workroom.received()).toHaveLength(3);
});
