/** Rows, keys and ids of runs: what they say, whatever a table makes of them. */
import fc from 'fast-check';

import { bondOf, keyOf, needsOf } from '../../../../nodes/SchoolPartnerRoster/ledger/key.ts';
import { ledgerRow, readStoredRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { beatOf, runIdOf } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';

describe('A row of a table', () => {
	test('is read whatever the table made of it', () => {
		const cells = { id: '7', createdAt: new Date(), run_id: 'r1', sequence: 12, kind: 'user', key: 'u:n|1' };
		const more = {
			school_external_id: 42,
			state: 'missing',
			fields: null,
			detail: { there: 'yes' },
			at: undefined,
		};
		expect(readStoredRow({ ...cells, ...more })).toEqual({
			...ledgerRow({ run_id: 'r1', sequence: '12', kind: 'user', key: 'u:n|1', school_external_id: '42' }),
			...{ id: 7, state: 'missing', detail: '{"there":"yes"}' },
		});
	});

	test.each([
		['a row of another table', { id: 1, name: 'x' }],
		['a row without a key', { id: 1, ...ledgerRow({ kind: 'user' }) }],
		['a row without an id', ledgerRow({ kind: 'user', key: 'u:n|1' })],
		['a row of a kind that nobody knows', { id: 1, ...ledgerRow({ kind: 'teacher', key: 'u:n|1' }) }],
	])('%s is none', (_what, cells) => {
		expect(readStoredRow(cells)).toBeUndefined();
	});
});

describe('Keys', () => {
	const bond = {
		school_external_id: 's',
		class_external_id: 'c|1',
		user_external_id: 'u%',
		profile_name: 'student',
	};

	test('hold the ids as they are, but for a bar and a percent sign', () => {
		expect(keyOf('class', { school_external_id: 's', external_id: 'A b/ç' }, 'network')).toBe('c:s|A b/ç');
		expect(keyOf('user', { school_external_id: 's', external_id: 1042 }, 'network')).toBe('u:1042');
		expect(keyOf('user', { school_external_id: 's', external_id: 'x' }, 'school')).toBe('u:s|x');
		expect(keyOf('bond', bond, 'network')).toBe('b:s|c%7C1|u%25|student');
	});

	test('give back the ids that they were made of, and no two bonds have the same', () => {
		const id = fc.stringMatching(/^[a%|7C25]{1,6}$/);
		const bonds = fc.record({
			school_external_id: id,
			class_external_id: id,
			user_external_id: id,
			profile_name: id,
		});
		fc.assert(
			fc.property(bonds, bonds, (one, other) => {
				expect(bondOf(keyOf('bond', one, 'network') ?? '')).toEqual(one);
				const isSame = keyOf('bond', one, 'network') === keyOf('bond', other, 'network');
				expect(isSame).toBe(JSON.stringify(one) === JSON.stringify(other));
			}),
			{ numRuns: 500 },
		);
	});

	test('are none where an id is empty, or a number that nobody can hold', () => {
		for (const external_id of [' ', null, 2 ** 60])
			expect(keyOf('class', { school_external_id: 's', external_id }, 'network')).toBeUndefined();
	});

	test('say what a record needs', () => {
		expect(needsOf('bond', bond, 'school')).toEqual(['c:s|c%7C1', 'u:s|u%25']);
		expect(needsOf('user', { school_external_id: 's', responsible_external_id: ['r'] }, 'network')).toEqual([
			'u:r',
		]);
	});
});

test('The id of a run grows with the lease, says when it was for people, and gives its beat back', () => {
	expect(runIdOf(12, 1_800_000_000_000, 'ab12')).toBe('r12-20270115T080000Z-ab12');
	expect([runIdOf(12, 0, 'x'), 'r7', '', 'rX-1'].map(beatOf)).toEqual([12, 0, 0, 0]);
});
