/** The two logo files of a registration (service document, "Client registration" and "Limits"). */
import { createHash } from 'node:crypto';

import { readPng } from './png';
import { listed, type RegistrationFinding } from './registrationFinding';
import { PIXELS_PER_POINT, readSvg } from './svg';

/** A logo as it lies in the input item. */
export interface LogoFile {
	readonly name: string;
	readonly content: Buffer;
}

export const VECTOR_LOGO_SIZE = 128;
export const RASTER_LOGO_SIZE = 32;

/** Longer SVG logos are not read. */
const LONGEST_SVG = 1_000_000;

/** What is wrong with a logo, and what a person should look at. */
export interface LogoReport {
	readonly findings: readonly RegistrationFinding[];
	readonly warnings: readonly RegistrationFinding[];
}

/** A product may be called as it likes, in any script; a path is no name. */
const VECTOR_NAME = /^([^/\\\p{Cc}]+)\.svg$/u;
const RASTER_NAME = /^([^/\\\p{Cc}]+)_32x32\.png$/u;
const ATTACH = 'Put the file into the input item, and the name of its field into this parameter.';
const LOOK = 'Look at the logo on a dark and on a light page.';

const isClose = (length: number | undefined, wanted: number) => Math.abs((length ?? NaN) - wanted) < 0.01;

/** The rules for the vector logo. */
export function vectorReport(logo: LogoFile | undefined): LogoReport {
	const field = 'logoSvgField';
	if (logo === undefined) {
		return { findings: listed([true, field, 'The input item has no SVG logo', ATTACH]), warnings: [] };
	}
	const isShort = logo.content.length <= LONGEST_SVG;
	const svg = isShort ? readSvg(logo.content.toString('utf8')) : undefined;
	const isSized = (pixels: number) => isClose(svg?.width, pixels) && isClose(svg?.height, pixels);
	// Drawing programs that count in points mean one pixel by each.
	const isSizedInPoints = svg?.isInPoints === true && isSized(VECTOR_LOGO_SIZE * PIXELS_PER_POINT);
	const findings = listed(
		[!VECTOR_NAME.test(logo.name), field, 'The SVG logo is not named <product>.svg', 'Rename the file.'],
		[
			svg === undefined,
			field,
			'The SVG logo cannot be read as SVG',
			'Export it again as plain SVG of at most 1 MB.',
		],
		[
			svg !== undefined && !isSized(VECTOR_LOGO_SIZE) && !isSizedInPoints,
			field,
			'The SVG logo is not 128x128 pixels',
			'Set width and height of its svg element to 128.',
		],
		[
			svg?.background === 'opaque',
			field,
			'The SVG logo has an opaque rectangle or colour over the whole picture',
			'Remove the background, so that it is transparent.',
		],
		[
			svg?.hasActiveContent === true,
			field,
			'The SVG logo holds scripts, foreign content or references to other addresses',
			'Export it again as plain SVG with nothing but shapes.',
		],
	);
	const warnings = listed(
		[
			svg?.background === 'undecided',
			field,
			'Whether the background of the SVG logo is transparent could not be decided',
			LOOK,
		],
		[
			isSizedInPoints,
			field,
			'The size of the SVG logo is given in pt',
			'Browsers show 128pt as 171 pixels: set width and height of its svg element to 128.',
		],
	);
	return { findings, warnings };
}

/** The rules for the raster logo. */
export function rasterReport(logo: LogoFile | undefined): LogoReport {
	const field = 'logoPngField';
	if (logo === undefined) {
		return { findings: listed([true, field, 'The input item has no PNG logo', ATTACH]), warnings: [] };
	}
	const size = RASTER_LOGO_SIZE;
	const png = readPng(logo.content, size);
	const isSized = png?.width === size && png.height === size;
	const alpha = png?.alpha;
	const isOpaque = alpha?.every((opacity) => opacity === 1) === true;
	const corners = [0, size - 1, size * (size - 1), size * size - 1];
	const findings = listed(
		[
			!RASTER_NAME.test(logo.name),
			field,
			'The PNG logo is not named <product>_32x32.png',
			'Rename the file.',
		],
		[png === undefined, field, 'The PNG logo cannot be read as PNG', 'Export it again as PNG.'],
		[
			png !== undefined && !isSized,
			field,
			'The PNG logo is not 32x32 pixels',
			'Export it with 32 by 32 pixels.',
		],
		[
			isOpaque,
			field,
			'The PNG logo has no transparency',
			'Export it with an alpha channel and nothing behind the logo.',
		],
	);
	const warnings = listed(
		[
			isSized && alpha === undefined,
			field,
			'Whether the background of the PNG logo is transparent could not be decided',
			`Export it without interlacing. ${LOOK}`,
		],
		[
			alpha !== undefined && !isOpaque && corners.every((corner) => alpha[corner] > 0),
			field,
			'No corner of the PNG logo is transparent',
			LOOK,
		],
	);
	return { findings, warnings };
}

/** Both files are of one product. */
export function productFindings(
	logoSvg: LogoFile | undefined,
	logoPng: LogoFile | undefined,
): RegistrationFinding[] {
	// A file system may write á as one letter or as two.
	const productIn = (pattern: RegExp, logo: LogoFile | undefined) =>
		pattern.exec(logo?.name ?? '')?.[1].normalize();
	const [vector, raster] = [productIn(VECTOR_NAME, logoSvg), productIn(RASTER_NAME, logoPng)];
	const differs = vector !== undefined && raster !== undefined && vector !== raster;
	const message = 'The PNG logo is named after another product than the SVG logo';
	return listed([differs, 'logoPngField', message, 'Begin both file names with the same product.']);
}

/** How the dossier names a file. */
export function logoEntry(logo: LogoFile | undefined) {
	if (logo === undefined) return null;
	const sha256 = createHash('sha256').update(logo.content).digest('hex');
	return { file_name: logo.name, size_bytes: logo.content.length, sha256 };
}
