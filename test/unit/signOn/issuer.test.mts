import { readIssuer } from '../../../nodes/shared/oidc/addresses.ts';
import type { Failure } from '../../../nodes/shared/failure.ts';
import { readDiscovery, type FetchJson } from '../../../nodes/shared/oidc/discovery.ts';
import {
	HANGS_AFTER,
	IssuerKeys,
	KEYS_ARE_FRESH_FOR,
	LOOK_AGAIN_AFTER,
	type IssuerKnowledge,
} from '../../../nodes/shared/oidc/issuerKeys.ts';
import { readJwt } from '../../../nodes/shared/oidc/jwt.ts';
import { signatureFindings } from '../../../nodes/shared/oidc/signature.ts';
import { encoded, ISSUER, NOW, rsaSigner, signed, type Signer } from './peer.mts';

const document = {
	issuer: ISSUER,
	jwks_uri: `${ISSUER}/keys`,
	authorization_endpoint: `${ISSUER}/connect/authorize`,
};

function reasonsFor(body: unknown, issuer = ISSUER): string[] {
	const read = readDiscovery(body, issuer);
	return read.ok ? [] : read.failure.findings.map(({ code }) => code);
}

describe('the address of the issuer', () => {
	test.each([[ISSUER], [`${ISSUER}/`], [`  ${ISSUER}//  `]])('may be written “%s”', (text) => {
		expect(readIssuer(text)).toEqual({ ok: true, value: ISSUER });
	});

	test.each([[''], ['login.school.example'], ['ftp://x.example'], [`${ISSUER}?a=b`], [`${ISSUER}#x`]])(
		'cannot be “%s”',
		(text) => {
			expect(readIssuer(text)).toMatchObject({
				ok: false,
				failure: { findings: [{ code: 'issuer_not_an_address' }] },
			});
		},
	);
});

describe('the discovery document', () => {
	test('is passed on whole when its issuer is the one that was asked', () => {
		expect(readDiscovery(document, `${ISSUER}/`)).toEqual({ ok: true, value: document });
	});

	test.each([
		['of another issuer', { ...document, issuer: 'https://evil.example' }, 'issuer_does_not_match'],
		['of an issuer in other letters', { ...document, issuer: ISSUER.toUpperCase() }, 'issuer_does_not_match'],
		['with no issuer', { jwks_uri: document.jwks_uri }, 'not_a_discovery_document'],
		['with no key address', { issuer: ISSUER }, 'no_key_address'],
		['with a key address of another kind', { ...document, jwks_uri: 'file:///etc/keys' }, 'no_key_address'],
		['with keys under http', { ...document, jwks_uri: 'http://keys.example/keys' }, 'no_key_address'],
		['that is a page', '<html>', 'not_a_discovery_document'],
		['that is empty', undefined, 'not_a_discovery_document'],
	])('%s is refused', (_, body, reason) => {
		expect(reasonsFor(body)).toEqual([reason]);
	});
});

/** Time that does not pass: nothing hangs. */
const never = async () => await new Promise<void>(() => undefined);

let now = NOW;
beforeEach(() => {
	now = NOW;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => void jest.restoreAllMocks());

/** An issuer that counts how often it is asked, and can be down, hang, or change its keys. */
function issuer() {
	const peer = { asked: 0, down: false, hangs: false, keys: [rsaSigner('key-1').jwk] as unknown };
	const fetchJson: FetchJson = async (address) => {
		peer.asked++;
		await (peer.hangs ? new Promise(() => undefined) : Promise.resolve());
		if (peer.down)
			return { ok: false, failure: { findings: [{ code: 'down', message: 'Down', next: 'Wait.' }] } };
		return { ok: true, value: address.endsWith('/keys') ? { keys: peer.keys } : document };
	};
	return { peer, fetchJson };
}

/** What every token check does with a key that is not known. */
const namesKey =
	(kid: string) =>
	async ({ keys }: IssuerKnowledge) =>
		await Promise.resolve(
			keys.kids.has(kid)
				? ({ ok: true, value: 'believed' } as const)
				: ({
						ok: false,
						failure: { findings: [{ code: 'unknown_key', message: 'No key', next: 'Wait.' }] },
					} as const),
		);

/** What every token check does with a token of a signer. */
const signedBy =
	(signer: Signer, header: object) =>
	async ({ keys }: IssuerKnowledge) => {
		const token = signed({ sub: 'u' }, signer, { ...header });
		const read = readJwt(token);
		const findings = read.ok ? await signatureFindings(token, read.value, keys) : read.failure.findings;
		return findings.length === 0
			? ({ ok: true, value: 'believed' } as const)
			: ({ ok: false, failure: { findings } } as const);
	};

describe('the keys of an issuer', () => {
	test.each([
		['under the same name', {}],
		['where none has a name', { kid: undefined }],
	])('that were replaced %s are looked at once more', async (_how, change) => {
		const { peer, fetchJson } = issuer();
		const [before, after] = [rsaSigner('key-1'), rsaSigner('key-1')];
		const named = ({ jwk }: Signer) => JSON.parse(JSON.stringify({ ...jwk, ...change })) as unknown;
		peer.keys = [named(before)];
		const issuers = new IssuerKeys(never);
		const check = async (signer: Signer) =>
			(await issuers.check(ISSUER, fetchJson, signedBy(signer, change))).ok;
		expect(await check(before)).toBe(true);
		peer.keys = [named(after)];
		now += LOOK_AGAIN_AFTER;
		expect(await check(after)).toBe(true);
		expect([await check(before), await check(before), peer.asked]).toEqual([false, false, 4]);
	});

	test('are fetched once for everybody who asks, and again after an hour', async () => {
		const { peer, fetchJson } = issuer();
		const issuers = new IssuerKeys(never);
		await Promise.all(Array.from({ length: 20 }, async () => await issuers.get(ISSUER, fetchJson)));
		now += KEYS_ARE_FRESH_FOR - 1;
		await issuers.get(ISSUER, fetchJson);
		expect(peer.asked).toBe(2);
		now += 1;
		await issuers.get(ISSUER, fetchJson);
		expect(peer.asked).toBe(4);
	});

	test.each([
		[
			'a token of a new key',
			async (issuers: IssuerKeys, fetchJson: FetchJson) =>
				await issuers.check(ISSUER, fetchJson, namesKey('key-2')),
		],
		[
			'whoever asks',
			async (issuers: IssuerKeys, fetchJson: FetchJson) => await issuers.get(ISSUER, fetchJson),
		],
	])('are fetched anew for %s when the clock was put back', async (_who, ask) => {
		const { peer, fetchJson } = issuer();
		const issuers = new IssuerKeys(never);
		await issuers.get(ISSUER, fetchJson);
		now -= 3 * KEYS_ARE_FRESH_FOR;
		peer.keys = [rsaSigner('key-2').jwk];
		expect((await ask(issuers, fetchJson)).ok).toBe(true);
		expect(peer.asked).toBe(4);
	});

	test('are looked at once more, newer, for a token that names one that is not known', async () => {
		const { peer, fetchJson } = issuer();
		const issuers = new IssuerKeys(never);
		const check = async () => await issuers.check(ISSUER, fetchJson, namesKey('key-2'));
		expect((await check()).ok).toBe(false);
		peer.keys = [rsaSigner('key-2').jwk];
		expect((await check()).ok).toBe(false);
		now += LOOK_AGAIN_AFTER;
		expect(await check()).toEqual({ ok: true, value: 'believed' });
		expect(peer.asked).toBe(4);
	});

	test('are newer for everybody who comes with a new one at the same time', async () => {
		const { peer, fetchJson } = issuer();
		const issuers = new IssuerKeys(never);
		await issuers.get(ISSUER, fetchJson);
		peer.keys = [rsaSigner('key-2').jwk];
		now += LOOK_AGAIN_AFTER;
		const together = Array.from(
			{ length: 20 },
			async () => await issuers.check(ISSUER, fetchJson, namesKey('key-2')),
		);
		expect((await Promise.all(together)).every(({ ok }) => ok)).toBe(true);
		expect(peer.asked).toBe(4);
	});

	test('are newer, too, for who was still busy with the old ones when others had fetched them', async () => {
		const { peer, fetchJson } = issuer();
		const issuers = new IssuerKeys(never);
		await issuers.get(ISSUER, fetchJson);
		peer.keys = [rsaSigner('key-2').jwk];
		now += LOOK_AGAIN_AFTER;
		const check = namesKey('key-2');
		const slow = issuers.check(ISSUER, fetchJson, async (known) => {
			// Another token is checked meanwhile, to its end.
			if (!known.keys.kids.has('key-2')) await issuers.check(ISSUER, fetchJson, check);
			return await check(known);
		});
		expect(await slow).toEqual({ ok: true, value: 'believed' });
		expect(peer.asked).toBe(4);
	});

	test('are the first hundred of a list', async () => {
		const { peer, fetchJson } = issuer();
		const { jwk } = rsaSigner('key');
		peer.keys = Array.from({ length: 101 }, (_, number) => ({ ...jwk, kid: `key-${number + 1}` }));
		const known = await new IssuerKeys(never).get(ISSUER, fetchJson);
		expect(known.ok && [known.value.keys.kids.has('key-100'), known.value.keys.kids.has('key-101')]).toEqual([
			...[true, false],
		]);
	});

	test('are not fetched again for every forged token, not even while the issuer is down', async () => {
		const { peer, fetchJson } = issuer();
		const issuers = new IssuerKeys(never);
		await issuers.get(ISSUER, fetchJson);
		peer.down = true;
		for (let second = 1; second <= 60; second++) {
			now += 1_000;
			expect((await issuers.check(ISSUER, fetchJson, namesKey('forged'))).ok).toBe(false);
		}
		expect(peer.asked).toBe(2 + 60_000 / LOOK_AGAIN_AFTER);
		expect((await issuers.check(ISSUER, fetchJson, namesKey('key-1'))).ok).toBe(true);
	});

	test('cannot be had for a token that names a new one, when the issuer fails: that does not make the token a wrong one', async () => {
		const { peer, fetchJson } = issuer();
		const issuers = new IssuerKeys(never);
		await issuers.get(ISSUER, fetchJson);
		now += LOOK_AGAIN_AFTER;
		Object.assign(peer, { down: true, keys: [rsaSigner('key-2').jwk] });
		const check = async () => await issuers.check(ISSUER, fetchJson, namesKey('key-2'));
		const DOWN = { ok: false, failure: { findings: [{ code: 'down' }] } };
		expect(await check()).toMatchObject(DOWN);
		expect(await check()).toMatchObject(DOWN);
		expect(peer.asked).toBe(3);
		peer.down = false;
		now += LOOK_AGAIN_AFTER;
		expect(await check()).toEqual({ ok: true, value: 'believed' });
	});

	test('are asked for again after the issuer was down', async () => {
		const { peer, fetchJson } = issuer();
		const issuers = new IssuerKeys(never);
		peer.down = true;
		expect(await issuers.get(ISSUER, fetchJson)).toMatchObject({
			ok: false,
			failure: { findings: [{ code: 'down' }] },
		});
		peer.down = false;
		expect((await issuers.get(ISSUER, fetchJson)).ok).toBe(true);
	});

	test('of many issuers do not fill the memory', async () => {
		const issuers = new IssuerKeys(never);
		let asked = 0;
		const fetchJson: FetchJson = async (address) => {
			asked++;
			const { origin } = new URL(address);
			const body = address.endsWith('/keys')
				? { keys: [{ kty: 'RSA', kid: 'a', n: 'AQ', e: 'AQAB' }] }
				: { issuer: origin, jwks_uri: `${origin}/keys` };
			return await Promise.resolve({ ok: true, value: body });
		};
		for (let index = 0; index <= 100; index++) await issuers.get(`https://i${index}.example`, fetchJson);
		await issuers.get('https://i100.example', fetchJson);
		expect(asked).toBe(202);
		await issuers.get('https://i0.example', fetchJson);
		expect(asked).toBe(204);
	});

	test('are no shared secrets and no keys for encryption', async () => {
		const { peer, fetchJson } = issuer();
		const secret = { kty: 'oct', kid: 's', k: encoded('shared') };
		const forEncryption = { ...rsaSigner('e').jwk, use: 'enc' };
		peer.keys = [rsaSigner('key-1').jwk, secret, forEncryption, null, 'x'];
		const known = await new IssuerKeys(never).get(ISSUER, fetchJson);
		expect(known.ok && [...known.value.keys.kids]).toEqual(['key-1']);
		await expect(known.ok && known.value.keys.find({ alg: 'HS256', kid: 's' })).rejects.toThrow();
	});

	test.each([[undefined], [null], ['x'], [[]], [[{ kty: 'oct', k: encoded('shared') }]]])(
		'are not %j',
		async (keys) => {
			const { peer, fetchJson } = issuer();
			peer.keys = keys;
			expect(await new IssuerKeys(never).get(ISSUER, fetchJson)).toMatchObject({
				ok: false,
				failure: { findings: [{ code: 'no_keys' }] },
			});
		},
	);
});

describe('an issuer that somebody stopped asking', () => {
	/** One who asks and gives up; `leave` is when. */
	function asker(cause: Pick<Failure, 'origin' | 'code'>) {
		let leave = () => {};
		const left = new Promise<void>((resolve) => (leave = resolve));
		const failure = { effect: 'none', message: 'Gave up', next: 'Wait.', ...cause } as const;
		const findings = [{ code: 'issuer_unreachable', message: 'Gave up', next: 'Wait.' }];
		const fetchJson: FetchJson = async () => {
			await left;
			return { ok: false, failure: { findings, cause: failure } };
		};
		return { fetchJson, leave };
	}

	test.each([
		['was cancelled', { origin: 'n8n', code: 'cancelled' }],
		['had ended its run', { origin: 'n8n' }],
		['had less time', { origin: 'signOn', code: 'timeout' }],
	] as const)('is asked again by those who waited for the one who %s', async (_, cause) => {
		const issuers = new IssuerKeys(never);
		const gone = asker(cause);
		const { peer, fetchJson } = issuer();
		const first = issuers.get(ISSUER, gone.fetchJson);
		const others = Array.from({ length: 20 }, async () => await issuers.get(ISSUER, fetchJson));
		gone.leave();
		expect((await first).ok).toBe(false);
		expect((await Promise.all(others)).every(({ ok }) => ok)).toBe(true);
		expect(peer.asked).toBe(2);
	});

	test('is not said to have no new key, where the one who looked for it had left', async () => {
		const issuers = new IssuerKeys(never);
		const { peer, fetchJson } = issuer();
		await issuers.get(ISSUER, fetchJson);
		now += LOOK_AGAIN_AFTER;
		const gone = asker({ origin: 'n8n', code: 'cancelled' });
		const left = issuers.check(ISSUER, gone.fetchJson, namesKey('key-2'));
		gone.leave();
		expect(await left).toMatchObject({ failure: { cause: { code: 'cancelled' } } });
		const next = await issuers.check(ISSUER, fetchJson, namesKey('key-2'));
		expect(next).toMatchObject({ failure: { findings: [{ code: 'issuer_unreachable' }] } });
		expect(peer.asked).toBe(2);
	});

	test('is not asked again by each who waited when it has refused', async () => {
		const issuers = new IssuerKeys(never);
		const refusing = asker({ origin: 'signOn', code: 'refused' });
		const { peer, fetchJson } = issuer();
		const waiting = [refusing.fetchJson, fetchJson, fetchJson].map(
			async (fetch) => await issuers.get(ISSUER, fetch),
		);
		refusing.leave();
		expect((await Promise.all(waiting)).map(({ ok }) => ok)).toEqual([false, false, false]);
		expect(peer.asked).toBe(0);
	});
});

describe('an issuer that begins to answer and does not end', () => {
	/** Answers when the test says so, one question after another; time passes when the test says so. */
	function drippingIssuer(longestWait?: number) {
		const open: Array<() => void> = [];
		const timers: Array<() => void> = [];
		const fetchJson: FetchJson = async (address) => {
			await new Promise<void>((resolve) => open.push(resolve));
			return { ok: true, value: address.endsWith('/keys') ? { keys: [rsaSigner('k').jwk] } : document };
		};
		const settled = async () => await new Promise((resolve) => setImmediate(resolve));
		const sleep = async () => await new Promise<void>((resolve) => timers.push(resolve));
		return {
			issuers: new IssuerKeys(sleep, longestWait),
			fetchJson,
			asked: () => open.length,
			answer: async (question: number) => {
				open[question]?.();
				await settled();
			},
			pass: async () => {
				timers.splice(0).forEach((ring) => ring());
				await settled();
			},
		};
	}

	const UNREACHABLE = { ok: false, failure: { findings: [{ code: 'issuer_unreachable' }] } };

	test('is asked anew after three seconds, and everybody who waits gets that answer', async () => {
		const { issuers, fetchJson, asked, answer, pass } = drippingIssuer();
		const waiting = Array.from({ length: 20 }, async () => await issuers.get(ISSUER, fetchJson));
		expect(asked()).toBe(1);
		await pass();
		expect(asked()).toBe(2);
		await answer(1);
		await answer(2);
		expect((await Promise.all(waiting)).every(({ ok }) => ok)).toBe(true);
	});

	test('is waited for no longer than the one who asks has time, and does not block the next one', async () => {
		const { issuers, fetchJson, asked, answer, pass } = drippingIssuer(2 * HANGS_AFTER);
		const waiting = issuers.get(ISSUER, fetchJson);
		await pass();
		await pass();
		expect(await waiting).toMatchObject(UNREACHABLE);
		const next = issuers.get(ISSUER, fetchJson);
		expect(asked()).toBe(3);
		await answer(2);
		await answer(3);
		expect((await next).ok).toBe(true);
	});

	test('is waited for 30 seconds by an operation', async () => {
		const { issuers, fetchJson, pass } = drippingIssuer();
		let isOver = false;
		const waiting = issuers.get(ISSUER, fetchJson).finally(() => (isOver = true));
		for (let waited = 0; waited < 30_000; waited += HANGS_AFTER) {
			expect(isOver).toBe(false);
			await pass();
		}
		expect(isOver).toBe(true);
		expect(await waiting).toMatchObject(UNREACHABLE);
	});

	test('makes no token a wrong one that names a new key, until it is asked again', async () => {
		const { issuers, fetchJson, asked, answer, pass } = drippingIssuer(HANGS_AFTER);
		const first = issuers.get(ISSUER, fetchJson);
		for (const question of [0, 1]) await answer(question);
		await first;
		now += LOOK_AGAIN_AFTER;
		const check = async () => await issuers.check(ISSUER, fetchJson, namesKey('key-2'));
		const waiting = check();
		await pass();
		await pass();
		expect([await waiting, await check(), asked()]).toMatchObject([UNREACHABLE, UNREACHABLE, 3]);
	});

	test('is believed when its answer comes in late', async () => {
		const { issuers, fetchJson, answer, pass } = drippingIssuer();
		const waiting = issuers.get(ISSUER, fetchJson);
		await pass();
		await answer(0);
		await answer(2);
		await pass();
		expect((await waiting).ok).toBe(true);
	});

	test('holds up nobody whose token names a known key, while an unknown one is looked for', async () => {
		const { issuers, fetchJson, answer, pass } = drippingIssuer(HANGS_AFTER);
		const first = issuers.get(ISSUER, fetchJson);
		await answer(0);
		await answer(1);
		expect((await first).ok).toBe(true);
		now += LOOK_AGAIN_AFTER;
		const forged = issuers.check(ISSUER, fetchJson, namesKey('forged'));
		expect((await issuers.check(ISSUER, fetchJson, namesKey('k'))).ok).toBe(true);
		await pass();
		expect((await forged).ok).toBe(false);
	});
});
