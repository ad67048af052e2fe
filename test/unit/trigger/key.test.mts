import crypto from 'node:crypto';
import { inspect } from 'node:util';

import { FREE_READINGS, KeyMemory } from '../../../nodes/SchoolPartnerTrigger/deliveries/keyMemory.ts';
import {
	keyDigests,
	keyFault,
	keysSent,
	keyUsed,
} from '../../../nodes/SchoolPartnerTrigger/deliveries/keys.ts';

const CURRENT = 'current-key-of-the-school';
const PREVIOUS = 'previous-key-of-the-school';
const both = keyDigests({ apiKey: CURRENT, previousApiKey: PREVIOUS });

describe('The key of a delivery', () => {
	test('is accepted when it is the current or the previous one, and it is said which', () => {
		expect(keyUsed([CURRENT], both)).toBe('current');
		expect(keyUsed([PREVIOUS], both)).toBe('previous');
	});

	test.each<[string, string[]]>([
		['absent', []],
		['empty', ['']],
		['wrong', ['another-key']],
		['repeated', [CURRENT, CURRENT]],
		['repeated with another', [CURRENT, 'another-key']],
		['longer than 1024 characters', ['k'.repeat(1025)]],
		['the start of the right one', [CURRENT.slice(0, -1)]],
		['longer than the right one', [`${CURRENT}x`]],
		['in other letters', [CURRENT.toUpperCase()]],
		['two keys in one header', [`${CURRENT}, ${PREVIOUS}`]],
	])('is refused when it is %s', (_what, sent) => {
		expect(keyUsed(sent, both)).toBeUndefined();
	});

	test.each<[string, string[]]>([
		['the current one', [CURRENT]],
		['the previous one', [PREVIOUS]],
		['absent', []],
		['wrong', ['another-key']],
		['repeated', [CURRENT, CURRENT]],
		['too long', ['k'.repeat(1025)]],
	])(
		'is compared in constant time with both keys when it is %s, so that time tells nothing of them',
		(_what, sent) => {
			const compare = jest.spyOn(crypto, 'timingSafeEqual');
			keyUsed(sent, both);
			const compared = compare.mock.calls.map(([, known]) => known);
			compare.mockRestore();
			expect(compared).toEqual([both?.current, both?.previous]);
		},
	);

	test('may have 1 to 1024 characters', () => {
		for (const key of ['k', 'k'.repeat(1024)]) {
			expect(keyUsed([key], keyDigests({ apiKey: key }))).toBe('current');
		}
		expect(keyUsed(['k'.repeat(1025)], keyDigests({ apiKey: 'k'.repeat(1025) }))).toBeUndefined();
	});

	test('is never accepted by a credential without a current key', () => {
		for (const apiKey of [undefined, null, '', 0, {}, 'k'.repeat(1025)]) {
			const digests = keyDigests({ apiKey, previousApiKey: PREVIOUS });
			expect(digests).toBeUndefined();
			for (const sent of [[], [''], [PREVIOUS], ['undefined'], ['null'], ['\0'.repeat(32)]]) {
				expect(keyUsed(sent, digests)).toBeUndefined();
			}
		}
	});

	test('is not accepted as previous when there is no previous one', () => {
		expect(keyUsed([''], keyDigests({ apiKey: CURRENT, previousApiKey: '' }))).toBeUndefined();
		expect(keyUsed([PREVIOUS], keyDigests({ apiKey: CURRENT }))).toBeUndefined();
	});

	test('may hold characters that headers carry as UTF-8 bytes', () => {
		const asHeader = Buffer.from('chave-é', 'utf8').toString('latin1');
		expect(keyUsed([asHeader], keyDigests({ apiKey: 'chave-é' }))).toBe('current');
	});

	test('is found in raw headers, in any letters, as often as it was sent', () => {
		expect(keysSent(['Host', 'x', 'X-Api-Key', 'a', 'x-API-key', 'b', 'x-other', 'x-api-key'])).toEqual([
			'a',
			'b',
		]);
		expect(keysSent([])).toEqual([]);
	});
});

/** A credential that counts how often it is read, and a clock that stands still until it is moved. */
function setUp(apiKey: string) {
	const state = { apiKey, previousApiKey: '', now: 1_000_000, reads: 0, unreadable: false };
	const memory = new KeyMemory(() => state.now);
	const read = () => {
		state.reads++;
		if (state.unreadable) return Promise.reject(new Error('The database is locked'));
		return Promise.resolve(keyDigests(state));
	};
	const check = (key: string, id = 'cred') => memory.keyUsed(id, [key], read);
	/** A minute of deliveries with wrong keys. */
	const pourIn = async () => {
		for (let second = 0; second < 60; second++) {
			state.now += 1_000;
			await check('wrong');
		}
	};
	return { state, check, pourIn };
}

describe('The memory of keys', () => {
	test('reads a credential once in five seconds for right keys', async () => {
		const { state, check } = setUp('one');
		for (let i = 0; i < 100; i++) {
			state.now += 50;
			expect(await check('one')).toBe('current');
		}
		expect(state.reads).toBe(1);
		state.now += 100;
		await check('one');
		expect(state.reads).toBe(2);
	});

	test('takes a fresh key at once, even right after the old one was used', async () => {
		const { state, check } = setUp('one');
		await check('one');
		state.apiKey = 'two';
		state.now += 1;
		expect(await check('two')).toBe('current');
	});

	test('lets a withdrawn key live for five seconds at most', async () => {
		const { state, check } = setUp('one');
		await check('one');
		state.apiKey = 'two';
		state.now += 5_000;
		expect(await check('one')).toBe('current');
		state.now += 1;
		expect(await check('one')).toBeUndefined();
	});

	test('reads a few times for wrong keys, and once in five seconds in a flood of them', async () => {
		const { state, check } = setUp('one');
		const readAt: number[] = [];
		for (let second = 0; second < 30; second += 0.01) {
			const before = state.reads;
			expect(await check(`wrong-${second}`)).toBeUndefined();
			if (state.reads > before) readAt.push(Math.round(second));
			state.now += 10;
		}
		expect(readAt).toEqual([0, 0, 0, 0, 0, 0, 5, 10, 15, 20, 25]);
	});

	test('reads hardly more often when right and wrong keys arrive in turn', async () => {
		const { state, check } = setUp('one');
		for (let second = 0; second < 30; second += 0.01) {
			await check('one');
			await check('wrong');
			state.now += 10;
		}
		expect(state.reads).toBeLessThanOrEqual(1 + FREE_READINGS + 6);
	});

	test('takes a fresh key at once, although the deliveries before it carried wrong ones', async () => {
		const { state, check } = setUp('one');
		await check('one');
		for (let wrong = 1; wrong < FREE_READINGS; wrong++) await check('two');
		state.apiKey = 'two';
		expect(await check('two')).toBe('current');
	});

	test('takes a fresh key within five seconds in a flood of wrong ones, and at once when the flood is over', async () => {
		const { state, check, pourIn } = setUp('one');
		await pourIn();
		state.apiKey = 'two';
		state.now += 5_000;
		expect(await check('two')).toBe('current');
		await pourIn();
		state.now += FREE_READINGS * 5_000;
		await check('two');
		await check('wrong');
		state.apiKey = 'three';
		expect(await check('three')).toBe('current');
	});

	test('takes wrong keys that arrive together for one', async () => {
		const { state, check } = setUp('one');
		await check('one');
		for (let wave = 1; wave < FREE_READINGS; wave++) {
			await Promise.all(Array.from({ length: 10 }, () => check('wrong')));
			expect(state.reads).toBe(1 + wave);
		}
		state.apiKey = 'two';
		expect(await check('two')).toBe('current');
	});

	test('does not remember a reading that failed', async () => {
		const { state, check } = setUp('one');
		state.unreadable = true;
		await expect(check('one')).rejects.toThrow('locked');
		await expect(check('wrong')).rejects.toThrow('locked');
		state.unreadable = false;
		expect(await check('one')).toBe('current');
		state.unreadable = true;
		state.now += 5_001;
		await expect(check('one')).rejects.toThrow('locked');
		state.unreadable = false;
		expect(await check('one')).toBe('current');
	});

	test('has a fresh key wait for the reading that a wrong one began', async () => {
		const { state, check } = setUp('one');
		await check('one');
		state.apiKey = 'two';
		expect(await Promise.all([check('wrong'), check('two')])).toEqual([undefined, 'current']);
	});

	test('reads once for deliveries that arrive together', async () => {
		const { state, check } = setUp('one');
		const used = await Promise.all(Array.from({ length: 20 }, () => check('one')));
		expect(used).toEqual(Array.from({ length: 20 }, () => 'current'));
		expect(state.reads).toBe(1);
	});

	test('keeps credentials apart', async () => {
		const { state, check } = setUp('one');
		await check('one', 'first');
		state.apiKey = 'two';
		expect(await check('two', 'second')).toBe('current');
		expect(await check('one', 'second')).toBeUndefined();
	});

	test('trusts nothing when the clock was put back', async () => {
		const { state, check } = setUp('one');
		await check('one');
		state.apiKey = 'two';
		state.now -= 3_600_000;
		expect(await check('one')).toBeUndefined();
	});

	test('holds no key', async () => {
		const memory = new KeyMemory(Date.now);
		await memory.keyUsed('cred', [CURRENT], () => Promise.resolve(both));
		// The list shows only its size when it is inspected, so its entries are looked at one by one.
		const lists = Object.values(memory).filter((part): part is Map<unknown, unknown> => part instanceof Map);
		const entries = lists.flatMap((list) => [...list.entries()]);
		expect(entries).toContainEqual(['cred', expect.anything()]);
		expect(inspect(entries, { depth: null, showHidden: true })).not.toMatch(/current-key|previous-key/);
	});
});

describe('The form of a key', () => {
	test.each([
		['letters and digits', 'Zq81x0PmLr4t'],
		['one character', 'k'],
		['1024 characters', 'k'.repeat(1024)],
		// A service may give such a key, and a header carries it as it is: refusing it would lock the school out.
		['spaces within', 'the key of the school'],
		['punctuation', '!"#$%&\'()*+,-./:;<=>?@[]^_`{|}~'],
	])('is right with %s', (_what, key) => {
		expect(keyFault({ apiKey: key })).toBeUndefined();
	});

	test.each([
		['nothing', '', /^API Key is empty/],
		['1025 characters', 'k'.repeat(1025), /^API Key has 1025 characters/],
		['a space before it', ' key', /^API Key has spaces before or after it/],
		['a line break behind it', 'key\n', /^API Key has spaces before or after it/],
		['a tab within', 'my\tkey', /that a header cannot carry/],
		['a letter beyond ASCII', 'clé', /that a header cannot carry/],
	])('is wrong with %s, and says why without quoting it', (_what, key, reason) => {
		const fault = keyFault({ apiKey: key });
		expect(fault).toMatch(reason);
		if (key.length > 3) expect(fault).not.toContain(key);
	});

	test('of the previous key counts too, where there is one', () => {
		expect(keyFault({ apiKey: 'key', previousApiKey: '' })).toBeUndefined();
		expect(keyFault({ apiKey: 'key', previousApiKey: null })).toBeUndefined();
		expect(keyFault({ apiKey: 'key', previousApiKey: ' old' })).toMatch(/^Previous API Key has spaces/);
	});
});
