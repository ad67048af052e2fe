/** The students of the network as the office of a school lists them: one row for each, with class and responsible persons, in Portuguese. */
import { csvSlices, table, type Rows } from './csv.mts';
import { gradeNameOf } from './mapping.mts';
import type { Roster, RosterPerson } from './roster.mts';

const PERSON = ['codigo', 'nome', 'celular', 'email'];
const RESPONSIBLES = ['responsavel_1', 'responsavel_2', 'responsavel_3'];
const COLUMNS = [
	...['codigo_escola', 'matricula', 'nome_completo', 'data_nascimento'],
	...['codigo_turma', 'turma', 'serie', 'ano_letivo'],
	...RESPONSIBLES.flatMap((who) => PERSON.map((field) => `${who}_${field}`)),
];

/** A CSV file in UTF-8. A student of two classes has two rows; teachers are in none. */
export function sheetOf(roster: Roster): string {
	return [...csvSlices(table('alunos.csv', COLUMNS.join(' '), () => students(roster)))].join('');
}

function* students({ bonds, people, classes, courses, year }: Roster): Rows {
	for (const { class: classId, person, role } of bonds.values()) {
		const [student, ofClass] = [people.get(person), classes.get(classId)];
		if (role !== 'student' || student === undefined || ofClass === undefined) continue;
		yield {
			codigo_escola: ofClass.school,
			matricula: student.id,
			nome_completo: nameOf(student),
			data_nascimento: student.birthDate.split('-').reverse().join('/'),
			codigo_turma: ofClass.id,
			turma: ofClass.name,
			serie: gradeNameOf(courses.get(ofClass.course)?.grade ?? ''),
			ano_letivo: String(year),
			...Object.assign(
				{},
				...student.agents.map((id, place) => responsible(people.get(id), RESPONSIBLES[place])),
			),
		};
	}
}

const nameOf = ({ firstName, lastName }: RosterPerson): string => `${firstName} ${lastName}`;

function responsible(person: RosterPerson | undefined, column: string | undefined): Record<string, string> {
	if (person === undefined || column === undefined) return {};
	const cells = [person.id, nameOf(person), person.phone, person.email];
	return Object.fromEntries(PERSON.map((field, place) => [`${column}_${field}`, cells[place]]));
}
