/** Reading what the registration asks of the raster logo (PNG specification, W3C, third edition). */

/** What a PNG says about itself. */
export interface PngFacts {
	readonly width: number;
	readonly height: number;
	/** An alpha channel, or a colour or palette entries that are marked as transparent (tRNS). */
	readonly hasAlpha: boolean;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Colour types with an alpha channel: greyscale with alpha, and true colour with alpha (section 11.2.1). */
const ALPHA_COLOUR_TYPES: readonly number[] = [4, 6];

/** Length, type and checksum around the data of a chunk. */
const CHUNK_FRAME = 12;
const HEADER_SIZE = 13;

/** Names of the chunks before the first image data: only there can transparency be declared. */
function chunksBeforeImage(file: Buffer): string[] {
	const names: string[] = [];
	for (
		let at = SIGNATURE.length;
		at + CHUNK_FRAME <= file.length;
		at += CHUNK_FRAME + file.readUInt32BE(at)
	) {
		const name = file.toString('latin1', at + 4, at + 8);
		if (name === 'IDAT' || name === 'IEND') break;
		names.push(name);
	}
	return names;
}

/** The facts of a PNG, or nothing when the file is none. */
export function readPng(file: Buffer): PngFacts | undefined {
	const header = SIGNATURE.length + 8;
	if (file.length < header + HEADER_SIZE || !file.subarray(0, SIGNATURE.length).equals(SIGNATURE))
		return undefined;
	if (file.toString('latin1', SIGNATURE.length + 4, header) !== 'IHDR') return undefined;
	const hasAlphaChannel = ALPHA_COLOUR_TYPES.includes(file.readUInt8(header + 9));
	return {
		width: file.readUInt32BE(header),
		height: file.readUInt32BE(header + 4),
		hasAlpha: hasAlphaChannel || chunksBeforeImage(file).includes('tRNS'),
	};
}
