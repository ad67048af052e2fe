/** Callbacks of sign-ons that nobody started, or that somebody else did. */
import { SandboxBrowser } from '../../../sandbox/browser.mts';
import { rsaSigner, signed, signedWithPublicKey, unsigned, without } from '../../unit/signOn/peer.mts';
import { Findings, shown, type Area, type Cell } from '../cell.mts';
import { json } from '../peers/servicePeer.mts';
import type { HostileStage } from '../stage.mts';

import { CLIENT, SIGNER } from './forgedTokens.mts';

const REDIRECT = 'http://localhost:9/callback';
const OTHER_REDIRECT = 'http://localhost:9/other';
const TOKEN_PATH = '/identity/connect/token';
const VERIFIER = 'v'.repeat(43);

interface Callback {
	code: string;
	state: string;
	browserBinding: string;
	redirectUri: string;
}

const EXCHANGE = {
	resource: 'signOn',
	operation: 'exchangeCode',
	code: '={{ $json.code }}',
	redirectUri: '={{ $json.redirectUri }}',
	state: '={{ $json.state }}',
	browserBinding: '={{ $json.browserBinding }}',
	options: { maxRetries: 0 },
};

type Credential = Awaited<ReturnType<HostileStage['signOnCredential']>>;

async function signOnAt(stage: HostileStage): Promise<Credential> {
	const { sandbox } = stage;
	const { issuerUrl, clientId, clientSecret } = sandbox;
	await sandbox.admin.changeRegistration({ redirectUris: [REDIRECT, OTHER_REDIRECT] });
	return await stage.signOnCredential(issuerUrl, { clientId, clientSecret });
}

/** A visitor starts a sign-on, logs in, and comes back. */
async function visit(stage: HostileStage, credential: Credential, redirectUri = REDIRECT): Promise<Callback> {
	const parameters = { resource: 'signOn', operation: 'getAuthorizationUrl', redirectUri, options: {} };
	const { success, error, failure } = await stage.run({ parameters, credential });
	const started = success[0]?.json;
	if (started === undefined) throw new Error(`No sign-on: ${error} ${JSON.stringify(failure)}`);
	const browser = new SandboxBrowser(stage.sandbox.baseUrl);
	try {
		const back = await browser.signIn(String(started.authorization_url), 'student1');
		return {
			code: back.searchParams.get('code') ?? '',
			state: back.searchParams.get('state') ?? '',
			browserBinding: String(started.browser_binding),
			redirectUri,
		};
	} finally {
		browser.close();
	}
}

async function tokenRequests({ sandbox }: HostileStage): Promise<number> {
	return await sandbox.admin.countRequests({ path: TOKEN_PATH });
}

/** Another character in its place. */
const flipped = (text: string, index: number) => {
	const at = index < 0 ? text.length + index : index;
	return text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1);
};

const FORGED: ReadonlyArray<[string, (mine: Callback, stranger: Callback) => Partial<Callback>]> = [
	...[0, 1, 4, 16, 40, 80, -30, -4].map((index): [string, (mine: Callback) => Partial<Callback>] => [
		`a state that is altered at ${index}`,
		({ state }) => ({ state: flipped(state, index) }),
	]),
	['a state that is cut off', ({ state }) => ({ state: state.slice(0, -10) })],
	['a state with more behind it', ({ state }) => ({ state: `${state}AAAA` })],
	['a state twice', ({ state }) => ({ state: state + state })],
	['words for a state', () => ({ state: 'open sesame' })],
	['10,000 characters for a state', () => ({ state: 'A'.repeat(10_000) })],
	['JSON for a state', () => ({ state: JSON.stringify({ codeVerifier: VERIFIER, nonce: 'n' }) })],
	['a state of spaces', () => ({ state: '   ' })],
	['no state', () => ({ state: '' })],
	['the state of another visitor', (_mine, { state }) => ({ state })],
	['the cookie of another visitor', (_mine, { browserBinding }) => ({ browserBinding })],
	['no cookie', () => ({ browserBinding: '' })],
	['a cookie in capitals', ({ browserBinding }) => ({ browserBinding: browserBinding.toUpperCase() })],
	['a cookie that is cut off', ({ browserBinding }) => ({ browserBinding: browserBinding.slice(0, -1) })],
	['the state for a cookie', ({ state }) => ({ browserBinding: state })],
	['another redirect URI', () => ({ redirectUri: OTHER_REDIRECT })],
	['no code', () => ({ code: '' })],
];

const forgedStates: Cell = {
	tries: 'states and cookies that are altered, stolen, or missing',
	holds: 'each is refused before the code is spent, and the right one works afterwards, once',
	attempts: FORGED.length + 1,
	attack: async (stage) => {
		const credential = await signOnAt(stage);
		const mine = await visit(stage, credential);
		const stranger = await visit(stage, credential);
		const found = new Findings();
		const before = await tokenRequests(stage);
		const rows = FORGED.map(([, change]) => ({ ...mine, ...change(mine, stranger) }));
		const seen = await stage.run({ parameters: EXCHANGE, rows, credential });
		FORGED.forEach(([what], item) => {
			const failed = seen.failure.filter((each) => each.item === item).length;
			found.hold(failed === 1, `${what}: not refused`);
		});
		found.hold((await tokenRequests(stage)) === before, 'a code was sent with a forged state');
		const good = await stage.run({ parameters: EXCHANGE, rows: [mine], credential });
		found.hold(good.success.length === 1, `the right callback fails: ${JSON.stringify(good.failure)}`);
		const replay = await stage.run({ parameters: EXCHANGE, rows: [mine], credential });
		found.hold(replay.success.length === 0 && replay.failure.length === 1, 'a code works twice');
		return found.list;
	},
};

const otherClient: Cell = {
	tries: 'a state that was sealed for another client, another secret, and another issuer',
	holds: 'each is refused, and no code is sent',
	attempts: 3,
	attack: async (stage) => {
		const mine = await visit(stage, await signOnAt(stage));
		const { issuerUrl, testIssuerUrl, clientId, clientSecret } = stage.sandbox;
		const found = new Findings();
		const before = await tokenRequests(stage);
		const others: Array<[string, Credential]> = [
			['another client', await stage.signOnCredential(issuerUrl, { clientId: 'other', clientSecret })],
			['another secret', await stage.signOnCredential(issuerUrl, { clientId })],
			['another issuer', await stage.signOnCredential(testIssuerUrl, { clientId, clientSecret })],
		];
		for (const [what, credential] of others) {
			const seen = await stage.run({ parameters: EXCHANGE, rows: [mine], credential });
			found.hold(seen.failure.length === 1 && seen.success.length === 0, `${what}: not refused`);
		}
		found.hold((await tokenRequests(stage)) === before, 'a code was sent');
		return found.list;
	},
};

const secondRefused: Cell = {
	tries: 'a right callback beside one that is refused, with Stop Workflow',
	holds: 'the code of the right one is not spent',
	attempts: 1,
	attack: async (stage) => {
		const credential = await signOnAt(stage);
		const mine = await visit(stage, credential);
		const before = await tokenRequests(stage);
		const rows = [mine, { ...mine, state: flipped(mine.state, 40) }];
		const seen = await stage.run({ parameters: EXCHANGE, rows, credential, onError: 'stopWorkflow' });
		const sent = (await tokenRequests(stage)) - before;
		return seen.status === 'error' && sent === 0
			? []
			: [`${sent} codes were sent in a run that ends as ${seen.status}`];
	},
};

const NONCE = 'n-0S6_WzA2Mj';
type Claims = Record<string, unknown>;

function idClaims(issuer: string): Claims {
	const now = Math.floor(Date.now() / 1_000);
	return { iss: issuer, aud: CLIENT, sub: 'account-17', iat: now, exp: now + 300, nonce: NONCE };
}

const ID_TOKENS: ReadonlyArray<[string, (issuer: string) => unknown]> = [
	['alg none', (issuer) => unsigned(idClaims(issuer))],
	['HS256 with the public key', (issuer) => signedWithPublicKey(idClaims(issuer), SIGNER)],
	["a stranger's signature", (issuer) => signed(idClaims(issuer), rsaSigner(SIGNER.kid))],
	['another issuer', (issuer) => signed({ ...idClaims(issuer), iss: 'https://evil.example' }, SIGNER)],
	['another audience', (issuer) => signed({ ...idClaims(issuer), aud: 'chess-club' }, SIGNER)],
	['another nonce', (issuer) => signed({ ...idClaims(issuer), nonce: 'other' }, SIGNER)],
	['no nonce', (issuer) => signed(without(idClaims(issuer), 'nonce'), SIGNER)],
	['no sub', (issuer) => signed(without(idClaims(issuer), 'sub'), SIGNER)],
	['no exp', (issuer) => signed(without(idClaims(issuer), 'exp'), SIGNER)],
	['an end that is past', (issuer) => signed({ ...idClaims(issuer), exp: 1_000_000 }, SIGNER)],
	['words', () => 'not a token'],
	['an object', () => ({ toString: 'a' })],
];

/** What a service may send that has none to give. */
const NO_ID_TOKENS: readonly unknown[] = [undefined, null, ''];

const idTokens: Cell = {
	tries: 'a sign-on that answers a code with ID tokens that nobody may believe',
	holds:
		'each is refused, and so is none; accepted without one, the item has no claims: none leaves as a user',
	attempts: ID_TOKENS.length + 2 * NO_ID_TOKENS.length,
	attack: async (stage) => {
		const issuer = await stage.issuer([SIGNER]);
		const credential = await stage.signOnCredential(issuer.url);
		const parameters = {
			...EXCHANGE,
			startedBy: 'other',
			codeVerifier: VERIFIER,
			options: { maxRetries: 0, nonce: NONCE },
		};
		const run = async (idToken: unknown, options = {}) => {
			const answer = {
				access_token: 'an-access-token',
				expires_in: 60,
				token_type: 'Bearer',
				id_token: idToken,
			};
			issuer.answerToken(json(200, answer));
			return await stage.run({
				parameters: { ...parameters, options: { ...parameters.options, ...options } },
				rows: [{ code: 'a-code', redirectUri: REDIRECT }],
				credential,
			});
		};
		const found = new Findings();
		for (const [what, make] of ID_TOKENS) {
			const seen = await run(make(issuer.url));
			found.hold(seen.success.length === 0 && seen.failure.length === 1, `${what}: taken`);
		}
		for (const none of NO_ID_TOKENS) {
			const refused = await run(none);
			found.hold(refused.success.length === 0 && refused.failure.length === 1, `${shown(none)}: taken`);
			const accepted = await run(none, { withoutIdToken: 'accept' });
			found.hold(accepted.success[0]?.json.claims === null, `${shown(none)}: ${JSON.stringify(accepted)}`);
		}
		const good = await run(signed(idClaims(issuer.url), SIGNER));
		found.hold(good.success.length === 1, `a right one is refused: ${JSON.stringify(good.failure)}`);
		return found.list;
	},
};

export const signOn: Area = { name: 'sign-on', cells: [forgedStates, otherClient, secondRefused, idTokens] };
