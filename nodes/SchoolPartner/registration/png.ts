/**
 * What the registration asks of the raster logo (PNG specification, W3C, third edition): its size, and whether its
 * pixels are transparent. Only a picture of the wanted size is unpacked, and no more of it than such a picture holds.
 */
import { unzlibSync } from 'fflate/browser';

export interface PngFacts {
	readonly width: number;
	readonly height: number;
	/** Row by row, 0 (transparent) to 1. Nothing when not looked at: another size, interlaced, or one colour as key. */
	readonly alpha?: readonly number[];
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const HEADER_END = 33;
/** Samples of a pixel by colour type (section 11.2.1): grey, colour, palette, grey and colour with alpha. */
const CHANNELS: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const PALETTE = 3;

/** All data of the chunks of that name, in one piece. */
function chunkData(file: Buffer, name: string): Buffer {
	const found: Buffer[] = [];
	for (let at = SIGNATURE.length, length = 0; at + 12 <= file.length; at += 12 + length) {
		length = file.readUInt32BE(at);
		if (file.toString('latin1', at + 4, at + 8) === name) found.push(file.subarray(at + 8, at + 8 + length));
	}
	return Buffer.concat(found);
}

/** What a filter adds to a byte, from the one to its left, above it, and above its left (section 9). */
function predicted(filter: number, left: number, up: number, corner: number): number {
	if (filter < 4) return [0, left, up, (left + up) >> 1][filter];
	const [toLeft, toUp, toCorner] = [up - corner, left - corner, left + up - 2 * corner].map(Math.abs);
	return toLeft <= toUp && toLeft <= toCorner ? left : toUp <= toCorner ? up : corner;
}

/** Unpacked rows without their filters; nothing when the data is damaged. */
function rowsOf(
	packed: Buffer,
	height: number,
	rowBits: number,
	pixelBits: number,
): Uint8Array[] | undefined {
	const [rowBytes, pixelBytes] = [Math.ceil(rowBits / 8) + 1, Math.ceil(pixelBits / 8)];
	const unpacked = new Uint8Array(rowBytes * height);
	// Trap: what does not fit into `out` is dropped, but only after it was unpacked, to a thousand times its size.
	if (packed.length > 2 * unpacked.length + 1_000) return undefined;
	try {
		if (unzlibSync(packed, { out: unpacked }).length < unpacked.length) return undefined;
	} catch {
		return undefined;
	}
	const rows: Uint8Array[] = [];
	for (let y = 0; y < height; y++) {
		const [filter, ...row] = unpacked.subarray(y * rowBytes, (y + 1) * rowBytes);
		if (filter > 4) return undefined;
		const above = rows[y - 1] ?? [];
		rows.push(Uint8Array.from(row));
		for (let x = 0; x < row.length; x++) {
			const [left, up, corner] = [rows[y][x - pixelBytes], above[x], above[x - pixelBytes]];
			rows[y][x] += predicted(filter, left ?? 0, up ?? 0, corner ?? 0);
		}
	}
	return rows;
}

function sampleAt(row: Uint8Array, place: number, bitDepth: number): number {
	if (bitDepth === 16) return row[2 * place] * 256 + row[2 * place + 1];
	const bit = place * bitDepth;
	return (row[bit >> 3] >> (8 - bitDepth - (bit & 7))) & (2 ** bitDepth - 1);
}

/** The facts of a PNG, with the alpha of one that is `size` by `size`; nothing when it cannot be read. */
export function readPng(file: Buffer, size: number): PngFacts | undefined {
	const header = chunkData(file.subarray(0, HEADER_END), 'IHDR');
	if (!file.subarray(0, SIGNATURE.length).equals(SIGNATURE) || header.length !== 13) return undefined;
	const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
	const [bitDepth, colourType, , , interlacing] = header.subarray(8);
	const channels = CHANNELS[colourType];
	if (channels === undefined || ![1, 2, 4, 8, 16].includes(bitDepth)) return undefined;
	// The palette's entries, or the one colour, that are transparent (section 11.3.1.1).
	const transparency = chunkData(file, 'tRNS');
	const isKeyed = channels % 2 === 1 && colourType !== PALETTE && transparency.length > 0;
	if (width !== size || height !== size || interlacing !== 0 || isKeyed) return { width, height };
	const rows = rowsOf(chunkData(file, 'IDAT'), height, width * channels * bitDepth, channels * bitDepth);
	const alphaAt = (row: Uint8Array, x: number) => {
		const last = sampleAt(row, x * channels + channels - 1, bitDepth);
		if (colourType === PALETTE) return (transparency[last] ?? 255) / 255;
		return channels % 2 === 0 ? last / (2 ** bitDepth - 1) : 1;
	};
	const alpha = rows?.flatMap((row) => Array.from({ length: width }, (_, x) => alphaAt(row, x)));
	return alpha && { width, height, alpha };
}
