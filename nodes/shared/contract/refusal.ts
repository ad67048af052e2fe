/**
 * What the service says when it refuses (the document's section "Errors"): an `Error` object, an `Errors`
 * array, OAuth's `error`, or nothing at all. Read tolerantly: a refusal that cannot be read is still one.
 */

import { readJson } from './json';

/** The service's own words. `details` are its findings per field. */
export interface Refusal {
	code?: string;
	message?: string;
	details: Array<{ field: string; message: string }>;
}

type Json = Record<string, unknown>;

const NOTHING_SAID: Refusal = { details: [] };

/** Longest text taken over from a service: a stack trace or a page does not belong into a message. */
const LONGEST_MESSAGE = 500;

/** Reads the body of a refused request. Never throws; says nothing when the body says nothing. */
export function readRefusal(body: string): Refusal {
	const answer = readJson(body);
	// Not an object, or not JSON at all: a proxy's page, a 401 without a body. There is nothing to quote.
	if (!isObject(answer)) return NOTHING_SAID;
	if (isObject(answer.Error)) return fromErrorObject(answer.Error);
	if (Array.isArray(answer.Errors)) return fromErrors(answer.Errors);
	if (typeof answer.error === 'string') return fromOAuth(answer);
	return { code: said(answer.Code ?? answer.code), message: said(answer.Message ?? answer.message), details: [] };
}

/** Synchronization endpoints: `Error` with `Code`, `Message` and `ErrorProperties`. */
function fromErrorObject(error: Json): Refusal {
	const properties = Array.isArray(error.ErrorProperties) ? error.ErrorProperties.filter(isObject) : [];
	return {
		code: said(error.Code),
		message: said(error.Message),
		details: properties.map((property) => ({
			field: said(property.PropertyName) ?? '',
			message: said(property.ErrorMessage) ?? '',
		})),
	};
}

/** Enrollment endpoints: `Errors`, each with `Code` (text, or the number 500) and `Message`. */
function fromErrors(errors: unknown[]): Refusal {
	const [first, ...others] = errors.filter(isObject);
	if (first === undefined) return NOTHING_SAID;
	return {
		code: said(first.Code),
		message: said(first.Message),
		details: others.map((error) => ({ field: said(error.Code) ?? '', message: said(error.Message) ?? '' })),
	};
}

/** Token endpoint (RFC 6749 section 5.2). */
function fromOAuth(answer: Json): Refusal {
	return { code: said(answer.error), message: said(answer.error_description), details: [] };
}

function isObject(value: unknown): value is Json {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function said(value: unknown): string | undefined {
	if (typeof value === 'number') return String(value);
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	return value.length > LONGEST_MESSAGE ? `${value.slice(0, LONGEST_MESSAGE)}…` : value.trim();
}
