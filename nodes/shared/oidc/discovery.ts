/**
 * The discovery document (service document, GET `/.well-known/openid-configuration`, content not shown; OpenID
 * Connect Discovery 1.0 sections 3 and 4.3). Only what is used here is demanded; the rest is passed on.
 */
import * as z from 'zod/v4-mini';

import { baseAddress, parsedAddress } from '../contract/address';
import { success } from '../failure';

import { endpointOf } from './addresses';
import { applicableFindings, rejected, type SignOnFinding, type Checked } from './finding';

const discoveryShape = z.looseObject({ issuer: z.string(), jwks_uri: z._default(z.string(), '') });

/** A discovery document whose issuer is the one that was asked. */
export type Discovery = z.infer<typeof discoveryShape>;

const NOT_DISCOVERY: SignOnFinding = {
	code: 'not_a_discovery_document',
	message: 'The address of the issuer did not answer with a discovery document',
	next: 'Check the Issuer URL of the credential: it is the address before /.well-known/openid-configuration.',
};
const WRONG_DISCOVERY_ISSUER: SignOnFinding = {
	code: 'issuer_does_not_match',
	message: 'The discovery document belongs to another issuer',
	next: 'Enter the issuer exactly as the operator of the service gave it as Issuer URL of the credential.',
};
const NO_KEY_ADDRESS: SignOnFinding = {
	code: 'no_key_address',
	message: 'The discovery document does not say where the keys are (jwks_uri), or not under https',
	next: 'Ask the operator of the service for a complete discovery document.',
};

/** Gets the JSON behind an address, or says why it cannot. */
export type FetchJson = (address: string) => Promise<Checked<unknown>>;

/** The discovery document of the issuer that a credential names. */
export async function fetchDiscovery(issuer: string, fetchJson: FetchJson): Promise<Checked<Discovery>> {
	const answer = await fetchJson(endpointOf(issuer, 'discovery'));
	return answer.ok ? readDiscovery(answer.value, issuer) : answer;
}

/**
 * Reads the answer. A trailing slash may differ between the credential and the document; everything else of the
 * issuer has to be the same. Tokens are then held against the document's own spelling.
 */
export function readDiscovery(body: unknown, issuer: string): Checked<Discovery> {
	const read = z.safeParse(discoveryShape, body);
	if (!read.success) return rejected(NOT_DISCOVERY);
	const findings = applicableFindings(
		[baseAddress(read.data.issuer) !== baseAddress(issuer), WRONG_DISCOVERY_ISSUER],
		[!isKeyAddress(read.data.jwks_uri, issuer), NO_KEY_ADDRESS],
	);
	return findings.length > 0 ? rejected(...findings) : success(read.data);
}

/** Trap: whoever stands on the way to keys under http signs tokens (OpenID Connect Discovery 1.0 section 3 demands https). */
function isKeyAddress(address: string, issuer: string): boolean {
	const protocol = parsedAddress(address)?.protocol;
	return protocol === 'https:' || (protocol === 'http:' && parsedAddress(issuer)?.protocol === 'http:');
}
