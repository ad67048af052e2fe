/** The bytes of a CSV file as UTF-8: what other encodings and other kinds of file are, said in words. */
import { Stop } from './stop';
import type { Turns } from '../roster/turns';

const MB = 1024 * 1024;

/** What was healed in a file on the way. */
export type Healed = 'byteOrderMark' | 'windows1252';

export interface Text {
	/** UTF-8 without a byte order mark. */
	bytes: Buffer;
	healed: Healed[];
}

/** What a file is, that begins so (in Latin 1, blanks in front and capitals apart), and was given for CSV. */
const OTHER_KINDS: ReadonlyArray<[string, string]> = [
	['pk\x03\x04', 'a zip or an Excel workbook'],
	['\xd0\xcf\x11\xe0', 'an old Excel workbook'],
	['%pdf', 'a PDF'],
	['\x1f\x8b', 'packed with gzip'],
	['7z\xbc\xaf', 'packed in a way that the node does not unpack'],
	['rar!', 'packed in a way that the node does not unpack'],
	['<!doctype', 'a web page'],
	['<html', 'a web page'],
	['<?xml', 'XML'],
	['{', 'JSON'],
	['[', 'JSON'],
];

const AS_CSV = 'Have it exported as CSV, in UTF-8.';

/** Latin 1 of the first bytes, behind a byte order mark. */
function startOf(bytes: Buffer): { start: string; hasMark: boolean } {
	const start = bytes.toString('latin1', 0, 64);
	const hasMark = start.startsWith('\xef\xbb\xbf');
	return { start: hasMark ? start.slice(3) : start, hasMark };
}

/** What a file is that begins so, where that can be told. */
function otherKindOf(start: string): string | undefined {
	return OTHER_KINDS.find(([begin]) => start.trimStart().toLowerCase().startsWith(begin.toLowerCase()))?.[1];
}

/** For a file whose name says zip, and whose bytes do not. */
export function noZip(bytes: Uint8Array, file: string): Stop {
	const kind = otherKindOf(startOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)).start);
	return new Stop(
		'notZip',
		`${file} is no zip, although it is called so${kind === undefined ? '' : `: it is ${kind}`}`,
		'Open it and look: a download that was refused often leaves a page or a message under the name of the file. Download it again.',
	);
}

/** Stops for what begins like another kind of file. */
export function refuseOtherKinds(bytes: Uint8Array, file: string): void {
	const { start } = startOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
	if (/^(\xff\xfe|\xfe\xff)/.test(start)) {
		throw new Stop(
			'utf16',
			`${file} is in UTF-16`,
			'Save it as CSV in UTF-8. In Excel: "CSV UTF-8", not "Unicode Text".',
		);
	}
	const kind = otherKindOf(start);
	if (kind !== undefined) throw new Stop('notCsv', `${file} is not CSV but ${kind}`, AS_CSV);
}

/** Stops for what is no CSV, or cannot be read as text. */
export async function textOf(bytes: Uint8Array, file: string, turns: Turns): Promise<Text> {
	refuseOtherKinds(bytes, file);
	const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
	if (buffer.includes(0)) {
		throw new Stop('nulBytes', `${file} holds NUL bytes: it is not text, or it was damaged`, AS_CSV);
	}
	const { hasMark } = startOf(buffer);
	const healed: Healed[] = hasMark ? ['byteOrderMark'] : [];
	const content = hasMark ? buffer.subarray(3) : buffer;
	if (await isUtf8(content, file, turns)) return { bytes: content, healed };
	const strayLine = await strayLineOf(content, turns);
	if (strayLine !== undefined) throw mixed(file, strayLine);
	return { bytes: await fromWindows1252(content, turns), healed: [...healed, 'windows1252'] };
}

/** False where a byte cannot be UTF-8. A character that is cut at the very end is no other encoding: the file is cut. */
async function isUtf8(bytes: Buffer, file: string, turns: Turns): Promise<boolean> {
	const decoder = new TextDecoder('utf-8', { fatal: true });
	try {
		for (let at = 0; at < bytes.length; at += MB) {
			decoder.decode(bytes.subarray(at, at + MB), { stream: true });
			await turns.take();
		}
	} catch {
		return false;
	}
	try {
		decoder.decode();
		return true;
	} catch {
		throw cutInCharacter(file);
	}
}

/**
 * The first line with bytes that are no UTF-8, of a file that is UTF-8 for the most part; nothing for one in another encoding, in which
 * hardly any accent looks like UTF-8.
 */
async function strayLineOf(bytes: Buffer, turns: Turns): Promise<number | undefined> {
	const decoder = new TextDecoder();
	const found = { kept: 0, lost: 0, line: 1 };
	for (let at = 0; at < bytes.length; at += MB) {
		const text = decoder.decode(bytes.subarray(at, at + MB), { stream: true });
		const before = text.split('\uFFFD', 1)[0];
		if (found.lost === 0) found.line += before.split('\n').length - 1;
		found.lost += text.split('\uFFFD').length - 1;
		found.kept += text.replace(/[\0-\x7f\uFFFD]+/g, '').length;
		await turns.take();
	}
	return found.kept < found.lost ? undefined : found.line;
}

/** Trap: read as windows-1252 because of one stray byte, every other accent would be wrong, in names that cannot be corrected any more and in ids. */
const mixed = (file: string, line: number) =>
	new Stop(
		'mixedEncoding',
		`${file} is in UTF-8, but not all of it: line ${line} holds bytes of another encoding`,
		'Have the files exported again, in UTF-8 throughout.',
	);

const cutInCharacter = (file: string) =>
	new Stop(
		'fileCut',
		`${file} ends in the middle of a character: it is cut off`,
		'Have the files exported again.',
	);

/** What windows-1252 has where Latin 1 has control characters (0x80 to 0x9f); five places are empty in both. */
const NOT_LATIN_1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Trap: TextDecoder of Node.js 20 calls Latin 1 windows-1252, and gives control characters for quotes and dashes. */
async function fromWindows1252(bytes: Buffer, turns: Turns): Promise<Buffer> {
	const pieces: Buffer[] = [];
	for (let at = 0; at < bytes.length; at += MB) {
		const text = bytes.toString('latin1', at, Math.min(bytes.length, at + MB));
		pieces.push(Buffer.from(text.replace(/[\x80-\x9f]/g, (byte) => NOT_LATIN_1[byte.charCodeAt(0) - 0x80])));
		await turns.take();
	}
	return Buffer.concat(pieces);
}
