/**
 * The logout token of a back-channel logout, by every step of OpenID Connect Back-Channel Logout 1.0 section
 * 2.6. The service's document does not show its claims, so the standard's are demanded and extra ones allowed.
 */
import {
	audienceReasons,
	CLOCK_TOLERANCE_SECONDS,
	isFilledText,
	issuerReasons,
	kindIn,
	textReasons,
	timeReasons,
	type Claims,
} from './claims';
import { findingsOf, refused, type Finding, type Refusal } from './finding';
import { readJwt } from './jwt';
import type { KeySet } from './keySet';
import { BACK_CHANNEL_LOGOUT_EVENT } from './logoutEvent';
import { signatureReasons } from './signature';

/** Who is logged out. `sub`, `sid` or both are there. */
export interface Logout {
	readonly sub: string | null;
	readonly sid: string | null;
	readonly iss: string;
	readonly jti: string;
	/** Milliseconds since 1970: after this the token is refused anyhow. */
	readonly expiresAt: number;
}

/** Against what a logout token is held. */
export interface LogoutExpectation {
	/** Discovery's `issuer`, character by character. */
	readonly issuer: string;
	readonly clientId: string;
	/** Milliseconds since 1970. */
	readonly now: number;
}

const SEND_A_LOGOUT_TOKEN =
	'Send a logout token as OpenID Connect Back-Channel Logout 1.0 section 2.4 describes it.';

const NO_EVENT: Finding = {
	code: 'no_logout_event',
	message: 'The token does not say that it is for a back-channel logout (events)',
	description: SEND_A_LOGOUT_TOKEN,
};
const NOBODY: Finding = {
	code: 'no_sub_and_no_sid',
	message: 'The token names neither a user (sub) nor a session (sid)',
	description: SEND_A_LOGOUT_TOKEN,
};
const HAS_NONCE: Finding = {
	code: 'nonce_present',
	message: 'The token has a nonce, which no logout token may have',
	description: `This is the mark of an ID token. ${SEND_A_LOGOUT_TOKEN}`,
};
const WRONG_KIND: Finding = {
	code: 'wrong_kind',
	message: 'The token is of another kind than a logout token (typ)',
	description: SEND_A_LOGOUT_TOKEN,
};

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function hasLogoutEvent({ events }: Claims): boolean {
	return (
		isObject(events) &&
		Object.hasOwn(events, BACK_CHANNEL_LOGOUT_EVENT) &&
		isObject(events[BACK_CHANNEL_LOGOUT_EVENT])
	);
}

/** Absent, or text with something in it: an empty or numeric `sid` names nobody. */
function namesSomebody({ sub, sid }: Claims): boolean {
	const given = [sub, sid].filter((value) => value !== undefined);
	return given.length > 0 && given.every(isFilledText);
}

/** Checks everything but the repetition, which needs a memory: see {@link RememberedTokens}. */
export async function checkLogoutToken(
	token: string,
	expected: LogoutExpectation,
	keys: KeySet,
): Promise<{ valid: true; logout: Logout } | Refusal> {
	const read = readJwt(token);
	if (!read.valid) return read;
	const { header, payload } = read;
	const reasons = [
		...(await signatureReasons(token, read, keys)),
		...findingsOf([!['logout+jwt', 'jwt', undefined].includes(kindIn(header)), WRONG_KIND]),
		...issuerReasons(payload, expected.issuer),
		...audienceReasons(payload, [expected.clientId]),
		...timeReasons(payload, expected.now, CLOCK_TOLERANCE_SECONDS),
		...findingsOf(
			[!namesSomebody(payload), NOBODY],
			[!hasLogoutEvent(payload), NO_EVENT],
			[payload.nonce !== undefined, HAS_NONCE],
		),
		...textReasons(payload, 'jti', 'identifier of its own'),
	];
	if (reasons.length > 0) return refused(...reasons);
	const {
		sub = null,
		sid = null,
		jti,
		exp,
	} = payload as { sub?: string; sid?: string; jti: string; exp: number };
	return { valid: true, logout: { sub, sid, iss: expected.issuer, jti, expiresAt: exp * 1000 } };
}
