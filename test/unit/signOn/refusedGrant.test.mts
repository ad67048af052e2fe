import { NOT_BEGUN } from '../../../nodes/shared/failure.ts';
import { refusedGrant, type Grant } from '../../../nodes/shared/signOn/refusedGrant.ts';

const toldAs = (grant: Grant, status: number, text: string) =>
	refusedGrant(grant, { status, headers: {}, text });

/** Of a refusal with words of its own. */
const told = (grant: Grant, status: number, text: string) => toldAs(grant, status, text) ?? NOT_BEGUN;

const refusal = (error: string, description?: string) =>
	JSON.stringify({ error, error_description: description });

describe('what the token endpoint refuses is told in plain words', () => {
	test.each([
		['invalid_client', /client ID or the client secret/, /Check Client ID and Client Secret/],
		['invalid_scope', /one of the scopes/, /misspelled/],
		['unauthorized_client', /does not let this client/, /which grants/],
		['temporarily_unavailable', /busy at the moment/, /^Run the item again later/],
		['server_error', /busy at the moment/, /^Run the item again later/],
		['slow_down', /busy at the moment/, /^Run the item again later/],
	])('%s', (code, message, next) => {
		const refused = told('client_credentials', 400, refusal(code));
		expect(refused).toMatchObject({ code, message: expect.stringMatching(message) });
		expect(refused.next).toMatch(next);
	});

	test('a wrong secret that is called unauthorized_client, with 401', () => {
		const refused = told('authorization_code', 401, refusal('unauthorized_client'));
		expect(refused.message).toMatch(/client ID or the client secret/);
		expect(refused.next).toMatch(/^Check Client ID and Client Secret/);
	});

	test.each([
		[401, '', 'invalid_client'],
		[404, '<html>', 'not_found'],
		[400, '', undefined],
		[400, refusal('constructor'), 'constructor'],
		[400, refusal('a_code_of_their_own'), 'a_code_of_their_own'],
	])('status %i with %s', (status, body, code) => {
		const refused = told('authorization_code', status, body);
		expect(refused.code).toBe(code);
		if (status === 400) expect(refused.message).toBe('The sign-on refused the request with status 400');
	});

	test.each([302, 407, 429, 500, 502, 503])('status %i as everywhere', (status) => {
		expect(toldAs('authorization_code', status, '')).toBeUndefined();
	});

	test.each(['server_error', 'temporarily_unavailable', 'invalid_request', 'invalid_grant'])(
		'a sign-on that failed itself as everywhere, although it says %s: the code may be spent',
		(code) => {
			for (const status of [500, 502, 504])
				expect(toldAs('authorization_code', status, refusal(code))).toBeUndefined();
		},
	);

	test.each([
		['a code that is not of the standard', refusal('access_denied', 'No licence for the application')],
		["the service's own form", '{"Error":{"Code":"USR001","Message":"No licence for the application"}}'],
	])("%s, with the sign-on's own words", (_what, body) => {
		const refused = told('authorization_code', 400, body);
		expect(refused.message).toBe('The sign-on refused the request with status 400');
		expect(refused.next).toMatch(/The sign-on says: No licence for the application$/);
	});

	test('never with words that only frighten', () => {
		for (const code of ['invalid_grant', 'invalid_client', 'invalid_request', 'x']) {
			const refused = told('refresh_token', 400, refusal(code));
			expect(`${refused.message} ${refused.next}`).not.toMatch(/\b(error|problem|failure|mistake)/i);
		}
	});
});
