/** Ids that a roster does not have and that are made of what it has: the same every night, and of at most 50 characters. */
import { hash } from 'node:crypto';

/** `external_id`, in the tables of the service's document. */
export const LONGEST_ID = 50;

/** Hexadecimal digits of a digest: 96 bits. */
const WIDTH = 24;

const MADE = new RegExp(`^~[0-9a-f]{${WIDTH}}$|~[1-9]$`);

/** Of what must not be read in it. Everybody who knows the text knows the id. */
export function idOfDigest(text: string): string {
	return `~${hash('sha256', text, 'hex').slice(0, WIDTH)}`;
}

/** Of the person in this place of somebody's row. Trap: an id that is refused must not become a digest, which is not. */
export function idInRowOf(id: string, place: number): string {
	const made = `${id}~${place}`;
	return isTooLong(id) ? made : bounded(made);
}

/** In characters: an emoji is one. */
export const isTooLong = (id: string) => id.length > LONGEST_ID && [...id].length > LONGEST_ID;

/** An id that is longer than the service takes becomes a digest. */
export function bounded(id: string): string {
	return isTooLong(id) ? idOfDigest(id) : id;
}

/** Whether one id was made of a document and the other of a student: both may be of one person. */
export function areMadeOtherwise(one: string, other: string): boolean {
	return isMade(one) && isMade(other) && one.startsWith('~') !== other.startsWith('~');
}

/** Whether an id was made of a text alone, as that of a person is of a document. */
export function isOfDigest(id: string): boolean {
	return id.startsWith('~') && isMade(id);
}

/** Whether the id of a person was made here. */
export function isMade(id: string): boolean {
	return MADE.test(id);
}
