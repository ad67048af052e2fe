import { readPng } from '../../../nodes/shared/clientRegistration/png.ts';
import { png } from './pictures.mts';

describe('a PNG', () => {
	test.each([
		['grey', { colourType: 0 }, false],
		['colour', { colourType: 2 }, false],
		['palette', { colourType: 3 }, false],
		['grey with alpha', { colourType: 4 }, true],
		['colour with alpha', { colourType: 6 }, true],
		['colour with one transparent colour', { colourType: 2, transparentColour: true }, true],
		['palette with transparent entries', { colourType: 3, transparentColour: true }, true],
	])('in %s tells its size and whether anything in it can be transparent', (_, wish, hasAlpha) => {
		expect(readPng(png({ ...wish, width: 32, height: 31 }))).toEqual({ width: 32, height: 31, hasAlpha });
	});

	test.each([
		['nothing', Buffer.alloc(0)],
		['a JPEG', Buffer.from('ffd8ffe000104a464946', 'hex')],
		['a PNG cut in its header', png().subarray(0, 28)],
		['text', Buffer.from('<svg/>')],
	])('cannot be read from %s', (_, file) => {
		expect(readPng(file)).toBeUndefined();
	});

	test('whose chunk claims to be longer than the file is read as far as it goes', () => {
		const file = png({ colourType: 2, transparentColour: true });
		file.writeUInt32BE(0xffffffff, 33);
		expect(readPng(file)).toEqual({ width: 32, height: 32, hasAlpha: true });
		expect(readPng(png({ colourType: 2 }).subarray(0, 40))).toEqual({
			width: 32,
			height: 32,
			hasAlpha: false,
		});
	});
});
