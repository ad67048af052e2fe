/** Grades that are called in a roster as in the service. */
import {
	gradesByName,
	notOfferedErrors,
	type SchoolAnswer,
} from '../../../../nodes/SchoolPartnerRoster/service/offered.ts';

const SCHOOLS = new Map<string, SchoolAnswer>([
	[
		'sch-1',
		new Map([
			['EF1', new Set(['1º Ano', '5º Ano', 'Pré-escola'])],
			['EJA', new Set(['1° ano'])],
			['EM', new Set(['1ª Série A', '1ª Série B'])],
		]),
	],
	['sch-2', new Map([['EF1', new Set(['1º Ano'])]])],
	['sch-3', notOfferedErrors.schoolNotKnown('sch-3')],
]);

function gradeOf(code: string, school = 'sch-1') {
	const [row] = gradesByName([{ code, school }], SCHOOLS);
	return row && `${row.schoolExternalId} ${row.educationalStage} ${row.gradeName}`;
}

describe('A grade of a roster', () => {
	test.each(['5º ano', '5o ANO', '5 ano', '5º. Ano', ' 5ºAno ', '5°ano'])(
		'is the one of the service with its name, however it is written: %s',
		(code) => expect(gradeOf(code)).toBe('sch-1 EF1 5º Ano'),
	);

	test('is none where two of the school have its name, and the one of its own school where each has one', () => {
		expect(gradeOf('1º ano')).toBeUndefined();
		expect(gradeOf('1º ano', 'sch-2')).toBe('sch-2 EF1 1º Ano');
	});

	test.each(['5', 'ano 5', '1ª série', '5º anos', ''])('is none by a part of a name: %j', (code) =>
		expect(gradeOf(code)).toBeUndefined(),
	);

	test('is none in a school that the service does not know', () => {
		expect(gradeOf('1º ano', 'sch-3')).toBeUndefined();
		expect(gradeOf('1º ano', 'sch-4')).toBeUndefined();
	});
});
