/** Deliveries whose key is not the one of the credential, as the lines of their heads. */
import { createHash } from 'node:crypto';

/** Letters of both cases, so that a comparison without case would take what is none. */
export const KEY = 'Aurora-Key-of-the-Network-Zq81';
export const PREVIOUS_KEY = 'Previous-Key-of-the-Network-Wn42';
export const OTHER_KEY = 'Another-School-s-Key-Lk77';

export interface ForgedKey {
	what: string;
	headers: readonly string[];
	query?: string;
	/** Replaces the body, with the key in it. */
	body?: string;
}

const key = (value: string) => [`x-api-key: ${value}`];

export const FORGED_KEYS: readonly ForgedKey[] = [
	{ what: 'no key', headers: [] },
	{ what: 'an empty key', headers: ['x-api-key:'] },
	{ what: 'spaces for a key', headers: ['x-api-key:    '] },
	{ what: 'another word', headers: key('open-sesame') },
	{ what: 'all but the last character', headers: key(KEY.slice(0, -1)) },
	{ what: 'one character more', headers: key(`${KEY}1`) },
	{ what: 'the key in capitals', headers: key(KEY.toUpperCase()) },
	{ what: 'the key in small letters', headers: key(KEY.toLowerCase()) },
	{ what: 'the key twice in one line', headers: key(`${KEY}, ${KEY}`) },
	{ what: 'the key twice', headers: [...key(KEY), ...key(KEY)] },
	{ what: 'the key and a wrong one', headers: [...key(KEY), ...key('wrong')] },
	{ what: 'a wrong key and the right one', headers: [...key('wrong'), ...key(KEY)] },
	{ what: 'the current and the previous key', headers: [...key(KEY), ...key(PREVIOUS_KEY)] },
	{ what: 'the key folded over two lines', headers: ['x-api-key: Aurora-Key-of-', ' the-Network-Zq81'] },
	{ what: 'a key of 1,025 characters', headers: key('k'.repeat(1_025)) },
	{ what: 'a key of 10,000 characters', headers: key('k'.repeat(10_000)) },
	{ what: 'the key and 1,000 characters more', headers: key(KEY + '1'.repeat(1_000)) },
	{ what: 'a NUL behind the key', headers: key(`${KEY}\0`) },
	{ what: 'a space that does not break behind the key', headers: key(`${KEY}\xa0`) },
	{ what: 'a soft hyphen in the key', headers: key(KEY.replace('Key', 'K\xadey')) },
	{ what: 'an accent on a letter of the key', headers: key(KEY.replace('o', '\xf6')) },
	{ what: 'the key in quotes', headers: key(`"${KEY}"`) },
	{ what: 'the key behind Bearer', headers: key(`Bearer ${KEY}`) },
	{ what: 'the key in Authorization', headers: [`authorization: Bearer ${KEY}`] },
	{ what: 'the key under another name', headers: [`x_api_key: ${KEY}`, `api-key: ${KEY}`] },
	{ what: 'the key in a cookie', headers: [`cookie: x-api-key=${KEY}`] },
	{ what: 'the key in the address', headers: [], query: `?x-api-key=${KEY}` },
	{ what: 'the key in the body', headers: [], body: JSON.stringify({ 'x-api-key': KEY, apiKey: KEY }) },
	{ what: 'the key escaped for an address', headers: key(KEY.replaceAll('-', '%2D')) },
	{ what: 'the key in base64', headers: key(Buffer.from(KEY).toString('base64')) },
	{ what: 'the digest of the key', headers: key(createHash('sha256').update(KEY).digest('hex')) },
	{ what: 'the key backwards', headers: key([...KEY].reverse().join('')) },
	{ what: 'the previous key without its end', headers: key(PREVIOUS_KEY.slice(0, -1)) },
	{ what: 'half of either key', headers: key(KEY.slice(0, 15) + PREVIOUS_KEY.slice(15)) },
	{ what: 'the key of another trigger', headers: key(OTHER_KEY) },
	{ what: 'a name of the prototype', headers: key('__proto__') },
	{ what: 'an expression', headers: key('={{ $credentials.apiKey }}') },
	{ what: 'a list', headers: key(`["${KEY}"]`) },
];
