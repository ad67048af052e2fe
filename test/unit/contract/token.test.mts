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
	[{ refresh_token: null, id_token: null, token_type: null, expires_in: null }],
	[{ refresh_token: 7, id_token: ['i'], token_type: {}, expires_in: 'an hour' }],
	[{ user: { roles: [] }, 'not-before-policy': 0, session_state: null }],
])('Members of another kind, and unknown ones, are passed on: %j', (members) => {
	const answer = { access_token: 'a', ...members };
	expect(tokenResponse.parse(answer)).toEqual(answer);
});

test('Seconds that are written as text are a number', () => {
	expect(tokenResponse.parse({ access_token: 'a', expires_in: '3600' })).toEqual({
		access_token: 'a',
		expires_in: 3_600,
	});
});

test.each([{}, { access_token: null }, { access_token: 7 }, null, 'a'])('%p is no token response', (body) => {
	expect(tokenResponse.safeParse(body).success).toBe(false);
});
