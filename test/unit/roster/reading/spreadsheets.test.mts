/** What spreadsheets do to values, and offices to names: nothing wrong is sent, for what was created cannot be corrected any more. */
import type { Row } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';

import { Nights } from '../night.mts';
import { bodies, finding, rows } from './support.mts';

const PUPIL: Row = {
	school_external_id: 'sch-1',
	student_external_id: 'st-1',
	student_full_name: 'Nina Prado',
	class_external_id: 'cl-1',
	class_name: '5º A',
	class_grade: '05',
	class_year: '2026',
};

const userOf = async (more: Row) => bodies(await rows([{ ...PUPIL, ...more }]), 'user')['st-1'];

describe('Two parents with one CPF, from which their id is made,', () => {
	const parents = async (mother: string, father: string) =>
		await rows(
			[
				{
					...PUPIL,
					...{ responsible_1_full_name: mother, responsible_1_document_type: 'CPF' },
					...{ responsible_1_document_value: '12345678909', responsible_2_full_name: father },
					...{ responsible_2_document_type: 'CPF', responsible_2_document_value: '12345678909' },
					responsible_2_birth_date: '1975-01-02',
				},
			],
			{ responsibleIds: 'document' },
		);
	const responsibles = (roster: Awaited<ReturnType<typeof parents>>) =>
		Object.values(bodies(roster, 'user')).filter(({ profiles }) => String(profiles) === 'responsible');

	test('are two people where their first names are: nobody gets the birth date of the other', async () => {
		const roster = await parents('Rosa Prado', 'Otto Prado');
		expect(responsibles(roster)).toEqual([]);
		expect(finding(roster, 'idTwice')?.kind).toBe('user');
	});

	test.each(['Rosa Maria Prado', 'R. Prado', 'ROSA  PRADO'])(
		'are one where the other is %p',
		async (other) => {
			const roster = await parents('Rosa Prado', other);
			expect(responsibles(roster)).toHaveLength(1);
			expect(finding(roster, 'idTwice')).toBeUndefined();
		},
	);
});

test('A parent whose first name is spelled otherwise in the row of a sibling is one, and told', async () => {
	const mother = { responsible_1_document_type: 'CPF', responsible_1_document_value: '12345678909' };
	const sibling = { student_external_id: 'st-2', student_full_name: 'Otto Prado' };
	const roster = await rows(
		[
			{ ...PUPIL, ...mother, responsible_1_full_name: 'Teresa Prado' },
			{ ...PUPIL, ...sibling, ...mother, responsible_1_full_name: 'Tereza Prado' },
		],
		{ responsibleIds: 'document' },
	);
	expect(Object.values(bodies(roster, 'user'))).toHaveLength(3);
	expect(roster.findings.map(({ code }) => code)).toEqual(['rowsDiffer']);
});

describe('A full name', () => {
	test.each<[string, Row, string, string]>([
		['Ana María García López', { student_first_name: 'Ana María' }, 'Ana María', 'García López'],
		['García López Ana María', { student_first_name: 'Ana María' }, 'Ana María', 'García López'],
		['García López Ana María', { student_last_name: 'García López' }, 'Ana María', 'García López'],
		['Ana María García López', { student_last_name: 'García López' }, 'Ana María', 'García López'],
		['García López, Ana María', { student_first_name: 'Ana María' }, 'Ana María', 'García López'],
		['Ana Souza', { student_first_name: 'Aninha' }, 'Aninha', 'Souza'],
		['Smith, Robert, Jr.', {}, 'Robert', 'Smith Jr.'],
		['Robert Smith, MD, PhD', {}, 'Robert', 'Smith, MD, PhD'],
		['Souza, Ana Maria', { student_first_name: 'Ana Maria' }, 'Ana Maria', 'Souza'],
		['Ana Maria Souza, Jr.', { student_first_name: 'Ana Maria' }, 'Ana Maria', 'Souza, Jr.'],
	])('%p beside %j is %p %p', async (full, beside, first, last) => {
		expect(await userOf({ student_full_name: full, ...beside })).toMatchObject({
			...{ first_name: first, last_name: last },
		});
	});

	test.each<[string, Row, string]>([
		['Souza, Ana, Prado', {}, 'first_name'],
		['Souza, Jr., PhD', {}, 'first_name'],
		['Souza, Ana, Prado', { student_first_name: 'Aninha' }, 'last_name'],
	])('of which nobody knows which part is what (%p beside %j) is refused', async (full, beside, field) => {
		const roster = await rows([{ ...PUPIL, student_full_name: full, ...beside }]);
		expect(bodies(roster, 'user')).toEqual({});
		expect(finding(roster, 'fieldRefused')?.fields).toEqual([field]);
	});
});

describe('A phone or an e-mail address', () => {
	test.each([
		...['(11) 99999-0000 / (11) 98888-0000', '(00) 00000-0000', '0', '11955550123.0'],
		'\u202A+55 11 90000-0000\u202C',
	])('%j is left out, and told: it could not be corrected', async (phone) => {
		const roster = await rows([{ ...PUPIL, student_cell_phone: phone }]);
		expect(bodies(roster, 'user')['st-1']).not.toHaveProperty('cell_phone');
		expect(finding(roster, 'contactUnusable')?.fields).toEqual(['cell_phone']);
	});

	test.each(['(11) 99999-0000', '+55 11 3333.4444', '190', '+44 (0)20 7946 0018'])(
		'%j is sent',
		async (phone) => {
			expect(await userOf({ student_cell_phone: phone })).toMatchObject({ cell_phone: phone });
		},
	);

	test('with an invisible character is left out', async () => {
		expect(await userOf({ student_email: 'nina@school.example\u200B' })).not.toHaveProperty('email');
	});
});

describe('What a spreadsheet shows where a formula has failed', () => {
	test.each(['#N/A', '#N/D', '#REF!', '#NOME?', '#¿NOMBRE?', '#DIV/0!', '#VALOR!'])(
		'(%s) becomes no name and no id',
		async (error) => {
			const roster = await rows([{ ...PUPIL, student_first_name: 'Nina', student_last_name: error }]);
			expect(bodies(roster, 'user')).toEqual({});
			expect(finding(roster, 'formula')).toMatchObject({
				...{ severity: 'error', line: 1 },
				message: 'User: last_name is what a spreadsheet shows where a formula has failed',
			});
		},
	);

	test.each(['student_email', 'student_cell_phone', 'student_document_value'])(
		'in %s is left out, and the student created without it',
		async (column) => {
			for (const error of ['#N/D', '#DIV/0!']) {
				const roster = await rows([{ ...PUPIL, student_document_type: 'CPF', [column]: error }]);
				expect(bodies(roster, 'user')['st-1']).not.toHaveProperty(column.replace('student_', ''));
				expect(roster.findings.map(({ code }) => code)).toEqual(['contactUnusable']);
			}
		},
	);

	test('is no id: who has it tonight stays in the class', async () => {
		const sheet = async (...pupils: Row[]) => await rows(pupils.map((more) => ({ ...PUPIL, ...more })));
		const others = ['st-2', 'st-3'].map((student_external_id, place) => ({
			...{ student_external_id, student_full_name: ['Otto Reis', 'Pia Souza'][place] },
		}));
		const nights = await Nights.after(await sheet({}, ...others));
		const { told } = await nights.sync(await sheet({ student_external_id: '#N/D' }, ...others));
		expect(told.filter((one) => one.startsWith('remove'))).toEqual([]);
	});

	test.each(['#5A', 'Nº 5 #A', '#'])('%j is none', async (name) => {
		const roster = await rows([{ ...PUPIL, class_name: name }]);
		expect(bodies(roster, 'class')['cl-1'].name).toBe(name);
	});
});

test('A CPF that went through a column of quantities is refused: its zeros may be gone', async () => {
	for (const value of ['1234567890.0', '12345678909.0', '191.0']) {
		const roster = await rows([{ ...PUPIL, student_document_type: 'CPF', student_document_value: value }]);
		expect(bodies(roster, 'user')).toEqual({});
		expect(roster.findings.filter(({ severity }) => severity === 'error')).toMatchObject([
			{ code: 'idRounded', message: 'User: document_value ends in ".0": a sheet took it for a quantity' },
		]);
	}
});

test('One code for two classes, of another name and grade, brings nobody into the class of the other', async () => {
	const other = { student_external_id: 'st-2', student_full_name: 'Otto Reis' };
	const roster = await rows([PUPIL, { ...PUPIL, ...other, class_name: '6º A', class_grade: '06' }]);
	expect(bodies(roster, 'class')).toEqual({});
	expect(finding(roster, 'idTwice')?.kind).toBe('class');
});

test('A class of several grades is one, however its name is written in the rows', async () => {
	const other = { student_external_id: 'st-2', student_full_name: 'Otto Reis' };
	for (const class_name of ['5º A', '5° a', '5ª-A']) {
		const roster = await rows([PUPIL, { ...PUPIL, ...other, class_name, class_grade: '06' }]);
		expect(Object.keys(bodies(roster, 'bond'))).toHaveLength(2);
		expect(finding(roster, 'rowsDiffer')?.kind).toBe('class');
	}
});
