/** Rows of a sheet. */
import { runInNewContext } from 'node:vm';

import type { Row } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';
import { ofEachKind } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';

import { bodies, finding, rows } from './support.mts';

const ROW = {
	school_external_id: 'sch-1',
	student_external_id: 'st-1',
	student_full_name: 'Nina Maria Prado',
	student_birth_date: '2015-05-20',
	class_external_id: 'cl-1',
	class_name: 'Grade 5, room A',
	class_grade: '05',
	class_year: '2026',
	responsible_1_external_id: 'gu-1',
	responsible_1_full_name: '  Rosa  Prado ',
	responsible_1_ddi: '+55',
	responsible_1_cell_phone: '11955550123',
};

describe('A row of a sheet', () => {
	test('with characters that were lost on the way is left out: a name that was created so cannot be corrected any more', async () => {
		const latin1 = Buffer.from('Nina Conceição', 'latin1').toString('utf8');
		const roster = await rows([{ ...ROW, student_full_name: latin1 }]);
		expect(Object.keys(bodies(roster, 'user'))).toEqual(['gu-1']);
		expect(finding(roster, 'charactersLost')).toMatchObject({
			severity: 'error',
			message: 'User: last_name has lost characters: it was read in another encoding than it was written in',
			key: 'u:sch-1|st-1',
			line: 1,
		});
		expect(JSON.stringify(roster.findings)).not.toContain('Conc');
	});

	test('becomes a class, a student, its responsible persons and a bond', async () => {
		const roster = await rows([ROW], {}, 'partial');
		expect(bodies(roster, 'class')).toEqual({
			'cl-1': {
				school_external_id: 'sch-1',
				external_id: 'cl-1',
				educational_stage: 'EF1',
				grade: '5º ano',
				shift: null,
				year: 2026,
				code: 'Grade 5, room A',
				name: 'Grade 5, room A',
				description: '',
				course: null,
			},
		});
		expect(bodies(roster, 'user')).toEqual({
			'st-1': {
				school_external_id: 'sch-1',
				external_id: 'st-1',
				first_name: 'Nina',
				last_name: 'Maria Prado',
				birth_date: '2015-05-20',
				profiles: ['student'],
				responsible_external_id: ['gu-1'],
			},
			'gu-1': {
				school_external_id: 'sch-1',
				external_id: 'gu-1',
				first_name: 'Rosa',
				last_name: 'Prado',
				ddi: '55',
				cell_phone: '11955550123',
				profiles: ['responsible'],
			},
		});
		expect(Object.keys(bodies(roster, 'bond'))).toEqual(['cl-1 st-1']);
		expect(roster).toMatchObject({
			findings: [],
			schools: ['sch-1'],
			completeness: { class: 'partial', user: 'partial', bond: 'partial' },
		});
		expect(roster.records.map(({ source }) => source)).toContainEqual({ file: 'Row', line: 1 });
	});

	test('of a grade that is mapped to nothing is left out with its student, who may be in another row', async () => {
		const grades = [{ gradeCode: '05', educationalStage: '', gradeName: '' }];
		const roster = await rows([ROW, { ...ROW, class_external_id: 'cl-2' }], { grades });
		expect(roster).toMatchObject({ faulty: [], records: [], completeness: ofEachKind('whole') });
		expect(roster.findings).toMatchObject([
			{
				...{ code: 'gradeLeftOut', severity: 'information', count: 2 },
				message: expect.stringContaining('left out with its students') as string,
			},
		]);
		const stage = { class_educational_stage: 'EF1', class_grade: '5º ano' };
		const inAnother = await rows([ROW, { ...ROW, class_external_id: 'cl-2', ...stage }], { grades });
		expect(inAnother.records.map(({ kind }) => kind).sort()).toEqual(['bond', 'class', 'user', 'user']);
	});

	test('may name a class of its student for the second time: once is enough', async () => {
		const roster = await rows([ROW, { ...ROW, class_external_id: 'cl-2' }]);
		expect(roster.findings).toEqual([]);
		expect(roster.records.map(({ kind }) => kind).sort()).toEqual([
			'bond',
			'bond',
			'class',
			'class',
			'user',
			'user',
		]);
	});

	test('holds nothing where cells that were joined by a comma are all empty', async () => {
		const noSecond = { responsible_2_full_name: ', ', responsible_2_email: ' ' };
		expect(await rows([{ ...ROW, ...noSecond }])).toEqual(await rows([ROW]));
		const roster = await rows([{ ...ROW, student_full_name: ' , ' }]);
		expect(Object.keys(bodies(roster, 'user'))).toEqual(['gu-1']);
		expect(finding(roster, 'fieldRefused')).toMatchObject({ key: 'u:sch-1|st-1', line: 1 });
	});

	test('that gives the id of a student to another one is an error for both', async () => {
		const other = { student_full_name: 'Otto Reis', student_birth_date: '2014-02-03' };
		const roster = await rows([ROW, { ...ROW, class_external_id: 'cl-2', ...other }]);
		expect(finding(roster, 'idTwice')).toMatchObject({
			kind: 'user',
			count: 2,
			places: [{ line: 1 }, { line: 2 }],
		});
		expect(Object.keys(bodies(roster, 'user'))).toEqual(['gu-1']);
	});

	test('that writes a document with other punctuation says the same', async () => {
		const student = { ...ROW, student_document_type: 'CPF', student_document_value: '529.982.247-25' };
		const again = { ...student, class_external_id: 'cl-2', student_document_value: '52998224725' };
		expect(finding(await rows([student, again]), 'rowsDiffer')).toBeUndefined();
	});

	test('that writes the name of a student otherwise is a warning, and the first row counts', async () => {
		const roster = await rows([ROW, { ...ROW, class_external_id: 'cl-2', student_full_name: 'Nina Prado' }]);
		expect(finding(roster, 'rowsDiffer')).toMatchObject({
			severity: 'warning',
			message: 'User: rows with one id have different values of last_name',
			fields: ['last_name'],
			line: 2,
		});
		expect(bodies(roster, 'user')['st-1']).toMatchObject({ first_name: 'Nina', last_name: 'Maria Prado' });
		expect(Object.keys(bodies(roster, 'bond'))).toEqual(['cl-1 st-1', 'cl-2 st-1']);
	});

	test.each<[string, Row, Row]>([
		[
			'an e-mail that one row lacks',
			{ responsible_1_email: 'rosa@school.example' },
			{ responsible_1_email: '' },
		],
		[
			'an e-mail in capitals',
			{ responsible_1_email: 'rosa@school.example' },
			{ responsible_1_email: 'Rosa@School.example' },
		],
		[
			'another format of a phone',
			{ responsible_1_cell_phone: '11955550123' },
			{ responsible_1_cell_phone: '(11) 95555-0123' },
		],
		[
			'another form of Unicode',
			{ responsible_1_full_name: 'Ros\u00e1 Prado' },
			{ responsible_1_full_name: 'Rosa\u0301 Prado' },
		],
	])('of a sibling with %s leaves nobody out', async (_what, one, other) => {
		const sibling = {
			student_external_id: 'st-2',
			student_full_name: 'Otto Prado',
			student_birth_date: '2017-01-02',
		};
		for (const [first, second] of [
			[one, other],
			[other, one],
		]) {
			const roster = await rows([
				{ ...ROW, ...first },
				{ ...ROW, ...sibling, ...second },
			]);
			expect(Object.keys(bodies(roster, 'user'))).toEqual(['gu-1', 'st-1', 'st-2']);
			expect([roster.faulty, roster.findings]).toEqual([[], []]);
			if ('responsible_1_email' in one && one.responsible_1_email !== '')
				expect(bodies(roster, 'user')['gu-1'].email).toMatch(/^rosa@school.example$/i);
		}
	});

	test('of thirty with another grade leaves no class out, and is told', async () => {
		const many = Array.from({ length: 30 }, (_, place) => ({
			...ROW,
			student_external_id: `st-${place}`,
			student_full_name: `Nina Prado ${place}`,
			class_grade: place === 17 ? '06' : '05',
		}));
		const roster = await rows(many);
		expect(Object.keys(bodies(roster, 'bond'))).toHaveLength(30);
		expect(finding(roster, 'rowsDiffer')).toMatchObject({ kind: 'class', line: 18 });
	});

	test('may give numbers for ids and years, as sheets do', async () => {
		const roster = await rows([
			{ ...ROW, student_external_id: 1042, class_year: 2026, class_external_id: 7 },
		]);
		expect(Object.keys(bodies(roster, 'bond'))).toEqual(['7 1042']);
	});

	test('of a student who has no class yet has the year of the list all the same: the student is in no class, and nothing is wrong', async () => {
		const waiting = { class_year: '2026', class_shift: 'Manhã', class_educational_stage: 'EF1' };
		const { class_external_id: _id, class_name: _name, class_grade: _grade, ...student } = ROW;
		const roster = await rows([{ ...student, ...waiting }]);
		expect(roster.findings).toEqual([]);
		expect([Object.keys(bodies(roster, 'class')), Object.keys(bodies(roster, 'bond'))]).toEqual([[], []]);
		expect(Object.keys(bodies(roster, 'user'))).toContain('st-1');
		// A class that has lost its id is another matter.
		const lost = await rows([{ ...student, ...waiting, class_name: '5A' }]);
		expect(finding(lost, 'idMissing')).toMatchObject({ kind: 'class', line: 1 });
	});

	test('with a name of one word is an error: a last name is never invented', async () => {
		const roster = await rows([{ ...ROW, student_full_name: 'Nina' }]);
		expect(finding(roster, 'fieldRefused')).toMatchObject({
			message: expect.stringContaining('last_name') as string,
			line: 1,
		});
		expect(JSON.stringify(roster.findings)).not.toContain('Nina');
	});

	test('without the id of its student is an error, which says who it may be and which class it is in', async () => {
		const roster = await rows([{ ...ROW, student_external_id: ' ' }]);
		expect(finding(roster, 'idMissing')).toMatchObject({ severity: 'error', kind: 'user', line: 1 });
		const nina = { first_name: 'Nina', last_name: 'Maria Prado', birth_date: '2015-05-20' };
		const ends = { class_external_id: 'cl-1', profile_name: 'student' };
		expect(roster.faulty.map(({ kind, fields }) => [kind, fields])).toEqual([
			['user', { school_external_id: 'sch-1', ...nina }],
			['bond', { school_external_id: 'sch-1', ...ends, ...nina }],
		]);
		expect(roster.completeness).toEqual(ofEachKind('whole'));
	});

	test('without the id of its student and its school may be about anybody: the sheet is not whole', async () => {
		const nobody = { school_external_id: '', student_external_id: '', class_external_id: '' };
		const roster = await rows([ROW, { ...ROW, ...nobody }]);
		expect(roster.completeness).toEqual(ofEachKind('partial'));
	});

	test.each(['', true, 1e20])(
		'that names a responsible person without an id (%p) leaves its student out: nobody could add that person later',
		async (id) => {
			const roster = await rows([{ ...ROW, responsible_1_external_id: id }]);
			expect(bodies(roster, 'user')).toEqual({});
			expect(finding(roster, 'responsibleWithoutId')).toMatchObject({
				severity: 'error',
				kind: 'user',
				key: 'u:sch-1|st-1',
				line: 1,
			});
			expect(roster.faulty).toContainEqual(
				expect.objectContaining({
					kind: 'user',
					fields: expect.objectContaining({
						school_external_id: 'sch-1',
						external_id: 'st-1',
					}) as object,
				}),
			);
		},
	);

	test('that cannot be read makes a sheet that holds everybody no list that comes once', async () => {
		const unreadable = [ROW, undefined];
		expect(await rows(unreadable)).toMatchObject({ completeness: ofEachKind('partial') });
		expect(await rows(unreadable)).not.toHaveProperty('comesOnce');
		expect(await rows(unreadable, {}, 'partial')).toHaveProperty('comesOnce', true);
	});

	test('says nothing of a person by a kind of document or a dialing code alone, which may be fixed for all rows under Columns', async () => {
		const {
			responsible_1_external_id: _id,
			responsible_1_full_name: _name,
			responsible_1_cell_phone: _phone,
			...grown
		} = ROW;
		const fixed = {
			student_document_type: 'CPF',
			responsible_1_document_type: 'CPF',
			responsible_1_ddi: '55',
		};
		const roster = await rows([{ ...grown, ...fixed }, fixed]);
		expect(roster).toMatchObject({
			findings: [],
			completeness: { class: 'whole', user: 'whole', bond: 'whole' },
		});
		expect(Object.keys(bodies(roster, 'user'))).toEqual(['st-1']);
		// A kind of document without a number is not sent.
		expect(bodies(roster, 'user')['st-1']).not.toHaveProperty('document_type');
	});

	test('with a stage of its own needs no table of grades; without either it is an error', async () => {
		const own = await rows([{ ...ROW, class_educational_stage: 'EM', class_grade: '1ª série' }], {
			grades: [],
		});
		expect(bodies(own, 'class')['cl-1']).toMatchObject({ educational_stage: 'EM', grade: '1ª série' });
		const none = await rows([{ ...ROW, class_grade: '' }], { grades: [] });
		expect(finding(none, 'fieldRefused')).toMatchObject({
			what_to_do: expect.stringContaining('Grades') as string,
		});
	});

	test('with a grade that has no row in the table of grades names that grade, once for each class', async () => {
		const sixth = { student_external_id: 'st-2', class_external_id: 'cl-2', class_grade: '6º ano' };
		const roster = await rows([ROW, { ...ROW, ...sixth }, { ...ROW, ...sixth, student_external_id: 'st-3' }]);
		expect(roster.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
			{
				code: 'gradeNotMapped',
				kind: 'class',
				message: 'Class: nobody said which stage and grade of the service the grade "6º ano" is',
				what_to_do: expect.stringContaining('Mapping → Grades') as string,
				key: 'c:sch-1|cl-2',
				count: 1,
				line: 2,
			},
		]);
	});

	test.each(['Jardim II', 'maternal b', 'Berçário', 'Pré-escola', 'Kinder'])(
		'without a row for the grade "%s" names it',
		async (grade) => {
			const { message } = finding(await rows([{ ...ROW, class_grade: grade }]), 'gradeNotMapped') ?? {};
			expect(message).toContain(`the grade "${grade}" is`);
		},
	);

	test.each(['Jardim Lagoeiro', 'Abelia Fontela', '31/12/2015', '000.000.001-91'])(
		'with a cell that was moved does not say what stands in it',
		async (cell) => {
			const { message } = finding(await rows([{ ...ROW, class_grade: cell }]), 'gradeNotMapped') ?? {};
			expect(message).toContain('of the service a grade is');
		},
	);

	test.each([
		'sem e-mail',
		'nina.at.mail.example',
		'nina@@mail.example',
		'nina@mail.example; otto@mail.example',
	])('with "%s" as an e-mail has its student without one, and says in which rows', async (email) => {
		const roster = await rows([
			{ ...ROW, student_email: email },
			{ ...ROW, student_external_id: 'st-2' },
		]);
		expect(bodies(roster, 'user')['st-1']).not.toHaveProperty('email');
		expect(finding(roster, 'contactUnusable')).toMatchObject({
			...{ severity: 'warning', kind: 'user', count: 1, places: [{ line: 1 }], fields: ['email'] },
		});
	});

	test.each([
		['recado c/ vizinha 3222-1010', undefined],
		['não tem', undefined],
		['(11) 90000-0106', '(11) 90000-0106'],
		['+55 11 90000.0106', '+55 11 90000.0106'],
	])('with "%s" as a mobile number is created with %p, and what is left out is told', async (phone, sent) => {
		const roster = await rows([{ ...ROW, student_cell_phone: phone }]);
		expect(bodies(roster, 'user')['st-1'].cell_phone).toBe(sent);
		expect(finding(roster, 'contactUnusable')?.fields).toEqual(
			sent === undefined ? ['cell_phone'] : undefined,
		);
	});

	test('with a megabyte of digits and a letter as a mobile number is read at once', async () => {
		const roster = await rows([{ ...ROW, student_cell_phone: `${'1'.repeat(1_000_000)}a` }]);
		expect(finding(roster, 'contactUnusable')).toBeDefined();
	});

	test.each([0, '0', '000.000.000-00'])(
		'with a CPF of nothing but zeros (%p), as offices fill it in for none, comes without it',
		async (value) => {
			const roster = await rows([{ ...ROW, student_document_type: 'CPF', student_document_value: value }]);
			expect(bodies(roster, 'user')['st-1']).not.toHaveProperty('document_value');
			expect(finding(roster, 'contactUnusable')?.fields).toEqual(['document_value']);
		},
	);

	test.each([191, '191', '0.000.001-91'])(
		'with a CPF whose leading zeros a sheet has dropped (%p) is left out: it could not be corrected any more',
		async (value) => {
			const roster = await rows([{ ...ROW, student_document_type: 'CPF', student_document_value: value }]);
			expect(Object.keys(bodies(roster, 'user'))).toEqual(['gu-1']);
			expect(finding(roster, 'zerosLost')).toMatchObject({
				kind: 'user',
				message:
					'User: document_value has fewer than the 11 digits of a CPF: a sheet has dropped the zeros in front',
				what_to_do: expect.stringContaining("padStart(11, '0')") as string,
				key: 'u:sch-1|st-1',
				line: 1,
			});
		},
	);

	test('says how the zeros of a CPF come back: the hint leaves an empty cell empty', async () => {
		const roster = await rows([{ ...ROW, student_document_type: 'CPF', student_document_value: 191 }]);
		const [, hint] = /\{\{(.+)\}\}/.exec(finding(roster, 'zerosLost')?.what_to_do ?? '') ?? [];
		const valueOf = (cpf: unknown) => runInNewContext(String(hint), { $json: { cpf } }) as unknown;
		expect([191, '', undefined].map(valueOf)).toEqual(['00000000191', '', '']);
	});

	test.each([
		['CPF', '00000000191'],
		['TAX_ID', '000.000.001-91'],
		['TAX_ID', '191'],
		['RG', '123456'],
	])('with the document %s %s is read', async (type, value) => {
		const roster = await rows([{ ...ROW, student_document_type: type, student_document_value: value }]);
		expect(bodies(roster, 'user')['st-1']).toMatchObject({ document_type: type, document_value: value });
	});

	test.each(['31/02/2015', '31/02/2015\0'])(
		'with a date that cannot be read says once how the mapping has it, not how the service wants it: %j',
		async (date) => {
			const roster = await rows([{ ...ROW, student_birth_date: date }], { dateFormat: 'DD/MM/YYYY' });
			expect(finding(roster, 'dateNotRead')).toMatchObject({
				kind: 'user',
				count: 1,
				message: 'Row: birth_date is not a date written as DD/MM/YYYY',
				what_to_do: expect.stringContaining('Mapping → Date Format') as string,
				key: 'u:sch-1|st-1',
				line: 1,
			});
		},
	);

	test.each([1e20, 1041.5])(
		'with a number for an id that is none (%p) is an error, which says who it may be and which class it is in',
		async (id) => {
			const roster = await rows([ROW, { ...ROW, student_external_id: id }]);
			expect(finding(roster, 'fieldRefused')).toMatchObject({ severity: 'error', kind: 'user', line: 2 });
			expect(roster.faulty).toMatchObject([
				{ kind: 'user', fields: { school_external_id: 'sch-1', first_name: 'Nina' } },
				{ kind: 'bond', fields: { school_external_id: 'sch-1', class_external_id: 'cl-1' } },
			]);
		},
	);

	test('that is empty is no row', async () => {
		expect(await rows([{}, { school_external_id: '', student_full_name: null }])).toMatchObject({
			records: [],
			findings: [],
		});
	});
});
