import './node20.mts';
import type { Configuration, Provider as OidcProvider, ResourceServer } from 'oidc-provider';
import { clientMetadata, type Registration } from './clients.mts';
import { makeSigningKeys } from './keys.mts';
import { IdentityMemory } from './memory-adapter.mts';
import { TokenRegister } from './token-register.mts';

export const EXTRA_SCOPES = ['platform-account', 'platform-account-user.read'] as const;

export interface IssuerOptions {
	readonly issuerUrl: string;
	/** The API that machine tokens are for. */
	readonly baseUrl: string;
	readonly registration: Registration;
	/** Seconds that an access token lives. */
	readonly tokenLifetime: () => number;
}

export interface Issuer {
	readonly provider: OidcProvider;
	readonly memory: IdentityMemory;
	readonly tokens: TokenRegister;
}

/** One issuer: oidc-provider under the documented paths, with clients that can change at run time. */
export async function createIssuer(options: IssuerOptions): Promise<Issuer> {
	const keys = await makeSigningKeys();
	const memory = new IdentityMemory();
	const { Provider } = await quietly(async () => await import('oidc-provider'));
	const provider = await quietly(
		() => new Provider(options.issuerUrl, configurationOf(options, memory, keys.privateKeys)),
	);
	const tokens = new TokenRegister(options.issuerUrl, options.baseUrl, keys.publicKeys);
	provider.on('client_credentials.issued', ({ jti }) => tokens.issued(jti));
	return { provider, memory, tokens };
}

function configurationOf(
	{ baseUrl, registration, tokenLifetime }: IssuerOptions,
	memory: IdentityMemory,
	privateKeys: object[],
): Configuration {
	const service = (): ResourceServer => ({
		scope: EXTRA_SCOPES.join(' '),
		audience: baseUrl,
		accessTokenFormat: 'jwt',
		accessTokenTTL: tokenLifetime(),
		jwt: { sign: { alg: 'RS256' } },
	});
	const clients = (id: string) => (id === registration.clientId ? clientMetadata(registration) : undefined);
	return {
		adapter: (model: string) => memory.adapterFor(model, { Client: clients }),
		jwks: { keys: privateKeys },
		routes: { token: '/connect/token', authorization: '/connect/authorize', userinfo: '/connect/userinfo' },
		scopes: ['openid', 'profile', 'offline_access', ...EXTRA_SCOPES],
		ttl: { ClientCredentials: () => tokenLifetime() },
		features: {
			devInteractions: { enabled: false },
			clientCredentials: { enabled: true },
			resourceIndicators: {
				enabled: true,
				defaultResource: () => baseUrl,
				getResourceServerInfo: service,
				useGrantedResource: () => true,
			},
		},
	};
}

/** The provider announces itself and what it thinks of the runtime on the console: nobody asked the sandbox for that. */
async function quietly<T>(work: () => T | Promise<T>): Promise<T> {
	const { info, warn } = console;
	console.info = () => undefined;
	console.warn = () => undefined;
	try {
		return await work();
	} finally {
		Object.assign(console, { info, warn });
	}
}
