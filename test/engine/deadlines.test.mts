/** How long a run can take, whatever the service and its sign-on do (docs/reliability.md, "How long a run can take"). */
import { until } from '../../playground/eventually.mts';
import { CredentialStore, runNode, type NodeRun } from '../support/engine.mts';
import {
	PROFILES_PATH,
	studentParameters,
	students,
	TOKEN_PATH,
	useWorkroom,
	USER_PATH,
	wordsOf,
} from './workroom.mts';
import { drips, floods, hostileServer, type Answering, type HostileServer } from './hostileServer.mts';

const workroom = useWorkroom();

const profiles = { resource: 'profile', operation: 'getAll' };

/** A deadline of a second and no retry: a run that takes much longer has waited beyond it. */
const options = { timeout: 1_000, maxRetries: 0 };
const MUCH_LONGER = 10_000;

let hostile: HostileServer | undefined;
afterEach(() => hostile?.stop());

/** A credential with a token, for a service that answers so. */
async function credentialFor(answering: Answering): Promise<CredentialStore> {
	await workroom.storeToken();
	hostile = await hostileServer(answering);
	const credentials = await workroom.credentialWith({ baseUrl: hostile.url });
	credentials.data = { ...credentials.data, oauthTokenData: workroom.credentials.data.oauthTokenData };
	return credentials;
}

async function timed(run: () => Promise<NodeRun>): Promise<{ run: NodeRun; ms: number }> {
	const begin = Date.now();
	return { run: await run(), ms: Date.now() - begin };
}

describe('An answer that never ends', () => {
	test('byte by byte is given up when the timeout is over, and tried as often as the options say', async () => {
		const credentials = await credentialFor(drips);
		const { run, ms } = await timed(
			async () =>
				await workroom.run({ ...profiles, options: { ...options, maxRetries: 1 } }, undefined, {
					credentials,
				}),
		);
		expect(wordsOf(run).message).toBe('The service did not answer in time [Item 0]');
		expect(ms).toBeLessThan(MUCH_LONGER);
		expect(hostile?.received).toHaveLength(2);
		// The connections are given up too.
		await until(() => hostile?.open() === 0);
	});

	test('to a creation, which is sent once and may have happened', async () => {
		const credentials = await credentialFor(drips);
		const parameters = studentParameters({ options: { ...options, maxRetries: 3 } });
		const { run, ms } = await timed(async () => await workroom.run(parameters, students(1), { credentials }));
		expect(wordsOf(run).message).toBe(
			'The service did not answer in time. The record may exist all the same [Item 0]',
		);
		expect(ms).toBeLessThan(MUCH_LONGER);
		expect(hostile?.received).toEqual([`POST ${USER_PATH}`]);
	});

	test('does not outlive the run that is cancelled', async () => {
		const credentials = await credentialFor(drips);
		const { run, ms } = await timed(
			async () =>
				await workroom.run({ ...profiles, options: { timeout: 60_000 } }, undefined, {
					credentials,
					whenStarted: (cancel) => void until(() => hostile?.received.length === 1).then(cancel),
				}),
		);
		expect(run.run.status).toBe('canceled');
		expect(ms).toBeLessThan(MUCH_LONGER);
		await until(() => hostile?.open() === 0);
	});

	test('and fills the memory is given up at 16 MB', async () => {
		const credentials = await credentialFor(floods);
		const before = process.memoryUsage().rss;
		const run = await workroom.run(profiles, undefined, { credentials });
		expect(wordsOf(run).message).toBe(
			'The answer of the service is longer than 16 MB and was not read [Item 0]',
		);
		expect(process.memoryUsage().rss - before).toBeLessThan(250_000_000);
		// It would be as long the next time.
		expect(hostile?.received).toHaveLength(1);
		await until(() => hostile?.open() === 0);
	});

	test('and fills the memory is given up when the timeout is over, where it answers a creation', async () => {
		const credentials = await credentialFor(floods);
		const run = await workroom.run(studentParameters({ options }), students(1), { credentials });
		expect(wordsOf(run).message).toBe(
			'The service did not answer in time. The record may exist all the same [Item 0]',
		);
		expect(hostile?.received).toHaveLength(1);
		await until(() => hostile?.open() === 0);
	});
});

describe('A sign-on area that is slow to give a token', () => {
	const inTime = async (run: () => Promise<NodeRun>) => {
		const { run: ended, ms } = await timed(run);
		expect(wordsOf(ended)).toEqual({
			message: `The sign-on area at ${workroom.sandbox.issuerUrl} cannot be reached, so there is no token [Item 0]`,
			description:
				'Check Issuer URL in the credential, and that n8n can reach it (there was no answer in time).',
		});
		expect(ms).toBeLessThan(MUCH_LONGER);
	};

	test('is not waited for beyond the timeout, and nothing is sent without a token', async () => {
		await workroom.admin.addFault({ path: TOKEN_PATH }, { delayMs: 20_000 });
		await inTime(async () => await workroom.run(studentParameters({ options }), students(3)));
		expect(await workroom.received()).toEqual([]);
	});

	test('is not waited for while a token is renewed', async () => {
		await workroom.storeToken();
		await workroom.admin.expireTokens();
		await workroom.admin.addFault({ path: TOKEN_PATH }, { delayMs: 20_000 });
		await inTime(async () => await workroom.run(studentParameters({ options }), students(3)));
		expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(0);
	});

	test('is asked once, however often it was given up, and then every item is done once', async () => {
		await workroom.admin.addFault({ path: TOKEN_PATH }, { delayMs: 3_000 });
		const { items, error } = await workroom.run(
			studentParameters({ options: { timeout: 1_000, maxRetries: 10 } }),
			students(20),
		);
		expect([items.length, error]).toEqual([20, undefined]);
		expect(await workroom.tokenRequests()).toBe(1);
		expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(20);
	});
});

test('A token that took more than half of Timeout fails nobody: the try begins anew with it, also without retries', async () => {
	await workroom.admin.addFault({ path: TOKEN_PATH }, { delayMs: 4_000 });
	const patient = { timeout: 6_000, maxRetries: 0 };
	const { items, error } = await workroom.run(studentParameters({ options: patient }), students(3));
	expect([items.length, error]).toEqual([3, undefined]);
	expect(await workroom.tokenRequests()).toBe(1);
	expect((await workroom.admin.users({ provisioned: true, limit: 1 })).count).toBe(3);
});

describe('A sign-on that never ends its answer', () => {
	test.each([
		['getUserInfo', { accessToken: 'given-by-the-workflow' }],
		['getMachineToken', {}],
		['refreshToken', { refreshToken: 'given-by-the-workflow' }],
		[
			'exchangeCode',
			{
				code: 'a-code',
				redirectUri: 'http://localhost:9/callback',
				startedBy: 'other',
				codeVerifier: 'v'.repeat(43),
			},
		],
	])('is given up when the timeout is over: %s', async (operation, given) => {
		hostile = await hostileServer(drips);
		const { clientId, clientSecret } = workroom.sandbox;
		const credentials = await CredentialStore.of('schoolPartnerOidcApi', {
			issuerUrl: hostile.url,
			clientId,
			clientSecret,
		});
		const parameters = { resource: 'signOn', operation, ...given, options };
		const { run, ms } = await timed(async () => await runNode({ parameters, credentials }));
		expect(wordsOf(run).message).toBe(
			`The sign-on cannot be reached at ${hostile.url} (there was no answer in time) [Item 0]`,
		);
		expect(ms).toBeLessThan(MUCH_LONGER);
		expect(hostile.received).toHaveLength(1);
	});
});

test.each([
	['getUserInfo', { accessToken: 'given-by-the-workflow' }],
	['refreshToken', { refreshToken: 'given-by-the-workflow' }],
])('A sign-on whose answer fills the memory is given up at 16 MB: %s', async (operation, given) => {
	hostile = await hostileServer(floods);
	const { clientId, clientSecret } = workroom.sandbox;
	const credentials = await CredentialStore.of('schoolPartnerOidcApi', {
		issuerUrl: hostile.url,
		clientId,
		clientSecret,
	});
	const patient = { timeout: 5_000, maxRetries: 1 };
	const parameters = { resource: 'signOn', operation, ...given, options: patient };
	const run = await runNode({ parameters, credentials });
	expect(wordsOf(run).message).toBe(
		`The sign-on cannot be reached at ${hostile.url} (its answer was too long) [Item 0]`,
	);
	expect(hostile.received).toHaveLength(1);
	await until(() => hostile?.open() === 0);
});

test('A run that ends leaves nothing behind that keeps a process alive', async () => {
	await workroom.run({ ...profiles, options: { timeout: 3_600_000 } });
	const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;
	const after = timers();
	await until(() => timers() < Math.max(after, 1), 5_000);
	expect(await workroom.admin.countRequests({ path: PROFILES_PATH })).toBe(1);
});
