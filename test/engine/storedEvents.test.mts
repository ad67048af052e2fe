/** The record that the service keeps of a delivered event. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { DeliveryRecord } from '../../sandbox/delivery-types.mts';
import { asked, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

const REQUEST = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const PATH = '/webhook/v1/webhooks/callback/';
const NOTHING_SENT = 'Nothing was sent for this item. Correct its values and run it again.';

/** A partner's receiver, as plain as can be. */
let receiver: Server;
beforeAll(async () => {
	receiver = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"accepted"}');
	});
	await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
});
afterAll(() => receiver.close());

const get = { resource: 'event', operation: 'get', requestId: '={{ $json.request_id }}' };

const student = { externalId: 'student-00001' };

async function delivered(): Promise<DeliveryRecord> {
	const { port } = receiver.address() as AddressInfo;
	await workroom.admin.registerWebhook({ url: `http://127.0.0.1:${port}/`, apiKey: 'key-of-a-test' });
	return await workroom.admin.grantAccess(student);
}

interface Envelope {
	header: object;
	payload: {
		structure_school: { school: Record<string, unknown> };
		structure_users: { users: Array<Record<string, unknown>> };
	};
}

describe('A stored event', () => {
	test('is asked for by the id of its delivery', async () => {
		const { requestId } = await delivered();
		await workroom.storeToken();
		await workroom.run(get, [{ request_id: requestId }]);
		const requests = await workroom.received();
		expect(requests.map(asked)).toEqual([{ method: 'GET', path: PATH + requestId, query: {}, body: null }]);
		expect(requests[0].headers).toMatchObject({
			'content-type': 'application/json',
			authorization: expect.stringMatching(/^Bearer /) as string,
		});
	});

	test('has the record as the service keeps it, and the event beside its text', async () => {
		const record = await delivered();
		const { items } = await workroom.run(get, [{ request_id: record.requestId }]);
		const { payload, message, status, sentAt, isSuccessful } = record;
		expect(items).toEqual([
			{ payload, message, status, sentAt, isSuccessful, event: expect.any(Object) as object },
		]);
		expect([message, status, isSuccessful]).toEqual(['{"status":"accepted"}', 200, true]);
	});

	test('has the event canonical, whatever deviations its text holds', async () => {
		const { requestId, payload } = await delivered();
		const sent = JSON.parse(payload) as Envelope;
		const [{ event }] = (await workroom.run(get, [{ request_id: requestId }])).items;
		const { cpnj, ...school } = sent.payload.structure_school.school;
		expect(cpnj).toEqual(expect.any(String));
		const users = sent.payload.structure_users.users.map((user) => {
			const { ddi, value } = user.cell_phone as { ddi: string; value: string };
			expect(ddi).toBe('+55');
			return { ...user, cell_phone: { ddi: '55', value } };
		});
		expect(event).toEqual({
			header: sent.header,
			payload: {
				structure_school: { ...sent.payload.structure_school, school: { ...school, cnpj: cpnj } },
				structure_users: { ...sent.payload.structure_users, users },
			},
		});
	});

	test('of a withdrawn access has its bond', async () => {
		await delivered();
		const { requestId, payload } = await workroom.admin.revokeAccess(student);
		const [{ event }] = (await workroom.run(get, [{ request_id: requestId }])).items;
		expect(event).toEqual(JSON.parse(payload));
		expect(event).toMatchObject({
			header: { action: 'USER_ACCESS_REVOCATION' },
			payload: { bond: expect.any(Object) as object },
		});
	});

	test('is exactly what the service sent when Simplify is off', async () => {
		const { requestId, payload, message, status, sentAt, isSuccessful } = await delivered();
		const { items } = await workroom.run({ ...get, simplify: false }, [{ request_id: requestId }]);
		expect(items).toEqual([{ payload, message, status, sentAt, isSuccessful }]);
	});

	test.each(['not JSON', '', '{"header":', '[]', 'null'])(
		'whose payload is %j has null for an event',
		async (payload) => {
			const record = { payload, message: '', status: 0, sentAt: '2026-03-09T12:30:01', isSuccessful: false };
			await workroom.admin.addFault({ path: PATH }, { body: { ...record, attempts: 3 } });
			const { items, error } = await workroom.run(get, [{ request_id: REQUEST }]);
			expect(error).toBeUndefined();
			expect(items).toEqual([{ ...record, attempts: 3, event: null }]);
		},
	);
});

describe('The id of a delivery is checked before anything is sent', () => {
	const NO_GUID = 'must be a GUID, for example 3f2504e0-4f89-41d3-9a0c-0305e82c3301';

	test.each([
		['empty', '', NO_GUID],
		['no UUID', 'request-1', NO_GUID],
		['a UUID with something behind it', `${REQUEST}/../x`, NO_GUID],
		['the empty UUID', '00000000-0000-0000-0000-000000000000', 'cannot be an empty GUID'],
		['a number', 7, NO_GUID],
	])('and refused when it is %s, while the others are asked for', async (_what, id, finding) => {
		await workroom.admin.addFault({ path: PATH }, { body: { payload: '' } });
		const { outputs } = await workroom.run(get, [{ request_id: id }, { request_id: REQUEST }], {
			onError: 'continueErrorOutput',
		});
		expect(outputs[1]).toEqual([
			{
				json: {
					request_id: id,
					error: `Request ID ${finding} [Item 0]\n${NOTHING_SENT}`,
					failure: { origin: 'input', effect: 'none', next: NOTHING_SENT },
				},
				pairedItem: { item: 0 },
			},
		]);
		expect((await workroom.received()).map(({ path }) => path)).toEqual([PATH + REQUEST]);
	});
});

describe('A refusal of the event query', () => {
	test.each([
		[400, 'The service refuses the data (400)'],
		[401, 'The service does not accept the token (401)'],
		[500, 'The service could not complete the request (500)'],
	])('with %d and without a body says what the status says', async (status, message) => {
		await workroom.admin.addFault({ path: PATH }, { status });
		const run = await workroom.run(get, [{ request_id: REQUEST }]);
		expect(wordsOf(run).message).toBe(`${message} [Item 0]`);
	});

	test('is what the service answers to an id that it does not know', async () => {
		const run = await workroom.run(get, [{ request_id: REQUEST }]);
		expect(wordsOf(run).message).toBe('The service refuses the data (400) [Item 0]');
	});

	test('with words says them', async () => {
		const body = { Errors: [{ Code: 'EVNT-0400', Message: 'There is no such event.' }] };
		await workroom.admin.addFault({ path: PATH }, { status: 400, body });
		const run = await workroom.run(get, [{ request_id: REQUEST }]);
		expect(wordsOf(run).message).toBe(
			'The service refuses the data (400): EVNT-0400: There is no such event. [Item 0]',
		);
	});
});
