import { guid, userAccess, userAccessRevocation } from '../unit/trigger/sample-events.mts';
import { keys, sha256, useHosts } from './trigger-host.mts';
import { deliver, KEY } from './trigger-sender.mts';

const host = useHosts();

describe('A delivery with the right key', () => {
	test('starts a run with the canonical envelope and is answered with its id', async () => {
		const { url, runs } = await host();
		const text = JSON.stringify(userAccess());
		const { status, body } = await deliver(url, { body: text });
		expect([status, body]).toEqual([200, { status: 'accepted', request_id: guid(1) }]);
		expect(runs).toEqual([
			[
				[
					{
						json: {
							...userAccess(),
							delivery: {
								received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
								sha256: sha256(text),
								age_seconds: expect.any(Number) as number,
								key: 'current',
								deviations: [],
							},
						},
					},
				],
				[],
			],
		]);
	});

	test('leaves by the output of its event', async () => {
		const { url, runs } = await host({ parameters: { options: { otherActions: 'passOn' } } });
		await deliver(url, { body: userAccessRevocation(guid(2)) });
		await deliver(url, { body: { ...userAccess(), header: { ...userAccess().header, action: 'NEW' } } });
		expect(runs.map((run) => run.map((output) => output.length))).toEqual([
			[0, 1, 0],
			[0, 0, 1],
		]);
	});

	test('carries its body byte for byte when asked', async () => {
		const { url, runs } = await host({ parameters: { options: { includeRawBody: true } } });
		const text = JSON.stringify(userAccess(), null, 2).replace('Lia', '\\u004Cia 🎒');
		await deliver(url, { body: text });
		expect(runs[0]?.[0]?.[0]?.json).toMatchObject({ delivery: { raw: text, sha256: sha256(text) } });
	});

	test('may carry the previous key while it is being rotated', async () => {
		const { url, runs } = await host({ credentials: await keys('new-key', KEY) });
		expect(await deliver(url, { body: userAccess() })).toMatchObject({ status: 200 });
		expect(runs[0]?.[0]?.[0]?.json).toMatchObject({ delivery: { key: 'previous' } });
	});
});

describe('A delivery without the right key', () => {
	const wrong: Array<[string, string | string[] | undefined]> = [
		['no key', undefined],
		['an empty key', ''],
		['another key', 'guess'],
		['the key twice', [KEY, KEY]],
		['a key of 1025 characters', 'k'.repeat(1025)],
	];

	test('always gets the same answer, whatever is wrong and whatever is sent', async () => {
		const { url, runs } = await host();
		const bodies = [userAccess(), '{', 'x'.repeat(2 ** 21), ''];
		const answers = await Promise.all(
			wrong.flatMap(([, key]) =>
				bodies.map(async (body) => await deliver(url, { body, headers: { 'x-api-key': key } })),
			),
		);
		expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
		expect(answers[0]).toMatchObject({
			status: 401,
			body: { status: 'rejected', message: expect.any(String) as string },
		});
		expect(runs).toEqual([]);
	});

	test('is refused by a node without credential and by an empty one', async () => {
		for (const credentials of [undefined, await keys(''), await keys('', KEY), await keys(null)]) {
			const { url, runs } = await host({ credentials });
			for (const key of [KEY, '', undefined, 'null', 'undefined']) {
				expect(await deliver(url, { body: userAccess(), headers: { 'x-api-key': key } })).toMatchObject({
					status: 401,
				});
			}
			expect(runs).toEqual([]);
		}
	});

	test('is refused before size, type and shape are looked at, in this order', async () => {
		const { url } = await host({ parameters: { options: { maxBodySizeKb: 1 } } });
		const everythingWrong = {
			body: 'x'.repeat(1025),
			headers: { 'content-type': 'text/plain', 'x-api-key': 'no' },
		};
		expect(await deliver(url, everythingWrong)).toMatchObject({ status: 401 });
		expect(
			await deliver(url, { ...everythingWrong, headers: { 'content-type': 'text/plain' } }),
		).toMatchObject({ status: 413 });
		expect(await deliver(url, { body: 'x', headers: { 'content-type': 'text/plain' } })).toMatchObject({
			status: 415,
		});
		expect(await deliver(url, { body: '{}' })).toMatchObject({
			status: 400,
			body: {
				status: 'rejected',
				issues: [{ path: 'header', message: 'must be an object, but is empty' }, {}],
			},
		});
	});
});

describe('The credential', () => {
	test('is read once for many deliveries', async () => {
		const credentials = await keys();
		const { url } = await host({ credentials });
		const begin = Date.now();
		for (let i = 0; i < 20; i++) await deliver(url, { body: userAccess(guid(i)) });
		// What was read holds for five seconds; on a slow machine the twenty may take longer.
		expect(credentials.reads).toBeLessThanOrEqual(1 + Math.floor((Date.now() - begin) / 5_000));
	});

	test('is read again for a fresh key at once, even after wrong ones, and seldom for a flood of wrong ones', async () => {
		const credentials = await keys();
		const { url } = await host({ credentials });
		const begin = Date.now();
		await deliver(url, { body: userAccess() });
		const headers = { 'x-api-key': 'fresh-key' };
		expect(await deliver(url, { body: userAccess(guid(2)), headers })).toMatchObject({ status: 401 });
		credentials.data = { apiKey: 'fresh-key', previousApiKey: '' };
		expect(await deliver(url, { body: userAccess(guid(2)), headers })).toMatchObject({ status: 200 });
		const flood = Array.from(
			{ length: 50 },
			async () => await deliver(url, { body: '{}', headers: { 'x-api-key': 'no' } }),
		);
		await Promise.all(flood);
		// Once for the first delivery and five times for keys that do not match; on a slow machine again every five seconds.
		expect(credentials.reads).toBeLessThanOrEqual(6 + 2 * Math.floor((Date.now() - begin) / 5_000));
	});
});

describe('While the credential cannot be read', () => {
	test('a delivery is asked to come again, and the right key is taken as soon as it can be read', async () => {
		const credentials = await keys();
		const getDecrypted = credentials.getDecrypted.bind(credentials);
		credentials.getDecrypted = () => Promise.reject(new Error(`unreadable ${KEY}`));
		const lines: string[] = [];
		const { url, runs } = await host({ credentials, log: (line) => void lines.push(line) });
		for (const headers of [{}, { 'x-api-key': 'guess' }]) {
			expect(await deliver(url, { body: userAccess(), headers })).toMatchObject({
				status: 503,
				headers: { 'retry-after': '5' },
				body: { status: 'rejected' },
			});
		}
		expect(runs).toEqual([]);
		credentials.getDecrypted = getDecrypted;
		expect(await deliver(url, { body: userAccess() })).toMatchObject({ body: { status: 'accepted' } });
		expect(lines.join()).toContain('could not be read');
		expect(lines.join()).not.toContain(KEY);
	});

	test('a key that was used in the last seconds is still taken', async () => {
		const credentials = await keys();
		const { url } = await host({ credentials });
		await deliver(url, { body: userAccess() });
		credentials.getDecrypted = () => Promise.reject(new Error('locked'));
		expect(await deliver(url, { body: userAccess(guid(2)) })).toMatchObject({ body: { status: 'accepted' } });
	});
});

describe('A repeated delivery', () => {
	test('is answered as duplicate and starts nothing, and it is said whether the body was the same', async () => {
		const lines: string[] = [];
		const { url, runs } = await host({ log: (line) => void lines.push(line) });
		await deliver(url, { body: userAccess() });
		expect(await deliver(url, { body: userAccess() })).toMatchObject({
			status: 200,
			body: { status: 'duplicate', request_id: guid(1), same_body: true },
		});
		expect(lines).toEqual([]);
		const other = userAccess();
		other.payload.structure_users.users.pop();
		expect(await deliver(url, { body: other })).toMatchObject({
			body: { status: 'duplicate', same_body: false },
		});
		expect(runs).toHaveLength(1);
		expect(lines).toHaveLength(1);
		expect(lines[0]).toContain('another body');
		expect(lines[0]).not.toMatch(/Lia|Exemplar|example|1190000/);
	});

	test('is known to another process that reads what was saved with the workflow', async () => {
		const before = await host();
		for (let i = 0; i < 5; i++) await deliver(before.url, { body: userAccess(guid(i)) });
		const after = await host({ staticData: before.staticData() });
		for (let i = 0; i < 5; i++) {
			expect(await deliver(after.url, { body: userAccess(guid(i)) })).toMatchObject({
				body: { status: 'duplicate' },
			});
		}
		expect(await deliver(after.url, { body: userAccess(guid(5)) })).toMatchObject({
			body: { status: 'accepted' },
		});
	});

	test('is known whenever n8n is killed: what was answered is kept before it is answered', async () => {
		let recorded = 0;
		// One after another, while the others are on their way.
		const record = async () =>
			await new Promise<void>((resolve) => setTimeout(resolve, 100 + 20 * recorded++));
		const before = await host({ record });
		const atAnswer = await Promise.all(
			Array.from({ length: 12 }, async (_, i) => {
				await deliver(before.url, { body: userAccess(guid(i)) });
				return before.staticData();
			}),
		);
		for (const [i, staticData] of atAnswer.entries()) {
			const after = await host({ staticData });
			expect(await deliver(after.url, { body: userAccess(guid(i)) })).toMatchObject({
				body: { status: 'duplicate', same_body: true },
			});
		}
	});

	test('starts a run when the user does not want repeats ignored, and while a test event is listened for', async () => {
		for (const options of [
			{ parameters: { options: { ignoreRepeatedDeliveries: false } } },
			{ mode: 'manual' as const },
		]) {
			const started = await host(options);
			await deliver(started.url, { body: userAccess() });
			await deliver(started.url, { body: userAccess() });
			expect(started.runs).toHaveLength(2);
			expect(started.staticData()).toBe('{}');
		}
	});

	test('is looked for only when it is well-formed and has an output', async () => {
		const { url } = await host();
		await deliver(url, { body: userAccess() });
		expect(await deliver(url, { body: { header: userAccess().header } })).toMatchObject({ status: 400 });
		const unknown = { header: { ...userAccess().header, action: 'NEW' }, payload: {} };
		expect(await deliver(url, { body: unknown })).toMatchObject({ body: { status: 'ignored' } });
	});
});

describe('Whatever goes wrong inside', () => {
	test('the node answers 503 and asks to try again, and logs no content', async () => {
		const lines: string[] = [];
		const { url, runs } = await host({ failing: 'getMode', log: (line) => void lines.push(line) });
		expect(await deliver(url, { body: userAccess() })).toMatchObject({
			status: 503,
			body: { status: 'rejected' },
		});
		expect(runs).toEqual([]);
		expect(lines.join()).not.toMatch(/secret|Lia/);
	});

	test('parameters of strange types are as if they were left alone', async () => {
		const options = {
			maxBodySizeKb: 'much',
			otherActions: 'dance',
			includeRawBody: 'yes',
			ignoreRepeatedDeliveries: null,
		};
		const { url } = await host({ parameters: { options } as never });
		expect(await deliver(url, { body: userAccess() })).toMatchObject({ body: { status: 'accepted' } });
		expect(await deliver(url, { body: userAccess() })).toMatchObject({ body: { status: 'duplicate' } });
	});
});

test('The log names workflow, node, status and fields of a delivery with a right key that is refused, and says nothing of other deliveries', async () => {
	const lines: string[] = [];
	const { url } = await host({
		parameters: { options: { deviations: 'reject' } },
		log: (line) => void lines.push(line),
	});
	await deliver(url, { body: userAccess() });
	await deliver(url, { body: userAccess() });
	await deliver(url, { body: userAccess(), headers: { 'x-api-key': 'guess' } });
	expect(lines).toEqual([]);
	const wrong = userAccess(guid(2));
	await deliver(url, { body: { ...wrong, header: { ...wrong.header, created_at: 'Lia' } } });
	expect(lines).toHaveLength(1);
	const [message, facts] = JSON.parse(lines[0]) as [string, Record<string, unknown>];
	expect(message).toBe('A delivery with a valid key was refused');
	expect(Object.keys(facts).sort()).toEqual(['issues', 'nodeName', 'status', 'workflowId']);
	expect(facts).toMatchObject({ status: 400, issues: [{ path: 'header.created_at' }] });
	expect(lines[0]).not.toContain('Lia');
});

test('The key is in no item, log line, answer and saved data', async () => {
	const seen: string[] = [];
	const started = await host({
		parameters: { options: { includeRawBody: true } },
		log: (line) => void seen.push(line),
	});
	for (const body of [userAccess(), userAccess(), '{}', 'x'.repeat(2e6), { ...userAccess(), more: 1 }]) {
		seen.push((await deliver(started.url, { body })).text);
	}
	seen.push(JSON.stringify(started.runs), started.staticData());
	expect(seen.join()).toContain('accepted');
	expect(seen.join()).not.toContain(KEY);
});
