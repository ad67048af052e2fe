/**
 * Whether a token can be believed, as far as all kinds of tokens share it: signature, issuer, audience, times (RFC 7519 section 4.1).
 * Why not `jwtVerify` of jose, which does the same: it stops at the first finding, and a person wants to know all of them.
 */
import { isFilledText } from '../contract/blocks';

import { applicableFindings, rejected, type Checked, type SignOnFinding } from './finding';
import type { KeySet } from './issuerKeys';
import { readJwt, type ReadJwt } from './jwt';
import { signatureFindings } from './signature';

/** The claims of a token, decoded but not yet believed. */
export type Claims = ReadJwt['payload'];

/** The member of `events` that makes a token a logout token (OpenID Connect Back-Channel Logout 1.0 section 2.4). */
export const BACK_CHANNEL_LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

/** How far two clocks may be apart unless told otherwise, in seconds. */
export const CLOCK_TOLERANCE_SECONDS = 10;

/** Most seconds of tolerance that can be chosen. */
export const MOST_CLOCK_TOLERANCE_SECONDS = 300;

/** What a token is held against. */
export interface JwtExpectation {
	/** Discovery's `issuer`, character by character. */
	readonly issuer: string;
	/** One of them has to be in `aud`. */
	readonly audiences: readonly string[];
	/** Milliseconds since 1970. */
	readonly now: number;
	/** Seconds that clocks may be apart. */
	readonly clockTolerance: number;
}

/** What tokens of one kind are held against besides. */
export interface JwtKind {
	/** Times that may be absent. */
	readonly optional: ReadonlyArray<'exp' | 'iat'>;
	/** Whether it is of another kind. */
	readonly kindFindings: (jwt: ReadJwt) => readonly SignOnFinding[];
	readonly claimFindings: (jwt: ReadJwt) => readonly SignOnFinding[];
}

/**
 * Checks everything at once; a token is given out only when nothing is wrong with it. The first finding is the one that a failure is named
 * for: that a token is of another kind explains its audience and its times.
 */
export async function verifyJwt(
	token: string,
	expected: JwtExpectation,
	keys: KeySet,
	{ optional, kindFindings, claimFindings }: JwtKind,
): Promise<Checked<ReadJwt>> {
	const read = readJwt(token);
	if (!read.ok) return read;
	const { payload } = read.value;
	const findings = [
		...(await signatureFindings(token, read.value, keys)),
		...kindFindings(read.value),
		...issuerFindings(payload, expected.issuer),
		...audienceFindings(payload, expected.audiences),
		...timeFindings(payload, expected, optional),
		...claimFindings(read.value),
	];
	return findings.length > 0 ? rejected(...findings) : read;
}

const GET_A_NEW_ONE = 'Get a new token from the service.';
const CHECK_CLOCKS = 'Check the clock of this machine, then get a new token from the service.';

/** No such claim, or one that is null. */
export function isAbsent(claim: unknown): claim is undefined | null {
	return claim === undefined || claim === null;
}

function isTime(value: unknown): value is number {
	return typeof value === 'number' && Number.isFinite(value);
}

function missingClaim(claim: string, what: string): SignOnFinding {
	return {
		code: `missing_${claim}`,
		message: `The token has no ${what} (${claim})`,
		next: 'Check that this is the right kind of token, then get a new one from the service.',
	};
}

/** `iss` has to be the issuer, character by character. */
function issuerFindings(claims: Claims, issuer: string): SignOnFinding[] {
	if (claims.iss === issuer) return [];
	const next =
		"Check the Issuer URL of the credential against discovery's issuer, and where the token comes from.";
	return [{ code: 'wrong_issuer', message: 'The token was issued by another issuer (iss)', next }];
}

/** The audiences of a token: `aud` is one text or a list of texts. */
export function audiencesOf(claims: Claims): string[] {
	const listed = Array.isArray(claims.aud) ? claims.aud : [claims.aud];
	return listed.every((audience) => typeof audience === 'string') ? listed : [];
}

/** `aud` has to name one of the accepted audiences. */
function audienceFindings(claims: Claims, accepted: readonly string[]): SignOnFinding[] {
	if (audiencesOf(claims).some((audience) => accepted.includes(audience))) return [];
	const next = 'Check the client ID of the credential or the Audience; the token is for another application.';
	return [{ code: 'wrong_audience', message: 'The token is meant for another audience (aud)', next }];
}

const EXPIRED = { code: 'expired', message: 'The token has expired (exp)', next: GET_A_NEW_ONE };
const TOO_EARLY = { code: 'not_yet_valid', message: 'The token is not valid yet (nbf)', next: CHECK_CLOCKS };
const FROM_THE_FUTURE = {
	code: 'from_the_future',
	message: 'The token was issued in the future (iat)',
	next: CHECK_CLOCKS,
};

/** `exp` has to be there and not over, `nbf` over when it is there, `iat` not in the future. */
function timeFindings(
	{ exp, nbf, iat }: Claims,
	{ now, clockTolerance: tolerance }: JwtExpectation,
	optional: ReadonlyArray<'exp' | 'iat'>,
): SignOnFinding[] {
	const seconds = Math.floor(now / 1000);
	const mayLackEnd = optional.includes('exp') && isAbsent(exp);
	const mayLackIssue = optional.includes('iat') && iat === undefined;
	return applicableFindings(
		[!isTime(exp) && !mayLackEnd, missingClaim('exp', 'end time')],
		[isTime(exp) && exp + tolerance <= seconds, EXPIRED],
		[nbf !== undefined && (!isTime(nbf) || nbf - tolerance > seconds), TOO_EARLY],
		[!isTime(iat) && !mayLackIssue, missingClaim('iat', 'issue time')],
		[isTime(iat) && iat - tolerance > seconds, FROM_THE_FUTURE],
	);
}

/** A claim that has to be text with something in it. */
export function requiredTextFindings(claims: Claims, claim: string, what: string): SignOnFinding[] {
	return isFilledText(claims[claim]) ? [] : [missingClaim(claim, what)];
}

/**
 * The token's own word for its kind (`typ`), lower-case, without the `application/` that may stand before it; empty where it is no
 * text. Trap: `String()` throws for an object such as `{"toString": null}`.
 */
export function kindIn({ typ }: ReadJwt['header']): string | undefined {
	if (typeof typ !== 'string') return typ === undefined ? undefined : '';
	return typ.toLowerCase().replace(/^application\//, '');
}
