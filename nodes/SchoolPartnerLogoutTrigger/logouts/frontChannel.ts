/**
 * A front-channel logout: the service's logout screen loads our address in an iframe and adds `Sid` (service
 * document, "Logout callback to the partner"; OpenID Connect Front-Channel Logout 1.0 section 2 spells it `sid`
 * and may add `iss`).
 */
import { baseAddress } from '../../shared/contract/address';
import { success } from '../../shared/failure';
import { applicableFindings, rejected, type Checked } from '../../shared/oidc/finding';

import { logoutFinding } from './logoutFinding';

/** Longer session ids than this are nobody's. */
export const LONGEST_SID = 255;

/** Visible ASCII without spaces: what every session id is made of. */
const SID = /^[\x21-\x7e]+$/;

const NO_SID = logoutFinding('no_sid', 'The request names no session (Sid)');
const UNREADABLE_SID = logoutFinding(
	'unreadable_sid',
	`The session id (Sid) is given twice, longer than ${LONGEST_SID} characters or not plain text`,
);
const WRONG_LOGOUT_ISSUER = logoutFinding('wrong_issuer', 'The request comes from another issuer (iss)');

/** All values under a name, whatever its case: the document writes `Sid`, the standard `sid`. */
function queryValues(query: Readonly<Record<string, unknown>>, name: string): unknown[] {
	return Object.entries(query)
		.filter(([key]) => key.toLowerCase() === name)
		.flatMap(([, value]) => (Array.isArray(value) ? value : [value]))
		.filter((value) => value !== '');
}

function isSid(value: unknown): value is string {
	return typeof value === 'string' && value.length <= LONGEST_SID && SID.test(value);
}

/**
 * Reads the query of a front-channel logout.
 * @param issuer the credential's issuer; `iss` is held against it only when it is sent
 */
export function readFrontChannel(
	query: Readonly<Record<string, unknown>>,
	issuer: string,
): Checked<{ sid: string; iss: string | null }> {
	const sids = [...new Set(queryValues(query, 'sid'))];
	const issuers = queryValues(query, 'iss');
	const isOurs = (value: unknown) => typeof value === 'string' && baseAddress(value) === baseAddress(issuer);
	const findings = applicableFindings(
		[sids.length === 0, NO_SID],
		[sids.length > 1 || !sids.every(isSid), UNREADABLE_SID],
		[!issuers.every(isOurs), WRONG_LOGOUT_ISSUER],
	);
	const [sid] = sids;
	if (findings.length > 0 || !isSid(sid)) return rejected(...findings);
	return success({ sid, iss: issuers.length === 0 ? null : String(issuers[0]) });
}
