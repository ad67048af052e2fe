/** Everything about an account as one item. */
import type { IDataObject } from 'n8n-workflow';

import type { Facts } from '../../sandbox/admin-types.mts';
import { asked, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

let facts: Facts;
beforeAll(async () => {
	facts = await workroom.admin.facts();
});

const snapshot = (change: IDataObject = {}) => ({
	resource: 'account',
	operation: 'getSnapshot',
	accountId: facts.students[0].accountId,
	tenantId: facts.tenantId,
	...change,
});

/** The part, a pattern of its path, and what it is when the service finds nothing. */
const parts = [
	['tenant', '/tenants/', null],
	['account', '/accounts/[^/]+$', null],
	['sponsors', '/sponsors$', []],
	['dependents', '/dependents$', []],
	['schools', '/schools/', []],
	['classes', '/classes$', []],
] as const;

describe('A snapshot', () => {
	test('asks for its six parts side by side', async () => {
		await workroom.storeToken();
		// Long enough for all six to arrive before the first is answered.
		await workroom.admin.changeSettings({ latencyMs: 1_500 });
		const { error } = await workroom.run(snapshot());
		expect(error).toBeUndefined();
		const { accountId } = facts.students[0];
		const get = (path: string, query = { tenant_id: facts.tenantId }) => ({
			method: 'GET',
			path,
			query,
			body: null,
		});
		const requests = (await workroom.received()).map(asked);
		expect(requests).toHaveLength(6);
		expect(requests).toEqual(
			expect.arrayContaining([
				{ ...get(`/sync/v1/tenants/${facts.tenantId}`), query: {} },
				get(`/sync/v1/accounts/${accountId}`),
				get(`/sync/v1/accounts/${accountId}/sponsors`),
				get(`/sync/v1/accounts/${accountId}/dependents`),
				get(`/sync/v1/schools/${accountId}`),
				get(`/sync/v1/accounts/${accountId}/classes`),
			]),
		);
		expect((await workroom.admin.requestLog({ countOnly: true })).maxInFlight).toBe(6);
	});

	test('holds what the six lookups give by themselves', async () => {
		const { items } = await workroom.run(snapshot());
		const alone = async (operation: string) => (await workroom.run(snapshot({ operation }))).items;
		const [account] = await alone('get');
		const [tenant] = (await workroom.run({ resource: 'tenant', operation: 'get', tenantId: facts.tenantId }))
			.items;
		expect(items).toEqual([
			{
				tenant,
				account,
				sponsors: await alone('getSponsors'),
				dependents: await alone('getDependents'),
				schools: await alone('getSchools'),
				classes: await alone('getClasses'),
			},
		]);
		expect(Object.keys(items[0])).toEqual(parts.map(([name]) => name));
	});

	test('holds exactly what the service sent when Simplify is off', async () => {
		const { items } = await workroom.run(snapshot({ simplify: false }));
		const [{ account, sponsors, schools }] = items as Array<Record<string, IDataObject & IDataObject[]>>;
		expect(account).toHaveProperty('user_id');
		expect(account).not.toHaveProperty('id');
		expect(sponsors[0].date_of_birth).toMatch(/^\d{4}-\d\d-\d\dT00:00:00$/);
		expect(schools[0]).toHaveProperty('cpnj');
	});

	test.each(parts)(
		'whose %s is not found (204) has it empty, and the rest',
		async (name, pathPattern, empty) => {
			const { items: whole } = await workroom.run(snapshot());
			await workroom.admin.addFault({ pathPattern: `^/sync/.*${pathPattern}` }, { status: 204 });
			const { items, error } = await workroom.run(snapshot());
			expect(error).toBeUndefined();
			expect(items).toEqual([{ ...whole[0], [name]: empty }]);
		},
	);

	test.each(parts)('whose %s fails names the part, and says why', async (name, pathPattern) => {
		await workroom.admin.addFault({ pathPattern: `^/sync/.*${pathPattern}` }, { documented: 500 });
		const { message, description } = wordsOf(await workroom.run(snapshot()));
		expect(message).toBe(
			`The part "${name}" could not be fetched. ` +
				'The service could not complete the request (500): INT500: An internal server error occurred. [Item 0]',
		);
		expect(description).toBe('Run the item again later.');
	});

	test('whose part is not found while another waits to be sent again says what the service answered', async () => {
		await workroom.admin.addFault({ path: '/sync/v1/tenants/' }, { status: 429, retryAfter: 2 });
		await workroom.admin.addFault({ pathPattern: '^/sync/.*/accounts/[^/]+$' }, { status: 404 });
		const { message } = wordsOf(await workroom.run(snapshot()));
		expect(message).toMatch(/^The part "account" could not be fetched/);
	});

	test('that fails leaves the others alone, and takes the failure output with its own input', async () => {
		const items = facts.students.slice(0, 4).map(({ accountId }) => ({ accountId }));
		await workroom.admin.addFault({ pathPattern: `${items[2].accountId}/classes$` }, { status: 401 });
		const { outputs } = await workroom.run(snapshot({ accountId: '={{ $json.accountId }}' }), items, {
			onError: 'continueErrorOutput',
		});
		expect(
			outputs[0].map(({ json, pairedItem }) => [(json.account as IDataObject).account_id, pairedItem]),
		).toEqual([0, 1, 3].map((item) => [items[item].accountId, { item }]));
		expect(outputs[1].map(({ json, pairedItem }) => [json.accountId, json.error, pairedItem])).toEqual([
			[
				items[2].accountId,
				expect.stringMatching(
					/^The part "classes" could not be fetched. The service does not accept the token/,
				),
				{ item: 2 },
			],
		]);
	});
});

describe('Snapshots of many accounts', () => {
	test('of one tenant fetch the tenant once', async () => {
		await workroom.storeToken();
		const items = facts.students.map(({ accountId }) => ({ accountId }));
		const { items: found } = await workroom.run(snapshot({ accountId: '={{ $json.accountId }}' }), items);
		expect(found.map(({ account }) => (account as IDataObject).account_id)).toEqual(
			items.map(({ accountId }) => accountId),
		);
		const paths = (await workroom.received()).map(({ path }) => path);
		expect(paths.filter((path) => path.includes('/tenants/'))).toHaveLength(1);
		expect(paths).toHaveLength(1 + 5 * items.length);
	});

	test('do not share one object: changing the tenant of an item changes no other', async () => {
		const items = facts.students.slice(0, 2).map(({ accountId }) => ({ accountId }));
		const { items: found } = await workroom.run(snapshot({ accountId: '={{ $json.accountId }}' }), items);
		(found[0].tenant as IDataObject).name = 'changed';
		expect((found[1].tenant as IDataObject).name).not.toBe('changed');
	});

	test('all fail with the tenant that they share', async () => {
		const items = facts.students.slice(0, 3).map(({ accountId }) => ({ accountId }));
		await workroom.admin.addFault({ path: '/sync/v1/tenants/' }, { documented: 500 });
		const { outputs } = await workroom.run(snapshot({ accountId: '={{ $json.accountId }}' }), items, {
			onError: 'continueErrorOutput',
		});
		expect(outputs[0]).toEqual([]);
		expect(outputs[1].map(({ json }) => json.accountId)).toEqual(items.map(({ accountId }) => accountId));
		expect(await workroom.admin.countRequests({ path: '/sync/v1/tenants/' })).toBe(1);
	});
});
