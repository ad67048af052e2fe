import './before-provider.mts';
import { Provider, type AccessToken, type AdapterPayload } from 'oidc-provider';
import { SignJWT, importJWK } from 'jose';
import type { LogoutDelivery } from '../admin-types.mts';
import { clientMetadata } from './clients.mts';
import { configurationOf, type IssuerOptions } from './configuration.mts';
import { makeSigningKeys } from './keys.mts';
import { variedLogoutToken, type LogoutVariation } from './logout-variants.mts';
import { endSessionsOf, LogoutRecords } from './logout.mts';
import { IdentityMemory } from './memory-adapter.mts';
import { tokenEndpoint } from './token-endpoint.mts';
import { TokenRegister } from './token-register.mts';

export interface Issuer {
	readonly options: IssuerOptions;
	readonly provider: Provider;
	readonly memory: IdentityMemory;
	readonly tokens: TokenRegister;
	readonly logouts: LogoutRecords;
	/** Signs any claims with the issuer's own key: for tests of those who check its tokens. */
	sign(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
	/** Ends every session of an account and calls the partner's back channel; gives what was delivered. */
	endSessions(accountId: string): Promise<LogoutDelivery[]>;
}

/** One issuer: oidc-provider under the documented paths, with clients that can change at run time. */
export async function createIssuer(options: IssuerOptions): Promise<Issuer> {
	const keys = await makeSigningKeys();
	const memory = new IdentityMemory();
	const tokens = new TokenRegister(options.issuerUrl, options.baseUrl, keys.publicKeys);
	const [signingKey] = keys.privateKeys;
	const sign: Issuer['sign'] = async (claims, header = {}) =>
		await new SignJWT(claims)
			.setProtectedHeader({ alg: 'RS256', kid: signingKey.kid, ...header })
			.sign(await importJWK(signingKey, 'RS256'));
	const variation: LogoutVariation = {
		variants: () => options.settings.variants,
		tenantId: () => options.world().tenant.id,
		sign,
	};
	const logouts = new LogoutRecords(async (token) => await variedLogoutToken(token, variation));
	const adapter = (model: string) =>
		memory.adapterFor(model, {
			Client: async (id) =>
				id === options.registration.clientId ? clientMetadata(options.registration) : undefined,
			AccessToken: async (text) => await userToken(memory, tokens, text),
		});
	const configuration = configurationOf(options, logouts, adapter, keys.privateKeys);
	const provider = new Provider(options.issuerUrl, configuration);
	provider.use(tokenEndpoint(options.settings));
	// The session id is in every id token: front-channel partners need it too, not only back-channel ones.
	provider.Client.prototype.includeSid = () => true;
	provider.on('client_credentials.issued', ({ jti }) => tokens.issued(jti));
	provider.on('access_token.issued', (token) => keepUserToken(memory, tokens, token));
	provider.on('grant.revoked', (_ctx, grantId) => tokens.expireGrant(grantId));
	provider.on('server_error', (_ctx, error) => console.error('Sign-on:', error));
	return {
		options,
		provider,
		memory,
		tokens,
		logouts,
		sign,
		endSessions: async (accountId) => await endSessionsOf(provider, memory, logouts, accountId),
	};
}

/** A JWT access token is not stored by the provider, which therefore cannot find it again at user-info. */
function keepUserToken(memory: IdentityMemory, tokens: TokenRegister, token: AccessToken): void {
	const { jti, accountId, clientId, grantId, scope, claims, sessionUid, expiresWithSession, gty } = token;
	tokens.issued(jti, grantId);
	const kept = {
		jti,
		kind: 'AccessToken',
		accountId,
		clientId,
		grantId,
		scope,
		claims,
		sessionUid,
		expiresWithSession,
		gty,
	};
	memory.set('AccessToken', jti, kept, token.expiration);
}

/** What the provider would have stored of the token with this text; without audience, so that user-info takes it. */
async function userToken(
	memory: IdentityMemory,
	tokens: TokenRegister,
	text: string,
): Promise<AdapterPayload | undefined> {
	const claims = await tokens.claimsOf(text);
	const kept = claims && memory.get('AccessToken', claims.jti);
	return kept && { ...kept, iat: claims.iat, exp: claims.exp };
}
