/** Files made to keep n8n busy: what a logo costs grows no faster than its size. */
import { deflateSync } from 'node:zlib';

import { checkRegistration } from '../../../nodes/SchoolPartner/registration/registration.ts';
import { chunk, complete, png, raster, svg, vector } from './pictures.mts';

/** About `size` bytes: one text again and again. */
const times = (text: string, size: number) => text.repeat(Math.ceil(size / text.length));
const withoutEnd = (content: string) => svg(content).slice(0, -'</svg>'.length);

const VECTORS: ReadonlyArray<readonly [string, (size: number) => string]> = [
	['a size of many digits', (n) => svg('', `width="${times('1', n)}x" height="1"`)],
	['a size of many spaces', (n) => svg('', `width="1${times(' ', n)}x" height="1"`)],
	['a size that does not come', (n) => svg('', `width${times(' ', n)}`)],
	['sizes without a value', (n) => svg('', times('width ', n))],
	['a view box of many spaces', (n) => svg('', `viewBox="0${times(' ', n)}0 1 1 x"`)],
	['many attributes', (n) => svg('', times('a="b" ', n))],
	['one long attribute', (n) => svg('', `a="${times('a ', n)}"`)],
	['an attribute that does not end', (n) => `<svg width="${times('a ', n)}`],
	['a tag that does not end', (n) => `<svg${times(' a="b"', n)}`],
	['tags that do not end', (n) => times('<svg ', n)],
	['ends that do not end', (n) => withoutEnd(times('</svg ', n))],
	['an end of spaces', (n) => withoutEnd(`</svg${times(' ', n)}`)],
	['one long name', (n) => `<${times('a', n)}`],
	['prefixes', (n) => times('<a:', n)],
	['openings', (n) => times('<', n)],
	['comments that do not end', (n) => times('<!--', n)],
	['ends of comments', (n) => `<!--${times('-->', n)}`],
	['spaces', (n) => svg(times(' ', n))],
];

/** Raster logos of about `size` bytes; what unpacks does so to a thousand times that. */
const RASTERS: ReadonlyArray<readonly [string, (size: number) => Buffer]> = [
	['picture data that unpacks to much more', (n) => png({ rows: Buffer.alloc(300 * n) })],
	[
		'empty chunks',
		(n) => png({ extra: Array.from({ length: n / 12 }, () => chunk('teXt', Buffer.alloc(0))) }),
	],
	['chunks of no length', (n) => Buffer.concat([png().subarray(0, 33), Buffer.alloc(n)])],
	[
		'a profile that unpacks to much more',
		(n) =>
			png({
				extra: [chunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), deflateSync(Buffer.alloc(300 * n))]))],
			}),
	],
	['noise', (n) => png({ extra: [chunk('noIs', Buffer.alloc(n, 'noise'))] })],
	[
		'many pieces of picture data',
		(n) => png({ extra: Array.from({ length: n / 13 }, () => chunk('IDAT', Buffer.alloc(1))) }),
	],
];

/** The cheapest of five in milliseconds of the processor: a busy machine lengthens the hours of a test, not its work. */
function cost(work: () => unknown): number {
	const tries = Array.from({ length: 5 }, () => {
		const before = process.cpuUsage();
		work();
		const { user, system } = process.cpuUsage(before);
		return (user + system) / 1_000;
	});
	return Math.min(...tries);
}

const MEGABYTE = 1_000_000;
/** Below this a clock says nothing about growth, in milliseconds. */
const MEASURABLE = 20;

/** Each size is four times the one before; work that grows with the square of it would cost sixteen times as much. */
function expectLinear(sizes: readonly number[], made: (size: number) => () => unknown): void {
	let before = Infinity;
	for (const size of sizes) {
		const now = cost(made(size));
		expect(now).toBeLessThan(1_000);
		expect(now).toBeLessThan(8 * Math.max(before, MEASURABLE));
		before = now;
	}
}

describe('a hostile logo', () => {
	// Small ones first: what grows fails there, and does not hang.
	const sizes = [15_000, 60_000, 240_000, 960_000];

	test.each(VECTORS)('of %s costs as much as its size', (_, made) => {
		expectLinear(sizes, (size) => {
			const content = Buffer.from(made(size)).subarray(0, MEGABYTE);
			return () => checkRegistration({ ...complete, logoSvg: { ...vector, content } });
		});
	});

	test.each(RASTERS)('of %s costs as much as its size', (_, made) => {
		expectLinear(sizes, (size) => {
			const content = made(size);
			return () => checkRegistration({ ...complete, logoPng: { ...raster, content } });
		});
	});
});
