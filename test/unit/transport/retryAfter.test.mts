import { execFileSync } from 'node:child_process';

import fc from 'fast-check';

import { waitInWords, retryAfterMs } from '../../../nodes/shared/transport/retryAfter.ts';

// RFC 9110 section 5.6.7 gives one moment in its three forms.
const MOMENT = Date.parse('1994-11-06T08:49:37Z');

describe('Retry-After', () => {
	test.each([
		['0', 0],
		['1', 1_000],
		[' 120 ', 120_000],
		['007', 7_000],
	])('%p is a number of seconds', (header, milliseconds) => {
		expect(retryAfterMs(header, MOMENT)).toBe(milliseconds);
	});

	test.each(['Sun, 06 Nov 1994 08:49:37 GMT', 'Sunday, 06-Nov-94 08:49:37 GMT', 'Sun Nov  6 08:49:37 1994'])(
		'%p is a moment, in whichever of the three forms of HTTP and wherever n8n runs',
		(header) => {
			expect(retryAfterMs(header, MOMENT - 30_000)).toBe(30_000);
		},
	);

	test('a moment means the same in a zone of its own', () => {
		const read = `
			const { retryAfterMs } = require('./nodes/shared/transport/retryAfter.ts');
			console.log(retryAfterMs('Sun Nov  6 08:49:37 1994', ${MOMENT - 30_000}));`;
		const wait = execFileSync(process.execPath, ['--import', 'tsx', '--eval', read], {
			env: { ...process.env, TZ: 'America/Sao_Paulo' },
		});
		expect(String(wait).trim()).toBe('30000');
	});

	test('a moment that has passed says nothing', () => {
		expect(retryAfterMs('Sun, 06 Nov 1994 08:49:37 GMT', MOMENT + 1)).toBeUndefined();
		expect(retryAfterMs('Sun, 06 Nov 1994 08:49:37 GMT', MOMENT)).toBeUndefined();
	});

	test.each([['9'.repeat(400)], ['9'.repeat(30)], ['Fri, 31 Dec 9999 23:59:59 GMT']])(
		'%p is a wait that can be named',
		(header) => {
			const wait = retryAfterMs(header, MOMENT) ?? 0;
			expect(Number.isSafeInteger(wait)).toBe(true);
			expect(waitInWords(wait)).toBe('more than 36500 days');
		},
	);

	test.each([
		undefined,
		null,
		'',
		' ',
		'-1',
		'+5',
		'1.5',
		'1e3',
		'0x10',
		'5s',
		'soon',
		'Infinity',
		'NaN',
		'Monday, someday',
		'Mon, 99 Foo 2026 99:99:99 GMT',
		5,
		['5'],
		{},
	])('%p says nothing', (header) => {
		expect(retryAfterMs(header, MOMENT)).toBeUndefined();
	});

	test('whatever a service sends, the wait is none or a number that is not negative', () => {
		fc.assert(
			fc.property(fc.oneof(fc.string(), fc.date().map(String), fc.nat().map(String)), (header) => {
				const wait = retryAfterMs(header, MOMENT);
				expect(wait === undefined || wait >= 0).toBe(true);
			}),
		);
	});
});

test.each([
	[1, '1 s'],
	[61_000, '61 s'],
	[119_000, '119 s'],
	[120_000, '2 min'],
	[3_600_000, '60 min'],
	[2 * 3_600_000, '2 hours'],
	[47 * 3_600_000, '47 hours'],
	[48 * 3_600_000, '2 days'],
	[365 * 86_400_000, '365 days'],
])('A wait of %d ms is read as %s', (milliseconds, words) => {
	expect(waitInWords(milliseconds)).toBe(words);
});
