/** Files made to keep n8n busy: what a logo costs grows no faster than its size. */
import { deflateSync } from 'node:zlib';

import { checkRegistration } from '../../../nodes/SchoolPartner/registration/registration.ts';
import { BOOK, chunk, complete, png, raster, svg, vector } from './pictures.mts';

/** About `size` bytes: one text again and again. */
const times = (text: string, size: number) => text.repeat(Math.ceil(size / text.length));
const numbered = (text: (index: number) => string, size: number) =>
	Array.from({ length: Math.ceil(size / text(1_000).length) }, (_, index) => text(index)).join('');

const VECTORS: ReadonlyArray<readonly [string, (size: number) => string]> = [
	['nested groups with transforms', (n) => svg(nested('<g transform="rotate(9)">', '</g>', n))],
	['nested groups around one shape', (n) => svg(nested('<g>', '</g>', n, '<rect width="9" height="9"/>'))],
	['groups that never end', (n) => svg(times('<g transform="scale(1)">', n))],
	['shapes with transforms', (n) => svg(times('<path transform="scale(2)" d="M0 0h9z"/>', n))],
	['one long transform', (n) => svg(`<path d="M0 0h9z" transform="${times('scale(1) ', n)}"/>`)],
	[
		'references to references, twice each',
		(n) => svg(numbered((i) => `<g id="a${i}"><use href="#a${i - 1}"/><use href="#a${i - 1}"/></g>`, n)),
	],
	['one long path', (n) => svg(`<path d="M0 0${times('c1 2-3 4.5.6.7', n)}"/>`)],
	['one number of many digits', (n) => svg(`<rect width="${times('1', n)}x" height="${times('1', n)}"/>`)],
	['a size of many digits', (n) => svg('', `width="${times('1', n)}x" height="1"`)],
	['a size of many spaces', (n) => svg('', `width="1${times(' ', n)}x" height="1"`)],
	['a view box of many spaces', (n) => svg('', `viewBox="0${times(' ', n)}0 1 1 x"`)],
	['many attributes', (n) => svg(`<path ${numbered((i) => `a${i}="" `, n)}/>`)],
	['many declarations', (n) => svg(`<path style="${times('fill:red;', n)}"/>`)],
	['many colons', (n) => svg(`<path style="${times(':', n)}"/>`)],
	[
		'many rules for many shapes',
		(n) =>
			svg(
				`<style>${numbered((i) => `.c${i}{fill:red}`, n / 2)}</style>${numbered((i) => `<path class="c${i}"/>`, n / 2)}`,
			),
	],
	['a style sheet of open braces', (n) => svg(`<style>${times('a{', n)}</style>`)],
	['a style sheet of open comments', (n) => svg(`<style>${times('/*', n)}</style>`)],
	['a style sheet of open addresses', (n) => svg(`<style>${times('url(', n)}</style>`)],
	['a style sheet of spaces', (n) => svg(`<style>url(${times(' ', n)}</style>`)],
	['style sheets that do not end', (n) => svg(times('<style ', n))],
	['style sheets without escapes', (n) => svg(times('<style>a</style>', n))],
	['escapes without a style sheet', (n) => svg(`<g i:a="${times('\\', n)}"/>`)],
	['words like handlers', (n) => svg(`<g a="${times(' onnn ', n)}"/>`)],
	['one word like a handler', (n) => svg(`<g on${times('a', n)} ${times('a', n)}/>`)],
	['a handler of spaces', (n) => svg(`<g on ona${times(' ', n)}/>`)],
	['attributes without a value', (n) => svg(`<g ${times('a=\'a="', n)}/>`)],
	['document types that do not end', (n) => svg(times('<!DOCTYPE ', n))],
	['ends of sections', (n) => svg(times(']]>', n))],
	['one end of a section', (n) => svg(`]]>${times(' */', n)}`)],
	['colours', (n) => svg(`<rect width="128" height="128" fill="rgb(${times('1,', n)})"/>`)],
	[
		'gradients of gradients',
		(n) => svg(numbered((i) => `<linearGradient id="g${i}" href="#g${i + 1}"/>`, n)),
	],
	['escaped characters', (n) => svg(`<title>${times('&amp;', n)}</title>`)],
	['escaped characters that are none', (n) => svg(`<title>${times('&', n)}</title>`)],
	['an attribute that does not end', (n) => svg(`<path d="${times('a ', n)}`)],
	['a tag that does not end', (n) => svg(`<path${times(' a="b"', n)}`)],
	['openings', (n) => times('<', n)],
	['comments that do not end', (n) => svg(times('<!--', n))],
	['sections that do not end', (n) => svg(times('<![CDATA[', n))],
	['spaces', (n) => svg(times(' ', n))],
	[
		'entities in a row',
		(n) =>
			`<!DOCTYPE svg [${numbered((i) => `<!ENTITY e${i} "x">`, n / 2)}]>${svg(numbered((i) => `&e${i};`, n / 4))}`,
	],
	[
		'a long entity again and again',
		(n) => `<!DOCTYPE svg [<!ENTITY e "${times('x', n / 2)}">]>${svg(times('&e;', n / 2))}`,
	],
	['an open document type', (n) => `<!DOCTYPE svg [${times('<!ENTITY ', n)}`],
	['an entity of spaces', (n) => `<!DOCTYPE svg [<!ENTITY${times(' ', n)}]>${svg('')}`],
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

function nested(open: string, close: string, size: number, inside = ''): string {
	const levels = Math.ceil(size / (open.length + close.length));
	return open.repeat(levels) + inside + close.repeat(levels);
}

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

	test('of more than a megabyte is not read', () => {
		const content = Buffer.from(svg(BOOK + ' '.repeat(MEGABYTE)));
		const { findings } = checkRegistration({ ...complete, logoSvg: { ...vector, content } });
		expect(findings.map(({ message }) => message)).toEqual(['The SVG logo cannot be read as SVG']);
	});
});
