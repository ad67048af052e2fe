/** Numbers that JavaScript cannot hold, on their way from the service to the item. */
import { asked, studentParameters, TOKEN_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const ACCOUNT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const TENANT = '5f2504e0-4f89-41d3-9a0c-0305e82c3301';

const ACCOUNT_PATH = `/sync/v1/accounts/${ACCOUNT}`;
const account = { resource: 'account', operation: 'get', accountId: ACCOUNT, tenantId: TENANT };

const answer =
	'{"user_id":9007199254740993,"external_id":-9007199254740993,"name":"9007199254740993","year":2026,"share":0.1}';

describe('An id beyond 2^53 leaves as the text of its digits, and is not the id of somebody else', () => {
	test('with Simplify on', async () => {
		await workroom.admin.addFault({ path: ACCOUNT_PATH }, { status: 200, body: answer });
		const { items } = await workroom.run(account);
		expect(items).toEqual([
			expect.objectContaining({
				id: '9007199254740993',
				external_id: '-9007199254740993',
				name: '9007199254740993',
				year: 2026,
				share: 0.1,
			}),
		]);
	});

	test('with Simplify off', async () => {
		await workroom.admin.addFault({ path: ACCOUNT_PATH }, { status: 200, body: answer });
		const { items } = await workroom.run({ ...account, simplify: false });
		expect(items).toEqual([
			{
				user_id: '9007199254740993',
				external_id: '-9007199254740993',
				name: '9007199254740993',
				year: 2026,
				share: 0.1,
			},
		]);
	});

	test('in the list of an array answer', async () => {
		await workroom.admin.addFault(
			{ path: ACCOUNT_PATH },
			{ status: 200, body: '[{"id":9007199254740993},{"id":9007199254740995}]' },
		);
		const { items } = await workroom.run({ ...account, operation: 'getSponsors' });
		expect(items.map(({ id }) => id)).toEqual(['9007199254740993', '9007199254740995']);
	});

	test('in the event that a stored record holds as text', async () => {
		const payload = '{"header":{"request_id":"r"},"payload":{"bond":{"user_id":9007199254740993}}}';
		const record = JSON.stringify({
			payload,
			message: '',
			status: 200,
			sentAt: '2026-03-01T12:00:00',
			isSuccessful: true,
		});
		await workroom.admin.addFault({ path: '/webhook/v1/' }, { status: 200, body: record });
		const { items } = await workroom.run({ resource: 'event', operation: 'get', requestId: ACCOUNT });
		expect(items[0]).toMatchObject({
			payload,
			event: { payload: { bond: { user_id: '9007199254740993' } } },
		});
	});

	test('and what it says can be asked for again', async () => {
		await workroom.admin.addFault(
			{ path: ACCOUNT_PATH },
			{ status: 200, body: '{"account_id":9007199254740993}' },
		);
		const { items } = await workroom.run(account);
		await workroom.admin.clearRequests();
		await workroom.run({ ...account, accountId: '={{ $json.account_id }}' }, items);
		expect((await workroom.received()).map(asked)).toMatchObject([
			{ path: '/sync/v1/accounts/9007199254740993' },
		]);
	});
});

test('A number beyond the range of numbers is not turned into nothing', async () => {
	await workroom.admin.addFault({ path: ACCOUNT_PATH }, { status: 200, body: '{"share":1e400}' });
	const { items } = await workroom.run({ ...account, simplify: false });
	expect(items).toEqual([{ share: '1e400' }]);
});

test('A number beyond 2^53 in an item has lost its last digits before the node sees it, and is not sent', async () => {
	const { message } = wordsOf(await workroom.run(studentParameters(), [{ id: 2 ** 53 + 2 }]));
	expect(message).toBe('External ID must be text, but is a number [Item 0]');
	expect(await workroom.received()).toEqual([]);
});

test('What an issuer answers keeps its numbers too', async () => {
	const credentials = await workroom.signOnCredential();
	await workroom.admin.addFault(
		{ path: '/identity/connect/userinfo' },
		{ status: 200, body: '{"sub":"u","number":9007199254740993}' },
	);
	await workroom.admin.addFault(
		{ path: TOKEN_PATH },
		{ status: 200, body: '{"access_token":"a","expires_in":3600,"session":9007199254740993}' },
	);
	const signOn = { resource: 'signOn', accessToken: 'a-token' };
	const user = await workroom.run({ ...signOn, operation: 'getUserInfo' }, undefined, { credentials });
	const token = await workroom.run({ ...signOn, operation: 'getMachineToken' }, undefined, { credentials });
	expect(user.items).toEqual([{ sub: 'u', number: '9007199254740993' }]);
	expect(token.items).toMatchObject([{ expires_in: 3600, session: '9007199254740993' }]);
});
