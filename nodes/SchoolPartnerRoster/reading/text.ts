/** The bytes of a CSV file as UTF-8: what other encodings and other kinds of file are, said in words. */
import type { Turns } from '../roster/turns';

import { Stop } from './stop';

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

/** Where the text begins: behind a byte order mark. */
const startOf = (bytes: Buffer) => (bytes.toString('latin1', 0, 3) === '\xef\xbb\xbf' ? 3 : 0);

/** What a file is that begins so, where that can be told. */
function otherKindOf(bytes: Buffer): string | undefined {
	const start = bytes.toString('latin1', startOf(bytes), 64).trimStart().toLowerCase();
	return OTHER_KINDS.find(([begin]) => start.startsWith(begin.toLowerCase()))?.[1];
}

/** For a file whose name says zip, and whose bytes do not. */
export function noZip(bytes: Buffer, file: string): Stop {
	const kind = otherKindOf(bytes);
	return new Stop(
		'notZip',
		`${file} is no zip, although it is called so${kind === undefined ? '' : `: it is ${kind}`}`,
		'Open it and look: a download that was refused often leaves a page or a message under the name of the file. Download it again.',
	);
}

/** Stops for what begins like another kind of file. */
export function refuseOtherKinds(bytes: Buffer, file: string): void {
	if (/^(\xff\xfe|\xfe\xff)/.test(bytes.toString('latin1', 0, 2))) {
		throw new Stop(
			'utf16',
			`${file} is in UTF-16`,
			'Save it as CSV in UTF-8. In Excel: "CSV UTF-8", not "Unicode Text".',
		);
	}
	const kind = otherKindOf(bytes);
	if (kind !== undefined) throw new Stop('notCsv', `${file} is not CSV but ${kind}`, AS_CSV);
}

/** A file in UTF-8, without a byte order mark. Stops for what is no CSV, or cannot be read as text. */
export async function textOf(
	bytes: Buffer,
	file: string,
	turns: Turns,
): Promise<{ text: Buffer; isWindows1252: boolean }> {
	refuseOtherKinds(bytes, file);
	if (bytes.includes(0))
		throw new Stop('nulBytes', `${file} holds NUL bytes: it is not text, or it was damaged`, AS_CSV);
	const text = bytes.subarray(startOf(bytes));
	if (await isUtf8(text, file, turns)) return { text, isWindows1252: false };
	await refuseMixed(text, file, turns);
	return { text: await fromWindows1252(text, turns), isWindows1252: true };
}

/** False where a byte cannot be UTF-8. A character that is cut at the very end is no other encoding: the file is cut. */
async function isUtf8(bytes: Buffer, file: string, turns: Turns): Promise<boolean> {
	const decoder = new TextDecoder('utf-8', { fatal: true });
	try {
		await turns.forEachMegabyte(bytes, (piece) => decoder.decode(piece, { stream: true }));
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

const cutInCharacter = (file: string) =>
	new Stop('fileCut', `${file} ends in the middle of a character: it is cut off`);

/**
 * Stops for a file that is UTF-8 for the most part: in another encoding hardly any accent looks like UTF-8.
 * Trap: read as windows-1252 because of one stray byte, every other accent would be wrong, in names that cannot be corrected any more and in ids.
 */
async function refuseMixed(bytes: Buffer, file: string, turns: Turns): Promise<void> {
	const decoder = new TextDecoder();
	let [kept, lost, line] = [0, 0, 1];
	await turns.forEachMegabyte(bytes, (piece) => {
		const parts = decoder.decode(piece, { stream: true }).split('\uFFFD');
		if (lost === 0) line += parts[0].split('\n').length - 1;
		lost += parts.length - 1;
		for (const part of parts) kept += part.replace(/[\0-\x7f]+/g, '').length;
	});
	if (kept < lost) return;
	throw new Stop(
		'mixedEncoding',
		`${file} is in UTF-8, but not all of it: line ${line} holds bytes of another encoding`,
		'Have the files exported again, in UTF-8 throughout.',
	);
}

/** What windows-1252 has where Latin 1 has control characters (0x80 to 0x9f); five places are empty in both. */
const NOT_LATIN_1 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** What a control character of Latin 1 (0x80 to 0x9f) is in windows-1252. */
export const windows1252Of = (control: string) => NOT_LATIN_1[control.charCodeAt(0) - 0x80];

/** Trap: TextDecoder of Node.js 20 calls Latin 1 windows-1252, and gives control characters for quotes and dashes. */
async function fromWindows1252(bytes: Buffer, turns: Turns): Promise<Buffer> {
	const pieces: Buffer[] = [];
	await turns.forEachMegabyte(bytes, (piece) =>
		pieces.push(Buffer.from(piece.toString('latin1').replace(/[\x80-\x9f]/g, windows1252Of))),
	);
	return Buffer.concat(pieces);
}
