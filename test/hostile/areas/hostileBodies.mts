/** Bodies with the right key that are no delivery, and strange ones that are. Only what the trigger always demands is broken. */
import { brotliCompressSync, deflateRawSync, gzipSync } from 'node:zlib';

import { userAccess } from '../../unit/trigger/sample-events.mts';

export interface HostileBody {
	what: string;
	body: string | Buffer;
	headers?: readonly string[];
}

const text = JSON.stringify(userAccess());
const nest = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const header = (change: object) => {
	const event = userAccess();
	return JSON.stringify({ ...event, header: { ...event.header, ...change } });
};
const envelope = (change: object) => JSON.stringify({ ...userAccess(), ...change });

const compressed = (what: string, encoding: string, body: string | Buffer): HostileBody => ({
	...{ what, body, headers: [`content-encoding: ${encoding}`] },
});
const typed = (what: string, type: string, body: string | Buffer): HostileBody => ({
	...{ what, body, headers: [`content-type: ${type}`] },
});

/** None may start a run. */
export const BROKEN_BODIES: readonly HostileBody[] = [
	{ what: 'nothing', body: '' },
	{ what: 'null', body: 'null' },
	{ what: 'a number', body: '7' },
	{ what: 'a text', body: '"USER_ACCESS"' },
	{ what: 'an empty list', body: '[]' },
	{ what: 'a list of an envelope', body: `[${text}]` },
	{ what: 'an empty object', body: '{}' },
	{ what: 'half an envelope', body: text.slice(0, 300) },
	{ what: 'an envelope and more', body: `${text}{}` },
	{ what: 'no header', body: envelope({ header: undefined }) },
	{ what: 'a header that is a list', body: envelope({ header: [] }) },
	{ what: 'a header that is text', body: envelope({ header: 'USER_ACCESS' }) },
	{ what: 'no payload', body: envelope({ payload: undefined }) },
	{ what: 'a payload that is text', body: envelope({ payload: '{}' }) },
	{ what: 'a payload that is a list', body: envelope({ payload: [] }) },
	{ what: 'a payload that is null', body: envelope({ payload: null }) },
	{ what: 'no request_id', body: header({ request_id: undefined }) },
	{ what: 'an empty request_id', body: header({ request_id: '' }) },
	{ what: 'a request_id of spaces', body: header({ request_id: '   ' }) },
	{ what: 'a request_id that is a number', body: header({ request_id: 17 }) },
	{ what: 'a request_id that is a list', body: header({ request_id: ['a'] }) },
	{
		what: 'a request_id that calls itself text',
		body: header({ request_id: { toString: 'a', length: 36 } }),
	},
	{ what: 'no action', body: header({ action: undefined }) },
	{ what: 'an empty action', body: header({ action: '' }) },
	{ what: 'an action that is an object', body: header({ action: { USER_ACCESS: true } }) },
	{ what: 'an action that is a list', body: header({ action: ['USER_ACCESS'] }) },
	{ what: 'lists 10,000 deep', body: text.replace('{', `{"extra": ${nest('[', ']', 10_000)}, `) },
	{ what: 'lists 400,000 deep', body: text.replace('{', `{"extra": ${nest('[', ']', 400_000)}, `) },
	{
		what: 'objects 100,000 deep',
		body: text.replace('{', `{"extra": ${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}, `),
	},
	{ what: 'nothing but depth', body: nest('[', ']', 500_000) },
	{ what: 'an envelope that only a prototype has', body: `{"__proto__": ${text}}` },
	{
		what: 'a header that only a prototype has',
		body: `{"__proto__": {"header": ${JSON.stringify(userAccess().header)}}, "payload": {}}`,
	},
	{ what: 'a constructor with a prototype', body: '{"constructor": {"prototype": {"isAdmin": true}}}' },
	{ what: 'a million empty objects', body: `[${'{},'.repeat(999_999)}{}]` },
	{ what: '2 MB', body: text.replace('{', `{"extra": "${'x'.repeat(2_000_000)}", `) },
	compressed('a small gzip of 12 MB', 'gzip', gzipSync(`${text.slice(0, -1)}${' '.repeat(12_000_000)}}`)),
	compressed('gzip that is none', 'gzip', 'not gzip'),
	compressed('gzip that is cut off', 'gzip', gzipSync(text).subarray(0, 100)),
	compressed('deflate without its head and end', 'deflate', deflateRawSync(text).subarray(0, 50)),
	compressed('a compression that n8n does not know', 'br', brotliCompressSync(text)),
	typed('UTF-16', 'application/json; charset=utf-16le', Buffer.from(text, 'utf16le')),
	typed('Latin 1', 'application/json; charset=latin1', Buffer.from(text, 'latin1')),
	{ what: 'no content type', body: text, headers: ['content-type;'] },
	typed('a form', 'application/x-www-form-urlencoded', 'header=1&payload=2'),
	typed('XML', 'text/xml', '<header/>'),
	typed(
		'entities that grow',
		'application/xml',
		'<!DOCTYPE a [<!ENTITY b "bbbb"><!ENTITY c "&b;&b;&b;&b;">]><a>&c;</a>',
	),
	typed('text', 'text/plain', text),
];

export interface StrangeBody {
	what: string;
	body: (id: string) => string | Buffer;
	headers?: readonly string[];
}

/** Each must be taken, recorded, and open again in the list of executions. */
export const STRANGE_BODIES: readonly StrangeBody[] = [
	{
		what: 'names of the prototype',
		body: withId((event) =>
			event.replaceAll('{"', '{"__proto__": {"x": 1}, "constructor": {"prototype": 1}, "'),
		),
	},
	{
		what: 'a number too large for a number',
		body: withId((event) => event.replace('{', '{"extra": 1e999, ')),
	},
	{ what: 'lists 60 deep', body: withId((event) => event.replace('{', `{"extra": ${nest('[', ']', 60)}, `)) },
	{ what: 'NUL and half an emoji', body: withId((event) => event.replace('Lia', '\\u0000\\ud800 Lia')) },
	{ what: 'right to left', body: withId((event) => event.replace('Lia', '\u202eLia')) },
	{ what: 'an expression', body: withId((event) => event.replace('Lia', '={{ $env }}')) },
	{ what: 'SQL', body: withId((event) => event.replace('Lia', "'; DROP TABLE execution_entity; --")) },
	{ what: 'gzip', body: (id) => gzipSync(eventOf(id)), headers: ['content-encoding: gzip'] },
	{ what: 'plain JSON that calls itself br', body: eventOf, headers: ['content-encoding: br'] },
];

function eventOf(id: string): string {
	return JSON.stringify(userAccess(id));
}

function withId(change: (event: string) => string): (id: string) => string {
	return (id) => change(eventOf(id));
}
