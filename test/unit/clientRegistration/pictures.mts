/** Pictures made from their specifications: a PNG writer with node:zlib, and logos as people draw them. */
import { crc32, deflateSync } from 'node:zlib';

function chunk(name: string, data: Buffer): Buffer {
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
}

const SAMPLES: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** A picture of zeros: with an alpha channel, wholly transparent. */
export function png({
	width = 32,
	height = 32,
	colourType = 6,
	transparentColour = false,
}: PngWish = {}): Buffer {
	const header = Buffer.alloc(13);
	header.writeUInt32BE(width, 0);
	header.writeUInt32BE(height, 4);
	header.set([8, colourType, 0, 0, 0], 8);
	const rows = Buffer.alloc(height * (1 + width * SAMPLES[colourType]));
	return Buffer.concat([
		Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
		chunk('IHDR', header),
		...(colourType === 3 ? [chunk('PLTE', Buffer.from([0, 0, 0]))] : []),
		...(transparentColour
			? [chunk('tRNS', Buffer.alloc(colourType === 2 ? 6 : colourType === 0 ? 2 : 1))]
			: []),
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
