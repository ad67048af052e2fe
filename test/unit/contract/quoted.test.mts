import fc from 'fast-check';

import { firstOf, LONGEST_QUOTE, MOST_FINDINGS, quoted } from '../../../nodes/shared/contract/quoted.ts';

describe('Words from outside', () => {
	test('stay as they are when they are short and on one line', () => {
		expect(quoted('Código da turma já existe: "5º ano" (ENRL-0001) 🎓')).toBe(
			'Código da turma já existe: "5º ano" (ENRL-0001) 🎓',
		);
	});

	test.each([
		['ends of lines', 'one\r\ntwo\nthree\u2028four\u0085five', 'one two three four five'],
		['control characters', 'one\u0000two\u001B[31mthree\u0007', 'one two [31mthree'],
		['marks that turn the direction', 'one\u202Etwo\u2066three', 'one two three'],
		['blanks', '  one \t\t two\u00A0', 'one two'],
		['nothing but those', ' \n\u0000 ', ''],
	])('lose %s', (_what, text, expected) => {
		expect(quoted(text)).toBe(expected);
	});

	test('are cut where they are too long, and say so', () => {
		expect(quoted('y'.repeat(500))).toBe('y'.repeat(500));
		expect(quoted('y'.repeat(501))).toBe(`${'y'.repeat(499)}…`);
		expect(quoted('yyyyy', 3)).toBe('yy…');
	});

	test('are not cut through the middle of a character', () => {
		expect(quoted('ab🎓🎓', 4)).toBe('ab…');
	});

	test('are on one line and short, whatever they are', () => {
		const anything = fc.oneof(
			fc.string({ maxLength: 2_000 }),
			fc.string({ unit: 'binary', maxLength: 2_000 }),
		);
		fc.assert(
			fc.property(anything, (text) => {
				const line = quoted(text);
				expect(line.length).toBeLessThanOrEqual(LONGEST_QUOTE);
				expect(line).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u);
			}),
		);
	});
});

test('Of many findings the first are listed, and the others counted', () => {
	const findings = Array.from({ length: 1_000 }, (_, index) => `finding ${index + 1}`);
	const listed = firstOf(findings);
	expect(listed).toHaveLength(MOST_FINDINGS + 1);
	expect(listed.slice(-2)).toEqual([`finding ${MOST_FINDINGS}`, `… and ${1_000 - MOST_FINDINGS} more`]);
	expect(firstOf(findings.slice(0, MOST_FINDINGS))).toEqual(findings.slice(0, MOST_FINDINGS));
});
