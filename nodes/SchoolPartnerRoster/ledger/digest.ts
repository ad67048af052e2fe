/** Digests as they stand in the ledger. They begin with a letter, or a sheet would take some of them for numbers or formulas. */
import { hash } from 'node:crypto';

const LETTER = 'h';

/** Characters of a digest that tells contents apart: 96 bits. */
const CONTENT_DIGEST_CHARACTERS = 16;

export function digestOf(text: string): string {
	return LETTER + hash('sha256', text, 'base64url').slice(0, CONTENT_DIGEST_CHARACTERS);
}

/** The digest of what may be unknown: '' stays ''. */
export function markOf(text: string): string {
	return text === '' ? '' : digestOf(text);
}

/** Digests in one row, so that a cell stays below 25 KB. */
const DIGESTS_IN_A_ROW = 1_500;

/** Digests in pieces, each for one row. */
export function piecesOf(digests: readonly string[]): string[][] {
	const pieces: string[][] = [];
	for (let start = 0; start < digests.length; start += DIGESTS_IN_A_ROW)
		pieces.push(digests.slice(start, start + DIGESTS_IN_A_ROW));
	return pieces;
}

/** By which a hold names a change, and the ledger what was told of what: 60 bits. @param about a key, or words without personal data */
export function pairDigest(what: string, about: string): string {
	return hash('sha256', `${what} ${about}`, 'base64url').slice(0, 10);
}

/** The digest of many texts, whatever their order. */
export class UnorderedDigest {
	private count = 0;

	private readonly lanes = new Uint32Array(4);

	add(text: string): void {
		const digest = hash('sha256', text, 'buffer');
		// Added up, they say the same in every order.
		for (let lane = 0; lane < this.lanes.length; lane++) this.lanes[lane] += digest.readUInt32BE(lane * 4);
		this.count += 1;
	}

	value(): string {
		return digestOf(`${this.count} ${this.lanes.join(' ')}`);
	}
}
