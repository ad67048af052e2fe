import { answerWithoutSecrets, refusalWithoutSecrets } from '../../../nodes/shared/transport/secrets.ts';

/** Invented, with characters that JSON, addresses and forms escape, each in its own way. */
const SECRET = 'a"b/c+d=0123456789~!\'( )';
const SHORT = '0123456789abcde';

const FORMS: Array<[how: string, quoted: string]> = [
	['as it is', SECRET],
	['escaped for JSON', JSON.stringify(SECRET).slice(1, -1)],
	['escaped for an address', encodeURIComponent(SECRET)],
	['escaped as a field of a form', new URLSearchParams({ is: SECRET }).toString().slice(3)],
];

describe('A secret of the run is struck out of a refusal', () => {
	test.each(FORMS)('%s', (_how, quoted) => {
		expect(refusalWithoutSecrets(`You sent ${quoted}.`, [SECRET])).toBe('You sent [secret].');
	});

	test('however JSON writes its letters', () => {
		const body = String.raw`{"error": "You sent \u0061\"b\/c+d=0123456789~!'( )."}`;
		expect(refusalWithoutSecrets(body, [SECRET])).toBe('{"error":"You sent [secret]."}');
	});

	test('also a short one, and several', () => {
		expect(refusalWithoutSecrets(`${SHORT} ${SECRET} ab`, [SHORT, 'ab', SECRET])).toBe(
			'[secret] [secret] [secret]',
		);
	});
});

describe('An answer', () => {
	test('loses a secret of at least 16 characters that stands in it as it is', () => {
		const token = `${SHORT}f`;
		expect(answerWithoutSecrets(`{"seen": "Bearer ${token}"}`, [token])).toBe('{"seen": "Bearer [secret]"}');
	});

	test('keeps a shorter one, which could be part of a word', () => {
		const body = `{"name": "${SHORT}"}`;
		expect(answerWithoutSecrets(body, [SHORT, ''])).toBe(body);
	});
});

test('A code that holds half of a character, as a visitor may send it, is struck out like any other', () => {
	const code = 'a-code-of-a-visitor-\ud800';
	const asSent = new URLSearchParams({ code }).toString();
	expect(refusalWithoutSecrets(`not known: ${asSent}`, [code])).toBe('not known: code=[secret]');
});
