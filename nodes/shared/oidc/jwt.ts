/** Reading the outer form of a JSON Web Token (RFC 7519, RFC 7515), before anything in it is believed. */
import { isJsonObject, readJson } from '../contract/json';
import { success } from '../failure';

import { rejected, type Checked } from './finding';

/** Longer texts are not decoded at all: a token must also fit into a request's headers. */
export const LONGEST_TOKEN = 16_384;

/** The parts of a token, decoded. Nothing here is proven until the signature is. */
export interface ReadJwt {
	readonly header: Readonly<Record<string, unknown>>;
	readonly payload: Readonly<Record<string, unknown>>;
}

const SEGMENT = /^[A-Za-z0-9_-]+$/;

function decodedObject(segment: string): Record<string, unknown> | undefined {
	try {
		// Trap: without `fatal`, broken UTF-8 is replaced and two different tokens read alike.
		const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(segment, 'base64url'));
		const value = readJson(text);
		return isJsonObject(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

const GIVE_THE_WHOLE = 'Pass on the whole token as it was received, without quotes or a "Bearer" before it.';

/** Header and payload of a compact signed token, or why the text cannot be one. */
export function readJwt(text: string): Checked<ReadJwt> {
	if (text === '') {
		return rejected({ code: 'empty', message: 'The token is empty', next: GIVE_THE_WHOLE });
	}
	if (text.length > LONGEST_TOKEN) {
		const message = `The token is longer than ${LONGEST_TOKEN} characters`;
		return rejected({ code: 'too_long', message, next: GIVE_THE_WHOLE });
	}
	const segments = text.split('.');
	const [header, payload] = segments.map((segment) =>
		SEGMENT.test(segment) ? decodedObject(segment) : undefined,
	);
	// The third segment may be empty here: a token with `alg` none is told by its algorithm, not by its form.
	const hasForm = segments.length === 3 && (segments[2] === '' || SEGMENT.test(segments[2]));
	if (hasForm && header !== undefined && payload !== undefined) return success({ header, payload });
	const message = 'The token is not a complete signed JSON Web Token of three parts';
	return rejected({ code: 'not_a_jwt', message, next: GIVE_THE_WHOLE });
}
