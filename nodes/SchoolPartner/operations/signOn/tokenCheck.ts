/**
 * Whether an ID token or an access token of the service can be believed (service document, "Authentication":
 * issuer authority and audience; OpenID Connect Core 1.0 section 3.1.3.7; RFC 9068 for access tokens).
 */
import {
	audiencesOf,
	BACK_CHANNEL_LOGOUT_EVENT,
	kindIn,
	requiredTextFindings,
	verifyJwt,
	type Claims,
	type JwtExpectation,
} from '../../../shared/oidc/verifyJwt';
import type { ReadJwt } from '../../../shared/oidc/jwt';
import type { KeySet } from '../../../shared/oidc/issuerKeys';
import { applicableFindings, type SignOnFinding, type Checked } from '../../../shared/oidc/finding';

export type TokenUse = 'idToken' | 'accessToken';

export interface TokenExpectation extends JwtExpectation {
	readonly use: TokenUse;
	/** For the `azp` of ID tokens with several audiences, as each of the audiences may be. */
	readonly clientId: string;
	/** The nonce that was sent with the authorization request; empty when none was. */
	readonly nonce: string;
}

const WRONG_KIND: SignOnFinding = {
	code: 'wrong_kind',
	message: 'The token is of another kind than the one to be checked',
	next: 'Check that Token Use fits: the ID token tells who logged in, the access token opens the interfaces.',
};
const WRONG_NONCE: SignOnFinding = {
	code: 'wrong_nonce',
	message: 'The ID token does not belong to this sign-on (nonce)',
	next: 'Send the visitor to the start of the sign-on again.',
};
const WRONG_PARTY: SignOnFinding = {
	code: 'wrong_authorized_party',
	message: 'The ID token was issued to another client (azp)',
	next: 'Check the client ID of the credential.',
};

const TOKEN_KINDS: Record<TokenUse, readonly string[]> = {
	idToken: ['jwt'],
	accessToken: ['jwt', 'at+jwt'],
};

/**
 * Trap: all tokens of an issuer are signed with the same keys. What makes an ID token one is who it is for and
 * what is in it, so a logout token or an access token must not pass for one, nor the other way round.
 */
function isOfAnotherKind({ header, payload }: ReadJwt, use: TokenUse): boolean {
	const kind = kindIn(header);
	if (kind !== undefined && !TOKEN_KINDS[use].includes(kind)) return true;
	const { events } = payload;
	if (typeof events === 'object' && events !== null && BACK_CHANNEL_LOGOUT_EVENT in events) return true;
	const marksOfIdTokens = ['nonce', 'at_hash', 'c_hash'].some((claim) => payload[claim] !== undefined);
	return use === 'accessToken' && kind !== 'at+jwt' && marksOfIdTokens;
}

function idTokenFindings(claims: Claims, expected: TokenExpectation): SignOnFinding[] {
	const { azp } = claims;
	const needsParty = audiencesOf(claims).length > 1;
	const parties: unknown[] = [expected.clientId, ...expected.audiences];
	return [
		...requiredTextFindings(claims, 'sub', 'user'),
		...applicableFindings(
			[expected.nonce !== '' && claims.nonce !== expected.nonce, WRONG_NONCE],
			[azp === undefined ? needsParty : !parties.includes(azp), WRONG_PARTY],
		),
	];
}

/** @param expected the audiences: client id, application name or resource */
export async function checkToken(
	token: string,
	expected: TokenExpectation,
	keys: KeySet,
): Promise<Checked<ReadJwt>> {
	const isIdToken = expected.use === 'idToken';
	return await verifyJwt(token, expected, keys, {
		optional: isIdToken ? [] : ['iat'],
		kindFindings: (jwt) => applicableFindings([isOfAnotherKind(jwt, expected.use), WRONG_KIND]),
		claimFindings: ({ payload }) => (isIdToken ? idTokenFindings(payload, expected) : []),
	});
}
