import { readIssuer } from '../../../nodes/shared/oidc/addresses.ts';
import type { Failure } from '../../../nodes/shared/failure.ts';
import { readDiscovery } from '../../../nodes/shared/oidc/discovery.ts';
import {
	IssuerKeys,
	KEYS_ARE_FRESH_FOR,
	LOOK_AGAIN_AFTER,
	type FetchJson,
} from '../../../nodes/shared/oidc/issuerKeys.ts';
import { HANGS_AFTER } from '../../../nodes/shared/oidc/freshMemory.ts';
import { ISSUER, NOW, rsaSigner } from './peer.mts';

/** No fetch of these tests hangs, unless it says so. */
const never = async () => await new Promise<void>(() => undefined);

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
		['with no key address', { issuer: ISSUER }, 'not_a_discovery_document'],
		['with a key address of another kind', { ...document, jwks_uri: 'file:///etc/keys' }, 'no_key_address'],
		['that is a page', '<html>', 'not_a_discovery_document'],
		['that is empty', undefined, 'not_a_discovery_document'],
	])('%s is refused', (_, body, reason) => {
		expect(reasonsFor(body)).toEqual([reason]);
	});
});

describe('the keys of an issuer', () => {
	/** An issuer that counts how often it is asked, and can be down or change its keys. */
	function issuer() {
		const peer = { asked: 0, down: false, keys: [rsaSigner('key-1').jwk] };
		const fetchJson: FetchJson = async (address) => {
			peer.asked++;
			await Promise.resolve();
			if (peer.down)
				return { ok: false, failure: { findings: [{ code: 'down', message: 'Down', next: 'Wait.' }] } };
			return { ok: true, value: address.endsWith('/keys') ? { keys: peer.keys } : document };
		};
		return { peer, fetchJson };
	}

	test('are fetched once for everybody who asks, and again after an hour', async () => {
		const { peer, fetchJson } = issuer();
		const memory = new IssuerKeys(never);
		await Promise.all(Array.from({ length: 20 }, async () => await memory.of(ISSUER, fetchJson, NOW)));
		await memory.of(ISSUER, fetchJson, NOW + KEYS_ARE_FRESH_FOR - 1);
		expect(peer.asked).toBe(2);
		await memory.of(ISSUER, fetchJson, NOW + KEYS_ARE_FRESH_FOR);
		expect(peer.asked).toBe(4);
	});

	test('are fetched again for an unknown key, so that a change of keys is noticed', async () => {
		const { peer, fetchJson } = issuer();
		const memory = new IssuerKeys(never);
		const used = await memory.of(ISSUER, fetchJson, NOW);
		if (!used.ok) throw new Error('the keys must be there');
		peer.keys = [rsaSigner('key-2').jwk];
		const newer = await memory.newerThan(used.value, ISSUER, fetchJson, NOW + LOOK_AGAIN_AFTER);
		expect([...(newer?.keys.kids ?? [])]).toEqual(['key-2']);
		// Whoever still held the old list gets the new one without another question.
		expect(await memory.newerThan(used.value, ISSUER, fetchJson, NOW + LOOK_AGAIN_AFTER)).toBe(newer);
		expect(peer.asked).toBe(4);
	});

	test('are not fetched again for every forged token, not even while the issuer is down', async () => {
		const { peer, fetchJson } = issuer();
		const memory = new IssuerKeys(never);
		const used = await memory.of(ISSUER, fetchJson, NOW);
		if (!used.ok) throw new Error('the keys must be there');
		peer.down = true;
		for (let second = 1; second <= 60; second++) {
			await memory.newerThan(used.value, ISSUER, fetchJson, NOW + second * 1000);
		}
		expect(peer.asked).toBe(2 + 60_000 / LOOK_AGAIN_AFTER);
	});

	test('are asked for again after the issuer was down', async () => {
		const { peer, fetchJson } = issuer();
		const memory = new IssuerKeys(never);
		peer.down = true;
		expect(await memory.of(ISSUER, fetchJson, NOW)).toMatchObject({
			ok: false,
			failure: { findings: [{ code: 'down' }] },
		});
		peer.down = false;
		expect((await memory.of(ISSUER, fetchJson, NOW)).ok).toBe(true);
	});

	test('are looked at once more, newer, for a token that names one that is not known', async () => {
		const { peer, fetchJson } = issuer();
		const memory = new IssuerKeys(never);
		let now = NOW;
		const clock = () => now;
		const against = async ({ keys }: { keys: { kids: ReadonlySet<string> } }) =>
			await Promise.resolve(
				keys.kids.has('key-2')
					? ({ ok: true, value: 'believed' } as const)
					: ({
							ok: false,
							failure: { findings: [{ code: 'unknown_key', message: 'No key', next: 'Wait.' }] },
						} as const),
			);
		expect((await memory.check(ISSUER, fetchJson, clock, against)).ok).toBe(false);
		peer.keys = [rsaSigner('key-2').jwk];
		expect((await memory.check(ISSUER, fetchJson, clock, against)).ok).toBe(false);
		now += LOOK_AGAIN_AFTER;
		expect(await memory.check(ISSUER, fetchJson, clock, against)).toEqual({ ok: true, value: 'believed' });
		expect(peer.asked).toBe(4);
	});

	test('are newer for everybody who comes with a new one at the same time', async () => {
		const { peer, fetchJson } = issuer();
		const memory = new IssuerKeys(never);
		const used = await memory.of(ISSUER, fetchJson, NOW);
		if (!used.ok) throw new Error('the keys must be there');
		peer.keys = [rsaSigner('key-2').jwk];
		const later = NOW + LOOK_AGAIN_AFTER;
		const together = Array.from(
			{ length: 20 },
			async () => await memory.newerThan(used.value, ISSUER, fetchJson, later),
		);
		expect((await Promise.all(together)).map((newer) => newer?.keys.kids.has('key-2'))).toEqual(
			together.map(() => true),
		);
		expect(peer.asked).toBe(4);
	});

	test('and the discovery document by itself are fetched once for everybody who asks meanwhile', async () => {
		const { peer, fetchJson } = issuer();
		const memory = new IssuerKeys(never);
		const asked = Array.from({ length: 20 }, async () => await memory.discoveryOf(ISSUER, fetchJson, NOW));
		expect((await Promise.all(asked)).every(({ ok }) => ok)).toBe(true);
		expect(peer.asked).toBe(1);
		await memory.discoveryOf(ISSUER, fetchJson, NOW + KEYS_ARE_FRESH_FOR);
		expect(peer.asked).toBe(2);
	});

	test('of many issuers do not fill the memory', async () => {
		const memory = new IssuerKeys(never);
		let asked = 0;
		const fetchJson: FetchJson = async (address) => {
			asked++;
			const { origin } = new URL(address);
			const body = address.endsWith('/keys')
				? { keys: [{ kty: 'RSA', kid: 'a', n: 'AQ', e: 'AQAB' }] }
				: { issuer: origin, jwks_uri: `${origin}/keys` };
			return await Promise.resolve({ ok: true, value: body });
		};
		for (let index = 0; index <= 100; index++) await memory.of(`https://i${index}.example`, fetchJson, NOW);
		await memory.of('https://i100.example', fetchJson, NOW);
		expect(asked).toBe(202);
		await memory.of('https://i0.example', fetchJson, NOW);
		expect(asked).toBe(204);
	});
});

describe('an issuer that somebody stopped asking', () => {
	/** One who asks and gives up; `leave` is when. */
	function asker(cause: Pick<Failure, 'origin' | 'code'>) {
		let leave = () => {};
		const left = new Promise<void>((resolve) => (leave = resolve));
		const given = { effect: 'none', message: 'Gave up', next: 'Wait.', ...cause } as const;
		const fetchJson: FetchJson = async () => {
			await left;
			return {
				ok: false,
				failure: {
					reasons: [{ code: 'issuer_unreachable', message: 'Gave up', next: 'Wait.' }],
					cause: given,
				},
			};
		};
		return { fetchJson, leave };
	}

	/** An issuer that answers, and counts how often it is asked. */
	function answering() {
		const peer = { asked: 0 };
		const fetchJson: FetchJson = async (address) => {
			peer.asked++;
			return await Promise.resolve({
				ok: true,
				value: address.endsWith('/keys') ? { keys: [rsaSigner('k').jwk] } : document,
			});
		};
		return { peer, fetchJson };
	}

	test.each([
		['was cancelled', { origin: 'n8n', code: 'cancelled' }],
		['had ended its run', { origin: 'n8n' }],
		['had less time', { origin: 'signOn', code: 'timeout' }],
	] as const)('is asked again by those who waited for the one who %s', async (_, cause) => {
		const memory = new IssuerKeys(never);
		const gone = asker(cause);
		const { peer, fetchJson } = answering();
		const first = memory.of(ISSUER, gone.fetchJson, NOW);
		const others = Array.from({ length: 20 }, async () => await memory.of(ISSUER, fetchJson, NOW));
		gone.leave();
		expect((await first).ok).toBe(false);
		expect((await Promise.all(others)).every(({ ok }) => ok)).toBe(true);
		expect(peer.asked).toBe(2);
	});

	test('is not asked again by each who waited when it has refused', async () => {
		const memory = new IssuerKeys(never);
		const refused = asker({ origin: 'signOn', code: 'refused' });
		const { peer, fetchJson } = answering();
		const waiting = [refused.fetchJson, fetchJson, fetchJson].map(
			async (fetch) => await memory.of(ISSUER, fetch, NOW),
		);
		refused.leave();
		expect((await Promise.all(waiting)).map(({ ok }) => ok)).toEqual([false, false, false]);
		expect(peer.asked).toBe(0);
	});
});

describe('an issuer that begins to answer and does not end', () => {
	/** Answers when the test says so, one question after another; time passes when the test says so. */
	function drippingIssuer() {
		const open: Array<() => void> = [];
		const timers: Array<() => void> = [];
		const fetchJson: FetchJson = async (address) => {
			await new Promise<void>((resolve) => open.push(resolve));
			return { ok: true, value: address.endsWith('/keys') ? { keys: [rsaSigner('k').jwk] } : document };
		};
		const settled = async () => await new Promise((resolve) => setImmediate(resolve));
		return {
			memory: new IssuerKeys(async () => await new Promise<void>((resolve) => timers.push(resolve))),
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

	test('is asked anew after three seconds, and everybody who waits gets that answer', async () => {
		const { memory, fetchJson, asked, answer, pass } = drippingIssuer();
		const waiting = Array.from({ length: 20 }, async () => await memory.of(ISSUER, fetchJson, NOW));
		expect(asked()).toBe(1);
		await pass();
		expect(asked()).toBe(2);
		await answer(1);
		await answer(2);
		expect((await Promise.all(waiting)).every(({ ok }) => ok)).toBe(true);
	});

	test('is waited for no longer than the one who asks has time, and does not block the next one', async () => {
		const { memory, fetchJson, asked, answer, pass } = drippingIssuer();
		const waiting = memory.of(ISSUER, fetchJson, NOW, 2 * HANGS_AFTER);
		await pass();
		await pass();
		expect(await waiting).toMatchObject({
			ok: false,
			failure: { findings: [{ code: 'issuer_unreachable' }] },
		});
		const next = memory.of(ISSUER, fetchJson, NOW);
		expect(asked()).toBe(3);
		await answer(2);
		await answer(3);
		expect((await next).ok).toBe(true);
	});

	test('is waited for 30 seconds by whoever does not say how long', async () => {
		const { memory, fetchJson, pass } = drippingIssuer();
		let isOver = false;
		const waiting = memory.of(ISSUER, fetchJson, NOW).finally(() => (isOver = true));
		for (let waited = 0; waited < 30_000; waited += HANGS_AFTER) {
			expect(isOver).toBe(false);
			await pass();
		}
		expect(isOver).toBe(true);
		expect(await waiting).toMatchObject({
			ok: false,
			failure: { findings: [{ code: 'issuer_unreachable' }] },
		});
	});

	test('is believed when its answer comes in late', async () => {
		const { memory, fetchJson, answer, pass } = drippingIssuer();
		const waiting = memory.of(ISSUER, fetchJson, NOW);
		await pass();
		await answer(0);
		// The question for the keys that the first answer led to.
		await answer(2);
		await pass();
		expect((await waiting).ok).toBe(true);
	});
});
