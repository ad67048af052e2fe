/**
 * What the token endpoint refuses, in plain words with what to do (RFC 6749 section 5.2). The service's document
 * does not show its bodies, so everything that is not one of the standard's codes is told by its status.
 */
import { readRefusal, type Refusal } from '../contract/refusal';
import type { SignOnFinding } from '../oidc/finding';

/** The grants of the service's document, "Token request". */
export type Grant = 'authorization_code' | 'refresh_token' | 'client_credentials';

type FindingWords = Omit<SignOnFinding, 'code'>;

const SEND_TO_START = 'Send the visitor to the start of the sign-on again';

const NOT_ACCEPTED: Record<Grant, FindingWords> = {
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

const KNOWN_CODES: Record<string, FindingWords> = {
	invalid_client: {
		message: 'The sign-on does not accept the client ID or the client secret',
		next: 'Check Client ID and Client Secret in the credential.',
	},
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
	invalid_target: {
		message: 'The sign-on does not give tokens for this resource',
		next: 'Ask the operator of the service which resources the client may use.',
	},
	invalid_request: {
		message: 'The sign-on finds something missing or double in the request',
		next: 'Check that every parameter of this node is filled once and in full.',
	},
	temporarily_unavailable: {
		message: 'The sign-on is busy at the moment',
		next: 'Run the workflow again later.',
	},
};

/** What is spent by being sent, and may be spent although the answer says nothing of it. */
const MAY_BE_SPENT: Record<Grant, string> = {
	authorization_code: ' The code may count as used: the user may have to log in again.',
	refresh_token: ' The refresh token may count as used: the user may have to log in again.',
	client_credentials: '',
};

/** The sign-on's own words, behind ours. */
export function saidBy({ message }: Refusal): string {
	return message === undefined ? '' : ` The sign-on says: ${message}`;
}

function byStatus(grant: Grant, status: number): SignOnFinding {
	if (status === 401) return { code: 'invalid_client', ...KNOWN_CODES.invalid_client };
	if (status === 404) {
		return {
			code: 'not_found',
			message: 'There is no token address below the Issuer URL (404)',
			next: 'Check the Issuer URL of the credential: it is the address before /connect/token.',
		};
	}
	const again = status >= 500 || status === 429;
	// A sign-on that is busy (503) has not taken the request; any other trouble of its may have come after the work.
	const spent = status >= 500 && status !== 503 ? MAY_BE_SPENT[grant] : '';
	return {
		code: again ? 'unavailable' : 'refused',
		message: `The sign-on refused the request with status ${status}`,
		next: again
			? `Run the workflow again later.${spent}`
			: 'Check the credential and the parameters of this node.',
	};
}

function saying(finding: SignOnFinding, refusal: Refusal): SignOnFinding {
	return { ...finding, next: finding.next + saidBy(refusal) };
}

/**
 * Reads a refusal of the token endpoint.
 * @param body possibly empty; the requester has struck out what must not come back
 */
export function refusedGrant(grant: Grant, status: number, body: string): SignOnFinding {
	const refusal = readRefusal(body);
	const { code = '' } = refusal;
	const words = code === 'invalid_grant' ? NOT_ACCEPTED[grant] : KNOWN_CODES[code];
	if (words === undefined || !Object.hasOwn({ ...KNOWN_CODES, invalid_grant: 0 }, code))
		return saying(byStatus(grant, status), refusal);
	return saying({ code, ...words }, refusal);
}
