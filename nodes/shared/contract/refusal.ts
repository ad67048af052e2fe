/**
 * What the service says when it refuses (the document's section "Errors"): an `Error` object, an `Errors`
 * array, either of them without its name, OAuth's `error`, or nothing at all. Read tolerantly: a refusal that cannot be read is still one.
 */

import { isJsonObject, readJson, type JsonObject } from './json';
import { quoted } from './quoted';

/** The service's own words, each on one line and short enough for a message. `details` are its findings per field. */
export interface Refusal {
	code?: string;
	message?: string;
	details: Array<{ field: string; message: string }>;
}

/** Longest code, name of a field, and words about one field that are taken over. */
const LONGEST_NAME = 100;
const LONGEST_FINDING = 200;

/** Reads the body of a refused request. Never throws; says nothing when the body says nothing. */
export function readRefusal(body: string): Refusal {
	const answer = readJson(body);
	if (!isJsonObject(answer)) return fromErrors(answer);
	if (typeof answer.error === 'string') return fromOAuth(answer);
	const own = [answer.Error, answer.Errors].find((one) => typeof one === 'object' && one !== null);
	if (own !== undefined) return fromErrors(own);
	// In small letters, as the members of an error may be too.
	return [answer.error, answer.errors].map(fromErrors).find(saysSomething) ?? fromErrors(answer);
}

/** Of a sign-on that has not taken a request (RFC 6749 section 4.1.2.1). */
const OAUTH_AWAY: readonly unknown[] = ['temporarily_unavailable', 'server_error'];

/**
 * True for a body that says something in a form that the document shows, also without its outer name, or in OAuth's. Trap: gateways answer
 * with JSON too, such as `{"message":"Service Unavailable"}` or an empty `Errors`.
 */
export function isInOwnForm(body: string): boolean {
	const [first] = [readJson(body)].flat().filter(isJsonObject);
	if (first === undefined || !saysSomething(readRefusal(body))) return false;
	const { Error: one, Errors: list, Code: code, error } = first;
	const hasOwnName = [one, list].some((own) => typeof own === 'object' && own !== null);
	return hasOwnName || ['string', 'number'].includes(typeof code) || OAUTH_AWAY.includes(error);
}

/** True for the server error of enrollment. Trap: the document's samples label it a bad request; only the number says what it is. */
export function isServerError(body: string): boolean {
	const answer = readJson(body);
	const [first] = isJsonObject(answer) ? [answer.Errors].flat() : [];
	return isJsonObject(first) && first.Code === 500;
}

/** True for a refusal with words of its own. */
export function saysSomething({ code, message, details }: Refusal): boolean {
	return code !== undefined || message !== undefined || details.length > 0;
}

/**
 * One error, or several. Synchronization endpoints have one, under `Error`, enrollment endpoints have a list, under `Errors`; where no
 * body is shown, what stands around them may be missing. Nothing is said by what holds no object: a proxy's page, a 401 without a body.
 */
function fromErrors(errors: unknown): Refusal {
	const [first, ...others] = [errors].flat().filter(isJsonObject);
	if (first === undefined) return { details: [] };
	const properties = Array.isArray(first.ErrorProperties) ? first.ErrorProperties.filter(isJsonObject) : [];
	return {
		code: shortText(codeIn(first), LONGEST_NAME),
		message: shortText(messageIn(first)),
		details: [
			...properties.map(({ PropertyName, ErrorMessage }) => detail(PropertyName, ErrorMessage)),
			...others.map((other) => detail(codeIn(other), messageIn(other))),
		],
	};
}

/** Text, or the number 500. */
function codeIn({ Code, code }: JsonObject): unknown {
	return Code ?? code;
}

function messageIn({ Message, message }: JsonObject): unknown {
	return Message ?? message;
}

/** Token endpoint (RFC 6749 section 5.2). */
function fromOAuth(answer: JsonObject): Refusal {
	return {
		code: shortText(answer.error, LONGEST_NAME),
		message: shortText(answer.error_description),
		details: [],
	};
}

function detail(field: unknown, message: unknown): Refusal['details'][number] {
	return { field: shortText(field, LONGEST_NAME) ?? '', message: shortText(message, LONGEST_FINDING) ?? '' };
}

function shortText(value: unknown, longest?: number): string | undefined {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? quoted(value, longest) || undefined : undefined;
}
