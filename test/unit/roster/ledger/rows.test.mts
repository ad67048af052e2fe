/** Rows, keys and ids of runs: what they say, whatever a table makes of them. */
import fc from 'fast-check';

import {
	pairDigest,
	digestOf,
	markOf,
	piecesOf,
	UnorderedDigest,
} from '../../../../nodes/SchoolPartnerRoster/ledger/digest.ts';
import {
	bondOf,
	classOfBond,
	endsOfBond,
	idsIn,
	isId,
	isKey,
	keyOf,
	kindOfKey,
	needsOf,
} from '../../../../nodes/SchoolPartnerRoster/ledger/key.ts';
import {
	beatOf,
	compared,
	ledgerRow,
	readStoredRow,
	runIdOf,
} from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';

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
		expect(needsOf('user', { school_external_id: 's' }, 'network')).toEqual([]);
		expect(needsOf('bond', { ...bond, class_external_id: '', user_external_id: 'u' }, 'network')).toEqual([
			'u:u',
		]);
	});

	test('are told apart by their letter, and say their ids as an office knows them', () => {
		expect(['c:s|5A', 'u:1', 'b:s|5A|1|student'].map(kindOfKey)).toEqual(['class', 'user', 'bond']);
		expect(idsIn('u:a%7Cb')).toEqual({ external_id: 'a|b' });
		expect(idsIn('u:s|1')).toEqual({ school_external_id: 's', external_id: '1' });
		expect(idsIn('c:s|5A')).toEqual({ school_external_id: 's', external_id: '5A' });
		expect(idsIn('b:s|5A|1|student')).toEqual({ school_external_id: 's', external_id: '1' });
	});

	test('of a bond say the class and the user, in the network or in the school', () => {
		expect(classOfBond('b:s|5A|1|student')).toBe('c:s|5A');
		expect(endsOfBond('b:s|5A|1|student')).toEqual(['c:s|5A', 'u:s|1', 'u:1']);
	});

	test.each(['c:s|5A', 'u:1', 'u:s|1', 'c:north|5A', 'u:1042', 'u:north|1042', 'b:north|5A|1042|student'])(
		'%s looks like one',
		(text) => expect(isKey(text)).toBe(true),
	);
	test.each([
		...['', '1', 'u:', 'u:|1', 'u:s|', 'u:a|b|c', 'c:5A', 'c:s|', 'c:a|b|c', 'x:1', ' u:1'],
		...['b:s|5A|1', 'b:s|5A|1|', 'b:s|5A|1|student|x', 'b:s||1|student'],
	])('"%s" does not', (text) => expect(isKey(text)).toBe(false));

	test.each([
		['1', true],
		[0, true],
		[2 ** 53, false],
		[1.5, false],
		[' ', false],
		[undefined, false],
	])('are made of ids: %p is one: %p', (id, is) => expect(isId(id)).toBe(is));
});

describe('Digests', () => {
	test('begin with a letter and are 96 bits long, and of what is not known there is none', () => {
		expect(digestOf('x')).toMatch(/^h[\w-]{16}$/);
		expect([markOf(''), markOf('x')]).toEqual(['', digestOf('x')]);
	});

	test('of a change are 60 bits, of its action and its key', () => {
		expect(pairDigest('remove', 'u:1')).toMatch(/^[\w-]{10}$/);
		expect(pairDigest('create', 'u:1')).not.toBe(pairDigest('remove', 'u:1'));
		expect(pairDigest('remove', 'u:2')).not.toBe(pairDigest('remove', 'u:1'));
	});

	test('stand in rows of at most 1,500', () => {
		const pieces = (count: number) =>
			piecesOf(Array.from({ length: count }, (_, index) => `h${index}`)).map(({ length }) => length);
		expect([0, 1, 1_500, 1_501, 3_000].map(pieces)).toEqual([[], [1], [1_500], [1_500, 1], [1_500, 1_500]]);
		expect(piecesOf(['a', 'b']).flat()).toEqual(['a', 'b']);
	});

	test('of many say the same in every order, and something else when one is missing or stands twice', () => {
		const valueOf = (...texts: string[]) => {
			const all = new UnorderedDigest();
			for (const text of texts) all.add(text);
			return all.value();
		};
		expect(valueOf('a', 'b', 'c')).toBe(valueOf('c', 'a', 'b'));
		const others = [valueOf(), valueOf('a'), valueOf('a', 'b'), valueOf('a', 'a'), valueOf('a', 'b', 'b')];
		expect(new Set(others).size).toBe(others.length);
	});
});

test('Texts are ordered by their characters, as ids need it', () => {
	expect(['b', 'B', '10', '9', 'a'].sort(compared)).toEqual(['10', '9', 'B', 'a', 'b']);
	expect(compared('a', 'a')).toBe(0);
});

test('The id of a run grows with the lease, says when it was for people, and gives its beat back', () => {
	expect(runIdOf(12, 1_800_000_000_000, 'ab12')).toBe('r12-20270115T080000Z-ab12');
	expect([runIdOf(12, 0, 'x'), 'r7', '', 'rX-1', 'xr7-1'].map(beatOf)).toEqual([12, 0, 0, 0, 0]);
});
