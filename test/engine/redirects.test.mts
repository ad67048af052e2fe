import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { PROFILES_PATH, studentParameters, students, USER_PATH, useWorkroom, wordsOf } from './workroom.mts';

const workroom = useWorkroom();

/** Another origin, which keeps every Authorization header that reaches it. */
const arrived: Array<string | undefined> = [];
let elsewhere: Server;
let target: string;

beforeAll(async () => {
	elsewhere = createServer((req, res) => {
		arrived.push(req.headers.authorization);
		res.setHeader('content-type', 'application/json').end('{"data": []}');
	}).listen(0, '127.0.0.1');
	await once(elsewhere, 'listening');
	target = `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}/`;
});
afterAll(() => elsewhere.close());
beforeEach(() => arrived.splice(0));

describe.each([301, 302, 303, 307, 308])('A redirect with %d', (status) => {
	const message = `The service answers with a redirect (${status}), which is not followed [Item 0]`;
	const description =
		'A token must not travel to another address. Enter the address that the service really has as Base URL in the credential.';

	test.each([
		['the first request of a run without a token', async () => undefined],
		['a request with a stored token', async () => await workroom.storeToken()],
	])('is not followed, and no token reaches the other address: %s', async (_which, prepare) => {
		await prepare();
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status, headers: { location: target } });
		const failing = await workroom.run({ resource: 'profile', operation: 'getAll' });
		expect(wordsOf(failing)).toEqual({ message, description });
		expect(arrived).toEqual([]);
		expect(await workroom.admin.countRequests({ path: PROFILES_PATH })).toBe(1);
	});

	test('is not followed by a creation', async () => {
		await workroom.admin.addFault({ path: USER_PATH }, { status, headers: { location: target } });
		const failing = await workroom.run(studentParameters(), students(1));
		expect(wordsOf(failing).message).toBe(message);
		expect(arrived).toEqual([]);
		expect(await workroom.admin.countRequests({ path: USER_PATH })).toBe(1);
	});
});
