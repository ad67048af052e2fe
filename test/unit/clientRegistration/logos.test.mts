import {
	checkRegistration,
	type Registration,
} from '../../../nodes/SchoolPartner/registration/registration.ts';
import { BOOK, complete, opaquePng, raster, svg, vector } from './pictures.mts';

const report = (changes: Partial<Registration>) => checkRegistration({ ...complete, ...changes });
const drawn = (content: string, attributes?: string) =>
	report({ logoSvg: { ...vector, content: Buffer.from(svg(content, attributes)) } });
const painted = (content: Buffer) => report({ logoPng: { ...raster, content } });
const messages = (findings: ReadonlyArray<{ message: string }>) => findings.map(({ message }) => message);

describe('a logo', () => {
	test('that is a wholly opaque PNG has no transparency, whatever its header says', () => {
		expect(messages(painted(opaquePng()).findings)).toEqual(['The PNG logo has no transparency']);
	});

	test('whose PNG is opaque in all its corners is to be looked at', () => {
		const { valid, warnings } = painted(opaquePng({ transparentAt: [16, 16] }));
		expect(valid).toBe(true);
		expect(messages(warnings)).toEqual(['No corner of the PNG logo is transparent']);
	});

	test('with two rectangles side by side over the whole picture is to be looked at', () => {
		const { valid, warnings } = drawn(
			'<rect width="64" height="128"/><rect x="64" width="64" height="128"/>',
		);
		expect(valid).toBe(true);
		expect(messages(warnings)).toEqual([
			'Whether the background of the SVG logo is transparent could not be decided',
		]);
		expect(warnings[0].description).toBe('Look at the logo on a dark and on a light page.');
	});

	test('with one rectangle over the whole picture has a background', () => {
		expect(messages(drawn('<rect width="128" height="128" fill="#fff"/>').findings)).toEqual([
			'The SVG logo has an opaque rectangle or colour over the whole picture',
		]);
	});

	test.each(['matemática.svg', 'leitura em família.svg', 'ciências-2.svg'])('may be named %s', (name) => {
		const logoPng = { ...raster, name: name.replace('.svg', '_32x32.png') };
		expect(report({ logoSvg: { ...vector, name }, logoPng })).toMatchObject({ valid: true, findings: [] });
	});

	test('may spell the same name with composed letters in one file and decomposed ones in the other', () => {
		const logoSvg = { ...vector, name: 'matemática.svg'.normalize('NFD') };
		const logoPng = { ...raster, name: 'matemática_32x32.png'.normalize('NFC') };
		expect(report({ logoSvg, logoPng })).toMatchObject({ valid: true });
	});

	test('may be given in pt, and the user is told how large that is shown', () => {
		const { valid, warnings } = drawn(BOOK, 'width="128pt" height="128pt" viewBox="0 0 128 128"');
		expect(valid).toBe(true);
		expect(messages(warnings)).toEqual(['The size of the SVG logo is given in pt']);
		expect(drawn(BOOK, 'width="96pt" height="96pt" viewBox="0 0 128 128"')).toMatchObject({
			valid: true,
			warnings: [],
		});
	});
});
