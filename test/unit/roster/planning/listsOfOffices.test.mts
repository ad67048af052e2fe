/** What lists of offices really hold: who is taken for whom, and what of it is sent. */
import type { Mapping } from '../../../../nodes/SchoolPartnerRoster/reading/mapping.ts';
import { readRows, type Row } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { offerGrades } from '../../../../nodes/SchoolPartnerRoster/run/gradesOfService.ts';
import { actionsOf, Nights } from '../night.mts';
import { bodies, GRADES, host } from '../reading/support.mts';

const pupil = (id: string, name: string, more: Row = {}): Row => ({
	...{ school_external_id: 's', student_external_id: id, student_full_name: name },
	...{ class_external_id: '12', class_name: '5A', class_grade: '05', class_year: '2026' },
	...more,
});
const guardian = (id: string, name: string, place = 1): Row => ({
	[`responsible_${place}_external_id`]: id,
	[`responsible_${place}_full_name`]: name,
});
const withDocument = (name: string, value: string): Row => ({
	...{ responsible_1_full_name: name, responsible_1_document_type: 'CPF' },
	responsible_1_document_value: value,
});
const CPF = '123.456.789-09';
const BY_DOCUMENT: Partial<Mapping> = { responsibleIds: 'document' };

async function rows(
	all: Row[],
	mapping: Partial<Mapping> = {},
	said: 'whole' | 'partial' = 'whole',
): Promise<Roster> {
	return await readRows(all, { ...GRADES, ...mapping }, said, host);
}
const codes = ({ findings }: Pick<Roster, 'findings'>) => findings.map(({ code, key }) => `${code} ${key}`);

describe('Nobody is linked to a stranger', () => {
	const ANA = pupil('1', 'Ana Souza', guardian('g1', 'Rosa Souza'));

	test('where the id of a known guardian is given to another person: the new student waits, and is told', async () => {
		const nights = await Nights.after(await rows([ANA]));
		const roster = await rows([ANA, pupil('2', 'Bia Lima', guardian('g1', 'Otto Lima'))]);
		const plan = await nights.preview(roster);
		expect(actionsOf(plan)).toEqual([]);
		expect(codes(plan)).toEqual(expect.arrayContaining(['idTwice u:s|g1', 'idTwice u:s|2']));
	});

	test('where the number of a guardian is that of a known student', async () => {
		const pedro = pupil('1500', 'Pedro Lima', { student_birth_date: '2015-05-20' });
		const nights = await Nights.after(await rows([pedro]));
		const roster = await rows([pedro, pupil('7', 'Ana Souza', guardian('1500', 'Maria Souza'))]);
		expect(actionsOf(await nights.preview(roster))).toEqual([]);
	});

	test('where both have one number and one first name: neither becomes the other', async () => {
		const roster = await rows([
			pupil('7', 'Ana Souza', guardian('1500', 'Maria Souza')),
			pupil('1500', 'Maria Lima', { student_birth_date: '2015-05-20' }),
		]);
		expect(Object.keys(bodies(roster, 'user'))).toEqual([]);
		expect(Object.keys(bodies(roster, 'bond'))).toEqual(['12 7']);
	});

	const [ANA_BY_DOCUMENT, BIA_BY_DOCUMENT] = [
		pupil('1', 'Ana Souza', withDocument('Rosa Souza', CPF)),
		pupil('2', 'Bia Lima', withDocument('Otto Lima', CPF)),
	];

	test('where a document was dragged down a column: neither guardian nor student is sent', async () => {
		const roster = await rows([ANA_BY_DOCUMENT, BIA_BY_DOCUMENT], BY_DOCUMENT);
		expect(Object.keys(bodies(roster, 'user'))).toEqual([]);
	});

	test('where another guardian has the document of a known one, in a part of the list on another night', async () => {
		const nights = await Nights.after(await rows([ANA_BY_DOCUMENT], BY_DOCUMENT));
		const plan = await nights.preview(await rows([BIA_BY_DOCUMENT], BY_DOCUMENT, 'partial'));
		expect(actionsOf(plan).filter((action) => action.includes('u:'))).toEqual([]);
	});

	test.each(['M. Souza', 'MÁRIA SOUZA'])(
		'but "%s" under the document of Maria Souza is the same',
		async (name) => {
			const both = [
				pupil('1', 'Ana Souza', withDocument('Maria Souza', CPF)),
				pupil('2', 'Bia Souza', withDocument(name, CPF)),
			];
			expect(Object.keys(bodies(await rows(both, BY_DOCUMENT), 'user'))).toHaveLength(3);
		},
	);

	test('and two parents in two rows are two, where the ids are made of the student', async () => {
		const both = ['111.444.777-35', CPF].map((cpf, at) =>
			pupil('3', 'Ana Souza', withDocument(['Rosa Souza', 'Otto Souza'][at], cpf)),
		);
		const roster = await rows(both, { responsibleIds: 'student' });
		expect(Object.keys(bodies(roster, 'user'))).toEqual([]);
		expect(codes(roster)).toEqual(expect.arrayContaining(['idTwice u:s|3~1', 'idTwice u:s|3']));
		const rosa = ['Rosa Souza', 'ROSA Souza'].map((name) =>
			pupil('3', 'Ana Souza', { responsible_1_full_name: name }),
		);
		const one = await rows(rosa, { responsibleIds: 'student' });
		expect(Object.keys(bodies(one, 'user')).sort()).toEqual(['3', '3~1']);
	});

	test('and names that come in capitals one night hold nobody else', async () => {
		const family = (capitals: boolean) =>
			Array.from({ length: 12 }, (_, at) => {
				const [name, cpf] = [`Rosa Prado${'abcdefghijkl'[at]}`, `123.456.7${String(10 + at)}-09`];
				const written = capitals ? name.toUpperCase() : name;
				return pupil(`${at}`, `Ana Prado${at}`, withDocument(written, cpf));
			});
		const nights = await Nights.after(await rows(family(false), BY_DOCUMENT));
		const tonight = await rows([...family(true).slice(1), pupil('99', 'Bia Lima')], BY_DOCUMENT);
		const { holds, changes } = await nights.preview(tonight);
		expect(holds).toEqual([]);
		expect(changes.map(({ action, key }) => `${action} ${key}`)).toEqual(
			expect.arrayContaining(['create u:s|99', 'remove b:s|12|0|student']),
		);
	});
});

test('A list with a row for each guardian links the student to all of them, whatever the order of the rows', async () => {
	const [one, other] = [
		pupil('3', 'Ana Souza', guardian('g2', 'Rosa Souza')),
		pupil('3', 'Ana Souza', guardian('g1', 'Otto Souza')),
	];
	const roster = await rows([one, other]);
	expect(bodies(roster, 'user')['3'].responsible_external_id).toEqual(['g1', 'g2']);
	expect(roster.findings).toEqual([]);
	const plan = await (await Nights.after(roster)).preview(await rows([other, one]));
	expect([plan.changes, plan.findings]).toEqual([[], []]);
});

test.each(['000.000.000-00', 'NÃO POSSUI'])(
	'"%s" is no document: it tells nobody apart, and is not sent',
	async (none) => {
		const document = { student_document_type: 'CPF', student_document_value: none };
		const two = [pupil('1', 'Maria Souza', document), pupil('2', 'Maria Lima', document)];
		const roster = await rows(two);
		expect(bodies(roster, 'user')['1']).not.toHaveProperty('document_value');
		expect(bodies(roster, 'user')['1']).not.toHaveProperty('document_type');
		expect(codes(roster)).toContain('contactUnusable u:s|1');
		const nights = await Nights.after(await rows(two.slice(0, 1)));
		expect(actionsOf(await nights.preview(roster))).toContain('create u:s|2');
		const one = await rows([pupil('1', 'Ana Souza', document), pupil('1', 'Bruno Lima', document)]);
		expect(Object.keys(bodies(one, 'user'))).toEqual([]);
	},
);

test('A phone that is left out leaves no dialing code behind', async () => {
	const phone = { student_ddi: '55', student_cell_phone: 'recado' };
	expect(bodies(await rows([pupil('1', 'Ana Souza', phone)]), 'user')['1']).not.toHaveProperty('ddi');
});

test('A class takes no stage of one row with the grade of another', async () => {
	const unmapped = pupil('1', 'Ana Souza', { class_grade: '5o' });
	const roster = await rows([unmapped, pupil('2', 'Bia Lima')]);
	expect(codes(roster)).toEqual(expect.arrayContaining([expect.stringMatching(/^gradeNotMapped/)]));
	expect(Object.keys(bodies(roster, 'class'))).toEqual([]);
});

describe('A list of new people only', () => {
	const range = (from: number, to: number) =>
		Array.from({ length: to - from }, (_, index) =>
			pupil(`p${from + index}`, `Ana Souza${from + index}`, { class_external_id: `c${from + (index % 20)}` }),
		);

	test('that is held says that this same one must be run again: the next does not say it', async () => {
		const nights = await Nights.after(await rows(range(0, 60), {}, 'partial'));
		const plan = await nights.preview(await rows(range(60, 160), {}, 'partial'));
		expect(plan.holds).toHaveLength(1);
		for (const { what_to_do } of plan.holds) expect(what_to_do).toContain('with this same roster');
	});

	test('is measured against what the ledger has, which grows, and not against that of the second night', async () => {
		const nights = await Nights.after(await rows(range(0, 60), {}, 'partial'));
		for (let known = 60; known < 300; known += 30) {
			await nights.sync(await rows(range(known, known + 30), {}, 'partial'));
			nights.pass(8);
		}
		const plan = await nights.preview(await rows(range(300, 350), {}, 'partial'));
		expect(plan.holds.map(({ reason }) => reason)).toEqual([]);
	});
});

// A first night has thousands of both: looked up one by one they took a minute.
test('A finding of something else is not held against each grade that nobody mapped', async () => {
	const other = {
		severity: 'warning' as const,
		code: 'rowsDiffer',
		message: '',
		count: 1,
		what_to_do: 'Nothing.',
	};
	const unmappedGrades = [{ code: '05', school: 's' }];
	const lookedUp = jest.spyOn(unmappedGrades, 'filter');
	const findings = [{ ...other, places: [] }];
	offerGrades({ ...(await rows([])), findings, unmappedGrades }, new Map());
	expect([lookedUp.mock.calls, findings[0].what_to_do]).toEqual([[], 'Nothing.']);
});
