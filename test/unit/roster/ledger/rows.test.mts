import fc from 'fast-check';

import { fold, type LedgerEntry } from '../../../../nodes/SchoolPartnerRoster/ledger/fold.ts';
import { bondOf, keyOf, needsOf } from '../../../../nodes/SchoolPartnerRoster/ledger/key.ts';
import { COLUMNS, readRow, type LedgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { momentOf, nextRunId } from '../../../../nodes/SchoolPartnerRoster/ledger/runId.ts';
import { firstNight, nightOf, planned } from '../night.mts';
import { Service } from '../service.mts';
import { aClass, aSchool, rosterOf } from '../world.mts';

function row(more: Partial<LedgerRow>): LedgerRow {
	const empty = Object.fromEntries(COLUMNS.map((column) => [column, ''])) as LedgerRow;
	return {
		...empty,
		run_id: 'r1',
		sequence: '1',
		kind: 'user',
		key: 'u:1',
		school_external_id: 'north',
		state: 'applied',
		hash: 'h1',
		...more,
	};
}

describe('A row of a table', () => {
	test('is read whatever the table made of it', () => {
		const read = readRow({
			id: 7,
			createdAt: new Date(),
			run_id: 'r1',
			sequence: 12,
			kind: 'user',
			key: 'u:1',
			school_external_id: 42,
			state: 'missing',
			hash: null,
			missing_since: new Date('2026-03-02T00:00:00Z'),
			detail: { rows: 1 },
			at: undefined,
		});
		expect(read).toEqual(
			row({
				sequence: '12',
				school_external_id: '42',
				state: 'missing',
				hash: '',
				missing_since: '2026-03-02T00:00:00.000Z',
				detail: '{"rows":1}',
			}),
		);
	});

	test.each([
		['an item without content', {}, 'empty'],
		['an item of nothing but nulls', { id: null, key: null }, 'empty'],
		['no item', null, 'empty'],
		['a row of another table', { id: 1, name: 'x' }, 'foreign'],
		['a row of another table that has a key too', { key: 'x', at: '2026' }, 'foreign'],
		['a row without a run', { ...row({}), run_id: '' }, 'broken'],
		['a row in a state that nobody knows', row({ state: 'perhaps' }), 'broken'],
		['a row of a kind that nobody knows', row({ kind: 'teacher' }), 'broken'],
	])('%s is none', (_what, item, expected) => {
		expect(readRow(item)).toBe(expected);
	});
});

describe('Of the rows of a key', () => {
	const state = (...rows: Array<Partial<LedgerRow>>): Partial<LedgerEntry> => {
		const { there, hash, missing, isUnfinished } = fold(
			rows.map((more, index) => row({ sequence: String(index + 1), ...more })),
		).entry;
		return { there, hash, missing, isUnfinished };
	};

	test.each(['failed', 'blocked', 'not tried'])('%s leaves what is there as it was', (last) => {
		expect(state({ state: 'applied' }, { state: last, hash: 'h2' })).toEqual({
			there: 'yes',
			hash: 'h1',
			missing: undefined,
			isUnfinished: true,
		});
		expect(state({ state: last })).toMatchObject({ there: 'no', isUnfinished: true });
	});

	test('uncertain on something that is there leaves it there', () => {
		expect(state({ state: 'applied' }, { state: 'uncertain', hash: 'h2' })).toMatchObject({
			there: 'yes',
			hash: 'h1',
		});
		expect(state({ state: 'removed' }, { state: 'uncertain' })).toMatchObject({ there: 'maybe' });
	});

	test('missing counts until it is there again, or gone', () => {
		const missing = { state: 'missing', detail: '2 h9', missing_since: '2026-03-02' };
		expect(state({ state: 'applied' }, missing)).toMatchObject({
			there: 'yes',
			missing: { exports: 2, since: '2026-03-02', digest: 'h9' },
		});
		expect(state({ state: 'applied' }, missing, { state: 'applied' }).missing).toBeUndefined();
		expect(state({ state: 'applied' }, missing, { state: 'removed' })).toMatchObject({
			there: 'no',
			missing: undefined,
		});
		expect(state({ state: 'applied' }, missing, { state: 'failed' }).missing).toMatchObject({ exports: 2 });
	});

	test('the later run counts, then the outcome, then the sequence as a number', () => {
		expect(state({ run_id: 'r2', state: 'removed' }, { run_id: 'r1', state: 'applied' })).toMatchObject({
			there: 'no',
		});
		expect(state({ sequence: '10', state: 'removed' }, { sequence: '9', state: 'applied' })).toMatchObject({
			there: 'no',
		});
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
		expect(bondOf('b:s|c%7C1|u%25|student')).toEqual(bond);
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
				expect(keyOf('bond', one, 'network') === keyOf('bond', other, 'network')).toBe(
					JSON.stringify(one) === JSON.stringify(other),
				);
			}),
			{ numRuns: 500 },
		);
	});

	test('are none where an id is empty', () => {
		expect(keyOf('class', { school_external_id: 's', external_id: ' ' }, 'network')).toBeUndefined();
		expect(keyOf('class', { school_external_id: null, external_id: 'x' }, 'network')).toBeUndefined();
	});

	test('say what a record needs', () => {
		expect(needsOf('bond', bond, 'school')).toEqual(['c:s|c%7C1', 'u:s|u%25']);
		expect(needsOf('user', { school_external_id: 's', responsible_external_id: ['r'] }, 'network')).toEqual([
			'u:r',
		]);
	});
});

describe('The id of a run', () => {
	test('is its time, and is read again', () => {
		const id = nextRunId(nightOf(0), 'ab12', '');
		expect(id).toBe('20260302T020000000Z-ab12');
		expect(momentOf(id)).toBe(nightOf(0));
		expect(momentOf('something')).toBeUndefined();
	});

	test.each(['20260302T020000000Z-zz', '20990101T000000000Z-zz', '20260302T020000000Z-ab12-c', 'zzz', '~'])(
		'is greater than %s',
		(greatest) => {
			expect(nextRunId(nightOf(0), 'ab12', greatest) > greatest).toBe(true);
		},
	);
});

test('A school or a person called like something of JavaScript is one like any other', async () => {
	const records = ['__proto__', 'constructor', 'toString'].flatMap((name) => [
		...aSchool(name, 1, 2),
		aClass(name, name),
	]);
	const ledger = await firstNight(rosterOf(records), new Service());
	expect((await planned(nightOf(1), rosterOf(records), ledger)).changes).toEqual([]);
	expect(({} as Record<string, unknown>).user).toBeUndefined();
	const { held } = await planned(
		nightOf(1),
		rosterOf([...records, ...Array.from({ length: 60 }, (_, index) => aClass(`n${index}`, '__proto__'))]),
		ledger,
	);
	expect(held).toHaveLength(60);
});
