/**
 * The logout token of a back-channel logout, by every step of OpenID Connect Back-Channel Logout 1.0 section
 * 2.6. The service's document does not show its claims: the standard's are demanded, unless the user accepts tokens without
 * some of them, and further ones are passed on.
 */
import { isFilledText } from '../../shared/contract/blocks';
import { isJsonObject } from '../../shared/contract/json';
import { success } from '../../shared/failure';
import {
	BACK_CHANNEL_LOGOUT_EVENT,
	CLOCK_TOLERANCE_SECONDS,
	isAbsent,
	kindIn,
	requiredTextFindings,
	verifyJwt,
	type Claims,
	type JwtExpectation,
} from '../../shared/oidc/verifyJwt';
import type { KeySet } from '../../shared/oidc/issuerKeys';
import { applicableFindings, type Checked } from '../../shared/oidc/finding';

import { logoutFinding } from './logoutFinding';

/** What a logout token may lack where the user says so; never its signature, its issuer and its audience. */
export const MAY_LACK = ['exp', 'jti', 'events', 'subAndSid'] as const;
export type MayLack = (typeof MAY_LACK)[number];

/** How long a token without an end is taken after it was issued (`iat`): for so long it has to be remembered. Seconds. */
const LONGEST_WITHOUT_END = 24 * 60 * 60;

/** Who is logged out. `sub`, `sid` or both are there, unless tokens without them are accepted. */
export interface Logout {
	readonly sub: string | null;
	readonly sid: string | null;
	readonly iss: string;
	readonly jti: string | null;
	/** The verified claims that have no meaning of their own in a logout token. */
	readonly claims: Claims;
	/** What tells this token from every other one. */
	readonly id: readonly string[];
	/** Milliseconds since 1970: after this the token is refused anyhow. */
	readonly expiresAt: number;
}

/** Against what a logout token is held. */
export interface LogoutExpectation extends Pick<JwtExpectation, 'issuer' | 'now'> {
	readonly clientId: string;
	readonly acceptWithout: readonly MayLack[];
}

const NO_LOGOUT_EVENT = logoutFinding(
	'no_logout_event',
	'The token does not say that it is for a back-channel logout (events)',
);
const NAMES_NOBODY = logoutFinding(
	'no_sub_and_no_sid',
	'The token names neither a user (sub) nor a session (sid)',
);
const HAS_NONCE = logoutFinding('nonce_present', 'The token has a nonce, which no logout token may have');
const TOKEN_TOO_OLD = logoutFinding(
	'expired',
	'The token was issued more than a day ago (iat), and has no end of its own (exp)',
);
const NOT_A_LOGOUT_TOKEN = logoutFinding(
	'wrong_kind',
	'The token is of another kind than a logout token (typ)',
);

function hasLogoutEvent({ events }: Claims): boolean {
	return (
		isJsonObject(events) &&
		Object.hasOwn(events, BACK_CHANNEL_LOGOUT_EVENT) &&
		isJsonObject(events[BACK_CHANNEL_LOGOUT_EVENT])
	);
}

/** Absent, or text with something in it: an empty or numeric `sid` names nobody. */
function namesSomebody({ sub, sid }: Claims): boolean {
	const given = [sub, sid].filter((value) => !isAbsent(value));
	return given.length > 0 && given.every(isFilledText);
}

/** The end of a token (seconds), whose times may still be anything; undefined where it tells none. */
function tokenEnd({ exp, iat }: Claims): number | undefined {
	if (typeof exp === 'number') return exp;
	return isAbsent(exp) && typeof iat === 'number' ? iat + LONGEST_WITHOUT_END : undefined;
}

/** What is wrong with a token as a logout token. A claim that may be lacking is checked as ever when it is there. */
function logoutFindings(payload: Claims, { acceptWithout, now }: LogoutExpectation) {
	const { sub, sid, jti, events, exp, nonce } = payload;
	const mayLack = (claim: MayLack, value: unknown) => acceptWithout.includes(claim) && isAbsent(value);
	const mayNameNobody =
		acceptWithout.includes('subAndSid') &&
		[sub, sid].every((value) => isAbsent(value) || isFilledText(value));
	const end = tokenEnd(payload);
	const isOver = end !== undefined && end + CLOCK_TOLERANCE_SECONDS <= now / 1000;
	return [
		...applicableFindings(
			[mayLack('exp', exp) && isOver, TOKEN_TOO_OLD],
			[!mayNameNobody && !namesSomebody(payload), NAMES_NOBODY],
			[!mayLack('events', events) && !hasLogoutEvent(payload), NO_LOGOUT_EVENT],
			[nonce !== undefined, HAS_NONCE],
		),
		...(mayLack('jti', jti) ? [] : requiredTextFindings(payload, 'jti', 'identifier of its own')),
	];
}

/** What this module knows the meaning of (RFC 7519 section 4.1, OpenID Connect Back-Channel Logout 1.0 section 2.4). */
const KNOWN_CLAIMS = ['iss', 'sub', 'aud', 'exp', 'nbf', 'iat', 'jti', 'sid', 'events', 'nonce'];

/** Checks everything but the repetition, which needs a memory: see `takeOnce`. */
export async function checkLogoutToken(
	token: string,
	expected: LogoutExpectation,
	keys: KeySet,
): Promise<Checked<Logout>> {
	const { acceptWithout } = expected;
	const verified = await verifyJwt(
		token,
		{ ...expected, audiences: [expected.clientId], clockTolerance: CLOCK_TOLERANCE_SECONDS },
		keys,
		{
			optional: acceptWithout.includes('exp') ? ['exp'] : [],
			kindFindings: ({ header }) =>
				applicableFindings([!['logout+jwt', 'jwt', undefined].includes(kindIn(header)), NOT_A_LOGOUT_TOKEN]),
			claimFindings: ({ payload }) => logoutFindings(payload, expected),
		},
	);
	if (!verified.ok) return verified;
	const { payload } = verified.value;
	const { sub, sid, jti } = payload as { sub?: string; sid?: string; jti?: string };
	const logout: Logout = {
		sub: sub ?? null,
		sid: sid ?? null,
		iss: expected.issuer,
		jti: jti ?? null,
		claims: Object.fromEntries(Object.entries(payload).filter(([name]) => !KNOWN_CLAIMS.includes(name))),
		// Trap: a signature can be written in several ways; what it was made for cannot.
		id: isAbsent(jti)
			? [expected.issuer, '', token.slice(0, token.lastIndexOf('.'))]
			: [expected.issuer, jti],
		expiresAt: (tokenEnd(payload) ?? 0) * 1000,
	};
	return success(logout);
}
