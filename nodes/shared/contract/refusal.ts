/**
 * What the service says when it refuses (the document's section "Errors"): an `Error` object, an `Errors`
 * array, OAuth's `error`, or nothing at all. Read tolerantly: a refusal that cannot be read is still one.
 */

import { readJson } from './json';
import { quoted } from './quoted';

/** The service's own words, each on one line and short enough for a message. `details` are its findings per field. */
export interface Refusal {
	code?: string;
	message?: string;
	details: Array<{ field: string; message: string }>;
}

type Json = Record<string, unknown>;

const NOTHING_SAID: Refusal = { details: [] };

/** Longest code, name of a field, and words about one field that are taken over. */
const LONGEST_NAME = 100;
const LONGEST_FINDING = 200;

/** Reads the body of a refused request. Never throws; says nothing when the body says nothing. */
export function readRefusal(body: string): Refusal {
	const answer = readJson(body);
	// Not an object, or not JSON at all: a proxy's page, a 401 without a body. There is nothing to quote.
	if (!isObject(answer)) return NOTHING_SAID;
	if (isObject(answer.Error)) return fromErrorObject(answer.Error);
	if (Array.isArray(answer.Errors)) return fromErrors(answer.Errors);
	if (typeof answer.error === 'string') return fromOAuth(answer);
	return { code: said(answer.Code ?? answer.code, LONGEST_NAME), message: said(answer.Message ?? answer.message), details: [] };
}

/** Synchronization endpoints: `Error` with `Code`, `Message` and `ErrorProperties`. */
function fromErrorObject(error: Json): Refusal {
	const properties = Array.isArray(error.ErrorProperties) ? error.ErrorProperties.filter(isObject) : [];
	return {
		code: said(error.Code, LONGEST_NAME),
		message: said(error.Message),
		details: properties.map(({ PropertyName, ErrorMessage }) => detail(PropertyName, ErrorMessage)),
	};
}

/** Enrollment endpoints: `Errors`, each with `Code` (text, or the number 500) and `Message`. */
function fromErrors(errors: unknown[]): Refusal {
	const [first, ...others] = errors.filter(isObject);
	if (first === undefined) return NOTHING_SAID;
	return {
		code: said(first.Code, LONGEST_NAME),
		message: said(first.Message),
		details: others.map(({ Code, Message }) => detail(Code, Message)),
	};
}

/** Token endpoint (RFC 6749 section 5.2). */
function fromOAuth(answer: Json): Refusal {
	return { code: said(answer.error, LONGEST_NAME), message: said(answer.error_description), details: [] };
}

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function detail(field: unknown, message: unknown): Refusal['details'][number] {
	return { field: said(field, LONGEST_NAME) ?? '', message: said(message, LONGEST_FINDING) ?? '' };
}

function said(value: unknown, longest?: number): string | undefined {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? quoted(value, longest) || undefined : undefined;
}
