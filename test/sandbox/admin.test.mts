/** The sandbox's admin interface takes what is sent to it, or says in words why not, and goes on. */
import { connect } from 'node:net';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { Api, send } from './support.mts';

let sandbox: Sandbox;
let api: Api;

beforeAll(async () => {
	sandbox = await startSandbox();
	api = await Api.open(sandbox);
});
afterAll(async () => await sandbox.stop());

const PROFILES = '/data/v1/profiles';

async function ask(method: string, path: string, data?: unknown, headers: Record<string, string> = {}) {
	return await send<{ message?: unknown }>({
		method,
		url: sandbox.adminUrl + path,
		data: typeof data === 'string' ? data : JSON.stringify(data),
		headers: { 'content-type': 'application/json', ...headers },
	});
}

/** Refused in words; the sandbox serves on, and is as it was. */
async function expectRefused(method: string, path: string, data: unknown, words: RegExp): Promise<void> {
	const { status, data: answer } = await ask(method, path, data);
	expect([status, answer.message]).toEqual([400, expect.stringMatching(words)]);
	expect((await api.get(PROFILES)).status).toBe(200);
}

const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('an odd fault', () => {
	test.each<[object, RegExp]>([
		[{ fault: { status: 99 } }, /"fault\.status" must be a whole number from 200 to 599/],
		[{ fault: { status: 101 } }, /"fault\.status"/],
		[{ fault: { status: 600 } }, /"fault\.status"/],
		[{ fault: { status: 1e9 } }, /"fault\.status"/],
		[{ fault: { status: '503' } }, /"fault\.status"/],
		[{ fault: { status: 503.5 } }, /"fault\.status"/],
		[{ fault: { status: null } }, /"fault\.status"/],
		[{ fault: { status: 503, statusMessage: 'a\r\nb' } }, /"fault\.statusMessage" must be text that fits/],
		[{ fault: { status: 503, statusMessage: 7 } }, /"fault\.statusMessage"/],
		[{ fault: { headers: 'x' } }, /"fault\.headers"/],
		[{ fault: { headers: { 'a b': 'x' } } }, /"fault\.headers"/],
		[{ fault: { headers: { a: 'x\r\ny: z' } } }, /"fault\.headers\.a"/],
		[{ fault: { headers: { a: 7 } } }, /"fault\.headers\.a"/],
		[{ fault: { headers: { 'Transfer-Encoding': 'chunked' } } }, /"fault\.headers" .* content-length/],
		[{ fault: { headers: { trailer: 'x' } } }, /"fault\.headers"/],
		[{ fault: { status: 200, contentType: 'a\nb', body: {} } }, /"fault\.contentType"/],
		[{ fault: { status: 200, contentType: {}, body: {} } }, /"fault\.contentType"/],
		[{ fault: { documented: 'x' } }, /"fault\.documented" must be a whole number from 400 to 599/],
		[{ fault: { documented: 1e9 } }, /"fault\.documented"/],
		[{ fault: { documented: 400, message: {} } }, /"fault\.message"/],
		[{ fault: { delayMs: 'soon' } }, /"fault\.delayMs" must be a number from 0 to 600000/],
		[{ fault: { delayMs: -1 } }, /"fault\.delayMs"/],
		[{ fault: { delayMs: 1e12 } }, /"fault\.delayMs"/],
		[{ fault: { status: 429, retryAfter: {} } }, /"fault\.retryAfter"/],
		[{ fault: { status: 429, retryAfter: 'a\r\nb' } }, /"fault\.retryAfter"/],
		[{ fault: { drop: 'during' } }, /"fault\.drop" must be "before" or "after"/],
		[{ fault: { cutBody: 'yes' } }, /"fault\.cutBody" must be true or false/],
		[{ fault: { htmlPage: 1 } }, /"fault\.htmlPage"/],
		[{ fault: { afterwards: null, status: 500 } }, /"fault\.afterwards"/],
		[{ fault: { sttaus: 500 } }, /"fault" has no "sttaus"\. It has: status, /],
		[{ fault: {} }, /"fault" says nothing to do/],
		[{ fault: [] }, /"fault" must be an object/],
		[{}, /"fault" must be an object/],
		[{ match: [], fault: { status: 500 } }, /"match" must be an object/],
		[{ match: { method: 7 }, fault: { status: 500 } }, /"match\.method"/],
		[{ match: { path: 7 }, fault: { status: 500 } }, /"match\.path"/],
		[{ match: { path: ['/a'] }, fault: { status: 500 } }, /"match\.path"/],
		[
			{ match: { pathPattern: '(' }, fault: { status: 500 } },
			/"match\.pathPattern" must be a regular expression/,
		],
		[{ match: { pathPattern: {} }, fault: { status: 500 } }, /"match\.pathPattern"/],
		[{ match: { pathPattern: '(a+)+$' }, fault: { status: 500 } }, /"match\.pathPattern" .* repetition/],
		[{ match: { bodyContains: 7 }, fault: { status: 500 } }, /"match\.bodyContains"/],
		[{ match: { nth: 0 }, fault: { status: 500 } }, /"match\.nth"/],
		[{ match: { nth: ['1'] }, fault: { status: 500 } }, /"match\.nth"/],
		[{ match: { nth: [] }, fault: { status: 500 } }, /"match\.nth"/],
		[{ match: { every: 0 }, fault: { status: 500 } }, /"match\.every" must be a whole number from 1/],
		[{ match: { after: -1 }, fault: { status: 500 } }, /"match\.after"/],
		[{ match: { times: 'often' }, fault: { status: 500 } }, /"match\.times"/],
		[{ match: { tmes: 1 }, fault: { status: 500 } }, /"match" has no "tmes"\. It has: method, /],
		[{ match: {}, fault: { status: 500 }, extra: 1 }, /has no "extra"\. It has: match, fault/],
	])('%j is refused with what is allowed', async (rule, words) => {
		await expectRefused('POST', 'faults', rule, words);
		expect(await sandbox.admin.faults()).toEqual([]);
	});

	test('with a body too deep to be written is refused', async () => {
		const rule = `{"fault":{"status":500,"body":${deep(50_000)}}}`;
		await expectRefused('POST', 'faults', rule, /"fault\.body" must be JSON/);
	});
});

describe('what is odd', () => {
	const webhook = { url: 'http://127.0.0.1:9/', apiKey: 'k' };

	test.each<[string, string, unknown, RegExp]>([
		['POST', 'reset', { students: 1e9 }, /"students" must be a whole number from 1 to 200000/],
		['POST', 'reset', { students: 0 }, /"students"/],
		['POST', 'reset', { students: '60' }, /"students"/],
		['POST', 'reset', { students: -1 }, /"students"/],
		['POST', 'reset', { seed: 1.5 }, /"seed" must be a whole number from 0 to 4294967295/],
		['POST', 'reset', { seed: 'x' }, /"seed"/],
		['POST', 'reset', { sed: 1 }, /has no "sed"\. It has: seed, students, schools, empty, keepConnections/],
		['POST', 'reset', [], /must be a JSON object/],
		['POST', 'reset', 'null', /must be a JSON object/],
		[
			'PATCH',
			'settings',
			{ tokenLifetime: 1e12 },
			/"tokenLifetime" must be a whole number from 1 to 31536000/,
		],
		['PATCH', 'settings', { codeLifetime: 0 }, /"codeLifetime"/],
		['PATCH', 'settings', { latencyMs: 1e9 }, /"latencyMs" must be a number from 0 to 600000/],
		['PATCH', 'settings', { deviations: 'no' }, /"deviations" must be true or false/],
		['PATCH', 'settings', { duplicates: 'maybe' }, /"duplicates" must be "refuse", "accept" or "double"/],
		['PATCH', 'settings', { tokenlifetime: 1 }, /has no "tokenlifetime"/],
		['PATCH', 'settings', '{"__proto__":{"latencyMs":1}}', /has no "__proto__"|must/],
		['PATCH', 'settings', [], /must be a JSON object/],
		['POST', 'outage', { ms: 0 }, /"ms" must be a number from 1 to 600000/],
		['POST', 'outage', { ms: 1e9 }, /"ms"/],
		['POST', 'outage', {}, /"ms"/],
		['POST', 'webhook', { ...webhook, url: 'file:///etc/hostname' }, /"url" must be a web address/],
		['POST', 'webhook', { ...webhook, url: 7 }, /"url"/],
		['POST', 'webhook', { ...webhook, apiKey: '' }, /"apiKey" must be a text of 1 to 1024 characters/],
		['POST', 'webhook', { ...webhook, apiKey: 'x'.repeat(1_025) }, /"apiKey"/],
		['POST', 'webhook', { ...webhook, apiKey: 'a\r\nb' }, /"apiKey" .* header/],
		['POST', 'webhook', { ...webhook, retries: 1e9 }, /"retries" must be a whole number from 0 to 100/],
		['POST', 'webhook', { ...webhook, backoffMs: -1 }, /"backoffMs"/],
		['POST', 'webhook', { ...webhook, timeoutMs: 1e12 }, /"timeoutMs"/],
		['POST', 'webhook', { ...webhook, retry: 1 }, /has no "retry"/],
		['POST', 'webhook', undefined, /"url" must be a web address/],
		['POST', 'access/grant', {}, /There is no such user/],
		['POST', 'access/grant', { login: 7 }, /"login" must be text/],
		['POST', 'access/grant', { login: 'student1', requestId: {} }, /"requestId"/],
		['POST', 'access/grant', { login: 'student1', requestId: '' }, /"requestId"/],
		['POST', 'access/grant', { login: 'student1', classExternalId: [] }, /"classExternalId"/],
		['POST', 'access/revoke', { login: 'student1', when: 'now' }, /has no "when"/],
		['POST', 'access/revoke', [], /must be a JSON object/],
		['POST', 'deliveries/send', { body: {}, requestId: 7 }, /"requestId"/],
		['POST', 'deliveries/send', { body: {}, apiKey: 7 }, /"apiKey" must be text or null/],
		['POST', 'deliveries/send', { body: {}, headers: { a: 7 } }, /"headers\.a"/],
		['POST', 'deliveries/send', { body: {}, headers: { 'a b': '7' } }, /"headers"/],
		['POST', 'deliveries/send', `{"body":${deep(50_000)}}`, /"body" must be JSON/],
		['POST', 'deliveries/load', { count: 1e9 }, /"count" must be a whole number from 1 to 200000/],
		[
			'POST',
			'deliveries/load',
			{ count: 1, concurrency: 1e9 },
			/"concurrency" must be a whole number from 1 to 1000/,
		],
		['POST', 'deliveries/load', { count: 1, concurrency: 0 }, /"concurrency"/],
		['POST', 'deliveries/load', { count: 1, repeatShare: 2 }, /"repeatShare" must be a number from 0 to 1/],
		['POST', 'deliveries/load', { count: 1, repeatShare: 0.6, wrongKeyShare: 0.6 }, /more than the whole/],
		['POST', 'deliveries/load', { count: 1, revocationEvery: 0 }, /"revocationEvery"/],
		['POST', 'deliveries/load', { count: 1, seed: 'x' }, /"seed"/],
		['POST', 'deliveries/load', { count: 10 }, /No webhook is registered/],
		['PATCH', 'registration', { redirectUris: [] }, /"redirectUris" does not fit/],
		['PATCH', 'registration', { redirectUris: ['x'] }, /refused|does not fit/],
		['PATCH', 'registration', { logoutUri: 'javascript:alert(1)' }, /"logoutUri"/],
		['PATCH', 'registration', { logoutChannel: 'both' }, /"logoutChannel"/],
		['PATCH', 'registration', { clientSecret: 'x' }, /no "clientSecret"/],
		['PATCH', 'registration', 'null', /must be a JSON object/],
		['POST', 'logout', {}, /There is no such user/],
		['POST', 'logout', { login: {} }, /"login" must be text/],
		['POST', 'tokens/sign', {}, /"claims" must be an object/],
		['POST', 'tokens/sign', { claims: {}, header: 'x' }, /"header" must be an object/],
		['POST', 'tokens/sign', { claims: {}, issuer: 'other' }, /"issuer" must be "normal" or "test"/],
		['POST', 'tokens/sign', { claims: {}, header: { alg: 'none' } }, /./],
		['POST', 'faults', '{"fault":', /JSON/],
		['POST', 'faults', '"text"', /must be a JSON object/],
		['GET', 'requests?limit=-1', undefined, /"limit" must be a whole number/],
		['GET', 'requests?since=x', undefined, /"since"/],
		['GET', 'deliveries?status=1e999', undefined, /"status"/],
		['GET', 'state/users?offset=0.5', undefined, /"offset"/],
		['GET', 'state/teachers', undefined, /There is: classes, users, bonds, courses/],
	])('%s %s %j is refused with what is allowed', async (method, path, data, words) => {
		await expectRefused(method, path, data, words);
	});

	test('an unknown path is answered 404 in words', async () => {
		const { status, data } = await ask('POST', 'restart', {});
		expect([status, data.message]).toEqual([404, 'The sandbox has no such admin path.']);
	});
});

describe('a web page that is not the sandbox’s own', () => {
	test.each(['https://evil.example', 'http://localhost:5678', 'null', 'http://127.0.0.1'])(
		'at %s cannot command it',
		async (origin) => {
			await sandbox.admin.addFault({ path: '/nowhere' }, { status: 500 });
			for (const [method, path] of [
				['POST', 'reset'],
				['DELETE', 'faults'],
				['GET', 'faults'],
			]) {
				const { status, data } = await ask(method, path, method === 'POST' ? {} : undefined, { origin });
				expect([status, data.message]).toEqual([
					403,
					expect.stringMatching(/only from its own page and from programs/),
				]);
			}
			expect(await sandbox.admin.faults()).toHaveLength(1);
			await sandbox.admin.clearFaults();
		},
	);

	test('cannot reach it under a name of its own that leads to this machine', async () => {
		for (const host of [
			'evil.example',
			`evil.example:${new URL(sandbox.adminUrl).port}`,
			'localhost.evil.example',
			'',
		]) {
			expect(
				await answerTo(`GET /_sandbox/facts HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`),
			).toMatch(/^HTTP\/1\.1 403 [^]*under 127\.0\.0\.1, localhost or \[::1\]/);
		}
	});

	test('may not show it in a frame', async () => {
		expect((await ask('GET', '')).headers['x-frame-options']).toBe('DENY');
	});

	test('still reaches the service: its routes look at neither', async () => {
		const { status } = await send({
			url: sandbox.baseUrl + PROFILES,
			headers: { origin: 'https://evil.example' },
		});
		expect(status).toBe(401);
	});
});

test.each(['127.0.0.1', 'localhost', '[::1]'])('its own page commands it under %s', async (name) => {
	const host = `${name}:${new URL(sandbox.adminUrl).port}`;
	const { status } = await ask('POST', 'tokens/expire', {}, { host, origin: `http://${host}` });
	expect(status).toBe(204);
	api = await Api.open(sandbox);
});

/** The bytes that come back, for requests that a client library would not send. */
async function answerTo(request: string): Promise<string> {
	const { hostname, port } = new URL(sandbox.adminUrl);
	return await new Promise((resolve, reject) => {
		let answer = '';
		const socket = connect(Number(port), hostname, () => socket.write(request));
		socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
		socket.on('end', () => resolve(answer));
		socket.on('error', reject);
	});
}
