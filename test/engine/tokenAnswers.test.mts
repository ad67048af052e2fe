/** Token responses that differ from the usual one: the code is spent by then, so that they are taken. */
import type { IDataObject } from 'n8n-workflow';

import type { FaultAction } from '../../sandbox/admin-types.mts';
import type { Variant } from '../../sandbox/variants.mts';
import { TOKEN_PATH } from './workroom.mts';
import { SignOnStage } from './signOnStage.mts';

let stage: SignOnStage;

beforeAll(async () => {
	stage = await SignOnStage.set();
});
afterAll(async () => await stage.end());
beforeEach(async () => await stage.reset());

/** The items of a code exchange, of a refresh and of a machine token while the sign-on answers so. */
async function itemsUnder(variant: Variant): Promise<IDataObject[]> {
	const user = await stage.signedInUser();
	const { given } = await stage.visit();
	await stage.sandbox.admin.changeSettings({ variants: [variant] });
	return [
		await stage.itemOf('exchangeCode', { ...given, options: { withoutIdToken: 'accept' } }),
		await stage.itemOf('refreshToken', { refreshToken: user.refresh_token }),
		await stage.itemOf('getMachineToken', {}),
	];
}

const text = expect.any(String) as string;
const EXTRA = { refresh_expires_in: 1800, 'not-before-policy': 0, session_state: null, user: { roles: [] } };

test.each<[Variant, IDataObject]>([
	['null-refresh-token', { access_token: text, refresh_token: null }],
	['null-id-token', { access_token: text, id_token: null }],
	['text-expires-in', { access_token: text, expires_in: 3_600 }],
	['extra-token-members', { access_token: text, ...EXTRA }],
])('%s: the tokens are taken, by a code, a refresh and a client', async (variant, members) => {
	for (const item of await itemsUnder(variant)) expect(item).toMatchObject(members);
});

test('Whoever signs on is proven by the ID token, in an odd response too', async () => {
	const { claims } = await stage.signedInUser();
	for (const variant of ['null-refresh-token', 'text-expires-in', 'extra-token-members'] as const) {
		const { given } = await stage.visit();
		await stage.sandbox.admin.changeSettings({ variants: [variant] });
		expect((await stage.itemOf('exchangeCode', given)).claims).toMatchObject({ sub: claims.sub });
		await stage.sandbox.admin.changeSettings({ variants: [] });
	}
});

describe.each<[string, unknown]>([
	['is null', null],
	['is empty', ''],
	['is not there', undefined],
])('Without an ID token nobody is proven. When it %s,', (_how, id_token) => {
	const answer = {
		access_token: 'granted',
		token_type: 'Bearer',
		refresh_token: 'again',
		...(id_token !== undefined && { id_token }),
	};

	test('the login fails, and says what to do', async () => {
		const { given } = await stage.visit();
		await stage.sandbox.admin.addFault({ path: TOKEN_PATH }, { body: answer });
		const { outputs } = await stage.run('exchangeCode', given, undefined, 'continueErrorOutput');
		expect(outputs[0]).toEqual([]);
		const [{ json }] = outputs[1];
		expect(json.failure).toMatchObject({ origin: 'signOn', effect: 'done', code: 'no_id_token' });
		expect(json.error).toMatch(/gave no ID token[\s\S]+openid[\s\S]+Without an ID Token/);
		expect(JSON.stringify(json)).not.toContain('granted');
	});

	test('who asks for it gets the tokens, and claims that are null', async () => {
		const { given } = await stage.visit({ additionalState: '/home' });
		await stage.sandbox.admin.addFault({ path: TOKEN_PATH }, { body: answer });
		const options = { withoutIdToken: 'accept' };
		expect(await stage.itemOf('exchangeCode', { ...given, options })).toEqual({
			...answer,
			claims: null,
			additional_state: '/home',
		});
	});
});

describe('The connected user, whose tokens n8n renews', () => {
	async function connected() {
		const { id_token, access_token, refresh_token } = await stage.signedInUser();
		return await stage.connectedWith({ id_token, access_token, refresh_token });
	}

	test.each<Variant>(['null-id-token', 'text-expires-in', 'extra-token-members'])(
		'%s: stays connected, however often a token runs out',
		async (variant) => {
			const store = await connected();
			await stage.sandbox.admin.changeSettings({ variants: [variant] });
			const first = await stage.itemOf('getUserInfo', { user: 'connected' }, store);
			for (let time = 0; time < 2; time++) {
				await stage.sandbox.admin.expireTokens();
				expect(await stage.itemOf('getUserInfo', { user: 'connected' }, store)).toEqual(first);
			}
		},
	);

	// n8n stores the null in the place of the refresh token that it had.
	test('null-refresh-token: is renewed once, and then told to connect again', async () => {
		const store = await connected();
		await stage.sandbox.admin.changeSettings({ variants: ['null-refresh-token'] });
		await stage.sandbox.admin.expireTokens();
		expect(await stage.itemOf('getUserInfo', { user: 'connected' }, store)).toHaveProperty('sub');
		await stage.sandbox.admin.expireTokens();
		const { message, description } = await stage.refusalOf('getUserInfo', { user: 'connected' }, store);
		expect(message).toMatch(/gives no token: invalid_grant/);
		expect(description).toMatch(/click Connect and log in again/);
	});
});

describe('What cannot be used is told, and whether the code is spent', () => {
	test.each<[string, FaultAction, object]>([
		['no access token', { body: { access_token: null } }, { effect: 'done' }],
		['plain text', { body: 'OK', contentType: 'text/plain' }, { effect: 'done' }],
		['an ID token that is no text', { body: { access_token: 'granted', id_token: 7 } }, { effect: 'done' }],
		[
			'an ID token that nobody signed',
			{ body: { access_token: 'granted', id_token: 'a.b.c' } },
			{ effect: 'done' },
		],
		['the page of a proxy', { htmlPage: true, status: 200 }, { effect: 'unknown', status: 200 }],
	])('%s', async (_what, answer, failure) => {
		const { given } = await stage.visit();
		await stage.sandbox.admin.addFault({ path: TOKEN_PATH }, answer);
		const { outputs } = await stage.run('exchangeCode', given, undefined, 'continueErrorOutput');
		expect(outputs[0]).toEqual([]);
		expect(outputs[1][0].json.failure).toMatchObject({ origin: 'signOn', ...failure });
		expect(outputs[1][0].json.error).toMatch(/log in again/);
	});
});
