/** Pictures made from their specifications: a PNG writer with node:zlib, and logos as people draw them. */
import { crc32, deflateSync } from 'node:zlib';

import type { Registration } from '../../../nodes/SchoolPartner/registration/registration.ts';

export function chunk(name: string, data: Buffer): Buffer {
	const length = Buffer.alloc(4);
	length.writeUInt32BE(data.length);
	const named = Buffer.concat([Buffer.from(name, 'latin1'), data]);
	const checksum = Buffer.alloc(4);
	checksum.writeUInt32BE(crc32(named));
	return Buffer.concat([length, named, checksum]);
}

export interface PngWish {
	readonly width?: number;
	readonly height?: number;
	/** 0 grey, 2 colour, 3 palette, 4 grey with alpha, 6 colour with alpha. */
	readonly colourType?: number;
	readonly transparentColour?: boolean;
	/** Whole rows, each with its filter byte before it; zeros when missing. */
	readonly rows?: Buffer;
	readonly bitDepth?: number;
	readonly interlaced?: boolean;
	/** Instead of one byte or colour of zeros. */
	readonly transparency?: Buffer;
	/** Chunks between the header and the picture. */
	readonly extra?: Buffer[];
}

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A picture of zeros: with an alpha channel, wholly transparent. */
export function png({
	width = 32,
	height = 32,
	colourType = 6,
	bitDepth = 8,
	interlaced = false,
	transparentColour = false,
	rows = Buffer.alloc(height * (1 + Math.ceil((width * SAMPLES[colourType] * bitDepth) / 8))),
	transparency = Buffer.alloc(colourType === 2 ? 6 : colourType === 0 ? 2 : 1),
	extra = [],
}: PngWish = {}): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([bitDepth, colourType, 0, 0, interlaced ? 1 : 0], 8);
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		chunk('IHDR', header),
		...extra,
		...(colourType === 3 ? [chunk('PLTE', Buffer.alloc(3 * 2 ** bitDepth))] : []),
		...(transparentColour ? [chunk('tRNS', transparency)] : []),
		chunk('IDAT', deflateSync(rows)),
		chunk('IEND', Buffer.alloc(0)),
	]);
}

/** A logo of 128x128 with something in it. */
export function svg(content: string, attributes = 'width="128" height="128" viewBox="0 0 128 128"'): string {
	return `<?xml version="1.0" encoding="UTF-8"?>\n<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`;
}

/** An open book, drawn on nothing. */
export const BOOK =
	'<path d="M16 32c20-8 36-4 48 8 12-12 28-16 48-8v64c-20-8-36-4-48 8-12-12-28-16-48-8z" fill="#1a73e8"/>';

export const vector = { name: 'reading-club.svg', content: Buffer.from(svg(BOOK)) };
export const raster = { name: 'reading-club_32x32.png', content: png() };

/** A registration that keeps every rule. */
export const complete: Registration = {
	application_name: 'Reading Club',
	application_description: 'Books for every class',
	main_color: '#1A73E8',
	access_profiles: ['student', 'educator'],
	redirect_uris: ['https://club.example/callback', 'reading-club://callback'],
	default_redirect_uri: 'https://club.example/callback',
	post_logout_redirect_uris: ['https://club.example/bye'],
	logout_uri: 'https://flows.club.example/webhook/6b0c/logout',
	logout_channel: 'back',
	public_key_exchanged: true,
	logoSvg: vector,
	logoPng: raster,
};
