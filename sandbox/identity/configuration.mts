import './before-provider.mts';
import { randomBytes } from 'node:crypto';
import {
	interactionPolicy,
	type AdapterFactory,
	type Configuration,
	type Grant,
	type KoaContextWithOIDC,
	type ResourceServer,
} from 'oidc-provider';
import type { JWK } from 'jose';
import type { Settings } from '../settings-types.mts';
import type { Store } from '../world/store.mts';
import { claimsOfScope, findAccount } from './account-claims.mts';
import type { Registration } from './clients.mts';
import { adviceOn } from './advice.mts';
import { frontChannelUrl, type LogoutRecords } from './logout.mts';
import { errorPage, loggedOutPage, logoutPage } from './pages.mts';

const STANDARD_SCOPES = ['openid', 'profile', 'offline_access'] as const;
export const EXTRA_SCOPES = ['platform-account', 'platform-account-user.read'] as const;
const TWO_WEEKS = 14 * 24 * 3600;

export interface IssuerOptions {
	readonly issuerUrl: string;
	/** Path under which the login screens live. */
	readonly loginPath: string;
	/** Cookies know hosts and not ports or paths of issuers: each issuer has names of its own. */
	readonly cookiePrefix: string;
	/** The API that the tokens are for. */
	readonly baseUrl: string;
	readonly registration: Registration;
	readonly settings: Readonly<Settings>;
	readonly world: () => Store;
}

/** The documented sign-on in oidc-provider's terms. */
export function configurationOf(
	options: IssuerOptions,
	logouts: LogoutRecords,
	adapter: AdapterFactory,
	privateKeys: JWK[],
): Configuration {
	const { baseUrl, settings, cookiePrefix, loginPath, world } = options;
	const scopes = [...STANDARD_SCOPES, ...EXTRA_SCOPES];
	return {
		adapter,
		jwks: { keys: privateKeys },
		routes: {
			authorization: '/connect/authorize',
			token: '/connect/token',
			userinfo: '/connect/userinfo',
			end_session: '/connect/client-endsession',
		},
		scopes,
		claims: claimsOfScope,
		conformIdTokenClaims: false,
		clientAuthMethods: ['client_secret_post'],
		pkce: { required: () => true },
		cookies: {
			keys: [randomBytes(32).toString('hex')],
			names: {
				session: `${cookiePrefix}_session`,
				interaction: `${cookiePrefix}_interaction`,
				resume: `${cookiePrefix}_resume`,
			},
		},
		ttl: {
			AccessToken: () => settings.tokenLifetime,
			AuthorizationCode: () => settings.codeLifetime,
			ClientCredentials: () => settings.tokenLifetime,
			Grant: TWO_WEEKS,
			IdToken: 3600,
			Interaction: 3600,
			RefreshToken: TWO_WEEKS,
			Session: TWO_WEEKS,
		},
		rotateRefreshToken: () => settings.rotateRefreshTokens,
		findAccount: (_ctx, accountId) => findAccount(world(), accountId),
		// "The domains of the registered redirect URIs are registered as allowed origins."
		clientBasedCORS: (_ctx, origin, { redirectUris }) =>
			(redirectUris ?? []).some((uri) => URL.canParse(uri) && new URL(uri).origin === origin),
		interactions: {
			url: (_ctx, { uid }) => `${loginPath}/${uid}`,
			policy: policyWithoutConsent(),
		},
		loadExistingGrant: async (ctx) => await grantEverything(ctx, baseUrl),
		formats: {
			customizers: {
				// "The audience (client id, application name or resource)": a user's token names both.
				jwt: (_ctx, token, { payload }) => {
					if (token.kind === 'AccessToken') Object.assign(payload, { aud: [baseUrl, token.clientId] });
				},
			},
		},
		// Its own protection against loopback addresses sits in the dispatcher; here every partner is on one.
		fetch: async (url, init) => await logouts.send(url, init),
		renderError: (ctx, out) => {
			ctx.type = 'html';
			ctx.body = errorPage({ ...out }, adviceOn(out, ctx.oidc.params ?? {}, options));
		},
		features: {
			devInteractions: { enabled: false },
			dPoP: { enabled: false },
			pushedAuthorizationRequests: { enabled: false },
			clientCredentials: { enabled: true },
			backchannelLogout: { enabled: true },
			rpInitiatedLogout: {
				enabled: true,
				logoutSource: (ctx, form) => {
					ctx.body = showLogout(ctx, form, options.registration, logouts);
				},
				postLogoutSuccessSource: (ctx) => {
					ctx.body = loggedOutPage();
				},
			},
			resourceIndicators: {
				enabled: true,
				defaultResource: () => baseUrl,
				getResourceServerInfo: (ctx) => serviceFor(ctx, baseUrl, settings.tokenLifetime),
				useGrantedResource: () => true,
			},
		},
	};
}

/** Access tokens are JWTs for the service; a machine can have the extra scopes only. */
function serviceFor(ctx: KoaContextWithOIDC, audience: string, accessTokenTTL: number): ResourceServer {
	const isMachine = ctx.oidc.params?.grant_type === 'client_credentials';
	return {
		scope: [...(isMachine ? [] : STANDARD_SCOPES), ...EXTRA_SCOPES].join(' '),
		audience,
		accessTokenFormat: 'jwt',
		accessTokenTTL,
		jwt: { sign: { alg: 'RS256' } },
	};
}

/** Nobody is asked for consent: the school has agreed with the partner. The word stays, since requests carry it. */
function policyWithoutConsent(): interactionPolicy.DefaultPolicy {
	const policy = interactionPolicy.base();
	policy.get('consent')?.checks.clear();
	return policy;
}

/** A fresh grant for everything that was asked for: a code that is used twice takes only its own tokens back. */
async function grantEverything(ctx: KoaContextWithOIDC, baseUrl: string): Promise<Grant> {
	const { provider, client, account, params } = ctx.oidc;
	const grant = new provider.Grant({ accountId: account?.accountId, clientId: client?.clientId });
	const scope = typeof params?.scope === 'string' ? params.scope : 'openid';
	grant.addOIDCScope(scope);
	grant.addResourceScope(baseUrl, scope);
	await grant.save();
	return grant;
}

/** `client-endsession` leaves the platform's session alone, `full-endsession` ends it: the provider's form decides. */
function showLogout(
	ctx: KoaContextWithOIDC,
	form: string,
	registration: Registration,
	logouts: LogoutRecords,
): string {
	const { originalUrl = '' } = ctx.req as typeof ctx.req & { originalUrl?: string };
	const isFull = originalUrl.includes('/connect/full-endsession');
	const decided = isFull
		? form.replace('</form>', '<input type="hidden" name="logout" value="yes"></form>')
		: form;
	const frameUrl = frontChannelUrl(registration, ctx.oidc.session?.sidFor(registration.clientId));
	if (frameUrl !== undefined) logouts.framed(frameUrl);
	return logoutPage(decided, frameUrl);
}
