import fc from 'fast-check';

import { isSafeSegment, path } from '../../../nodes/shared/contract/path.ts';

describe('A path', () => {
	test('holds its values in their segments, whatever they are', () => {
		expect(path`/sync/v1/accounts/${'a/b?c#d e'}/sponsors`).toBe(
			'/sync/v1/accounts/a%2Fb%3Fc%23d%20e/sponsors',
		);
		expect(path`/x/${'50%'}/${'é'}`).toBe('/x/50%25/%C3%A9');
		expect(path`/nothing`).toBe('/nothing');
	});

	test('leads where it is meant to lead for every value that is allowed', () => {
		const values = fc.string({ minLength: 1, unit: 'grapheme' }).filter(isSafeSegment);
		fc.assert(
			fc.property(values, values, (one, other) => {
				const url = new URL(`https://api.school-partner.example${path`/a/${one}/b/${other}`}`);
				expect(url.search + url.hash).toBe('');
				expect(url.pathname.split('/').map(decodeURIComponent)).toEqual(['', 'a', one, 'b', other]);
			}),
		);
	});

	test.each(['.', '..'])('is never given %p: address parsers would climb with it', (segment) => {
		expect(isSafeSegment(segment)).toBe(false);
		expect(new URL(`https://x.example/a/${encodeURIComponent(segment)}/b`).pathname).not.toContain(segment);
	});

	test.each(['...', '.a', 'a..', '%2e%2e', ' .', 'a/../b'])('may be given %p', (segment) => {
		expect(isSafeSegment(segment)).toBe(true);
		expect(new URL(`https://x.example${path`/a/${segment}/b`}`).pathname.split('/')).toHaveLength(4);
	});
});
