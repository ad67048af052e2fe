import { logoutUrl } from '../../../nodes/SchoolPartner/browser/logoutUrl.ts';
import { CLIENT_ID, ISSUER, rsaSigner, signed } from './peer.mts';

const signer = rsaSigner('key-1');
const claims = { iss: ISSUER, aud: CLIENT_ID, sub: 'account-17', iat: 1, exp: 2 };
const idToken = signed(claims, signer);
const goodbye = 'https://club.example/bye?lang=en';

function reasonsFor(hint: string, redirect: string): string[] {
	const made = logoutUrl(ISSUER, 'client', hint, redirect);
	return made.ok ? [] : made.failure.findings.map(({ code }) => code);
}

describe('the logout address', () => {
	test('takes an id token that has expired: it is a hint', () => {
		expect(reasonsFor(idToken, goodbye)).toEqual([]);
	});

	test('takes a deep link to come back to', () => {
		expect(reasonsFor(idToken, 'reading-club://bye')).toEqual([]);
	});

	test.each([
		['an access token', signed({ iss: ISSUER, client_id: CLIENT_ID, exp: 2 }, signer)],
		['an access token that says so', signed(claims, signer, { typ: 'at+jwt' })],
		['a token of another issuer', signed({ ...claims, iss: 'https://other.example' }, signer)],
		['an opaque token', 'c29tZSBvcGFxdWUgdG9rZW4'],
		['nothing', ''],
	])('is not made with %s for the hint', (_, hint) => {
		expect(reasonsFor(hint, goodbye)).toEqual(['not_an_id_token']);
	});

	test.each([[''], ['/bye'], ['club.example/bye'], ['javascript:alert(1)']])(
		'does not come back to “%s”',
		(redirect) => {
			expect(reasonsFor(idToken, redirect)).toEqual(['redirect_not_an_address']);
		},
	);

	test('is refused with both reasons at once, and never quotes the token', () => {
		expect(reasonsFor('x', 'y')).toEqual(['not_an_id_token', 'redirect_not_an_address']);
		expect(JSON.stringify(logoutUrl(ISSUER, 'full', `${idToken}.x`, ''))).not.toContain(idToken.slice(0, 20));
	});
});
