/**
 * The built logout trigger in n8n-core's own webhook context: logouts of an issuer that signs what a test tells it to.
 * Those of the sandbox's certified sign-on stand in triggerLogoutSandbox.test.mts.
 */
import { logoutClaims, logoutToken, startIssuer, type TestIssuer } from '../e2e/signOnIssuer.mts';
import { CredentialStore } from '../support/engine.mts';
import { until } from '../../playground/eventually.mts';
import { CLIENT_ID, signed, without } from '../unit/signOn/peer.mts';
import { useHosts, type Host, type HostOptions } from './trigger-host.mts';
import { deliver, type Answer } from './trigger-sender.mts';

const host = useHosts();

let issuer: TestIssuer;
beforeEach(async () => {
	issuer = await startIssuer();
});
afterEach(async () => await issuer.stop());

async function credentialFor(issuerUrl: string, clientId: string): Promise<CredentialStore> {
	return await CredentialStore.of('schoolPartnerOidcApi', {
		issuerUrl,
		clientId,
		clientSecret: 'a-made-up-secret',
	});
}

async function trigger(options: HostOptions = {}, channel?: 'front'): Promise<Host> {
	return await host({
		// As the editor saves it: a value that equals the default is left out.
		trigger: { node: 'schoolPartnerLogoutTrigger', parameters: channel === undefined ? {} : { channel } },
		credentials: await credentialFor(`${issuer.url}/`, CLIENT_ID),
		...options,
	});
}

const FORM = { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': undefined };

async function post({ url }: Host, token: string, signal?: AbortSignal): Promise<Answer> {
	return await deliver(url, {
		body: new URLSearchParams({ logout_token: token }).toString(),
		headers: FORM,
		signal,
	});
}

async function get({ url }: Host, query: string): Promise<Answer> {
	return await deliver(url + query, {
		method: 'GET',
		body: '',
		headers: { ...FORM, 'content-type': undefined },
	});
}

const good = (changes: object = {}) => logoutToken(issuer, CLIENT_ID, changes);

const REPEATED = { status: 400, body: { reasons: ['repeated_jti'] } };

/** n8n's database: fails while it is locked, and holds what it records until a test lets it go. */
function database() {
	const state = { isLocked: false, begun: 0, release: (): void => undefined };
	let held: Promise<void> | undefined;
	return {
		state,
		hold: () => void (held = new Promise<void>((resolve) => (state.release = resolve))),
		record: async () => {
			state.begun++;
			await held;
			if (state.isLocked) throw new Error('SQLITE_BUSY: database is locked');
		},
	};
}

/** For what must not happen: long enough for it to happen all the same. */
const soon = async () => await new Promise((resolve) => setTimeout(resolve, 50));

describe('A logout of the back channel', () => {
	test('starts a run that says who is logged out, and is answered with an empty 200 that nobody keeps', async () => {
		const started = await trigger();
		const { jti } = logoutClaims(issuer.url, CLIENT_ID);
		const { status, text, headers } = await post(started, good({ jti }));
		expect([status, text, headers['cache-control']]).toEqual([200, '', 'no-store']);
		expect(started.runs).toEqual([
			[
				[
					{
						json: {
							sub: 'account-17',
							sid: 'session-4',
							iss: issuer.url,
							jti,
							channel: 'back',
							received_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
							claims: {},
						},
					},
				],
			],
		]);
	});

	test('is refused with its reason, and starts nothing, when the token does not hold', async () => {
		const started = await trigger();
		const claims = logoutClaims(issuer.url, CLIENT_ID);
		const bad: Array<[string, string]> = [
			[good({ aud: 'chess-club' }), 'wrong_audience'],
			[good({ exp: claims.iat - 60 }), 'expired'],
			[signed(without(claims, 'jti'), issuer.signer), 'missing_jti'],
			['no token', 'not_a_jwt'],
			[`${good()}${'a'.repeat(1_000_000)}`, 'too_long'],
			['', 'empty'],
		];
		for (const [token, reason] of bad) {
			const answer = await post(started, token);
			expect(answer).toMatchObject({
				status: 400,
				headers: { 'cache-control': 'no-store' },
				body: { error: 'invalid_request', reasons: [reason] },
			});
		}
		expect(started.runs).toEqual([]);
	});

	test('is refused when it comes by the method of the other channel, which is told', async () => {
		const back = await trigger();
		expect(await get(back, '?Sid=session-4')).toMatchObject({
			status: 405,
			headers: { allow: 'POST', 'cache-control': 'no-store' },
			body: { reasons: ['wrong_method'] },
		});
		const front = await trigger({}, 'front');
		expect(await post(front, good())).toMatchObject({ status: 405, headers: { allow: 'GET' } });
		expect([...back.runs, ...front.runs]).toEqual([]);
	});

	test('is taken once: the same token again is refused, after a restart of n8n too', async () => {
		const started = await trigger();
		const token = good();
		expect((await post(started, token)).status).toBe(200);
		expect(await post(started, token)).toMatchObject(REPEATED);
		const restarted = await trigger({ staticData: started.staticData() });
		expect(await post(restarted, token)).toMatchObject(REPEATED);
		expect((await post(restarted, good())).status).toBe(200);
		expect([...started.runs, ...restarted.runs]).toHaveLength(2);
	});

	test('without identifier and end is taken once, after a restart of n8n too, and the next one is another', async () => {
		const options = { parameters: { options: { acceptWithout: ['jti', 'exp'] } } };
		const bare = (sid: string) =>
			signed({ ...without(without(logoutClaims(issuer.url, CLIENT_ID), 'jti'), 'exp'), sid }, issuer.signer);
		const started = await trigger(options);
		const token = bare('session-4');
		expect((await post(started, token)).status).toBe(200);
		expect(await post(started, token)).toMatchObject(REPEATED);
		const restarted = await trigger({ ...options, staticData: started.staticData() });
		expect(await post(restarted, token)).toMatchObject(REPEATED);
		expect((await post(restarted, bare('session-5'))).status).toBe(200);
	});

	test('is not lost when n8n could not record it: the same token is taken later', async () => {
		const { state, record } = database();
		const started = await trigger({ record });
		const token = good();
		state.isLocked = true;
		expect((await post(started, token)).status).toBe(500);
		state.isLocked = false;
		// Another logout that is kept must not make the lost one count as taken.
		expect((await post(started, good())).status).toBe(200);
		expect((await post(started, token)).status).toBe(200);
		expect(await post(started, token)).toMatchObject(REPEATED);
		expect(started.runs).toHaveLength(2);
	});

	test('counts when its run was recorded, although its sender had hung up', async () => {
		const { state, record, hold } = database();
		const started = await trigger({ record });
		const token = good();
		hold();
		const impatient = new AbortController();
		const first = post(started, token, impatient.signal).catch(() => 'hung up');
		await until(() => state.begun === 1);
		impatient.abort();
		expect(await first).toBe('hung up');
		await until(() => started.hungUp() === 1);
		const second = post(started, token);
		await until(() => started.given() === 2);
		await soon();
		expect(state.begun).toBe(1);
		state.release();
		expect(await second).toMatchObject(REPEATED);
		expect(started.runs).toHaveLength(1);
	});

	test('of two at once, one runs, and the other takes its place when n8n cannot record the first', async () => {
		for (const isLocked of [false, true]) {
			const { state, record, hold } = database();
			const started = await trigger({ record });
			await post(started, good());
			const token = good();
			hold();
			state.isLocked = isLocked;
			const sent = [post(started, token), post(started, token)];
			await until(() => started.given() === 3);
			await until(() => state.begun === 2);
			await soon();
			expect(state.begun).toBe(2);
			const answers = Promise.all(sent.map(async (answer) => (await answer).status));
			state.release();
			if (isLocked) await until(() => state.begun === 3);
			expect((await answers).sort()).toEqual(isLocked ? [500, 500] : [200, 400]);
			state.isLocked = false;
			expect((await post(started, token)).status).toBe(isLocked ? 200 : 400);
			expect(started.runs).toHaveLength(2);
		}
	});

	test('may come twice while a person listens for a test event', async () => {
		const started = await trigger({ mode: 'manual' });
		const token = good();
		expect((await post(started, token)).status).toBe(200);
		expect((await post(started, token)).status).toBe(200);
		expect(started.runs).toHaveLength(2);
		expect(started.staticData()).toBe('{}');
	});

	test('is refused as not taken when the credential cannot be read, and nothing of it is logged', async () => {
		const credentials = await credentialFor(issuer.url, CLIENT_ID);
		credentials.getDecrypted = () => Promise.reject(new Error('unreadable a-made-up-secret'));
		const lines: string[] = [];
		const started = await trigger({ credentials, log: (line) => void lines.push(line) });
		expect(await post(started, good())).toMatchObject({ status: 400, body: { reasons: ['not_taken'] } });
		expect(lines).toHaveLength(1);
		expect(lines.join()).not.toMatch(/a-made-up-secret|account-17|session-4/);
	});

	test.each([
		['the address in the credential is none', 'https://login.example/?a=b', 'issuer_not_an_address'],
		['nobody answers at it', 'http://127.0.0.1:9', 'issuer_unreachable'],
	])(
		'is told to whoever runs n8n, once and without anything of it, when %s',
		async (_what, issuerUrl, reason) => {
			const lines: string[] = [];
			const started = await trigger({
				credentials: await credentialFor(issuerUrl, CLIENT_ID),
				log: (line) => void lines.push(line),
			});
			const { status, body } = await post(started, good());
			expect([status, body?.reasons]).toEqual([400, [reason]]);
			expect(lines).toHaveLength(1);
			expect(lines[0]).toContain('A logout could not be looked at');
			expect(lines[0]).toContain(reason);
			expect(lines[0]).not.toMatch(/account-17|session-4/);
		},
	);

	test('is not told of a token that is none, however many come', async () => {
		const lines: string[] = [];
		const started = await trigger({ log: (line) => void lines.push(line) });
		expect((await post(started, good({ aud: 'another' }))).status).toBe(400);
		expect(lines).toEqual([]);
	});

	test('keeps with the workflow only tokens that are not over yet', async () => {
		const started = await trigger();
		const ends = Math.floor(Date.now() / 1000) - 8;
		// Eight seconds over, which two clocks may differ; in a few seconds it is refused for its age alone.
		expect((await post(started, good({ exp: ends }))).status).toBe(200);
		const kept = started.staticData().length;
		await until(() => Date.now() / 1000 > ends + 11);
		expect((await post(started, good())).status).toBe(200);
		expect(started.staticData()).toHaveLength(kept);
	});
});

describe('A logout of the front channel', () => {
	test('starts a run with the session, and is answered with a small page that nobody keeps', async () => {
		const started = await trigger({}, 'front');
		const { status, text, headers } = await get(started, '?Sid=session-9');
		expect([status, headers['cache-control'], headers['content-type']]).toEqual([
			200,
			'no-store',
			'text/html; charset=utf-8',
		]);
		expect(text).toMatch(/^<!doctype html>/);
		expect(started.runs[0]?.[0]?.[0]?.json).toMatchObject({
			sid: 'session-9',
			channel: 'front',
			jti: null,
			claims: {},
		});
	});

	test('is refused without a session', async () => {
		const started = await trigger({}, 'front');
		expect(await get(started, '')).toMatchObject({
			status: 400,
			headers: { 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' },
			body: { reasons: ['no_sid'] },
		});
	});
});

describe('While the issuer begins to answer and does not end', () => {
	test('no logout is lost, and none waits for it longer than for another attempt', async () => {
		const started = await trigger();
		issuer.drip(1);
		const begin = Date.now();
		const answers = await Promise.all([post(started, good()), post(started, good()), post(started, good())]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
		// One attempt of 3 s, as docs/logout.md says, and not two.
		expect(Date.now() - begin).toBeGreaterThan(2_900);
		expect(Date.now() - begin).toBeLessThan(6_000);
	});

	test('a logout is refused with the reason after its own time, and the next one is taken', async () => {
		const started = await trigger();
		issuer.drip(Infinity);
		const begin = Date.now();
		expect(await post(started, good())).toMatchObject({
			status: 400,
			body: { reasons: ['issuer_unreachable'] },
		});
		// The 12 s of docs/logout.md: four attempts, and no fifth.
		expect(Date.now() - begin).toBeGreaterThan(11_900);
		expect(Date.now() - begin).toBeLessThan(15_000);
		issuer.drip(0);
		expect((await post(started, good())).status).toBe(200);
	});
});
