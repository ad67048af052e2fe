/** The validation of tokens in n8n-core's own engine, against the sandbox's provider. */
import type { INodeParameters } from 'n8n-workflow';

import { runNode } from '../support/engine.mts';

import { SignOnStage } from './signOnStage.mts';

let stage: SignOnStage;

beforeAll(async () => {
	stage = await SignOnStage.set();
});
afterAll(async () => await stage.end());
beforeEach(async () => await stage.reset());

describe('token validation', () => {
	const validate = async ({ options = {}, ...given }: INodeParameters) =>
		await stage.itemOf('validateToken', {
			...given,
			options: { whenInvalid: 'passOn', ...(options as INodeParameters) },
		});

	test('fails the item of a token that does not hold, with every reason against it', async () => {
		const claims = { iss: 'https://evil.example', aud: 'chess-club', sub: 'x', iat: 1_000, exp: 2_000 };
		const token = await stage.sandbox.admin.signToken({ claims });
		const { outputs } = await stage.run(
			'validateToken',
			{ token, tokenUse: 'idToken', audience: '' },
			undefined,
			'continueErrorOutput',
		);
		expect(outputs[0]).toEqual([]);
		const [{ json }] = outputs[1];
		expect(json.failure).toMatchObject({ origin: 'input', effect: 'none', code: 'wrong_issuer' });
		expect(json.error).toMatch(/another issuer[\s\S]+another audience[\s\S]+has expired/);
		expect(JSON.stringify(json.error)).not.toContain(token.slice(0, 40));
	});

	test('believes what the sandbox gave, and gives its claims', async () => {
		const user = await stage.signedInUser();
		const idToken = await validate({ token: user.id_token, tokenUse: 'idToken', audience: '' });
		expect(idToken).toMatchObject({
			valid: true,
			reasons: [],
			claims: user.claims,
			header: { alg: 'RS256' },
		});
		const nonce = user.claims.nonce as string;
		expect(await validate({ token: user.id_token, tokenUse: 'idToken', options: { nonce } })).toMatchObject({
			valid: true,
		});
		for (const audience of ['', stage.sandbox.baseUrl, `somebody, ${stage.sandbox.baseUrl}`]) {
			const accessToken = await validate({ token: user.access_token, tokenUse: 'accessToken', audience });
			expect(accessToken).toMatchObject({ valid: true });
		}
	});

	test('gives every reason against a token, as words and as codes, where invalid tokens are passed on', async () => {
		const now = Math.floor(Date.now() / 1000);
		const claims = {
			iss: 'https://evil.example',
			aud: 'chess-club',
			sub: 'x',
			iat: now - 900,
			exp: now - 600,
		};
		const token = await stage.sandbox.admin.signToken({ claims });
		const item = await validate({ token, tokenUse: 'idToken', audience: '' });
		expect(item).toMatchObject({
			valid: false,
			reason_codes: ['wrong_issuer', 'wrong_audience', 'expired'],
			reasons: [
				'The token was issued by another issuer (iss)',
				'The token is meant for another audience (aud)',
				'The token has expired (exp)',
			],
			claims: null,
		});
		expect(item.next_steps).toHaveLength(3);
		expect(JSON.stringify(item)).not.toContain(token.slice(0, 40));
	});

	test('tells an ID token from an access token', async () => {
		const user = await stage.signedInUser();
		const asAccess = await validate({ token: user.id_token, tokenUse: 'accessToken', audience: '' });
		const asId = await validate({ token: user.access_token, tokenUse: 'idToken', audience: '' });
		expect([asAccess.reason_codes, asId.reason_codes]).toEqual([
			['wrong_kind'],
			expect.arrayContaining(['wrong_kind']),
		]);
	});

	test('has a clock tolerance from 0 to 300 seconds', async () => {
		const now = Math.floor(Date.now() / 1000);
		const claims = {
			iss: stage.sandbox.issuerUrl,
			aud: stage.sandbox.clientId,
			sub: 'x',
			iat: now - 900,
			exp: now - 100,
		};
		const token = await stage.sandbox.admin.signToken({ claims });
		const given = { token, tokenUse: 'idToken', audience: '' };
		expect(await validate(given)).toMatchObject({ valid: false });
		expect(await validate({ ...given, options: { clockTolerance: 200 } })).toMatchObject({ valid: true });
		const refusal = await stage.refusalOf('validateToken', { ...given, options: { clockTolerance: 301 } });
		expect(refusal.message).toMatch(/^Clock Tolerance must be a whole number from 0 to 300/);
	});

	test.each(['={{ $json.api }}, {{ $json.resource }}', '={{ $json.api ?? "" }},', ' , '])(
		'is refused with an Audience that names none (%s): a token for another one, the client, would pass',
		async (audience) => {
			const { id_token: token } = await stage.signedInUser();
			const { error } = await runNode({
				parameters: { resource: 'signOn', operation: 'validateToken', token: '={{ $json.token }}', audience },
				items: [{ token, api: '', resource: '' }],
				credentials: stage.credentials,
			});
			expect(error?.message).toMatch(/^Audience must name at least one, or be empty/);
		},
	);

	test.each(['={{ $json.nonce }}', ''])(
		'is refused with a Nonce that gives nothing (%s): any would pass',
		async (nonce) => {
			const { id_token: token } = await stage.signedInUser();
			const refusal = await stage.refusalOf('validateToken', {
				token,
				tokenUse: 'idToken',
				options: { nonce },
			});
			expect(refusal.message).toMatch(/^Nonce must /);
		},
	);

	test('takes the party of a token (azp) that is the client or one of the audiences, and no other', async () => {
		const now = Math.floor(Date.now() / 1000);
		const reasons = async (azp: string) => {
			const claims = {
				iss: stage.sandbox.issuerUrl,
				aud: ['chess-club'],
				azp,
				sub: 'x',
				iat: now,
				exp: now + 300,
			};
			const token = await stage.sandbox.admin.signToken({ claims });
			const given = { token, tokenUse: 'idToken', audience: 'reading-club, chess-club' };
			return (await validate(given)).reason_codes;
		};
		expect(await Promise.all([stage.sandbox.clientId, 'chess-club', 'dance-club'].map(reasons))).toEqual([
			...[[], [], ['wrong_authorized_party']],
		]);
	});

	test('names the item whose token does not hold, and not one for which newer keys were wanted meanwhile', async () => {
		const { id_token: token } = await stage.signedInUser();
		await validate({ token, tokenUse: 'idToken' });
		const [minuteLater, began] = [Date.now() + 60_000, performance.now()];
		jest.spyOn(Date, 'now').mockImplementation(() => minuteLater + performance.now() - began);
		const { error } = await runNode({
			parameters: { resource: 'signOn', operation: 'validateToken', token: '={{ $json.token }}' },
			items: [{ token: `${token.slice(0, -10)}AAAAAAAAAA` }, { token: 'opaque' }],
			credentials: stage.credentials,
		});
		jest.restoreAllMocks();
		expect(error?.message).toBe('The token is not a complete signed JSON Web Token of three parts [Item 1]');
	});

	test('fails, and does not say “invalid”, while the issuer cannot be reached', async () => {
		const nowhere = await stage.credentialsWith({ issuerUrl: 'http://127.0.0.1:9' });
		const given = { token: 'a.b.c', tokenUse: 'idToken', audience: '', options: { maxRetries: 0 } };
		expect((await stage.refusalOf('validateToken', given, nowhere)).message).toMatch(/cannot be reached/);
	});

	test.each([
		['nothing answers there', 'http://127.0.0.1:9', 'refused'],
		['it does not give its documents', '/without-documents', 'issuer_refused'],
	])('and says in failure.code that %s', async (_what, issuer, code) => {
		await stage.sandbox.admin.addFault({ path: '/without-documents' }, { status: 404 });
		const issuerUrl = issuer.startsWith('/') ? `${stage.sandbox.baseUrl}${issuer}` : issuer;
		const given = { token: 'a.b.c', tokenUse: 'idToken', audience: '', options: { maxRetries: 0 } };
		const { items } = await stage.run(
			'validateToken',
			given,
			await stage.credentialsWith({ issuerUrl }),
			'continueRegularOutput',
		);
		expect(items).toMatchObject([{ failure: { origin: 'signOn', effect: 'none', code } }]);
	});
});
