/** A service or a sign-on that quotes what it was sent: no token or secret of the run comes back with it. */
import { inspect } from 'node:util';

import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../support/engine.mts';
import { PROFILES_PATH, TOKEN_PATH, useWorkroom } from './workroom.mts';

const workroom = useWorkroom();

const USER_INFO_PATH = '/identity/connect/userinfo';
const profiles = { resource: 'profile', operation: 'getAll', options: { maxRetries: 0 } };

/** How a text can be quoted in JSON, and still be read as it is. */
const quotations: Array<[how: string, quote: (text: string) => string]> = [
	['as it is', (text) => text],
	['with an escape', (text) => `\\u${text.charCodeAt(0).toString(16).padStart(4, '0')}${text.slice(1)}`],
	['for an address', (text) => encodeURIComponent(text)],
	['as the form that was sent', (text) => new URLSearchParams({ is: text }).toString().slice(3)],
];

/** Bodies in which the service may quote it; each is what the document shows, or what nobody expects. */
const bodies: Array<[where: string, body: (quoted: string) => string]> = [
	['the message', (quoted) => `{"Error": {"Code": "X", "Message": "Unknown token Bearer ${quoted}!"}}`],
	['the code', (quoted) => `{"Errors": [{"Code": "${quoted}", "Message": "No."}]}`],
	[
		'a finding',
		(quoted) =>
			`{"Error": {"ErrorProperties": [{"PropertyName": "${quoted}", "ErrorMessage": "Bearer ${quoted}"}]}}`,
	],
	['where a long message ends', (quoted) => `{"Message": "${'x'.repeat(480)}${quoted}"}`],
];

describe('The token of the machine is not in what a run says or stores when the service quotes it', () => {
	const cases = quotations.flatMap(([how, quote]) =>
		bodies.map(([where, body]) => [`${where}, ${how}`, (token: string) => body(quote(token))] as const),
	);

	test.each(cases)('in %s', async (_where, bodyOf) => {
		await workroom.storeToken();
		const { access_token: token } = workroom.credentials.data.oauthTokenData as { access_token: string };
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 400, body: bodyOf(token) });
		const { error, run } = await workroom.run(profiles);
		expect(error?.message).toContain('The service refuses the data (400)');
		const stored = `${inspect(error, { depth: 8, showHidden: true })}${JSON.stringify(run.data.resultData)}`;
		// Not its beginning either, which a message that is cut could end with.
		expect(stored).not.toContain(token.slice(0, 20));
	});

	test('in an answer that it gives', async () => {
		await workroom.storeToken();
		const { access_token: token } = workroom.credentials.data.oauthTokenData as { access_token: string };
		await workroom.admin.addFault(
			{ path: PROFILES_PATH },
			{ status: 200, body: { data: [{ type: 'student', you_sent: `Bearer ${token}` }] } },
		);
		const { items } = await workroom.run(profiles);
		expect(items).toEqual([expect.objectContaining({ type: 'student', you_sent: 'Bearer [secret]' })]);
	});
});

describe('What is sent to the sign-on is not in what a run says when the sign-on quotes it', () => {
	const REFRESH = 'refresh-token-8f2c41';
	const CODE = "code/of+a=visitor's~77";
	const VERIFIER = 'verifier-'.repeat(6);
	const TOKEN = 'access-token-4471';

	/** What n8n keeps of the run, when the sign-on answers so. */
	async function told(
		operation: string,
		{ startedBy, ...values }: INodeParameters,
		path: string,
		body: unknown,
	): Promise<string> {
		const credentials = await workroom.signOnCredential();
		await workroom.admin.addFault({ path }, { status: 400, body });
		const { error, run } = await runNode({
			parameters: {
				resource: 'signOn',
				operation,
				...(startedBy !== undefined && { startedBy }),
				...Object.fromEntries(Object.keys(values).map((name) => [name, `={{ $json.${name} }}`])),
				options: { maxRetries: 0 },
			},
			items: [values as IDataObject],
			credentials,
		});
		expect(error).toBeDefined();
		const { resultData } = run.data;
		return `${inspect(error, { depth: 8, showHidden: true })}${JSON.stringify(resultData.runData['School Partner'])}`;
	}

	const quoting = (text: string, quote: (text: string) => string) =>
		`{"error": "invalid_grant", "error_description": "The value ${quote(text)} is not known."}`;

	test.each(quotations)('a refresh token, quoted %s', async (_how, quote) => {
		const text = await told('refreshToken', { refreshToken: REFRESH }, TOKEN_PATH, quoting(REFRESH, quote));
		expect(text).not.toContain(REFRESH);
		// What the sign-on says beside it is passed on.
		expect(text).toContain('The sign-on says: The value [secret] is not known.');
	});

	test.each(quotations)('a code and its verifier, quoted %s', async (_how, quote) => {
		const given = {
			code: CODE,
			redirectUri: 'http://localhost:9/callback',
			startedBy: 'other',
			codeVerifier: VERIFIER,
		};
		for (const secret of [CODE, VERIFIER]) {
			await workroom.admin.reset();
			const text = await told('exchangeCode', given, TOKEN_PATH, quoting(secret, quote));
			expect(text).toContain('The sign-on says: The value [secret] is not known.');
			expect(text).not.toContain(secret);
			for (const [, quoted] of quotations) expect(text).not.toContain(quoted(secret));
		}
	});

	test.each(quotations)('the client secret, quoted %s', async (_how, quote) => {
		const { clientSecret } = workroom.sandbox;
		const text = await told('getMachineToken', {}, TOKEN_PATH, quoting(clientSecret, quote));
		expect(text).not.toContain(clientSecret);
	});

	test('an access token that the workflow has', async () => {
		const text = await told('getUserInfo', { accessToken: TOKEN }, USER_INFO_PATH, quoting(TOKEN, String));
		expect(text).not.toContain(TOKEN);
	});

	test('the client secret, as the code of a refusal', async () => {
		await workroom.admin.addFault(
			{ path: TOKEN_PATH },
			{ status: 400, body: { error: workroom.sandbox.clientSecret } },
		);
		const { error } = await workroom.run(profiles);
		expect(error?.message).toMatch(/gives no token/);
		expect(inspect(error, { depth: 8, showHidden: true })).not.toContain(workroom.sandbox.clientSecret);
	});
});
