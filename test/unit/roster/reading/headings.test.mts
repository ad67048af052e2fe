/** Headings of sheets: what offices and school systems write above their columns. */
import { headingKey, matchHeadings } from '../../../../nodes/SchoolPartnerRoster/reading/headings.ts';
import { usualHeadings } from '../../../../nodes/SchoolPartnerRoster/reading/headingWords.ts';
import { ROW_FIELDS } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';
import { labelOf } from '../../../../nodes/shared/actions/properties.ts';

function fieldsOf(...headings: string[]) {
	const matched = matchHeadings(headings);
	if (!matched.ok) throw new Error(`conflict about ${matched.failure.field}`);
	const { headingOf, left } = matched.value;
	return { ...Object.fromEntries([...headingOf].map(([field, heading]) => [heading, field])), left };
}

describe('Headings of a sheet', () => {
	test('of an office in Brazil are known, whatever their accents, capitals and punctuation', () => {
		expect(
			fieldsOf(
				...['Cód. Escola', 'Matrícula', 'NOME DO(A) ALUNO(A)', 'Dt. Nascimento', 'CPF', 'Cod_Turma', 'Turma'],
				...['1º Responsável', 'codigoResponsavel1', 'Celular do responsável 1', 'E-mail do Responsável 1'],
				...['Ano/Série', 'Ano letivo', 'Turno', 'Bairro', 'Nome social', 'Nº'],
			),
		).toEqual({
			'Cód. Escola': 'school_external_id',
			Matrícula: 'student_external_id',
			'NOME DO(A) ALUNO(A)': 'student_full_name',
			'Dt. Nascimento': 'student_birth_date',
			CPF: 'student_document_value',
			Cod_Turma: 'class_external_id',
			Turma: 'class_name',
			'1º Responsável': 'responsible_1_full_name',
			codigoResponsavel1: 'responsible_1_external_id',
			'Celular do responsável 1': 'responsible_1_cell_phone',
			'E-mail do Responsável 1': 'responsible_1_email',
			'Ano/Série': 'class_grade',
			'Ano letivo': 'class_year',
			Turno: 'class_shift',
			left: ['Bairro', 'Nome social', 'Nº'],
		});
	});

	test('of abbreviations are known with dots, too', () => {
		expect(fieldsOf('R.A.', 'C.P.F. do aluno')).toEqual({
			...{ 'R.A.': 'student_external_id', 'C.P.F. do aluno': 'student_document_value', left: [] },
		});
	});

	test('of i-Educar are known: a mother is a responsible person only where nobody else is named as one', () => {
		const ofStudent = ['ID Aluno', 'ID Matrícula', 'ID Escola', 'ID Turma', 'Nome', 'Data de nascimento'];
		const ofClass = ['Escola', 'Turma', 'Série', 'Curso', 'Ano', 'Turno', 'Situação da Matrícula'];
		const mother = ['ID da mãe', 'Nome da mãe', 'CPF da mãe', 'E-mail da mãe'];
		expect(fieldsOf(...ofStudent, ...ofClass, ...mother)).toEqual({
			'ID Aluno': 'student_external_id',
			'ID Escola': 'school_external_id',
			'ID Turma': 'class_external_id',
			Nome: 'student_full_name',
			'Data de nascimento': 'student_birth_date',
			Turma: 'class_name',
			Série: 'class_grade',
			Curso: 'class_course',
			Ano: 'class_year',
			Turno: 'class_shift',
			'ID da mãe': 'responsible_2_external_id',
			'Nome da mãe': 'responsible_2_full_name',
			'CPF da mãe': 'responsible_2_document_value',
			'E-mail da mãe': 'responsible_2_email',
			left: ['ID Matrícula', 'Situação da Matrícula', 'Escola'],
		});
		const both = fieldsOf('ID Aluno', 'ID do responsável', 'Nome do responsável', ...mother);
		expect(both).toMatchObject({ 'ID do responsável': 'responsible_1_external_id', left: mother });
	});

	test('in Spanish and English are known; a name beside a last name is the first name', () => {
		expect(
			fieldsOf('Código de la escuela', 'Código del alumno', 'Nombre', 'Apellidos', 'Fecha de nacimiento'),
		).toEqual({
			'Código de la escuela': 'school_external_id',
			'Código del alumno': 'student_external_id',
			Nombre: 'student_first_name',
			Apellidos: 'student_last_name',
			'Fecha de nacimiento': 'student_birth_date',
			left: [],
		});
		expect(
			fieldsOf('School ID', 'Student ID', 'Student Name', 'Birth Date', 'Guardian Email', 'Class'),
		).toEqual({
			'School ID': 'school_external_id',
			'Student ID': 'student_external_id',
			'Student Name': 'student_full_name',
			'Birth Date': 'student_birth_date',
			'Guardian Email': 'responsible_1_email',
			Class: 'class_name',
			left: [],
		});
	});

	test.each([
		['Nombre', 'Apellido(s)'],
		['Nombre(s)', 'Apellidos'],
		['Nome', 'Último nome'],
		['Name', 'Surname'],
	])('"%s" and "%s" are the first and the last name', (first, last) => {
		expect(fieldsOf(first, last)).toEqual({
			...{ [first]: 'student_first_name', [last]: 'student_last_name', left: [] },
		});
	});

	test.each([
		['Nombre', ['Primer apellido', 'Segundo apellido']],
		['Nombre', ['Apellido paterno', 'Apellido materno']],
		['Nombre', ['Apellido 1', 'Apellido 2']],
		['Nombre', ['Primer apellido']],
		['Nombre del alumno', ['Primer apellido del alumno']],
	])(
		'"%s" beside %j is the first name, and no last name is made of what may be half of one',
		(name, parts) => {
			expect(fieldsOf(name, ...parts)).toEqual({ [name]: 'student_first_name', left: parts });
		},
	);

	test('of a tutor are not mixed with those of a student: the name beside half of a last name is the first name', () => {
		const [name, half] = ['Nombre del tutor', 'Primer apellido del tutor'];
		expect(fieldsOf('Nombre', name, half)).toEqual({
			...{ Nombre: 'student_full_name', [name]: 'responsible_1_first_name', left: [half] },
		});
	});

	test('"Nome" beside a nickname stays the whole name', () => {
		expect(fieldsOf('Nome', 'Apelido')).toEqual({ Nome: 'student_full_name', left: ['Apelido'] });
	});

	test.each(['Nome completo', 'Full name', 'student_full_name'])(
		'"%s" is the whole name, although a last name stands beside it',
		(heading) => {
			expect(fieldsOf(heading, 'Sobrenome')).toMatchObject({ [heading]: 'student_full_name' });
			expect(fieldsOf(heading, 'Apelido')).toEqual({ [heading]: 'student_full_name', left: ['Apelido'] });
		},
	);

	test('that say the number of a parent are no id: it is a phone more often', () => {
		const headings = ['Parent number', 'Guardian number', 'Mother number', "Mother's number"];
		expect(fieldsOf('Student number', ...headings)).toEqual({
			...{ 'Student number': 'student_external_id', left: headings },
		});
	});

	test('that often mean something else count only where no better one is', () => {
		const [phone, mobile] = ['Telefone da mãe', 'Celular da mãe'];
		expect(fieldsOf(phone, mobile)).toEqual({ [mobile]: 'responsible_2_cell_phone', left: [phone] });
		expect(fieldsOf(phone)).toEqual({ [phone]: 'responsible_2_cell_phone', left: [] });
		expect(fieldsOf('student_full_name', 'Nome')).toEqual({
			student_full_name: 'student_full_name',
			left: ['Nome'],
		});
	});

	test('are known as messages and the panel name the fields, with whatever stands around them', () => {
		for (const field of ROW_FIELDS)
			for (const heading of [labelOf(field), `\uFEFF${labelOf(field)}`, ` ${field.toUpperCase()} `])
				expect(fieldsOf(heading)).toEqual({ [heading]: field, left: [] });
	});

	test('of a second phone make no second responsible person, of whom there would be more', () => {
		const first = ['Nome do Responsável', 'Telefone 1 do Responsável', 'E-mail do Responsável'];
		const second = ['Telefone 2 do Responsável', 'E-mail 2 do Responsável'];
		expect(fieldsOf(...first, ...second)).toEqual({
			'Nome do Responsável': 'responsible_1_full_name',
			'Telefone 1 do Responsável': 'responsible_1_cell_phone',
			'E-mail do Responsável': 'responsible_1_email',
			left: second,
		});
		expect(fieldsOf(...second, 'Nome do Responsável 2')).toMatchObject({ left: [] });
		expect(fieldsOf(second[0], 'Nome da mãe')).toEqual({
			...{ 'Nome da mãe': 'responsible_2_full_name', left: [second[0]] },
		});
	});

	test.each(['Telefone do responsável', 'E-mail do Responsável'])(
		'of a contact (%s) beside the names of the parents take nobody’s mother away',
		(contact) => {
			const parents = {
				'Nome da mãe': 'responsible_2_full_name',
				'CPF da mãe': 'responsible_2_document_value',
			};
			expect(fieldsOf(...Object.keys(parents), contact)).toEqual({ ...parents, left: [contact] });
			expect(fieldsOf('Nome do responsável', contact)).toMatchObject({ left: [] });
			expect(fieldsOf(contact)).toMatchObject({ left: [] });
		},
	);

	test('that are equally good for one field are a conflict', () => {
		expect(matchHeadings(['ID Escola', 'Nome', 'Código INEP'])).toEqual({
			ok: false,
			failure: { field: 'school_external_id', headings: ['ID Escola', 'Código INEP'] },
		});
	});

	test('that say nothing alone are no field: a phone in a list of children may be their mother’s', () => {
		const headings = [
			'Telefone',
			'Celular',
			'E-mail',
			'ID',
			'Código',
			'Número',
			'',
			'***',
			'constructor',
			'__proto__',
		];
		expect(fieldsOf(...headings)).toEqual({ left: headings });
	});

	test('stand for one field each, and for one that a row may have', () => {
		const fieldOf = new Map<string, string>();
		for (const [words, { field }] of usualHeadings()) {
			expect(ROW_FIELDS).toContain(field);
			expect([words, fieldOf.get(headingKey(words)) ?? field]).toEqual([words, field]);
			fieldOf.set(headingKey(words), field);
		}
	});
});
