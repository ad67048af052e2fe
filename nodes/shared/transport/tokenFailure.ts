/** Why no token could be fetched, read from what n8n's OAuth2 helper throws. Pure. */
import { quoted } from '../contract/quoted';
import type { Failure } from '../failure';

import { isPassingCode, noTokenBehind, thrownAtFirst } from './oauthError';
import { OF_PROXY } from './requestWords';
import { withoutSecrets } from './secrets';
import { IN_BRACKETS, isTroubleOfN8n, troubleOf, type Trouble } from './trouble';

/** `lasting`: asking again with the same credential gives the same answer. */
export interface TokenFailure {
	failure: Failure;
	lasting: boolean;
}

/** Whose token it was to be. */
export interface Asker {
	/** A person connected the credential; otherwise the client asks for itself. */
	isConnected?: boolean;
	/** What must not come back in the words of the sign-on area. */
	secrets?: Iterable<string>;
}

/** @param issuer the address of the sign-on area, as the credential names it */
export function tokenFailure(caught: unknown, issuer: string, asker: Asker = {}): TokenFailure {
	const thrown = thrownAtFirst(caught);
	const found = noTokenBehind(thrown);
	if (found?.kind === 'client')
		return { lasting: !isPassingCode(found.code), failure: refusedClient(found.code, asker) };
	// Without its status nobody knows whether the next answer will be the same.
	if (found?.kind === 'unreadable') return { ...answeredWithoutToken(issuer), lasting: false };
	if (found !== undefined) {
		const { status } = found;
		return { lasting: status < 500 && status !== 429, failure: refusedStatus(status, issuer) };
	}
	const trouble = troubleOf(thrown);
	return {
		lasting: trouble === 'invalidAddress' || trouble === 'untrusted' || trouble === 'blocked',
		failure: unreachable(trouble, issuer),
	};
}

const CHECK_CLIENT = 'Check Client ID and Client Secret in the credential.';
const CHECK_ALL =
	'Check the values in the credential, and that the client may use the client credentials grant.';
// Not the workflow: what it has created before would be sent a second time.
const LATER = 'Run the item again later.';

const CONNECT_AGAIN = 'Open the credential, click Connect and log in again.';

/** What to do about the codes of RFC 6749 section 5.2. */
function advice(code: string, isConnected = false): string {
	if (isPassingCode(code)) return LATER;
	if (code === 'invalid_client' || code === 'unauthorized_client') return CHECK_CLIENT;
	if (!isConnected)
		return code === 'invalid_scope' ? 'Check Scope in the credential; it may be left empty.' : CHECK_ALL;
	return code === 'invalid_grant'
		? `The connection of this credential has ended. ${CONNECT_AGAIN}`
		: CONNECT_AGAIN;
}

/** Of an answer that is no refusal of the client and holds no token. */
const NO_TOKEN = 'no_token';

/** Longest code that is quoted: those of the standard have at most 25 characters. */
const LONGEST_CODE = 100;

/**
 * Trap: struck out before it is cut, or the half of a secret would stay.
 * @param code undefined when n8n does not say which one
 */
function refusedClient(code: string | undefined, { isConnected, secrets = [] }: Asker): Failure {
	const named = code === undefined ? undefined : quoted(withoutSecrets(code, secrets), LONGEST_CODE);
	return {
		origin: 'signOn',
		effect: 'none',
		code: named ?? 'refused_client',
		message: `The sign-on area gives no token${named === undefined ? '' : `: ${named}`}`,
		next: advice(code ?? '', isConnected),
	};
}

function refusedStatus(status: number, issuer: string): Failure {
	const [message, next] = OF_PROXY;
	if (status === 407) return { origin: 'network', effect: 'none', status, code: NO_TOKEN, message, next };
	return {
		origin: 'signOn',
		effect: 'none',
		status,
		code: NO_TOKEN,
		message: `The sign-on area at ${issuer} gives no token (${status})`,
		next: adviceForStatus(status),
	};
}

const CHECK_ADDRESS =
	'Check that Issuer URL in the credential is the address of the sign-on area, without /connect/token at its end.';

/** Trap: the service's document shows no body of a 401, and a wrong secret may be answered with nothing else. */
function adviceForStatus(status: number): string {
	if (status >= 500 || status === 429) return LATER;
	return status === 401 ? `${CHECK_CLIENT}\n${CHECK_ADDRESS}` : CHECK_ADDRESS;
}

/** The sign-on area, or whatever is in its place, says that all is well and gives no token. */
export function answeredWithoutToken(issuer: string): TokenFailure {
	return {
		lasting: true,
		failure: {
			origin: 'signOn',
			effect: 'none',
			code: NO_TOKEN,
			message: `The answer of the sign-on area at ${issuer} holds no token`,
			next: 'Check that Issuer URL in the credential is the address of the sign-on area, and run the item again later.',
		},
	};
}

const ofN8n = (lasting: boolean, message: string, next: string): TokenFailure => ({
	lasting,
	failure: { origin: 'n8n', effect: 'none', message, next },
});

/** n8n does not give the credential that it gave when the run began. */
export const CREDENTIAL_NOT_READ = ofN8n(
	false,
	'n8n could not read the credential again to renew its token',
	'Run the item again. If it happens once more, open the credential and save it anew.',
);

/** Somebody has saved another address or client in the credential since the run began. */
export const CREDENTIAL_CHANGED = ofN8n(
	true,
	'The credential was changed during the run: it has another address or Client ID now',
	'Run again what failed: it is sent with the credential as it is then.',
);

/** There was no token when the time of an attempt was over. It may be there at the next. */
export function noTokenInTime(issuer: string): TokenFailure {
	return { lasting: false, failure: unreachable('timeout', issuer) };
}

function unreachable(trouble: Trouble, issuer: string): Failure {
	return {
		origin: isTroubleOfN8n(trouble) ? 'n8n' : 'signOn',
		effect: 'none',
		code: trouble,
		message: `The sign-on area at ${issuer} cannot be reached, so there is no token`,
		next: `Check Issuer URL in the credential, and that n8n can reach it (${IN_BRACKETS[trouble]}).`,
	};
}
