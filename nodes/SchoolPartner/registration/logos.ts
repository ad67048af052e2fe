/**
 * The two logo files of a registration (service document, "Client registration" and "Limits"). What an SVG holds is not looked at:
 * whether its background is transparent is for a person to see.
 */
import { createHash } from 'node:crypto';

import { finding, type RegistrationFinding } from './registrationFinding';

/** A logo as it lies in the input item. */
export interface LogoFile {
	readonly name: string;
	readonly content: Buffer;
}

/** Longer SVG logos are not read. */
const LONGEST_SVG = 1_000_000;

/** A product may be called as it likes, in any script; a path is no name. */
const SVG_NAME = /^([^/\\\p{Cc}]+)\.svg$/u;
const PNG_NAME = /^([^/\\\p{Cc}]+)_32x32\.png$/u;
const ATTACH = 'Put the file into the input item, and the name of its field into this parameter.';

/** Trap: with `[^>]*` in the place of `[^<>]*`, many tags without an end take time that grows with the square of the file. */
const SVG_TAG = /<(?:[\w-]+:)?svg(?=[\s/>])[^<>]*>/;

const SVG_END = /<\/(?:[\w-]+:)?svg\s*>/;

export function* svgFindings(logo: LogoFile | undefined): Generator<RegistrationFinding> {
	const field = 'logoSvgField';
	if (logo === undefined) return yield finding(field, 'The input item has no SVG logo', ATTACH);
	if (!SVG_NAME.test(logo.name))
		yield finding(field, 'The SVG logo is not named <product>.svg', 'Rename the file.');
	const source = logo.content.length > LONGEST_SVG ? '' : withoutComments(logo.content.toString('utf8'));
	const root = SVG_TAG.exec(source);
	const tag = root?.[0];
	if (
		tag === undefined ||
		/<\w/.test(source.slice(0, root?.index)) ||
		!(tag.endsWith('/>') || SVG_END.test(source))
	) {
		const again = 'Export it again as plain SVG of at most 1 MB.';
		return yield finding(field, 'The SVG logo cannot be read as SVG', again);
	}
	if (!isSvgOfSize(tag, 128)) {
		const next = 'Set width and height of its svg element to 128.';
		yield finding(field, 'The SVG logo is not 128x128 pixels', next);
	}
}

/** Tools sign with them as they like, in angle brackets too. */
function withoutComments(source: string): string {
	const [start, ...comments] = source.split('<!--');
	return start + comments.map((comment) => comment.split('-->').slice(1).join('-->')).join('');
}

/** Without a size of its own, a picture is as large as its view box. */
function isSvgOfSize(tag: string, pixels: number): boolean {
	const valueOf = (name: string) => new RegExp(`\\s${name}\\s*=\\s*["']([^"']*)`).exec(tag)?.[1].trim();
	const [, , boxWidth, boxHeight] = (valueOf('viewBox') ?? '').split(/[\s,]+/);
	const isRight = (side = '100%', ofBox = '') =>
		Number((side === '100%' ? ofBox : side).replace(/px$/, '')) === pixels;
	return isRight(valueOf('width'), boxWidth) && isRight(valueOf('height'), boxHeight);
}

/** The signature of a PNG, and length and name of its header. */
const PNG_START = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR', 'latin1');

export function* pngFindings(logo: LogoFile | undefined): Generator<RegistrationFinding> {
	const field = 'logoPngField';
	if (logo === undefined) return yield finding(field, 'The input item has no PNG logo', ATTACH);
	const { name, content } = logo;
	if (!PNG_NAME.test(name))
		yield finding(field, 'The PNG logo is not named <product>_32x32.png', 'Rename the file.');
	// Signature and header are 33 bytes with the checksum (PNG specification, sections 5.2 and 11.2.1).
	if (!content.subarray(0, 16).equals(PNG_START) || content.length < 33)
		return yield finding(field, 'The PNG logo cannot be read as PNG', 'Export it again as PNG.');
	if (content.readUInt32BE(16) !== 32 || content.readUInt32BE(20) !== 32)
		yield finding(field, 'The PNG logo is not 32x32 pixels', 'Export it with 32 by 32 pixels.');
	// Colour types 4 and 6 have an alpha channel; others name what is transparent in a chunk before the picture.
	const beforePicture = content.subarray(0, content.indexOf('IDAT'));
	if (![4, 6].includes(content[25]) && !beforePicture.includes('tRNS')) {
		const next = 'Export it with an alpha channel and nothing behind the logo.';
		yield finding(field, 'The PNG logo has no transparency', next);
	}
}

/** Both files are of one product. */
export function* productFindings(
	svg: LogoFile | undefined,
	png: LogoFile | undefined,
): Generator<RegistrationFinding> {
	// A file system may write á as one letter or as two.
	const svgProduct = SVG_NAME.exec(svg?.name ?? '')?.[1].normalize();
	const pngProduct = PNG_NAME.exec(png?.name ?? '')?.[1].normalize();
	if (svgProduct !== undefined && pngProduct !== undefined && svgProduct !== pngProduct) {
		const fact = 'The PNG logo is named after another product than the SVG logo';
		yield finding('logoPngField', fact, 'Begin both file names with the same product.');
	}
}

/** How the dossier names a file. */
export function logoEntry(logo: LogoFile | undefined) {
	if (logo === undefined) return null;
	const sha256 = createHash('sha256').update(logo.content).digest('hex');
	return { file_name: logo.name, size_bytes: logo.content.length, sha256 };
}
