/** What the service refuses, what is refused before it is sent, and what it means when nothing is found. */
import type { FaultAction } from '../../sandbox/admin-types.mts';
import { useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const ACCOUNT = '6f1c2d3e-0000-4000-8000-0000000000a1';
const TENANT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const EMPTY_GUID = '00000000-0000-0000-0000-000000000000';

const ids = { accountId: ACCOUNT, tenantId: TENANT };
const account = { resource: 'account', operation: 'get', ...ids };
const lookups = ['get', 'getSponsors', 'getDependents', 'getSchools', 'getClasses', 'getSnapshot'];

const NOTHING_SENT = 'Nothing was sent for this item. Correct its values and run it again.';
const REQUIRED = 'Tenant ID is empty. The service says of this: tenant_id is required. [Item 0]';
const EMPTY =
	'Tenant ID is the empty GUID. The service says of this: tenant_id cannot be an empty GUID. [Item 0]';
const NO_GUID = 'Tenant ID must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301 [Item 0]';

describe('The tenant is checked before anything is sent', () => {
	const wrong = [
		['missing', '={{ $json.tenant }}', REQUIRED],
		['empty', '={{ "" }}', REQUIRED],
		['nothing but spaces', '={{ "  " }}', REQUIRED],
		['the empty GUID', EMPTY_GUID, EMPTY],
		['no GUID', 'tenant-001', NO_GUID],
	] as const;

	test.each(wrong)("and refused in the service's words when it is %s", async (_what, tenantId, words) => {
		for (const operation of lookups) {
			const { message, description } = wordsOf(await workroom.run({ ...account, operation, tenantId }));
			expect([message, description]).toEqual([words, NOTHING_SENT]);
		}
		expect(wordsOf(await workroom.run({ resource: 'tenant', operation: 'get', tenantId })).message).toBe(
			words,
		);
		expect(await workroom.admin.countRequests()).toBe(0);
	});
});

describe('The account is checked before anything is sent', () => {
	test.each([
		['empty', '', 'must not be empty'],
		['a dot', '.', 'must not be "." or ".."'],
		['two dots', '..', 'must not be "." or ".."'],
		['an id with a slash', 'a/b', 'must not hold a slash'],
		['an id with a backslash', 'a\\b', 'must not hold a slash'],
		['an id of 37 characters', 'x'.repeat(37), 'must be at most 36 characters long'],
		['a list', ['a'], 'must be text, but is a list'],
	])('and refused when it is %s, while the other items are looked up', async (_what, id, finding) => {
		const items = [{ id: ACCOUNT }, { id }, { id: 'another' }];
		const { outputs, error } = await workroom.run({ ...account, accountId: '={{ $json.id }}' }, items, {
			onError: 'continueErrorOutput',
		});
		expect(error).toBeUndefined();
		expect(outputs[1]).toEqual([
			{
				json: {
					id,
					error: `Account ID ${finding} [Item 1]\n${NOTHING_SENT}`,
					failure: { origin: 'input', effect: 'none', next: NOTHING_SENT },
				},
				pairedItem: { item: 1 },
			},
		]);
		expect((await workroom.received()).map(({ path }) => path).sort()).toEqual(
			[`/sync/v1/accounts/${ACCOUNT}`, '/sync/v1/accounts/another'].sort(),
		);
	});

	test('and a run that stops at its first failure has sent nothing, not even for a token', async () => {
		const items = [{ id: ACCOUNT }, { id: '..' }];
		const { error } = await workroom.run({ ...account, accountId: '={{ $json.id }}' }, items);
		expect(error?.message).toBe('Account ID must not be "." or ".." [Item 1]');
		expect(await workroom.admin.countRequests()).toBe(0);
	});

	test('and every finding of an item is told', async () => {
		const { message, description } = wordsOf(
			await workroom.run({ ...account, accountId: '..', tenantId: 'x' }),
		);
		expect(message).toBe('Account ID must not be "." or ".." [Item 0]');
		expect(description).toBe(
			`Tenant ID must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301\n${NOTHING_SENT}`,
		);
	});
});

/** The bodies of the document's table "Synchronization endpoints". */
const documented: Array<[string, FaultAction, string, string]> = [
	[
		'400: Error with Code and Message',
		{ status: 400, body: { Error: { Code: 'USR001', Message: 'Bad request.' } } },
		'The service refuses the data (400): USR001: Bad request.',
		'Correct the values that the service names and run the item again.',
	],
	[
		'409: Error with Code, Message and ErrorProperties',
		{
			status: 409,
			body: {
				Error: {
					Code: 'FLU001',
					Message: 'Wrong parameters.',
					ErrorProperties: [
						{ PropertyName: 'tenant_id', ErrorMessage: 'tenant_id is required.' },
						{ PropertyName: 'account_id', ErrorMessage: 'account_id is unknown.' },
					],
				},
			},
		},
		'The service finds wrong parameters in the request (409): FLU001: Wrong parameters.',
		'tenant_id: tenant_id is required.\naccount_id: account_id is unknown.\n' +
			'Correct the values that the service names and run the item again.',
	],
	[
		'500: Error INT500',
		{ status: 500, body: { Error: { Code: 'INT500', Message: 'An internal server error occurred.' } } },
		'The service could not complete the request (500): INT500: An internal server error occurred.',
		'Run the item again later.',
	],
	[
		'500 whose status line says Bad Request',
		{ status: 500, statusMessage: 'Bad Request', body: { Error: { Code: 'INT500', Message: 'No.' } } },
		'The service could not complete the request (500): INT500: No.',
		'Run the item again later.',
	],
	[
		'401 without a body',
		{ status: 401 },
		'The service does not accept the token (401)',
		'Check Client ID and Client Secret in the credential, and for provisioning and synchronisation that Authorization Scheme is the one your service expects.',
	],
	[
		'400 without a body',
		{ status: 400 },
		'The service refuses the data (400)',
		'The service does not say which value. ' +
			'Check every value of this item against the field tables in the documentation of this node, and that the ids in it exist.',
	],
	[
		'409 without a body',
		{ status: 409 },
		'The service finds wrong parameters in the request (409)',
		'The service does not say which value. ' +
			'Check every value of this item against the field tables in the documentation of this node, and that the ids in it exist.',
	],
];

/** The same as data: the service's code and findings as it wrote them, read here without the node. */
function failureIn({ status, body }: FaultAction, next: string) {
	const { Error: said } = (body ?? {}) as {
		Error?: { Code: string; ErrorProperties?: Array<Record<string, string>> };
	};
	const properties = said?.ErrorProperties?.map((each) => ({
		property: each.PropertyName,
		message: each.ErrorMessage,
	}));
	return {
		origin: 'service',
		effect: 'none',
		status,
		...(said && { code: said.Code }),
		...(properties && { properties }),
		next,
	};
}

describe('A refusal is told in the words of the service', () => {
	test.each(documented)('%s', async (_what, answer, message, description) => {
		await workroom.admin.addFault({ path: '/sync/v1/' }, answer);
		for (const parameters of [
			...['get', 'getSponsors', 'getDependents', 'getSchools', 'getClasses'].map((operation) => ({
				...account,
				operation,
			})),
			{ resource: 'tenant', operation: 'get', tenantId: TENANT },
		]) {
			expect(wordsOf(await workroom.run(parameters))).toEqual({
				message: `${message} [Item 0]`,
				description,
			});
		}
	});

	test.each(documented)(
		'%s: on the failure output, with the input data',
		async (_what, answer, message, description) => {
			const items = [{ id: 'one' }, { id: 'two' }, { id: 'three' }];
			await workroom.admin.addFault({ pathPattern: '/accounts/two$' }, answer);
			const { outputs } = await workroom.run({ ...account, accountId: '={{ $json.id }}' }, items, {
				onError: 'continueErrorOutput',
			});
			expect(outputs[1]).toEqual([
				{
					json: {
						id: 'two',
						error: `${message} [Item 1]\n${description}`,
						failure: failureIn(answer, description),
					},
					pairedItem: { item: 1 },
				},
			]);
		},
	);

	test('a lookup that is refused is not sent again', async () => {
		await workroom.storeToken();
		await workroom.admin.addFault({ path: '/sync/v1/' }, { documented: 500 });
		await workroom.run(account);
		expect(await workroom.received()).toHaveLength(1);
	});
});

describe('When the service finds nothing (204)', () => {
	test('only the items without a result take the failure output, each with its own input', async () => {
		const { students, tenantId } = await workroom.admin.facts();
		const items = [
			{ id: students[0].accountId },
			{ id: 'nobody' },
			{ id: students[1].accountId },
			{ id: 'nobody' },
		];
		const { outputs } = await workroom.run(
			{ ...account, tenantId, accountId: '={{ $json.id }}', options: { whenNothingFound: 'fail' } },
			items,
			{ onError: 'continueErrorOutput' },
		);
		expect(outputs[0].map(({ json, pairedItem }) => [json.account_id, pairedItem])).toEqual([
			[students[0].accountId, { item: 0 }],
			[students[1].accountId, { item: 2 }],
		]);
		expect(outputs[1].map(({ json, pairedItem }) => [json.id, pairedItem])).toEqual([
			['nobody', { item: 1 }],
			['nobody', { item: 3 }],
		]);
	});
});

describe('An answer that cannot be read', () => {
	test.each([
		['get', [], 'is not an object'],
		['get', 'null', 'is not an object'],
		['getSponsors', {}, 'is not a list'],
		['getSchools', 'no JSON', 'is not JSON (200)'],
	])('of %s, %j, is no record', async (operation, body, fact) => {
		await workroom.admin.addFault({ path: '/sync/v1/' }, { body });
		expect(wordsOf(await workroom.run({ ...account, operation })).message).toBe(
			`The answer of the service ${fact} [Item 0]`,
		);
	});
});
