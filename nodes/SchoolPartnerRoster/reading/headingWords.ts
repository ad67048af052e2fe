/**
 * Headings that offices and school systems give the columns of a list of students, in Portuguese, Spanish and English; among them those that i-Educar
 * exports. As they are after `headingKey` (headings.ts): without accents, capitals, small words, and in any order.
 */

/** How sure a heading is: one that often means something else counts only where no better one is. */
export const STRENGTH = { weak: 1, usual: 2, own: 3 } as const;

/** Headings by what they stand for, with commas between them. */
type Headings = Readonly<Record<string, string>>;

const headingsIn = (words: string) => words.split(', ');

/** Of whom a column is. */
const PERSONS: Headings = {
	student: 'aluno, aluna, estudante, alumno, alumna, estudiante, student, pupil',
	responsible_1:
		'responsavel, responsavel legal, responsavel 1, tutor, tutor 1, apoderado, apoderado 1, guardian, guardian 1, parent, parent 1, responsible, responsible 1',
	responsible_2: 'responsavel 2, tutor 2, apoderado 2, guardian 2, parent 2, responsible 2',
	responsible_3: 'responsavel 3, tutor 3, apoderado 3, guardian 3, parent 3, responsible 3',
};

/** Taken for responsible persons only where a sheet names nobody else as one. */
const PARENTS: Headings = {
	responsible_2: 'mae, madre, mother',
	responsible_3: 'pai, padre, father',
};

const OF_A_PERSON: Headings = {
	external_id: 'id, codigo, cod, matricula, numero matricula, ra, code',
	// The first, which is empty: the heading says only whose it is.
	full_name: ', nome, nome completo, nombre, nombre completo, name, full name',
	first_name: 'primeiro nome, primer nombre, nombres, nombre s, first name, given name',
	last_name: 'sobrenome, ultimo nome, apellido, apellidos, apellido s, last name, surname, family name',
	birth_date:
		'data nascimento, dt nascimento, data nasc, dt nasc, nascimento, nasc, fecha nacimiento, nacimiento, birth date, birthdate, date birth, birthday',
	document_value: 'cpf, numero cpf',
	document_type: 'tipo documento, document type',
	cell_phone: 'celular, numero celular, telefone celular, movil, cell phone, mobile, mobile phone',
	email: 'email, correo, correo electronico, email address',
};

/** A number of a parent is a phone as often. */
const OF_A_STUDENT = { external_id: 'number' };

/** Half of a last name: it is not sent as one, but a name beside it is the first name. */
const MAY_BE_LAST_NAME: Headings = {
	last_name:
		'primer apellido, segundo apellido, apellido paterno, apellido materno, primeiro sobrenome, segundo sobrenome',
};
/** Of others the number may be that of the person. */
const MAY_BE_LAST_NAME_OF_A_STUDENT = {
	last_name: [MAY_BE_LAST_NAME.last_name, 'apellido 1', 'apellido 2'].join(', '),
};

/** By these words a name is the whole one, whatever stands beside it. */
export const OF_A_WHOLE_NAME = ['completo', 'full'];

/** Small words of the three languages. */
export const SMALL_WORDS = new Set('a as da das de del do dos e el la las los of ou o os the y'.split(' '));

/** What stands behind a comma in a name and is no first name: Robert Smith, Jr. */
export const NO_FIRST_NAMES = new Set([
	...'jr sr ii iii iv phd md filho filha neto neta sobrinho junior'.split(' '),
	...'mae pai avo tia tio madre padre mother father tutor tutora responsavel'.split(' '),
]);

const WEAK_OF_A_PERSON: Headings = {
	cell_phone: 'telefone, tel, fone, whatsapp, telefono, phone, phone number',
};

/** What says nothing without a person: the number of a row, of a house, of a school. */
const NEEDS_PERSON = new Set(['', 'id', 'codigo', 'cod', 'code']);

const OF_CLASS_AND_SCHOOL: Headings = {
	school_external_id:
		'id escola, codigo escola, cod escola, codigo unidade escolar, cod unidade escolar, codigo unidade, cod unidade, inep, codigo inep, codigo inep escola, inep escola, id escuela, codigo escuela, school id, school code',
	class_external_id:
		'id turma, codigo turma, cod turma, id clase, codigo clase, id grupo, codigo grupo, class id',
	class_name: 'turma, nome turma, clase, nombre clase, grupo, class, class name',
	class_grade: 'serie, ano serie, grado, grade, grade level',
	class_educational_stage: 'etapa ensino, nivel ensino, segmento, nivel educativo, educational stage',
	class_year: 'ano letivo, ano lectivo, ano academico, school year, academic year',
	class_shift: 'turno, jornada, shift',
	class_course: 'curso, course',
};

const WEAK_OF_CLASS_AND_SCHOOL: Headings = {
	school_external_id: 'escola, nome escola, unidade, unidade escolar, escuela, colegio, school',
	class_educational_stage: 'etapa, nivel',
	class_year: 'ano, year',
	class_shift: 'periodo',
};

/** Alone, a phone or an e-mail in a list of children may well be their mother's. */
export const CONTACTS = ['cell_phone', 'email'];

/** What a heading stands for. */
export interface Meaning {
	field: string;
	strength: number;
	/** The field and value that the heading itself says. */
	implies?: [field: string, value: string];
	/** A mother or father: a responsible person only where nobody else is named as one. */
	isParent?: true;
	/** No field of the row: says only that a name beside it is the first name. */
	isHint?: true;
}

/** Each usual heading, as words, with what it stands for. */
export function* usualHeadings(): Generator<[words: string, meaning: Meaning]> {
	const { weak, usual } = STRENGTH;
	yield* ofTable(OF_CLASS_AND_SCHOOL, usual);
	yield* ofTable(WEAK_OF_CLASS_AND_SCHOOL, weak);
	for (const [attributes, strength] of [
		[OF_A_PERSON, usual],
		[WEAK_OF_A_PERSON, weak],
	] as const) {
		yield* ofPersons(PERSONS, attributes, { strength });
		yield* ofPersons(PARENTS, attributes, { strength, isParent: true });
	}
	yield* ofPersons({ student: PERSONS.student }, OF_A_STUDENT, { strength: usual });
	const isHint = true;
	yield* ofPersons(PERSONS, MAY_BE_LAST_NAME, { strength: usual, isHint });
	const orNobody = { student: `, ${PERSONS.student}` };
	yield* ofPersons(orNobody, MAY_BE_LAST_NAME_OF_A_STUDENT, { strength: usual, isHint });
	for (const [words, meaning] of ofPersons({ student: '' }, OF_A_PERSON, { strength: usual }))
		if (!needsPerson(words, meaning)) yield [words, meaning];
}

const needsPerson = (words: string, { field }: Meaning) =>
	NEEDS_PERSON.has(words) || CONTACTS.some((contact) => field.endsWith(contact));

function* ofTable(table: Headings, strength: number) {
	for (const [field, headings] of Object.entries(table))
		for (const words of headingsIn(headings)) yield [words, { field, strength }] as [string, Meaning];
}

function* ofPersons(
	persons: Headings,
	attributes: Headings,
	how: Omit<Meaning, 'field'>,
): Generator<[string, Meaning]> {
	for (const [who, names] of Object.entries(persons))
		for (const name of headingsIn(names))
			for (const [attribute, headings] of Object.entries(attributes))
				for (const words of headingsIn(headings)) {
					const meaning: Meaning = { field: `${who}_${attribute}`, ...how };
					if (attribute === 'document_value') meaning.implies = [`${who}_document_type`, 'CPF'];
					yield [`${words} ${name}`.trim(), meaning];
				}
}
