/** Why it failed, in n8n's own words (n8n-workflow, errors/failure), read from the data of a failure. Pure. */
import type { Failure } from '../failure';

type Timed = 'rate-limited' | 'temporarily-unavailable';
type FailureCause = Timed | 'credential-invalid' | 'configuration-invalid';

/** Of a token that n8n is refused with the values of the credential alone (RFC 6749 section 5.2). */
const OAUTH = [
	...['invalid_client', 'unauthorized_client', 'invalid_grant'],
	...['invalid_scope', 'invalid_request', 'unsupported_grant_type'],
];

const OF_CODES: ReadonlyArray<[cause: FailureCause, codes: readonly string[]]> = [
	['temporarily-unavailable', ['refused', 'timeout', 'broken']],
	['configuration-invalid', ['unresolved', 'untrusted', 'invalidAddress', 'blocked', 'no_token']],
	['credential-invalid', ['not_connected', 'refused_client', ...OAUTH]],
];

/** Undefined where n8n has no word for it. The status counts before the code, which may be any word of the service. */
export function causeOf({ status, code }: Pick<Failure, 'status' | 'code'>): FailureCause | undefined {
	if (status === 429) return 'rate-limited';
	if (status !== undefined && status >= 500) return 'temporarily-unavailable';
	if (status !== undefined && code !== 'no_token') return ofStatus(status);
	return OF_CODES.find(([, codes]) => code !== undefined && codes.includes(code))?.[0];
}

function ofStatus(status: number): FailureCause | undefined {
	if (status >= 300 && status < 400) return 'configuration-invalid';
	return status === 401 || status === 403 ? 'credential-invalid' : undefined;
}

/** True for what may pass by itself, so that n8n is told how long to wait. */
export function isTimed(cause: FailureCause): cause is Timed {
	return cause === 'rate-limited' || cause === 'temporarily-unavailable';
}
