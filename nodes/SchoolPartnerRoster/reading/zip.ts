/**
 * A zip from outside. Its own list of contents (the central directory, APPNOTE 4.3.12) is read first, so that what is too large,
 * encrypted or damaged is refused before anything is unpacked; fflate unpacks.
 */
import { Inflate } from 'fflate/browser';

import { quoted } from '../../shared/contract/quoted';
import { MEGABYTE, type Turns } from '../roster/turns';

import { Stop } from './stop';

/** One file in a zip, as the list of contents has it. Sizes in bytes. */
interface ZipEntry {
	/** With folders, `/` between them. They may lead anywhere: nothing is written by it. */
	path: string;
	method: number;
	crc: number;
	packed: number;
	size: number;
	/** Where its local header begins. */
	offset: number;
}

const MOST_ENTRIES = 64;
const LARGEST_ENTRY = 100 * MEGABYTE;
const LARGEST_TOGETHER = 300 * MEGABYTE;
/** Rosters shrink to a tenth, a hundredth when they repeat themselves. Files below a megabyte may shrink as they like. */
const LARGEST_RATIO = 250;

const END = Buffer.from('PK\x05\x06');
const END_LENGTH = 22;
const LONGEST_COMMENT = 65_535;
const CENTRAL = 0x02014b50;
const CENTRAL_LENGTH = 46;
const LOCAL = 0x04034b50;
const LOCAL_LENGTH = 30;
const STORED = 0;
const DEFLATED = 8;
/** An offset that stands in the zip64 records instead; a count that does is over the bound. */
const IN_ZIP64 = 0xffffffff;

/** How much is unpacked at a time: at most a thousand times as much comes out. */
const PUSH = 16 * 1024;

const AGAIN = 'Have the zip made again, with the CSV files only, and give it to the node once more.';

export function isZip(bytes: Buffer): boolean {
	return ['504b0304', '504b0506'].includes(bytes.toString('hex', 0, 4));
}

function damaged(zip: string): Stop {
	return new Stop('zipDamaged', `${zip} cannot be read as a zip: it is cut off or damaged`, AGAIN);
}

/** Where the record at the end of the zip begins. It is searched from behind: a comment may stand after it. */
function endOf(bytes: Buffer, zip: string): number {
	const latest = bytes.length - END_LENGTH;
	const at = latest < 0 ? -1 : bytes.lastIndexOf(END, latest);
	if (at < Math.max(0, latest - LONGEST_COMMENT)) throw damaged(zip);
	return at;
}

/** The files in a zip, folders left out; stops where it breaks a bound. Nothing is unpacked yet. */
export function zipEntries(data: Buffer, zip: string): ZipEntry[] {
	const end = endOf(data, zip);
	const count = data.readUInt16LE(end + 10);
	let at = data.readUInt32LE(end + 16);
	if (count > MOST_ENTRIES || at === IN_ZIP64) {
		throw new Stop(
			'zipTooLarge',
			`${zip} holds more than ${MOST_ENTRIES} files, or is of the kind for very large ones`,
			AGAIN,
		);
	}
	const entries: ZipEntry[] = [];
	for (let index = 0; index < count; index++) {
		if (at + CENTRAL_LENGTH > end || data.readUInt32LE(at) !== CENTRAL) throw damaged(zip);
		const entry = entryAt(data, at, zip);
		if (!entry.path.endsWith('/')) entries.push(entry);
		const ofVariableLength = [28, 30, 32].map((field) => data.readUInt16LE(at + field));
		at += ofVariableLength.reduce((sum, length) => sum + length, CENTRAL_LENGTH);
	}
	holdBounds(entries, zip);
	return entries;
}

/** What the list of contents says of one file (APPNOTE 4.3.12). */
function entryAt(data: Buffer, at: number, zip: string): ZipEntry {
	if ((data.readUInt16LE(at + 8) & 1) === 1) {
		throw new Stop(
			'zipEncrypted',
			`${zip} is protected with a password`,
			'Give the node a zip without a password.',
		);
	}
	const nameLength = data.readUInt16LE(at + 28);
	const name = data.subarray(at + CENTRAL_LENGTH, at + CENTRAL_LENGTH + nameLength);
	return {
		path: new TextDecoder().decode(name).replaceAll('\\', '/'),
		method: data.readUInt16LE(at + 10),
		crc: data.readUInt32LE(at + 16),
		packed: data.readUInt32LE(at + 20),
		size: data.readUInt32LE(at + 24),
		offset: data.readUInt32LE(at + 42),
	};
}

function holdBounds(entries: readonly ZipEntry[], zip: string): void {
	const large = entries.find(({ size }) => size > LARGEST_ENTRY)?.path;
	if (large !== undefined)
		throw new Stop('zipTooLarge', `${quoted(large, 80)} in ${zip} is larger than 100 MB unpacked`, AGAIN);
	if (entries.reduce((sum, { size }) => sum + size, 0) > LARGEST_TOGETHER)
		throw new Stop('zipTooLarge', `The files in ${zip} are larger than 300 MB together, unpacked`, AGAIN);
	const dense = entries.find(({ size, packed }) => size > MEGABYTE && size > packed * LARGEST_RATIO)?.path;
	if (dense !== undefined) {
		throw new Stop(
			'zipTooLarge',
			`${quoted(dense, 80)} in ${zip} unpacks to more than ${LARGEST_RATIO} times its size`,
			AGAIN,
		);
	}
}

export async function unpack(data: Buffer, entry: ZipEntry, zip: string, turns: Turns): Promise<Buffer> {
	if (entry.offset + LOCAL_LENGTH > data.length || data.readUInt32LE(entry.offset) !== LOCAL)
		throw damaged(zip);
	const [nameLength, extraLength] = [26, 28].map((at) => data.readUInt16LE(entry.offset + at));
	const start = entry.offset + LOCAL_LENGTH + nameLength + extraLength;
	const packed = data.subarray(start, start + entry.packed);
	if (packed.length < entry.packed) throw damaged(zip);
	if (entry.method !== STORED && entry.method !== DEFLATED)
		throw new Stop('zipMethod', `${zip} is packed in a way that the node cannot unpack`, AGAIN);
	const file = entry.method === STORED ? packed : await inflated(packed, entry.size, zip, turns);
	if (file.length !== entry.size || (await crcOf(file, turns)) !== entry.crc) throw damaged(zip);
	return file;
}

/** In pieces, so that n8n gets its turn, and that a size that was a lie costs no memory. */
async function inflated(packed: Buffer, size: number, zip: string, turns: Turns): Promise<Buffer> {
	const file = Buffer.alloc(size);
	let length = 0;
	const stream = new Inflate((chunk) => {
		if (length + chunk.length > size) throw damaged(zip);
		file.set(chunk, length);
		length += chunk.length;
	});
	for (let at = 0; at < packed.length || at === 0; at += PUSH) {
		try {
			stream.push(packed.subarray(at, at + PUSH), at + PUSH >= packed.length);
		} catch {
			throw damaged(zip);
		}
		await turns.yieldIfDue();
	}
	return file.subarray(0, length);
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
	let crc = byte;
	for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
	return crc;
});

/** CRC-32 (APPNOTE 4.4.7), which fflate does not look at: bytes that were changed on the way must not become a roster. */
async function crcOf(file: Buffer, turns: Turns): Promise<number> {
	let crc = 0xffffffff;
	await turns.forEachMegabyte(file, (piece) => {
		for (let at = 0; at < piece.length; at++) crc = CRC_TABLE[(crc ^ piece[at]) & 0xff] ^ (crc >>> 8);
	});
	return (crc ^ 0xffffffff) >>> 0;
}
