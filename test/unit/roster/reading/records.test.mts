/** Items in the form of records. */
import fc from 'fast-check';

import { callOf } from '../../../../nodes/SchoolPartnerRoster/planning/change.ts';
import { readRecords } from '../../../../nodes/SchoolPartnerRoster/reading/readRecords.ts';

import { finding, host, oneRoster12, rosterOf } from './support.mts';

describe('Records', () => {
	const read = async (items: Array<Record<string, unknown>>, completeness: 'whole' | 'partial' = 'partial') =>
		await readRecords(items, 'network', completeness, host);

	test('from Read Files are the same roster again', async () => {
		const { records } = await rosterOf(oneRoster12());
		const items = records.map(({ kind, fields, source }) => ({ json: 1, kind, ...fields, source }));
		expect((await read(JSON.parse(JSON.stringify(items)) as typeof items)).records).toEqual(records);
	});

	test('of one student with lists as texts, in whatever order, are of one student with all of them', async () => {
		const user = { kind: 'user', school_external_id: 's', first_name: 'Ana', last_name: 'Sá' };
		const guardian = (id: string) => ({ ...user, external_id: id, profiles: 'responsible' });
		const student = { ...user, external_id: '1', profiles: 'student' };
		const rows = ['g1, g2', 'g2, g1'].map((ids) => ({ ...student, responsible_external_id: ids }));
		const { records } = await read([guardian('g1'), guardian('g2'), ...rows]);
		expect(records.at(-1)?.fields.responsible_external_id).toEqual(['g1', 'g2']);
		const other = { ...guardian('g1'), first_name: 'Otto', last_name: 'Lima' };
		const ofStranger = await read([guardian('g1'), other, { ...student, responsible_external_id: 'g1' }]);
		expect(ofStranger.records).toEqual([]);
	});

	test('with blanks that a database has put behind their ids are those without', async () => {
		const user = { kind: 'user', school_external_id: 's', last_name: 'Sá' };
		const guardian = { ...user, external_id: 'g1', first_name: 'Rosa', profiles: ['responsible'] };
		const ana = { ...user, external_id: '12', first_name: 'Ana', profiles: 'student' };
		const filledUp = { ...ana, external_id: '12  ', first_name: 'Ana ', school_external_id: ' s' };
		const { records, findings } = await read([
			...[guardian, ana, { ...filledUp, responsible_external_id: ['g1  '], profiles: ['student '] }],
		]);
		expect(findings).toEqual([]);
		expect(records.map(({ fields }) => fields.external_id)).toEqual(['g1', '12']);
		expect(records[1].fields).toMatchObject({ first_name: 'Ana', responsible_external_id: ['g1'] });
	});

	test.each([
		[1_234_567_890, 'zerosLost'],
		['1234567890', 'zerosLost'],
		[0, 'contactUnusable'],
		['0', 'contactUnusable'],
	])('with %p for a CPF tell the same as a sheet: %s', async (value, code) => {
		const user = { kind: 'user', school_external_id: 's', external_id: '1', profiles: 'responsible' };
		const name = { first_name: 'Ana', last_name: 'Sá' };
		const roster = await read([{ ...user, ...name, document_type: 'CPF', document_value: value }]);
		expect(roster.findings.map((one) => one.code)).toEqual([code]);
		expect(roster.records.map(({ fields }) => fields.document_value)).toEqual(
			code === 'zerosLost' ? [] : [undefined],
		);
	});

	test.each([
		['texts', '12345678909', '98765432100'],
		['numbers', 12_345_678_909, 98_765_432_100],
	])('of two people with one id are told apart by their documents, as %s too', async (_what, one, other) => {
		const user = { kind: 'user', school_external_id: 's', external_id: 9, profiles: 'responsible' };
		const of = { ...user, first_name: 'Ana', document_type: 'CPF' };
		const { records, findings } = await read([
			{ ...of, last_name: 'Souza', document_value: one },
			{ ...of, last_name: 'Lima', document_value: other, birth_date: '1980-01-02' },
		]);
		expect([records, findings.map(({ code }) => code)]).toEqual([[], ['idTwice']]);
	});

	test('with the same type of document in each send none without its number', async () => {
		const user = { kind: 'user', school_external_id: 's', external_id: 9, profiles: 'responsible' };
		const of = { ...user, first_name: 'Ana', last_name: 'Souza', document_type: 'CPF', ddi: 55 };
		const [{ fields }] = (await read([{ ...of, document_value: '', cell_phone: null }])).records;
		expect(Object.keys(fields)).toEqual(expect.not.arrayContaining(['document_type', 'ddi']));
	});

	test('made by hand are checked like the action node checks them', async () => {
		const roster = await read([
			{
				kind: 'user',
				external_id: 7,
				school_external_id: 'sch-1',
				first_name: 'Ana',
				last_name: 'Sá',
				profiles: 'student',
				password: 'hunter2',
			},
		]);
		expect(roster.records).toEqual([
			{
				kind: 'user',
				fields: {
					external_id: '7',
					school_external_id: 'sch-1',
					first_name: 'Ana',
					last_name: 'Sá',
					profiles: ['student'],
				},
				source: { file: 'Item', line: 1 },
			},
		]);
	});

	test.each(['1,23E+12', '#N/A', ''])(
		'that are said to be gone with the id "%s" are told, and nobody is taken for gone',
		async (id) => {
			const gone = { kind: 'gone', school_external_id: 's' };
			const roster = await read([
				{ ...gone, of: 'user', external_id: id },
				{ ...gone, of: 'bond', class_external_id: 'c', user_external_id: id, profile_name: 'student' },
			]);
			expect(roster.gone).toEqual([]);
			const told = roster.findings.map(({ code, kind }) => [code, kind]);
			expect(told).toEqual(['user', 'bond'].map((kind) => ['goneWithoutIds', kind]));
		},
	);

	test('are read as the body that their call sends, whatever sheets make of texts: nobody needs to check them again', async () => {
		const cell = fc.constantFrom<unknown>(
			'',
			' ',
			' a ',
			7,
			'7',
			null,
			'++55',
			' + +55',
			'+',
			'+ ',
			'2015-05-17T00:00:00Z',
			' 2015-05-17',
			'a, b,',
			['a', 'b', 'a'],
			['student'],
		);
		const filled = fc.constantFrom<unknown>(7, ' a ', '++1', '+');
		const user = fc.record(
			{
				...{
					kind: fc.constant('user'),
					school_external_id: filled,
					external_id: filled,
					first_name: filled,
					last_name: filled,
				},
				profiles: fc.constantFrom<unknown>('student', ['student'], 'responsible', 'student, educator', [
					'student',
					'student',
				]),
				...{
					birth_date: cell,
					document_type: cell,
					document_value: cell,
					ddi: cell,
					cell_phone: cell,
					email: cell,
					responsible_external_id: cell,
				},
			},
			{ requiredKeys: ['kind', 'school_external_id', 'external_id', 'first_name', 'last_name', 'profiles'] },
		);
		const ofClass = fc.record({
			...{
				kind: fc.constant('class'),
				school_external_id: filled,
				external_id: filled,
				educational_stage: filled,
				grade: filled,
				code: filled,
				name: filled,
			},
			...{ year: fc.constantFrom(2026, '2026', ' 26 '), shift: cell, course: cell, description: cell },
		});
		let sound = 0;
		await fc.assert(
			fc.asyncProperty(fc.oneof(user, ofClass), async (item) => {
				for (const { kind, fields } of (await read([item])).records) {
					const { contract, work } = callOf({ action: 'create', kind });
					const { body } = (work.request as (input: unknown) => { body?: unknown })(contract.parse(fields));
					expect(JSON.stringify(body)).toBe(JSON.stringify(fields));
					sound += 1;
				}
			}),
			{ numRuns: 1_000 },
		);
		expect(sound).toBeGreaterThan(100);
	});

	test.each([
		[{ kind: 'teacher' }, 'kindMissing'],
		[{}, 'kindMissing'],
		[{ kind: 'class', external_id: 'c' }, 'fieldRefused'],
		[{ kind: 'user', external_id: {}, profiles: 1 }, 'fieldRefused'],
		[{ kind: 'bond', school_external_id: ['x'], class_external_id: null }, 'fieldRefused'],
	])('like %j are a finding', async (item, code) => {
		const roster = await read([item], 'whole');
		expect(finding(roster, code)).toMatchObject({ severity: 'error' });
		expect(roster.records).toEqual([]);
	});
});
