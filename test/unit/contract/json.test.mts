/** Reading JSON without changing a number in it. */
import fc from 'fast-check';

import { readJson } from '../../../nodes/shared/contract/json.ts';

describe('A number comes out as it was written', () => {
	test.each([
		['one more than the largest whole number that is safe', '9007199254740993', '9007199254740993'],
		['the largest whole number that is safe', '9007199254740991', 9007199254740991],
		['the first beyond it, like all beyond it', '9007199254740992', '9007199254740992'],
		['a negative one', '-9007199254740993', '-9007199254740993'],
		['the smallest whole number that is safe', '-9007199254740991', -9007199254740991],
		['a whole number of 30 digits', '123456789012345678901234567890', '123456789012345678901234567890'],
		['a whole number beyond it, with an exponent', '1e20', '1e20'],
		['a whole number beyond it, with a fraction of noughts', '9007199254740992.0', '9007199254740992.0'],
		['a number beyond the range, which would be written back as null', '1e400', '1e400'],
		['a negative one beyond the range', '-1E+400', '-1E+400'],
		['a number too small to be told from nothing', '1e-400', '1e-400'],
		['more digits than fit', '0.1234567890123456789', '0.1234567890123456789'],
		['as many digits as fit', '0.30000000000000004', 0.30000000000000004],
		['a tenth', '0.1', 0.1],
		['a price', '1234.50', 1234.5],
		['noughts behind the point', '1.00000000000000000000', 1],
		['a small exponent', '1.5e3', 1500],
		['a year', '2026', 2026],
		['nought', '0', 0],
	])('%s: %s', (_what, written, expected) => {
		expect(readJson(written)).toBe(expected);
		expect(readJson(` {"id":${written}}`)).toEqual({ id: expected });
		expect(readJson(`{"ids": [1, ${written} ,\n\t${written}]}`)).toEqual({ ids: [1, expected, expected] });
	});

	test('wherever it stands, and every other value stays what JSON.parse makes of it', () => {
		const values = [fc.string(), fc.integer(), fc.boolean(), fc.constant(null)];
		const written = fc.anything({ values, maxDepth: 4 }).map((value) => JSON.stringify(value));
		fc.assert(
			fc.property(written, fc.bigInt({ min: 2n ** 53n, max: 2n ** 90n }), (text, id) => {
				expect(readJson(text)).toEqual(JSON.parse(text));
				const both = `{"id":${id},"rest":${text},"text":${JSON.stringify(text)}}`;
				expect(readJson(both)).toEqual({ id: `${id}`, rest: JSON.parse(text) as unknown, text });
			}),
			{ numRuns: 500 },
		);
	});

	test('whatever double it is: what JavaScript wrote comes back as the same number, up to 2^53', () => {
		const kept = fc.double({ noNaN: true, noDefaultInfinity: true, min: -(2 ** 53 - 1), max: 2 ** 53 - 1 });
		fc.assert(
			fc.property(kept, (number) =>
				expect(readJson(JSON.stringify([number]))).toEqual([number + 0 === 0 ? 0 : number]),
			),
			{ numRuns: 2_000 },
		);
	});
});

describe('Text stays as it is', () => {
	test.each([
		['digits', '9007199254740993'],
		['digits behind a comma', 'no. 1, 9007199254740993 and [9007199254740994, 1e400]'],
		['digits behind quotes', 'the "id":9007199254740993'],
		['digits behind a backslash and a quote', '\\":9007199254740993'],
		['a backslash at the end', ': 9007199254740993\\'],
		['another JSON document', '{"id":9007199254740993,"text":"1e400"}'],
	])('%s', (_what, text) => {
		const document = { [text]: text, list: [text, { [text]: 1 }] };
		expect(readJson(JSON.stringify(document))).toEqual(document);
		expect(readJson(`{"id":9007199254740993,"document":${JSON.stringify(document)}}`)).toEqual({
			id: '9007199254740993',
			document,
		});
	});

	test.each(['a', '\\n', '1'])('also when it is some megabytes long, of %j', (letter) => {
		const text = letter.repeat(5_000_000);
		const read = readJson(`{"text":"${text}","id":9007199254740993}`) as { text: string; id: unknown };
		expect(read.id).toBe('9007199254740993');
		expect(read.text).toHaveLength(5_000_000);
	});
});

describe('What is not JSON is nothing', () => {
	test.each([
		['nothing', ''],
		['a page', '<!doctype html>'],
		['half of an object', '{"id":9007199254740993'],
		['a name without quotes that is a large number', '{9007199254740993:1}'],
		['a large number with a nought before it', '[09007199254740993]'],
		['two large numbers', '9007199254740993 9007199254740993'],
		['a number without digits behind its exponent', '[9007199254740993e]'],
		['what only JavaScript knows', '[Infinity, 9007199254740993n]'],
	])('%s', (_what, text) => {
		expect(readJson(text)).toBeUndefined();
	});

	test('and a text without sense gets the same verdict as from JSON.parse', () => {
		const pieces = fc.constantFrom(
			'"',
			'\\',
			'9007199254740993',
			'1e400',
			',',
			':',
			'{',
			'}',
			'[',
			']',
			' ',
			'a',
			'-',
			'.',
			'e',
		);
		fc.assert(
			fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
				const text = parts.join('');
				let isJson = true;
				try {
					JSON.parse(text);
				} catch {
					isJson = false;
				}
				expect(readJson(text) !== undefined).toBe(isJson);
			}),
			{ numRuns: 5_000 },
		);
	});
});

test('No name in a text reaches the prototype of objects', () => {
	const read = readJson('{"__proto__":{"admin":9007199254740993},"constructor":{"prototype":1}}');
	expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
	expect(Object.keys(read as object)).toEqual(['__proto__', 'constructor']);
	expect('admin' in {}).toBe(false);
});

test('Of a name that stands twice the last one counts, as with JSON.parse', () => {
	expect(readJson('{"id":1,"id":9007199254740993}')).toEqual({ id: '9007199254740993' });
});

test('A text of more than 64 levels is nothing: nobody could show or store it', () => {
	const nested = (levels: number) => `${'['.repeat(levels)}9007199254740993${']'.repeat(levels)}`;
	expect(Array.isArray(readJson(nested(64)))).toBe(true);
	for (const levels of [65, 100_000]) expect(readJson(nested(levels))).toBeUndefined();
});
