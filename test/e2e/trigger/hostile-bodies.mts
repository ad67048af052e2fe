/** Deliveries with the right key that must be refused: generated from the document's tables, and written by hand. */
import fc from 'fast-check';

import {
	put,
	USER_ACCESS_REVOCATION_TABLE,
	USER_ACCESS_TABLE,
	without,
	type Kind,
	type Row,
} from '../../unit/trigger/envelope-tables.mts';
import { header, userAccess, userAccessRevocation } from '../../unit/trigger/sample-events.mts';

/** Text that is no text, dates that are none, and so on: never what a table allows. */
const wrongValues: Record<Kind, fc.Arbitrary<unknown>> = {
	text: fc.oneof(
		// Not every double: a number that JavaScript cannot hold as it is written arrives as text, and is one.
		fc.integer(),
		fc.boolean(),
		fc.array(fc.jsonValue()),
		fc.dictionary(fc.string(), fc.jsonValue()),
	),
	number: fc.oneof(
		fc.string(),
		fc.double({ min: 10_000, noNaN: true }),
		fc.double({ max: -0.1, noNaN: true }),
		fc.constant([2026]),
	),
	object: fc.oneof(fc.string(), fc.integer(), fc.array(fc.jsonValue()), fc.boolean()),
	list: fc.oneof(fc.string(), fc.integer(), fc.dictionary(fc.string(), fc.jsonValue()), fc.boolean()),
	time: fc.oneof(
		fc.integer(),
		fc.stringMatching(/^[^0-9]*$/),
		fc.constantFrom('2026-03-09', '2026-13-01T00:00:00Z', '2026-03-09T12:30:00-03:00'),
	),
	date: fc.oneof(
		fc.integer(),
		fc.stringMatching(/^[^0-9]*$/),
		fc.constantFrom('2015-02-29', '30.04.2015', '20150430'),
	),
};

const tooLong = (size: number) =>
	fc.integer({ min: size + 1, max: size * 50 }).map((length) => 'x'.repeat(length));

/** A documented field, spoiled in one of the ways a field can be spoiled. */
function spoiled(sample: () => object, table: Row[]): fc.Arbitrary<unknown> {
	return fc.constantFrom(...table).chain((row) => {
		const ways: Array<fc.Arbitrary<unknown>> = [wrongValues[row.kind]];
		if (row.kind === 'text' && row.size !== undefined) ways.push(tooLong(row.size));
		if (row.required) ways.push(fc.constantFrom(null, '', ' ', '\t\n'));
		const wrong = fc.oneof(...ways).map((value) => put(sample(), row.path, value));
		return row.required
			? fc.oneof(
					wrong,
					fc.constant(0).map(() => without(sample(), row.path)),
				)
			: wrong;
	});
}

/** Spoiled envelopes of both kinds, and JSON that is no envelope at all. The same in every run. */
export function generatedBodies(count: number): string[] {
	const anything = fc.jsonValue({ maxDepth: 8 }).filter((value) => !hasHeader(value));
	const bodies = fc.oneof(
		{ weight: 4, arbitrary: spoiled(userAccess, USER_ACCESS_TABLE) },
		{ weight: 2, arbitrary: spoiled(userAccessRevocation, USER_ACCESS_REVOCATION_TABLE) },
		{ weight: 1, arbitrary: anything },
	);
	return fc.sample(bodies, { numRuns: count, seed: 20260309 }).map((body) => JSON.stringify(body));
}

function hasHeader(value: unknown): boolean {
	return typeof value === 'object' && value !== null && 'header' in value && 'payload' in value;
}

const text = JSON.stringify(userAccess());
const nest = (open: string, close: string, levels: number) => open.repeat(levels) + close.repeat(levels);
const withExtra = (json: string) => text.replace('{', `{"extra": ${json}, `);

/** What people with bad intentions have sent to parsers before. */
export const handmadeBodies: Array<[string, string | Buffer]> = [
	['a number too large for a number, as year', text.replace('2026,', '1e999,')],
	['a number of 10,000 digits, as year', text.replace('2026,', `${'9'.repeat(10_000)},`)],
	['a negative year', text.replace('2026,', '-2026,')],
	['lists 65 deep', withExtra(nest('[', ']', 65))],
	['lists 10,000 deep', withExtra(nest('[', ']', 10_000))],
	['lists 400,000 deep', withExtra(nest('[', ']', 400_000))],
	['objects 100,000 deep', withExtra(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`)],
	['nothing but depth', nest('[', ']', 500_000)],
	[
		'a header that only a prototype has',
		`{"__proto__": {"header": ${JSON.stringify(header('USER_ACCESS'))}}, "payload": {}}`,
	],
	['an envelope that only a prototype has', `{"__proto__": ${text}}`],
	['a constructor with a prototype', '{"constructor": {"prototype": {"isAdmin": true}}}'],
	[
		'a header with the prototype of a list',
		text
			.replace('"header":{', '"header":{"__proto__": [], "client_id": 1, ')
			.replace('"client_id":"client-aurora",', ''),
	],
	['a payload called toJSON', '{"header": {"toJSON": 1}, "payload": {"toJSON": "x", "hasOwnProperty": 1}}'],
	['a million empty objects', `[${'{},'.repeat(250_000)}{}]`],
	['a hundred thousand users of nothing', withUsers(`${'{},'.repeat(100_000)}{}`)],
	[
		'a text of NUL characters as id',
		text.replace(/"request_id":"[^"]*"/, '"request_id":"' + '\\u0000'.repeat(37) + '"'),
	],
	[
		'bytes that are not UTF-8',
		Buffer.concat([Buffer.from(text.slice(0, -1)), Buffer.from(',"x":"\xff\xfe"}', 'latin1')]),
	],
	[
		'an id of lone surrogates',
		text.replace(/"request_id":"[^"]*"/, '"request_id":"' + '\\ud800'.repeat(37) + '"'),
	],
	['nothing but a byte order mark and a number', '\ufeff7'],
	[
		'an SQL statement as action and an id that is too long',
		JSON.stringify({
			header: { ...header("'; DROP TABLE execution_entity; --"), request_id: "' OR 1=1 --".repeat(5) },
			payload: {},
		}),
	],
	[
		'a template as client, and no payload',
		JSON.stringify({ header: { ...header('USER_ACCESS'), client_id: '={{ $env }}' } }),
	],
];

function withUsers(users: string): string {
	const [start = '', end = ''] = text.split(/"users":\[.*\](?=,"bond")/);
	return `${start}"users":[${users}]${end}`;
}
