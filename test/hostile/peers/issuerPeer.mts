/** An issuer whose documents come as an attack wants: keys that drip, redirects, tokens that nobody should believe. */
import type { Signer } from '../../unit/signOn/peer.mts';

import { json, startPeer, type Answer, type Peer } from './servicePeer.mts';

export interface IssuerPeer extends Peer {
	/** Replaces the answer for the published keys; undefined: the honest one. */
	answerKeys(answer: Answer | undefined): void;
	/** Replaces the answer for the discovery document. */
	answerDiscovery(answer: Answer | undefined): void;
	/** Replaces the answer for tokens. */
	answerToken(answer: Answer | undefined): void;
	/** Times that the keys were asked for. */
	asked(): number;
}

export const DISCOVERY_PATH = '/.well-known/openid-configuration';
export const KEYS_PATH = '/keys';

/** @param signers whose public keys are published */
export async function startIssuer(signers: readonly Signer[]): Promise<IssuerPeer> {
	let keys: Answer | undefined;
	let discovery: Answer | undefined;
	let token: Answer | undefined;
	const peer = await startPeer(
		(received, response) => {
			const honestDiscovery = json(200, { issuer: peer.url, jwks_uri: `${peer.url}${KEYS_PATH}` });
			const honestKeys = json(200, { keys: signers.map(({ jwk }) => jwk) });
			if (received.url === DISCOVERY_PATH) (discovery ?? honestDiscovery)(received, response);
			else if (received.url === KEYS_PATH) (keys ?? honestKeys)(received, response);
			else json(404, {})(received, response);
		},
		(received, response) => (token ?? json(400, { error: 'invalid_grant' }))(received, response),
	);
	return {
		...peer,
		answerKeys: (answer) => void (keys = answer),
		answerDiscovery: (answer) => void (discovery = answer),
		answerToken: (answer) => void (token = answer),
		asked: () => peer.received.filter(({ url }) => url === KEYS_PATH).length,
	};
}
