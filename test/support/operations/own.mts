/** Operations that are not requests with an item for an answer: sign-on, and the check of a registration. */
import type { OperationRow } from './row.mts';

const BACK = 'https://app.example/callback';
const TOKEN = 'POST /identity/connect/token';

function signOn(
	operation: string,
	title: string,
	row: Omit<OperationRow, 'resource' | 'operation' | 'title' | 'effect'>,
): OperationRow {
	return { resource: 'signOn', operation, title: `Sign-On: ${title}`, effect: 'local', ...row };
}

export const own: OperationRow[] = [
	signOn('getAuthorizationUrl', 'Get Authorization URL', {
		fields: { redirectUri: 'Redirect URI *' },
		options: ['scope', 'prompt', 'additionalState'],
		run: () => ({
			values: { redirectUri: BACK },
			sends: [],
			says: /redirect_uri=https%3A%2F%2Fapp\.example%2Fcallback/,
		}),
	}),
	signOn('exchangeCode', 'Exchange Code', {
		fields: {
			code: 'Code *',
			redirectUri: 'Redirect URI *',
			startedBy: 'Started By',
			state: 'State *',
			browserBinding: 'Browser Binding *',
			codeVerifier: 'Code Verifier *',
		},
		ofOtherWay: ['codeVerifier'],
		options: ['nonce', 'withoutIdToken'],
		run: () => ({
			values: {
				code: 'code-of-the-row',
				redirectUri: BACK,
				startedBy: 'other',
				codeVerifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
			},
			sends: [[TOKEN, { grant_type: 'authorization_code', code: 'code-of-the-row', redirect_uri: BACK }]],
		}),
	}),
	signOn('refreshToken', 'Refresh Token', {
		fields: { refreshToken: 'Refresh Token *' },
		options: [],
		run: () => ({
			values: { refreshToken: 'no-such-token' },
			sends: [[TOKEN, { grant_type: 'refresh_token' }]],
		}),
	}),
	signOn('getMachineToken', 'Get Machine Token', {
		fields: {},
		options: ['scope'],
		run: () => ({ values: {}, sends: [[TOKEN, { grant_type: 'client_credentials' }]] }),
	}),
	signOn('getUserInfo', 'Get User Info', {
		fields: { user: 'User', accessToken: 'Access Token *' },
		picked: ['user'],
		options: [],
		run: () => ({
			values: { accessToken: 'no-such-token' },
			sends: [['GET /identity/connect/userinfo', {}]],
		}),
	}),
	signOn('getLogoutUrl', 'Get Logout URL', {
		fields: {
			logoutFrom: 'Logout From',
			idTokenHint: 'ID Token Hint *',
			postLogoutRedirectUri: 'Post Logout Redirect URI *',
		},
		run: () => ({
			values: { logoutFrom: 'full', idTokenHint: 'a.b.c', postLogoutRedirectUri: 'https://app.example/bye' },
			sends: [],
			// The message shows that the hint has arrived: a real one is the ID token of somebody who has logged in.
			says: /ID Token Hint is not an ID token/,
		}),
	}),
	signOn('getDiscovery', 'Get Discovery Document', {
		fields: {},
		run: () => ({ values: {}, sends: [], says: /authorization_endpoint/ }),
	}),
	signOn('validateToken', 'Validate Token', {
		fields: { token: 'Token *', tokenUse: 'Token Use', audience: 'Audience' },
		options: ['nonce', 'clockTolerance', 'whenInvalid'],
		run: () => ({
			values: { token: 'a.b.c', tokenUse: 'idToken', options: { whenInvalid: 'passOn' } },
			sends: [],
			says: /"valid":false/,
		}),
	}),
	{
		resource: 'clientRegistration',
		operation: 'validate',
		title: 'Client Registration: Validate',
		fields: {
			applicationName: 'Application Name *',
			applicationDescription: 'Application Description *',
			logoSvgField: 'SVG Logo Field',
			logoPngField: 'PNG Logo Field',
			mainColor: 'Main Color',
			accessProfiles: 'Access Profiles *',
			redirectUris: 'Redirect URIs *',
			defaultRedirectUri: 'Default Redirect URI *',
			postLogoutRedirectUris: 'Post Logout Redirect URIs',
			logoutUri: 'Logout URI *',
			logoutChannel: 'Logout Channel',
			publicKeyExchanged: 'Public Key Exchanged',
		},
		effect: 'local',
		run: () => ({
			values: {
				applicationName: 'Reading Club',
				applicationDescription: 'Books for every class',
				logoSvgField: 'logoSvg',
				logoPngField: 'logoPng',
				mainColor: '#1A73E8',
				accessProfiles: 'student, educator',
				redirectUris: BACK,
				defaultRedirectUri: BACK,
				logoutUri: 'https://flows.example/webhook/6b0c/logout',
				logoutChannel: 'back',
				publicKeyExchanged: true,
			},
			sends: [],
			says: /"findings":\[.*logo/i,
		}),
	},
];
