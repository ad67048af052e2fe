/** The two logo files of a registration (service document, "Client registration" and "Limits"). */
import { createHash } from 'node:crypto';

import { readPng } from './png';
import { listed, type RegistrationFinding } from './registrationFinding';
import { readSvg } from './svg';

/** A logo as it lies in the input item. */
export interface LogoFile {
	readonly name: string;
	readonly content: Buffer;
}

export const VECTOR_LOGO_SIZE = 128;
export const RASTER_LOGO_SIZE = 32;

const VECTOR_NAME = /^([A-Za-z0-9][\w.-]*)\.svg$/;
const RASTER_NAME = /^([A-Za-z0-9][\w.-]*)_32x32\.png$/;
const ATTACH = 'Put the file into the input item, and the name of its field into this parameter.';

/** The rules for the vector logo. */
export function vectorFindings(logo: LogoFile | undefined): RegistrationFinding[] {
	const field = 'logoSvgField';
	if (logo === undefined) return listed([true, field, 'The input item has no SVG logo', ATTACH]);
	const svg = readSvg(logo.content.toString('utf8'));
	const name = listed([
		!VECTOR_NAME.test(logo.name),
		field,
		'The SVG logo is not named <product>.svg',
		'Rename the file.',
	]);
	if (svg === undefined) {
		return [
			...name,
			...listed([true, field, 'The SVG logo cannot be read as SVG', 'Export it again as plain SVG.']),
		];
	}
	const isSized = svg.width === VECTOR_LOGO_SIZE && svg.height === VECTOR_LOGO_SIZE;
	return [
		...name,
		...listed(
			[
				!isSized,
				field,
				'The SVG logo is not 128x128 pixels',
				'Set width and height of its svg element to 128.',
			],
			[
				svg.hasOpaqueBackground,
				field,
				'The SVG logo has an opaque shape or colour over the whole picture',
				'Remove the background, so that it is transparent.',
			],
			[
				svg.hasActiveContent,
				field,
				'The SVG logo holds scripts, foreign content or references to other addresses',
				'Export it again as plain SVG with nothing but shapes.',
			],
		),
	];
}

/** The rules for the raster logo. */
export function rasterFindings(logo: LogoFile | undefined): RegistrationFinding[] {
	const field = 'logoPngField';
	if (logo === undefined) return listed([true, field, 'The input item has no PNG logo', ATTACH]);
	const png = readPng(logo.content);
	const isSized = png?.width === RASTER_LOGO_SIZE && png.height === RASTER_LOGO_SIZE;
	return listed(
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
		[png?.hasAlpha === false, field, 'The PNG logo has no transparency', 'Export it with an alpha channel.'],
	);
}

/** Both files are of one product. */
export function productFindings(
	logoSvg: LogoFile | undefined,
	logoPng: LogoFile | undefined,
): RegistrationFinding[] {
	const [, vector] = VECTOR_NAME.exec(logoSvg?.name ?? '') ?? [];
	const [, raster] = RASTER_NAME.exec(logoPng?.name ?? '') ?? [];
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
