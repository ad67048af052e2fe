import { refusedGrant } from '../../../nodes/shared/signOn/refusedGrant.ts';

const refusal = (error: string, description?: string) =>
	JSON.stringify({ error, error_description: description });

describe('what the token endpoint refuses is told in plain words', () => {
	test('a code that was used, is too old or has the wrong verifier', () => {
		const told = refusedGrant(
			'authorization_code',
			400,
			refusal('invalid_grant', 'grant request is invalid'),
		);
		expect(told.code).toBe('invalid_grant');
		expect(told.message).toMatch(/does not accept the code: it was used before, is older than 5 minutes/);
		expect(told.next).toMatch(/^Send the visitor to the start of the sign-on again/);
		expect(told.next).toMatch(/The sign-on says: grant request is invalid$/);
	});

	test('a refresh token', () => {
		const told = refusedGrant('refresh_token', 400, refusal('invalid_grant'));
		expect(told.message).toMatch(/does not accept the refresh token/);
		expect(told.next).toMatch(/log in again/);
	});

	test.each([
		['invalid_client', /client ID or the client secret/, /Check Client ID and Client Secret/],
		['invalid_scope', /one of the scopes/, /misspelled/],
		['unauthorized_client', /does not let this client/, /which grants/],
	])('%s', (code, message, next) => {
		const told = refusedGrant('client_credentials', 400, refusal(code));
		expect(told).toMatchObject({ code, message: expect.stringMatching(message) });
		expect(told.next).toMatch(next);
	});

	test.each([
		[401, '', 'invalid_client'],
		[404, '<html>', 'not_found'],
		[429, '', 'unavailable'],
		[503, 'busy', 'unavailable'],
		[400, '', 'refused'],
		[400, refusal('constructor'), 'refused'],
		[400, refusal('a_code_of_their_own'), 'refused'],
	])('status %i with %s', (status, body, code) => {
		expect(refusedGrant('authorization_code', status, body).code).toBe(code);
	});

	test.each([
		['authorization_code', 502, /The code may count as used: the user may have to log in again/],
		['refresh_token', 500, /The refresh token may count as used/],
		['authorization_code', 503, /^Run the workflow again later\.$/],
		['client_credentials', 502, /^Run the workflow again later\.$/],
	] as const)('whether what was sent with %s may be spent after a %i', (grant, status, next) => {
		expect(refusedGrant(grant, status, '<html>').next).toMatch(next);
	});

	test.each([
		['a code that is not of the standard', refusal('access_denied', 'No licence for the application')],
		["the service's own form", '{"Error":{"Code":"USR001","Message":"No licence for the application"}}'],
	])("%s, with the sign-on's own words", (_what, body) => {
		const told = refusedGrant('authorization_code', 400, body);
		expect(told.code).toBe('refused');
		expect(told.next).toMatch(/The sign-on says: No licence for the application$/);
	});

	test('never with words that only frighten', () => {
		for (const code of ['invalid_grant', 'invalid_client', 'invalid_request', 'invalid_target', 'x']) {
			const told = refusedGrant('refresh_token', 400, refusal(code));
			expect(`${told.message} ${told.next}`).not.toMatch(/\b(error|problem|failure|mistake)/i);
		}
	});
});
