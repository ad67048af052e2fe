/** Reading JSON that others wrote, so that no number in it changes on the way. */
import { isSafeNumber } from 'lossless-json';

/**
 * Finds a list or an object that may hold such a number: one with 16 digits, or with an exponent. Most hold none, and this look
 * costs a quarter of parsing them.
 */
const MAY_NOT_FIT = /[:,[\s]-?(?:[\d.]{16}|\d[\d.]*[eE])/;

/** The texts and the numbers of a JSON document. Trap: without the inner `+`, a text of some megabytes overflows the stack. */
const TEXTS_AND_NUMBERS = /"(?:[^"\\]+|\\.)*"|-?\d[\d.eE+-]*/g;

/**
 * What a JSON text says; undefined when it is not JSON, or nested deeper than {@link DEEPEST}. Never throws.
 *
 * A number that JavaScript cannot hold as it is written comes out as the text of its digits: whole numbers beyond 2^53
 * (9007199254740993 would become …992, an id of somebody else), numbers with more digits than a double has, and numbers beyond
 * its range (1e400 would become null). Every other number stays a number.
 *
 * Trap: the source text that `JSON.parse` gives a reviver is not there before Node.js 22. The parsers that keep numbers call
 * themselves for each level of a document; this way, what is JSON and how deep it may be stays with `JSON.parse`.
 */
export function readJson(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		if (!isShallow(value)) return undefined;
		if (typeof value !== 'number' && !MAY_NOT_FIT.test(text)) return value;
		return JSON.parse(text.replace(TEXTS_AND_NUMBERS, inQuotesUnlessSafe)) as unknown;
	} catch {
		// The parser's own message quotes the text, which may hold personal data: whoever asked says what it should have been.
		return undefined;
	}
}

function inQuotesUnlessSafe(token: string): string {
	return token.startsWith('"') || isSafeNumber(token) ? token : `"${token}"`;
}

/** A JSON object as it came over the wire. */
export type JsonObject = Record<string, unknown>;

/** True for a JSON object; lists and null are none. */
export function isJsonObject(value: unknown): value is JsonObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * Levels of lists and objects. The deepest documented message has 7; n8n writes items with functions that call
 * themselves per level and break at some thousands.
 */
export const DEEPEST = 64;

/** Whether a text is JSON, and is nested deeper than that. */
export function isTooDeep(text: string): boolean {
	try {
		return !isShallow(JSON.parse(text));
	} catch {
		return false;
	}
}

/** Walks through a parsed value without recursion. */
function isShallow(json: unknown): boolean {
	let level = [json].filter(isContainer);
	for (let depth = 0; level.length > 0; depth++) {
		if (depth === DEEPEST) return false;
		level = level.flatMap((value) => Object.values(value).filter(isContainer));
	}
	return true;
}

function isContainer(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}
