/**
 * What the token endpoint refuses, in plain words with what to do (RFC 6749 section 5.2). The service's document
 * does not show its bodies, so everything that is not one of the standard's codes is told by its status.
 */
import { readRefusal, type Refusal } from '../contract/refusal';
import type { Reason } from '../failure';
import { isSignOnUnavailable } from '../transport/askIssuer';
import { isPassingCode } from '../transport/oauthError';
import type { Reply } from '../transport/request';
import { refusalDetails } from '../transport/requestFailure';

/** The grants of the service's document, "Token request". */
export type Grant = 'authorization_code' | 'refresh_token' | 'client_credentials';

type RefusalWords = Pick<Reason, 'code' | 'message' | 'next'>;

const SEND_TO_START = 'Send the visitor to the start of the sign-on again';

const NOT_ACCEPTED: Record<Grant, RefusalWords> = {
	authorization_code: {
		message:
			'The sign-on does not accept the code: it was used before, is older than 5 minutes, or does not belong to this client, redirect URI or code verifier',
		next: `${SEND_TO_START}. If it happens every time, check that Redirect URI is the one the sign-on was started with, and that the workflow redeems each code only once.`,
	},
	refresh_token: {
		message:
			'The sign-on does not accept the refresh token: it has expired, was withdrawn or replaced, or belongs to another client',
		next: `Use the refresh token of the newest answer. If that is this one, the user has to log in again: ${SEND_TO_START.toLowerCase()}.`,
	},
	client_credentials: {
		message: 'The sign-on does not give this client a token of its own',
		next: 'Ask the operator of the service whether machine access is switched on for this client.',
	},
};

const REFUSED_CLIENT: RefusalWords = {
	message: 'The sign-on does not accept the client ID or the client secret',
	next: 'Check Client ID and Client Secret in the credential.',
};

const BUSY: RefusalWords = {
	message: 'The sign-on is busy at the moment',
	next: 'Run the item again later.',
};

const BY_CODE = new Map<string | undefined, RefusalWords>(
	Object.entries({
		invalid_client: REFUSED_CLIENT,
		unauthorized_client: {
			message: 'The sign-on does not let this client get tokens in this way',
			next: 'Ask the operator of the service which grants are switched on for this client.',
		},
		unsupported_grant_type: {
			message: 'The sign-on does not know this way to get tokens',
			next: 'Check the Issuer URL of the credential, and ask the operator of the service.',
		},
		invalid_scope: {
			message: 'The sign-on does not give this client one of the scopes',
			next: 'Check Scope for misspelled names, and ask the operator of the service which scopes the client may have.',
		},
		invalid_request: {
			message: 'The sign-on finds something missing or double in the request',
			next: 'Check that every parameter of this node is filled once and in full.',
		},
	}),
);

/** The sign-on's own words, behind ours. */
export function saidBy({ message }: Refusal): string {
	return message === undefined ? '' : ` The sign-on says: ${message}`;
}

function wordsOf(code: string | undefined, status: number, grant: Grant): RefusalWords | undefined {
	if (isPassingCode(code)) return BUSY;
	// Trap: with 401 some sign-ons call a wrong secret so.
	if (code === 'unauthorized_client' && status === 401) return REFUSED_CLIENT;
	return code === 'invalid_grant' ? NOT_ACCEPTED[grant] : BY_CODE.get(code);
}

function byStatus(reply: Reply): RefusalWords | undefined {
	if (isSignOnUnavailable(reply)) return undefined;
	if (reply.status === 401) return { code: 'invalid_client', ...REFUSED_CLIENT };
	if (reply.status === 404) {
		return {
			code: 'not_found',
			message: 'There is no token address below the Issuer URL (404)',
			next: 'Check the Issuer URL of the credential: it is the address before /connect/token.',
		};
	}
	return {
		message: `The sign-on refused the request with status ${reply.status}`,
		next: 'Check the credential and the parameters of this node.',
	};
}

/**
 * Reads a refusal of the token endpoint; undefined for what is told as everywhere.
 * @param reply the requester has struck out what must not come back
 */
export function refusedGrant(grant: Grant, reply: Reply): Reason | undefined {
	const refusal = readRefusal(reply.text);
	const { code } = refusal;
	// Trap: where the sign-on itself failed, a code may be spent whatever it is called: that is told as everywhere.
	const words = (reply.status < 500 ? wordsOf(code, reply.status, grant) : undefined) ?? byStatus(reply);
	if (words === undefined) return undefined;
	const next = words.next + saidBy(refusal);
	return { origin: 'signOn', ...words, next, ...refusalDetails(reply, Date.now()) };
}
