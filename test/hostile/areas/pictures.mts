/** Logos that are there to keep n8n busy. */
import { deflateSync } from 'node:zlib';

import { BOOK, png, svg } from '../../unit/clientRegistration/pictures.mts';
import { Findings, type Area, type Cell } from '../cell.mts';
import type { HostileStage } from '../stage.mts';

/** For a picture of any kind, on a busy machine. */
const LONGEST_MS = 2_000;

const groups = (count: number, attributes: string, inside: string) =>
	`${`<g ${attributes}>`.repeat(count)}${inside}${'</g>'.repeat(count)}`;

/** Each use draws the one before it ten times. */
function doublingUses(levels: number): string {
	const uses = Array.from({ length: levels }, (_, level) => {
		const ten = `<use href="#a${level}"/>`.repeat(10);
		return `<g id="a${level + 1}">${ten}</g>`;
	});
	return `<defs><g id="a0">${BOOK}</g>${uses.join('')}</defs><use href="#a${levels}"/>`;
}

const entities = Array.from({ length: 10 }, (_, n) => `<!ENTITY e${n + 1} "${`&e${n};`.repeat(10)}">`).join(
	'',
);

const VECTORS: ReadonlyArray<[string, string]> = [
	['120 KB of nested transforms', svg(groups(3_200, 'transform="scale(1)"', BOOK))],
	['a list of 10,000 transforms', svg(`<g transform="${'rotate(1) '.repeat(10_000)}">${BOOK}</g>`)],
	['uses of uses, ten times each, nine levels', svg(doublingUses(9))],
	['a use of itself', svg(`<g id="a"><use href="#a"/></g><use href="#a"/>`)],
	['two uses of each other', svg(`<g id="a"><use href="#b"/></g><g id="b"><use href="#a"/></g>`)],
	[
		'entities that grow',
		`<!DOCTYPE svg [<!ENTITY e0 "lol">${entities}]>${svg('<text>&e10;</text>').replace(/^.*\n/, '')}`,
	],
	['100,000 levels', svg(groups(100_000, '', BOOK))],
	['a path of 1 MB', svg(`<path d="M0 0${' l1 1'.repeat(200_000)}"/>`)],
	['a path of 1 MB without an end', svg(`<path d="${'M'.repeat(1_000_000)}"/>`)],
	['100,000 attributes', svg(`<g ${Array.from({ length: 100_000 }, (_, n) => `a${n}="1"`).join(' ')}/>`)],
	['100,000 rectangles', svg('<rect width="1" height="1"/>'.repeat(100_000))],
	['1 MB of spaces in a tag', svg(`<g${' '.repeat(1_000_000)}/>`)],
	['1 MB of open brackets', '<'.repeat(1_000_000)],
	['a comment that never ends', svg(`<!--${'-'.repeat(1_000_000)}`)],
	['CDATA that never ends', svg(`<style><![CDATA[${']'.repeat(500_000)}`)],
	['1 MB of style', svg(`<style>${'a{fill:red}'.repeat(90_000)}</style>${BOOK}`)],
	[
		'selectors on many elements',
		svg(`<style>${'g g g g g{fill:red}'.repeat(2_000)}</style>${groups(500, 'class="a"', BOOK)}`),
	],
	['a number of 100,000 digits', svg(BOOK, `width="${'1'.repeat(100_000)}" height="128"`)],
	[
		'100,000 gradients of gradients',
		svg(Array.from({ length: 30_000 }, (_, n) => `<linearGradient id="a${n}" href="#a${n + 1}"/>`).join('')),
	],
];

const good = png();
/** The chunk with the picture, and what is around it. */
const header = good.subarray(0, 33);
const end = good.subarray(-12);
const chunk = (name: string, data: Buffer): Buffer => {
	const head = Buffer.alloc(8);
	head.writeUInt32BE(data.length);
	head.write(name, 4, 'latin1');
	return Buffer.concat([head, data, Buffer.alloc(4)]);
};
/** Made when it is needed: it takes a second. */
const bomb = () => deflateSync(Buffer.alloc(300_000_000));
const wide = Buffer.from(header);
wide.writeUInt32BE(100_000, 16);
wide.writeUInt32BE(100_000, 20);

const RASTERS: ReadonlyArray<[string, () => Buffer]> = [
	['a picture that unfolds to 300 MB', () => Buffer.concat([header, chunk('IDAT', bomb()), end])],
	['100,000 by 100,000 pixels', () => Buffer.concat([wide, good.subarray(33)])],
	[
		'text that unfolds to 300 MB',
		() =>
			Buffer.concat([
				header,
				chunk('zTXt', Buffer.concat([Buffer.from('a\0\0'), bomb()])),
				good.subarray(33),
			]),
	],
	[
		'100,000 empty chunks',
		() =>
			Buffer.concat([
				header,
				...Array.from({ length: 100_000 }, () => chunk('tEXt', Buffer.alloc(0))),
				good.subarray(33),
			]),
	],
	[
		'a chunk that says 4 GB',
		() => Buffer.concat([header, Buffer.from('ffffffff49444154', 'hex'), good.subarray(41)]),
	],
	['a picture that is cut off', () => good.subarray(0, 50)],
	['nothing', () => Buffer.alloc(0)],
];

const REGISTRATION = {
	resource: 'clientRegistration',
	operation: 'validate',
	applicationName: 'Reading Club',
	applicationDescription: 'Books for every class',
	logoSvgField: 'logoSvg',
	logoPngField: 'logoPng',
	mainColor: '#1a73e8',
	accessProfiles: ['student'],
	redirectUris: 'https://books.example/callback',
	defaultRedirectUri: 'https://books.example/callback',
	logoutUri: 'https://books.example/logout',
	logoutChannel: 'back',
};

/** Validates one pair of logos, and asks n8n meanwhile whether it still answers. */
async function validate(stage: HostileStage, vector: string, raster: Buffer): Promise<string | undefined> {
	const files = {
		logoSvg: {
			data: Buffer.from(vector).toString('base64'),
			mimeType: 'image/svg+xml',
			fileName: 'books.svg',
		},
		logoPng: { data: raster.toString('base64'), mimeType: 'image/png', fileName: 'books_32x32.png' },
	};
	const code = `return [{ json: {}, binary: ${JSON.stringify(files)} }];`;
	const seen = await stage.run({ parameters: REGISTRATION, code });
	if (seen.status === 'hangs') return 'the run has no end';
	if (seen.success.length + seen.failure.length !== 1) return `no verdict: ${seen.status} ${seen.error}`;
	return seen.nodeMs > LONGEST_MS ? `${seen.nodeMs} ms` : undefined;
}

const cellOf = <T,>(
	tries: string,
	pictures: ReadonlyArray<[string, T]>,
	pair: (picture: T) => [string, Buffer],
): Cell => ({
	tries,
	holds: `each has its verdict within ${LONGEST_MS / 1_000} s`,
	attempts: pictures.length,
	patienceMs: 240_000,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, picture] of pictures) {
			const wrong = await validate(stage, ...pair(picture));
			found.hold(wrong === undefined, `${what}: ${wrong}`);
		}
		return found.list;
	},
});

export const pictures: Area = {
	name: 'pictures',
	cells: [
		cellOf('SVG logos that are made to take long', VECTORS, (vector) => [vector, good]),
		cellOf('PNG logos that are made to take long or to unfold', RASTERS, (raster) => [svg(BOOK), raster()]),
	],
};
