import {
	checkRegistration,
	type Registration,
} from '../../../nodes/SchoolPartner/registration/registration.ts';
import { BOOK, complete, png, raster, svg, vector, type PngWish } from './pictures.mts';

const messages = (changes: Partial<Registration>) =>
	checkRegistration({ ...complete, ...changes }).findings.map(({ message }) => message);
const messagesFor = (source: string) => messages({ logoSvg: { ...vector, content: Buffer.from(source) } });
const messagesForPng = (wish: PngWish) => messages({ logoPng: { ...raster, content: png(wish) } });

const NOT_READ = 'The SVG logo cannot be read as SVG';
const WRONG_SIZE = 'The SVG logo is not 128x128 pixels';

describe('The name of a logo', () => {
	test.each(['matemática.svg', 'leitura em família.svg', 'ciências-2.svg'])('may be %s', (name) => {
		const logoPng = { ...raster, name: name.replace('.svg', '_32x32.png') };
		expect(messages({ logoSvg: { ...vector, name }, logoPng })).toEqual([]);
	});

	test('may be written with composed letters in one file and decomposed ones in the other', () => {
		const logoSvg = { ...vector, name: 'matemática.svg'.normalize('NFD') };
		const logoPng = { ...raster, name: 'matemática_32x32.png'.normalize('NFC') };
		expect(messages({ logoSvg, logoPng })).toEqual([]);
	});
});

describe('An SVG logo', () => {
	test.each([
		['in pixels', 'width="128px" height="128px"', []],
		['by its view box alone', 'viewBox="0 0 128 128"', []],
		['in percent of its view box', 'width="100%" height="100%" viewBox="0,0,128,128"', []],
		['with another scale inside', "width='128' height='128' viewBox='0 0 24 24'", []],
		['as 64x128', 'width="64" height="128"', [WRONG_SIZE]],
		['in points', 'width="128pt" height="128pt"', [WRONG_SIZE]],
		['not at all', '', [WRONG_SIZE]],
	])('may give its size of 128x128 %s', (_, attributes, expected) => {
		expect(messagesFor(svg(BOOK, attributes))).toEqual(expected);
	});

	test('may have a prefix, a document type, and no content', () => {
		const type =
			'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">';
		const tag = '<s:svg xmlns:s="http://www.w3.org/2000/svg" width="128" height="128"';
		expect(messagesFor(`${type}${tag}>${BOOK}</s:svg>`)).toEqual([]);
		expect(messagesFor(`${tag}/>`)).toEqual([]);
	});

	test.each(['<Editor 1.2>', '<svg width="24" height="24">', '<!-- < -'])(
		'may hold a comment, whatever stands in it (%s)',
		(comment) => {
			const [declaration, rest] = svg(BOOK).split('\n');
			expect(messagesFor(`${declaration}<!-- ${comment} -->${rest}<!-- -- -->`)).toEqual([]);
		},
	);

	test.each([
		['a page with a picture', `<!doctype html><html>${svg(BOOK)}</html>`],
		['an SVG that is cut off', svg(BOOK).slice(0, -10)],
		['an SVG in a comment', `<!-- ${svg(BOOK)}`],
		['more than a megabyte', svg(BOOK + ' '.repeat(1_000_000))],
		['nothing', ''],
	])('is not read from %s', (_, source) => {
		expect(messagesFor(source)).toEqual([NOT_READ]);
	});

	test.each([
		['a background', '<rect width="128" height="128"/>'],
		['a script', '<script>alert(1)</script>'],
		['a picture from another address', '<image href="https://club.example/x.png"/>'],
		['letters by their number', '<title>Ci&#234;ncias</title>'],
	])('may hold %s: what it holds is not looked at', (_, content) => {
		expect(messagesFor(svg(content))).toEqual([]);
	});
});

describe('A PNG logo', () => {
	const OPAQUE = ['The PNG logo has no transparency'];

	test.each([
		['colour with alpha', { colourType: 6 }, []],
		['grey with alpha', { colourType: 4 }, []],
		['a palette with transparent entries', { colourType: 3, transparentColour: true }, []],
		['one colour that is transparent', { colourType: 2, transparentColour: true }, []],
		['alpha, interlaced', { interlaced: true }, []],
		['a palette', { colourType: 3 }, OPAQUE],
		['colour', { colourType: 2 }, OPAQUE],
		['grey', { colourType: 0 }, OPAQUE],
	])('of %s: %j', (_, wish, expected) => {
		expect(messagesForPng(wish)).toEqual(expected);
	});

	test.each([
		['cut off in its header', png().subarray(0, 30)],
		['nothing', Buffer.alloc(0)],
		['a signature alone', png().subarray(0, 8)],
	])('is not read from %s', (_, content) => {
		expect(messages({ logoPng: { ...raster, content } })).toEqual(['The PNG logo cannot be read as PNG']);
	});

	test.each([{ width: 64 }, { height: 16 }])('of %j has the wrong size', (wish) => {
		expect(messagesForPng(wish)).toEqual(['The PNG logo is not 32x32 pixels']);
	});
});
