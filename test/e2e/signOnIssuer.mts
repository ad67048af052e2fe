/**
 * An issuer that signs what a test tells it to, honest or not: discovery document and keys over real HTTP. The
 * honest sign-on of the sandbox (a certified provider) would refuse to send such tokens.
 */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { rsaSigner, signed, type Signer } from '../unit/signOn/peer.mts';

export interface TestIssuer {
	readonly url: string;
	/** The key that signs now. */
	readonly signer: Signer;
	/** How often the keys were asked for. */
	asked(): number;
	/** From now on another key signs, and only that one is published. */
	changeKey(): void;
	/** While true, discovery and keys are answered 503. */
	setDown(isDown: boolean): void;
	/** So many of the next answers are sent byte by byte, without an end. */
	drip(answers: number): void;
	stop(): Promise<void>;
}

export async function startIssuer(): Promise<TestIssuer> {
	let signer = rsaSigner('key-1');
	let asked = 0;
	let isDown = false;
	let dripping = 0;
	const server: Server = createServer((request, response) => {
		const answer = (status: number, body: object) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
		if (dripping > 0) {
			dripping--;
			response.writeHead(200, { 'content-type': 'application/json' });
			const drip = setInterval(() => response.write(' '), 200);
			response.once('close', () => clearInterval(drip));
		} else if (isDown) answer(503, {});
		else if (request.url === '/.well-known/openid-configuration')
			answer(200, { issuer: url, jwks_uri: `${url}/keys` });
		else if (request.url === '/keys') {
			asked++;
			answer(200, { keys: [signer.jwk] });
		} else answer(404, {});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		url,
		get signer() {
			return signer;
		},
		asked: () => asked,
		changeKey: () => {
			signer = rsaSigner(`key-${Math.random()}`);
		},
		setDown: (down) => {
			isDown = down;
		},
		drip: (answers) => {
			dripping = answers;
		},
		stop: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

export const LOGOUT_EVENT = 'http://schemas.openid.net/event/backchannel-logout';

let count = 0;

/** Claims as in OpenID Connect Back-Channel Logout 1.0 section 2.4, with an identifier of their own. */
export function logoutClaims(issuer: string, audience: string) {
	const now = Math.floor(Date.now() / 1000);
	return {
		iss: issuer,
		aud: audience,
		sub: 'account-17',
		sid: 'session-4',
		iat: now,
		exp: now + 120,
		jti: `logout-${Date.now()}-${++count}`,
		events: { [LOGOUT_EVENT]: {} },
	};
}

/** A logout token as it should be. */
export function logoutToken({ url, signer }: TestIssuer, audience: string, changes: object = {}): string {
	return signed({ ...logoutClaims(url, audience), ...changes }, signer, { typ: 'logout+jwt' });
}
