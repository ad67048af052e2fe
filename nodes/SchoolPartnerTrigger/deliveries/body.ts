/**
 * From the bytes of a delivery to the value they stand for: how large, declared as what, UTF-8, JSON, and of
 * a depth that everything after this can walk through.
 */
import { DEEPEST, isTooDeep, readJson } from '../../shared/contract/json';
import { failed, success, type Outcome } from '../../shared/failure';

import { malformed, NO_JSON_BODY, tooLarge, type DeliveryRefusal } from './refusal';

/** Names that would replace or shadow the prototype of the object they stand in; n8n drops them as well. */
const RESERVED_NAMES = ['__proto__', 'constructor', 'prototype'];

/** What is known of a body before it is read. */
export interface SentBody {
	/** The Content-Type header. */
	contentType: string | undefined;
	/** The Content-Length header; of the compressed body, where it is compressed. */
	declaredBytes: number | undefined;
	/** The bytes after content decoding; undefined where n8n did not read them, as it does for unknown types. */
	bytes: Buffer | undefined;
}

/** Reads a body, refusing in the order 413, 415, 400. `text` is it byte for byte, as UTF-8. */
export function readBody(
	{ contentType, declaredBytes = 0, bytes }: SentBody,
	maxBytes: number,
): Outcome<{ text: string; json: unknown }, DeliveryRefusal> {
	if ((bytes?.length ?? declaredBytes) > maxBytes) return failed(tooLarge(maxBytes));
	if (!isJsonInUtf8(contentType) || bytes === undefined) return failed(NO_JSON_BODY);
	const text = bytes.toString('utf8');
	// Trap: decoding replaces what is not UTF-8, and the text would no longer be the body byte for byte.
	if (!Buffer.from(text, 'utf8').equals(bytes)) return wholeBody('must be text in UTF-8');
	const body = text.replace(/^\uFEFF/, '');
	const json = readJson(body);
	if (json === undefined)
		return wholeBody(isTooDeep(body) ? `must not be nested deeper than ${DEEPEST} levels` : 'must be JSON');
	dropReservedNames(json);
	return success({ text, json });
}

/** True for `application/json`, with no charset or one that UTF-8 includes (RFC 8259 section 8.1). */
export function isJsonInUtf8(contentType = ''): boolean {
	const [type, ...parameters] = contentType.toLowerCase().split(';');
	const charsets = parameters
		// Trap: two parts of a pattern that may take the same spaces try every way to share them out.
		.map((parameter) => /^charset\s*=\s*"?([^"\s]*)"?$/.exec(parameter.trim())?.[1])
		.filter((charset) => charset !== undefined);
	return (
		type.trim() === 'application/json' &&
		charsets.every((charset) => ['utf-8', 'utf8', 'us-ascii', 'ascii'].includes(charset))
	);
}

function wholeBody(message: string) {
	return failed(malformed([{ path: '', message }]));
}

function dropReservedNames(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	for (const name of RESERVED_NAMES) Reflect.deleteProperty(value, name);
	Object.values(value).forEach(dropReservedNames);
}
