import { generateKeyPair } from 'node:crypto';
import { promisify } from 'node:util';
import { exportJWK, type JSONWebKeySet, type JWK } from 'jose';

export interface SigningKeys {
	readonly privateKeys: JWK[];
	readonly publicKeys: JSONWebKeySet;
}

/** A fresh RSA key for RS256; a restarted issuer has another one, as after a rotation. */
export async function makeSigningKeys(): Promise<SigningKeys> {
	const { privateKey, publicKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
	const kid = Date.now().toString(36) + Math.floor(Math.random() * 1e6).toString(36);
	const naming = { kid, alg: 'RS256', use: 'sig' };
	return {
		privateKeys: [{ ...(await exportJWK(privateKey)), ...naming }],
		publicKeys: { keys: [{ ...(await exportJWK(publicKey)), ...naming }] },
	};
}
