import { runInNewContext } from 'node:vm';

import fc from 'fast-check';

import {
	baseAddress,
	belowIssuer,
	readAddress,
	testedAddress,
} from '../../../nodes/shared/contract/address.ts';

describe('A base address', () => {
	test.each([
		['https://api.school-partner.example', 'https://api.school-partner.example'],
		['https://api.school-partner.example/', 'https://api.school-partner.example'],
		['  https://api.school-partner.example///  ', 'https://api.school-partner.example'],
		['https://api.school-partner.example/partner/', 'https://api.school-partner.example/partner'],
		['/', ''],
		['', ''],
	])('%p is used as %p', (typed, used) => {
		expect(baseAddress(typed)).toBe(used);
	});

	test('of a stranger, with three hundred thousand slashes in it, does not stop n8n', () => {
		const typed = `h${'/'.repeat(300_000)}a`;
		const began = performance.now();
		expect(baseAddress(typed)).toBe(typed);
		// Looking from each slash to the end takes minutes.
		expect(performance.now() - began).toBeLessThan(10_000);
	});
});

/** What a field of a credential may hold although no service is there. `why` is what the refusal says of it. */
const UNUSABLE: Array<[typed: string, why: string]> = [
	['', 'is empty'],
	['   ', 'is empty'],
	['/', 'is empty'],
	['api.school-partner.example', 'does not begin with https:// or http://'],
	['api.school-partner.example:443', 'does not begin with https:// or http://'],
	['127.0.0.1:4010', 'does not begin with https:// or http://'],
	['//api.school-partner.example', 'does not begin with https:// or http://'],
	['https:api.school-partner.example', 'does not begin with https:// or http://'],
	['https:/api.school-partner.example', 'does not begin with https:// or http://'],
	['http://', 'does not begin with https:// or http://'],
	['file:///etc/passwd', 'does not begin with https:// or http://'],
	['ftp://api.school-partner.example', 'does not begin with https:// or http://'],
	['javascript:alert(1)', 'does not begin with https:// or http://'],
	['data:application/json,{}', 'does not begin with https:// or http://'],
	['http://bob:planted@api.school-partner.example', 'holds a user name or a password'],
	['https://planted@api.school-partner.example/', 'holds a user name or a password'],
	['https://@api.school-partner.example', 'holds a user name or a password'],
	['HTTPS://bob:planted@api.school-partner.example/partner', 'holds a user name or a password'],
	['https://api.school-partner.example?planted=1', 'holds a ? or a #'],
	['https://api.school-partner.example/?', 'holds a ? or a #'],
	['https://api.school-partner.example/#planted', 'holds a ? or a #'],
	['https://bob:pla?nted@api.school-partner.example', 'holds a ? or a #'],
	['https://api.school partner.example', 'holds a blank or a backslash'],
	['https://api.school-partner.example/a b', 'holds a blank or a backslash'],
	['https://api.school-\npartner.example', 'holds a blank or a backslash'],
	['https://api.school-partner.example\\@planted.example', 'holds a user name or a password'],
	['https://api.school-partner.example/\\planted', 'holds a blank or a backslash'],
	['https:///partner', 'names no host'],
	['https://:443', 'names no host'],
];

/** Only a parser tells these. */
const UNREADABLE = [
	'https://api.school-partner.example:99999',
	'http://[::1',
	'https://300.1.1.1',
	'https://a<b>.example',
];

const USABLE = [
	'https://api.school-partner.example',
	'http://localhost:4010',
	'http://[::1]:4010',
	'http://192.168.0.10',
	'HTTPS://API.School-Partner.example',
	'https://escola-são-joão.example',
	'https://gateway.example/partner/api@v1',
];

describe('An address of a credential', () => {
	test('may have letters beyond ASCII, however often it is asked', () => {
		// Node.js 20 forgets what it knew of such an address once `URL.canParse` has been compiled.
		const refused = Array.from({ length: 50_000 }, () =>
			readAddress('baseUrl', 'https://escola-são-joão.example'),
		).filter(({ ok }) => !ok);
		expect(refused).toEqual([]);
	});

	test.each(USABLE)('may be %s, with and without slashes and spaces around it', (typed) => {
		for (const each of [typed, `${typed}/`, ` \t${typed}//  `]) {
			expect(readAddress('baseUrl', each)).toEqual({ ok: true, value: typed });
		}
	});

	test.each(UNUSABLE)('cannot be %j: it %s', (typed, why) => {
		expect(readAddress('baseUrl', typed)).toEqual({
			ok: false,
			failure: {
				message: `Base URL in the credential is not an address that can be used: it ${why}`,
				next: 'Open the credential and enter the address alone as Base URL, for example https://api.school-partner.example.',
			},
		});
	});

	test.each(UNREADABLE)('cannot be %j, which no service can have', (typed) => {
		expect(readAddress('issuerUrl', typed)).toMatchObject({
			ok: false,
			failure: {
				message:
					'Issuer URL in the credential is not an address that can be used: it has a host or a port that cannot be',
			},
		});
	});

	test.each([undefined, null, 7, {}, ['https://api.school-partner.example']])('cannot be %j', (typed) => {
		expect(readAddress('baseUrl', typed)).toMatchObject({ ok: false });
	});

	test('is never quoted when it is refused', () => {
		for (const [typed] of UNUSABLE)
			expect(JSON.stringify(readAddress('baseUrl', typed))).not.toContain('planted');
	});

	test('leads to its own host, whatever is put behind it, and carries no user', () => {
		const pieces = fc.constantFrom(
			'https://',
			'http:',
			'/',
			'//',
			'\\',
			'@',
			':',
			'?',
			'#',
			'a.example',
			'bob',
			'443',
			' ',
			'\t',
			'.',
		);
		fc.assert(
			fc.property(fc.array(pieces, { maxLength: 8 }), (parts) => {
				const read = readAddress('baseUrl', parts.join(''));
				if (!read.ok) return;
				const url = new URL(`${read.value}/data/v1/profiles?x=1`);
				expect([url.username, url.password, url.search, url.hash]).toEqual(['', '', '?x=1', '']);
				expect(url.pathname).toMatch(/\/data\/v1\/profiles$/);
				expect(url.host).toBe(new URL(read.value).host);
			}),
			{ numRuns: 5_000 },
		);
	});
});

/** Evaluates as JavaScript what stands between the braces; n8n's own evaluation is tested in the engine and end to end. */
function evaluated(expression: string, values: Record<string, unknown>): unknown {
	const [, code = ''] = /^=\{\{(.*)\}\}$/s.exec(expression) ?? [];
	expect(code).not.toContain('}}');
	return runInNewContext(code, { $self: values, $credentials: values });
}

describe('The expressions of the credential say the same as the node', () => {
	test.each(USABLE)('of %s', (typed) => {
		const values = { baseUrl: ` ${typed}/`, issuerUrl: `${typed}//` };
		expect(evaluated(belowIssuer('/connect/token'), values)).toBe(`${typed}/connect/token`);
		expect(evaluated(testedAddress('baseUrl', ['issuerUrl', 'baseUrl']), values)).toBe(typed);
	});

	test.each(UNUSABLE)('of %j', (typed) => {
		const right = 'https://right.example';
		expect(evaluated(belowIssuer('/connect/token'), { issuerUrl: typed })).toBe('');
		for (const field of ['baseUrl', 'issuerUrl'] as const) {
			const refusal = readAddress(field, typed);
			const { message, next } = (refusal as Extract<typeof refusal, { ok: false }>).failure;
			const values = { baseUrl: right, issuerUrl: right, [field]: typed };
			expect(() => evaluated(testedAddress('baseUrl', ['issuerUrl', 'baseUrl']), values)).toThrow(
				expect.objectContaining({ name: 'ExpressionError', message: `${message}. ${next}` }) as Error,
			);
		}
	});
});
