import { tokenResponse } from '../../../nodes/shared/contract/token.ts';

test('The token response of the document is taken as it is, with members that it does not name', () => {
	const whole = {
		id_token: 'i',
		access_token: 'a',
		refresh_token: 'r',
		expires_in: 3_600,
		token_type: 'Bearer',
		scope: 'openid',
	};
	expect(tokenResponse.parse(whole)).toEqual(whole);
	expect(tokenResponse.parse({ access_token: 'a' })).toEqual({ access_token: 'a' });
});

test.each([
	{},
	{ access_token: null },
	{ access_token: 7 },
	{ access_token: 'a', expires_in: '3600' },
	null,
	'a',
])('%p is no token response', (body) => {
	expect(tokenResponse.safeParse(body).success).toBe(false);
});
