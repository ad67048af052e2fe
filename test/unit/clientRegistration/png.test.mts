import { readPng } from '../../../nodes/SchoolPartner/registration/png.ts';
import { filteredRows, opaquePng, png } from './pictures.mts';

const PIXELS = 32 * 32;
const alphaOf = (file: Buffer) => readPng(file, 32)?.alpha;
/** How many pixels have which alpha. */
const countsOf = (file: Buffer) => {
	const counts: Record<number, number> = {};
	for (const alpha of alphaOf(file) ?? []) counts[alpha] = (counts[alpha] ?? 0) + 1;
	return counts;
};
const bytes = (row: () => number[]) => Array.from({ length: 32 }, () => Buffer.from(row()));

describe('a PNG', () => {
	test.each([
		['grey', { colourType: 0 }, { 1: PIXELS }],
		['colour', { colourType: 2 }, { 1: PIXELS }],
		['palette', { colourType: 3 }, { 1: PIXELS }],
		['grey with alpha', { colourType: 4 }, { 0: PIXELS }],
		['colour with alpha', { colourType: 6 }, { 0: PIXELS }],
		['colour with 16 bits', { colourType: 6, bitDepth: 16 }, { 0: PIXELS }],
		['palette with transparent entries', { colourType: 3, transparentColour: true }, { 0: PIXELS }],
	])('in %s tells which of its pixels are transparent', (_, wish, counts) => {
		expect(countsOf(png(wish))).toEqual(counts);
	});

	test.each([0, 1, 2, 3, 4])('written with filter %d tells its one transparent pixel', (filter) => {
		const alpha = alphaOf(opaquePng({ transparentAt: [5, 20], filter }));
		expect(alpha?.flatMap((value, place) => (value < 1 ? [[place, value]] : []))).toEqual([[20 * 32 + 5, 0]]);
	});

	test.each([1, 2, 4, 8])('with a palette of %d bits tells its transparent entries', (bitDepth) => {
		// Every second pixel has the entry 1, which is half transparent; entry 0 is not.
		const perByte = 8 / bitDepth;
		const two = [0, 1];
		const row = () =>
			Array.from({ length: 32 / perByte }, (_, at) =>
				Array.from({ length: perByte }, (__, place) => two[(at * perByte + place) % 2]).reduce(
					(byte, entry) => (byte << bitDepth) | entry,
					0,
				),
			);
		const file = png({
			colourType: 3,
			bitDepth,
			transparentColour: true,
			transparency: Buffer.from([255, 51]),
			rows: filteredRows(bytes(row), 1, 0),
		});
		expect(countsOf(file)).toEqual({ 1: PIXELS / 2, 0.2: PIXELS / 2 });
		expect(alphaOf(file)?.slice(0, 4)).toEqual([1, 0.2, 1, 0.2]);
	});

	test.each([
		['of another size', { height: 31 }, { width: 32, height: 31 }],
		['that is interlaced', { interlaced: true }, { width: 32, height: 32 }],
		['with one colour as key', { colourType: 2, transparentColour: true }, { width: 32, height: 32 }],
	])('%s is not looked into', (_, wish, facts) => {
		expect(readPng(png(wish), 32)).toEqual(facts);
	});

	test.each([
		['nothing', Buffer.alloc(0)],
		['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex')],
		['a PNG cut in its header', png().subarray(0, 28)],
		['a PNG cut in its picture', png().subarray(0, 60)],
		['a PNG without a picture', png().subarray(0, 33)],
		['a PNG with fewer rows than it says', png({ rows: Buffer.alloc(31 * 129) })],
		['a PNG with a filter that there is not', png({ rows: Buffer.alloc(32 * 129, 5) })],
		['a PNG with a colour type that there is not', png({ colourType: 6 }).fill(5, 25, 26)],
		['text', Buffer.from('<svg/>')],
	])('cannot be read from %s', (_, file) => {
		expect(readPng(file, 32)).toBeUndefined();
	});

	test('whose picture claims to be longer than the file is read as far as it goes', () => {
		const file = png();
		file.writeUInt32BE(0xffffffff, 33);
		expect(countsOf(file)).toEqual({ 0: PIXELS });
	});
});
