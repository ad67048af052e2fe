/**
 * The `state` of a sign-on that n8n never has to remember: it carries the PKCE verifier and the nonce to the
 * callback through the browser, sealed so that nobody there can read or change them.
 *
 * - AES-256-GCM; the key comes by HKDF-SHA256 (RFC 5869) from the client secret, with a purpose of its own, so
 *   that it is of no use for anything else the secret does.
 * - Sealed in it: issuer, client id, redirect URI, expiry, and the SHA-256 of the browser binding. The binding
 *   itself travels in a cookie only: a callback in a browser that did not start the sign-on is refused
 *   (OAuth 2.0 Security Best Current Practice, RFC 9700 section 4.7).
 * - Version and client mark stand in front in the clear, as additional authenticated data.
 */
import {
	createCipheriv,
	createDecipheriv,
	createHash,
	hkdfSync,
	randomBytes,
	timingSafeEqual,
} from 'node:crypto';

import { success } from '../../shared/failure';
import { applicableFindings, rejected, type SignOnFinding, type Checked } from '../../shared/oidc/finding';

/** How long a visitor may take from the start to the callback. */
export const STATE_LIFETIME_SECONDS = 600;

/** Most bytes (UTF-8) of the workflow's own text inside the state. */
export const ADDITIONAL_STATE_BYTES = 1024;

/** Longer ones are not even decoded. */
export const LONGEST_STATE = 8192;

const PURPOSE = 'n8n-nodes-school-partner sign-on state v1';
const KEY_BYTES = 32;
const IV_BYTES = 12;
const TAG_BYTES = 16;
const MARK_BYTES = 9;
const VERSION = 's1';

/** Who asks: the registered client, at which issuer, coming back to which address. */
export interface StateOwner {
	readonly issuer: string;
	readonly clientId: string;
	readonly clientSecret: string;
	readonly redirectUri: string;
}

/** What the callback needs again. */
export interface StateContent {
	readonly codeVerifier: string;
	readonly nonce: string;
	/** What was asked for, so that redeeming the code names the same. */
	readonly scope: string;
	/** The workflow's own text, at most {@link ADDITIONAL_STATE_BYTES} bytes; empty when there is none. */
	readonly additionalState: string;
}

interface Sealed extends StateContent {
	readonly issuer: string;
	readonly clientId: string;
	readonly redirectUri: string;
	/** Base64url SHA-256 of the browser binding. */
	readonly bindingHash: string;
	/** Milliseconds since 1970. */
	readonly expiresAt: number;
}

function stateKey(owner: StateOwner): Buffer {
	return Buffer.from(hkdfSync('sha256', owner.clientSecret, '', PURPOSE, KEY_BYTES));
}

function bindingHashOf(browserBinding: string): string {
	return createHash('sha256').update(browserBinding, 'utf8').digest('base64url');
}

/** Names the client without naming it, so that another client's state can be told from an altered one. */
function clientMark(owner: StateOwner): string {
	const mark = createHash('sha256').update(JSON.stringify([PURPOSE, owner.issuer, owner.clientId]));
	return mark.digest().subarray(0, MARK_BYTES).toString('base64url');
}

/**
 * Seals the content for its owner and browser.
 * @param now milliseconds since 1970
 * @returns the state (base64url and dots, safe in an address) and when it ends (milliseconds since 1970)
 */
export function sealState(
	owner: StateOwner,
	content: StateContent,
	browserBinding: string,
	now: number,
): { state: string; expiresAt: number } {
	const expiresAt = now + STATE_LIFETIME_SECONDS * 1000;
	const { issuer, clientId, redirectUri } = owner;
	const bindingHash = bindingHashOf(browserBinding);
	const sealed: Sealed = { ...content, issuer, clientId, redirectUri, bindingHash, expiresAt };
	const clear = `${VERSION}.${clientMark(owner)}`;
	const iv = randomBytes(IV_BYTES);
	const cipher = createCipheriv('aes-256-gcm', stateKey(owner), iv).setAAD(Buffer.from(clear));
	const body = Buffer.concat([iv, cipher.update(JSON.stringify(sealed), 'utf8'), cipher.final()]);
	return { state: `${clear}.${Buffer.concat([body, cipher.getAuthTag()]).toString('base64url')}`, expiresAt };
}

const START_AGAIN = 'Send the visitor to the start of the sign-on again.';

const OTHER_CLIENT: SignOnFinding = {
	code: 'state_of_another_client',
	message: 'The state was made for another client or another issuer',
	next: 'Use the same credential in the workflow that starts the sign-on and in the one that finishes it.',
};
const ALTERED: SignOnFinding = {
	code: 'state_altered',
	message: 'The state was altered on its way, or the client secret was changed since it was made',
	next: START_AGAIN,
};
const STATE_TOO_OLD: SignOnFinding = {
	code: 'state_expired',
	message: `The state is older than ${STATE_LIFETIME_SECONDS / 60} minutes`,
	next: START_AGAIN,
};
const OTHER_REDIRECT: SignOnFinding = {
	code: 'state_for_another_redirect',
	message: 'The state was made for another redirect URI',
	next: 'Fill in the same Redirect URI as in the node that made the authorization URL.',
};
const OTHER_BROWSER: SignOnFinding = {
	code: 'state_from_another_browser',
	message: 'The state was started in another browser than the one that came back',
	next: `Read Browser Binding from the cookie that was set at the start. ${START_AGAIN}`,
};

/** Decrypts, or gives nothing when a single bit is not as it was sealed. */
function unseal(owner: StateOwner, clear: string, sealed: Buffer): Sealed | undefined {
	try {
		const decipher = createDecipheriv('aes-256-gcm', stateKey(owner), sealed.subarray(0, IV_BYTES));
		// Trap: without a fixed tag length, GCM of node:crypto also accepts tags cut to 4 bytes.
		decipher.setAuthTag(sealed.subarray(-TAG_BYTES)).setAAD(Buffer.from(clear));
		const text =
			decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8');
		return JSON.parse(text) as Sealed;
	} catch {
		return undefined;
	}
}

/**
 * Opens a state at the callback.
 * @param now milliseconds since 1970
 * @returns what was sealed, or every reason against it
 */
export function openState(
	state: string,
	owner: StateOwner,
	browserBinding: string,
	now: number,
): Checked<StateContent> {
	const [version, mark, body, ...rest] = state.length > LONGEST_STATE ? [] : state.split('.');
	if (version !== VERSION || mark === undefined || body === undefined || rest.length > 0)
		return rejected(ALTERED);
	if (mark !== clientMark(owner)) return rejected(OTHER_CLIENT);
	const bytes = Buffer.from(body, 'base64url');
	// Trap: decoding ignores foreign characters and spare bits, so two texts can mean one state.
	const isCanonical = bytes.toString('base64url') === body && bytes.length > IV_BYTES + TAG_BYTES;
	const sealed = isCanonical ? unseal(owner, `${version}.${mark}`, bytes) : undefined;
	if (sealed === undefined) return rejected(ALTERED);

	const [bound, came] = [sealed.bindingHash, bindingHashOf(browserBinding)].map((hash) => Buffer.from(hash));
	const findings = applicableFindings(
		[sealed.issuer !== owner.issuer || sealed.clientId !== owner.clientId, OTHER_CLIENT],
		[sealed.redirectUri !== owner.redirectUri, OTHER_REDIRECT],
		[now >= sealed.expiresAt, STATE_TOO_OLD],
		[!timingSafeEqual(bound, came), OTHER_BROWSER],
	);
	if (findings.length > 0) return rejected(...findings);
	const { codeVerifier, nonce, scope, additionalState } = sealed;
	return success({ codeVerifier, nonce, scope, additionalState });
}
