import fc from 'fast-check';
import * as z from 'zod/v4-mini';

import {
	calendarDate,
	commaSeparated,
	dayOfMoment,
	EMPTY_GUID,
	filledText,
	guid,
	isCalendarDate,
	isEmpty,
	isUtcTimestamp,
	kindOf,
	sizeOf,
	text,
	utcTimestamp,
} from '../../../nodes/shared/contract/blocks.ts';

const accepts = (schema: { safeParse: (value: unknown) => { success: boolean } }) => (value: unknown) =>
	schema.safeParse(value).success;

describe('A day of the calendar', () => {
	test.each(['2010-12-31', '2000-02-29', '2012-02-29', '0001-01-01', '0099-12-31', '9999-12-31'])(
		'is %s',
		(day) => {
			expect(accepts(calendarDate())(day)).toBe(true);
		},
	);

	test.each([
		'31/12/2010',
		'2010-02-30',
		'2011-02-29',
		'1900-02-29',
		'2010-13-01',
		'2010-00-10',
		'2010-01-00',
		'2010-1-1',
		'10-12-31',
		'2010-12-31T00:00:00Z',
		' 2010-12-31',
		'2010-12-31\n',
		'２０１０-12-31',
		'',
		null,
		undefined,
		20101231,
		{},
	])('is not %p', (value) => {
		expect(accepts(calendarDate())(value)).toBe(false);
	});

	test('is every day that JavaScript knows, and what is read back from it', () => {
		fc.assert(
			fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31'), noInvalidDate: true }), (date) => {
				expect(isCalendarDate(date.toISOString().slice(0, 10))).toBe(true);
			}),
		);
	});
});

describe('A moment', () => {
	test.each([
		['2010-12-31T23:30:00.000-03:00', '2010-12-31'],
		['2010-12-31 00:00:00', '2010-12-31'],
		[' 2010-12-31 ', '2010-12-31'],
	])('gives its day as it is written: %p', (moment, day) => {
		expect(dayOfMoment(calendarDate()).parse(moment)).toBe(day);
	});

	test.each([
		'2026-03-09T12:30:00Z',
		'2026-03-09T12:30Z',
		'2026-03-09T12:30:00.123456Z',
		'2026-03-09T12:30:00+00:00',
		'2026-03-09T12:30:00-00:00',
		'2026-03-09T12:30:00+0000',
	])('in UTC is %s', (moment) => {
		expect(isUtcTimestamp(moment)).toBe(true);
		expect(accepts(utcTimestamp())(moment)).toBe(true);
	});

	test.each([
		'2026-03-09T12:30:00',
		'2026-03-09T12:30:00+01:00',
		'2026-03-09T12:30:00-03:00',
		'2026-03-09',
		'2026-02-30T12:30:00Z',
		'2026-03-09T24:00:00Z',
		'2026-03-09T12:60:00Z',
		'2016-12-31T23:59:60Z',
		'2026-03-09 12:30:00Z',
		'09/03/2026 12:30',
		'',
		1_773_059_400_000,
		null,
	])('in UTC is not %p', (value) => {
		expect(accepts(utcTimestamp())(value)).toBe(false);
	});
});

describe('A GUID', () => {
	test.each(['3f2504e0-4f89-41d3-9a0c-0305e82c3301', '3F2504E0-4F89-41D3-9A0C-0305E82C3301', EMPTY_GUID])(
		'is %s',
		(value) => {
			expect(accepts(guid())(value)).toBe(true);
		},
	);

	test.each([
		'3f2504e04f8941d39a0c0305e82c3301',
		'{3f2504e0-4f89-41d3-9a0c-0305e82c3301}',
		'3f2504e0-4f89-41d3-9a0c-0305e82c330',
		'3f2504e0-4f89-41d3-9a0c-0305e82c3301 ',
		'3f2504e0-4f89-41d3-9a0c-0305e82c330g',
		'',
		null,
		7,
	])('is not %p', (value) => {
		expect(accepts(guid())(value)).toBe(false);
	});
});

describe('A size', () => {
	test('counts what people count: an emoji is one', () => {
		expect(sizeOf('açúcar')).toBe(6);
		expect(sizeOf('😀😀')).toBe(2);
		expect(accepts(text(2))('😀😀')).toBe(true);
		expect(accepts(text(2))('😀😀😀')).toBe(false);
	});

	test('is a limit that is still allowed', () => {
		expect(accepts(text(512))('x'.repeat(512))).toBe(true);
		const result = text(512).safeParse('x'.repeat(513));
		expect(result.error?.issues[0].message).toBe('must be at most 512 characters long');
	});
});

describe('Text that must be filled', () => {
	test.each(['', ' ', '\n\t', '\u00a0'])('is not %p', (value) => {
		expect(filledText().safeParse(value).error?.issues[0].message).toBe('must not be empty');
	});

	test('says what it was given instead, and never the value', () => {
		const said = [null, [], { name: 'Abelia' }, 7, true].map(
			(value) => filledText().safeParse(value).error?.issues[0].message,
		);
		expect(said).toEqual([
			'must be text, but is empty',
			'must be text, but is a list',
			'must be text, but is an object',
			'must be text, but is a number',
			'must be text, but is true or false',
		]);
	});

	test('and every other value has a name for its kind', () => {
		expect([undefined, '', 'x', 7n].map(kindOf)).toEqual(['is empty', 'is empty', 'is text', 'is a bigint']);
	});
});

test.each([undefined, null, '', ' ', '\t\n'])('%p is empty', (value) => expect(isEmpty(value)).toBe(true));
test.each([0, false, [], {}, 'x', Number.NaN])('%p is not empty', (value) =>
	expect(isEmpty(value)).toBe(false),
);

test.each([
	['a,b', ['a', 'b']],
	[' a , b ,', ['a', 'b']],
	['a', ['a']],
	[',', []],
	[['a, b'], ['a, b']],
	[7, 7],
])('Text with commas is a list, and anything else stays what it is: %p', (given, list) => {
	expect(commaSeparated(z.unknown()).parse(given)).toEqual(list);
});
