/** Ids that a roster does not have itself: a school's own code, class codes that come again each year, responsible persons without an id. */
import type { Mapping } from '../../../../nodes/SchoolPartnerRoster/reading/mapping.ts';
import type { Row } from '../../../../nodes/SchoolPartnerRoster/reading/readRows.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';

import { actionsOf, Nights } from '../night.mts';
import { GRADES, bodies, changed, extended, finding, oneRoster12, rosterOf, rows } from './support.mts';

const pupil = (id: string, more: Row = {}): Row => ({
	school_external_id: '17',
	student_external_id: id,
	student_full_name: `Nina ${id}`,
	class_external_id: '5A',
	class_name: '5A',
	class_grade: '05',
	class_year: '2026',
	responsible_1_full_name: 'Rosa Prado',
	responsible_1_birth_date: '1985-05-05',
	...more,
});
const ROSA = { responsible_1_document_type: 'CPF', responsible_1_document_value: '000.000.001-91' };

const idsOf = (roster: Roster, profile: string) =>
	roster.records
		.filter(({ fields: { profiles } }) => [profiles].flat().includes(profile))
		.map(({ fields }) => String(fields.external_id));

describe("A school's own code", () => {
	const schools = [{ schoolCode: ' 17 ', schoolExternalId: 'school-north' }];

	test('of a sheet becomes its external id, for the grades too; a code without a row is the id itself', async () => {
		const grades = [{ ...GRADES.grades[0], schoolExternalId: 'school-north' }];
		const roster = await rows(
			[
				pupil('s1', { school_external_id: 17 }),
				pupil('s2', { school_external_id: 'school-south', class_educational_stage: 'EF1' }),
			],
			{ schools, grades, responsibleIds: 'student' },
		);
		expect(roster.findings).toEqual([]);
		expect(new Set(roster.records.map(({ fields }) => fields.school_external_id))).toEqual(
			new Set(['school-north', 'school-south']),
		);
	});

	test.each([
		['sourcedId', 'sch-1'],
		['identifier', '1001'],
	] as const)('of files, in the column %s, becomes its external id', async (schoolIdFrom, schoolCode) => {
		const mapping = { ...GRADES, schoolIdFrom, schools: [{ schoolCode, schoolExternalId: 'school-north' }] };
		const roster = await rosterOf(oneRoster12(), mapping);
		expect(new Set(roster.records.map(({ fields }) => fields.school_external_id))).toEqual(
			new Set(['school-north']),
		);
		expect([roster.schools, roster.findings]).toEqual([['school-north'], []]);
	});

	test('may be one of two for one school, as of its buildings', async () => {
		const files = extended(oneRoster12(), 'orgs.csv', 'sch-2,,,South,school,1002,net');
		const both = ['1001', '1002'].map((schoolCode) => ({ schoolCode, schoolExternalId: 'school-north' }));
		const roster = await rosterOf(files, { ...GRADES, schoolIdFrom: 'identifier', schools: both });
		expect([roster.records.length, roster.schools, roster.findings]).toEqual([6, ['school-north'], []]);
	});
});

describe('Class codes that come again each year', () => {
	const mapping: Partial<Mapping> = { classIdFrom: 'identifierAndYear' };

	test('have the year behind them, in classes and in bonds, of a sheet and of files', async () => {
		const sheet = await rows([pupil('s1', { responsible_1_external_id: 'r1' })], mapping);
		expect(Object.keys(bodies(sheet, 'class'))).toEqual(['5A-2026']);
		expect(Object.keys(bodies(sheet, 'bond'))).toEqual(['5A-2026 s1']);
		const files = await rosterOf(oneRoster12(), { ...GRADES, ...mapping });
		expect(Object.keys(bodies(files, 'class'))).toEqual(['5A-2026']);
		expect(Object.keys(bodies(files, 'bond'))).toEqual(['5A-2026 st-1', '5A-2026 te-1']);
	});

	test('are new classes in the next year, and not other ones under old ids', async () => {
		const of = async (year: number) => await rosterOf(oneRoster12(), { ...GRADES, ...mapping, year });
		const nights = await Nights.after(await of(2026));
		expect(actionsOf(await nights.preview(await of(2027)))).toEqual([
			'create c:sch-1|5A-2027',
			...['st-1|student', 'te-1|educator'].map((end) => `create b:sch-1|5A-2027|${end}`),
			...['st-1|student', 'te-1|educator'].map((end) => `remove b:sch-1|5A-2026|${end}`),
		]);
	});

	test('are an error where the year is not known, and nobody is taken out of a class for it', async () => {
		const noYear = changed(oneRoster12(), 'academicSessions.csv', (line) => line.replace(/,2026$/, ','));
		const nights = await Nights.after(await rosterOf(oneRoster12(), { ...GRADES, ...mapping }));
		const roster = await rosterOf(noYear, { ...GRADES, ...mapping });
		expect(finding(roster, 'yearOfIdMissing')).toMatchObject({ severity: 'error', kind: 'class', line: 2 });
		expect(actionsOf(await nights.preview(roster))).toEqual([]);
		const sheet = await rows([pupil('s1', { class_year: '' })], mapping);
		expect(finding(sheet, 'yearOfIdMissing')).toMatchObject({ severity: 'error', kind: 'class', line: 1 });
	});

	test('that a sheet has rounded are left out, with the year as without it: two classes would be one', async () => {
		const id = '3,12346E+11';
		const all = ['5A', '5B'].map((name) => pupil(name, { class_external_id: id, class_name: name, ...ROSA }));
		const files = changed(oneRoster12(), 'classes.csv', (line) => line.replace(',5A,', `,"${id}",`));
		for (const roster of [
			await rows(all, { ...mapping, responsibleIds: 'document' }),
			await rosterOf(files, { ...GRADES, ...mapping }),
		]) {
			expect([bodies(roster, 'class'), bodies(roster, 'bond')]).toEqual([{}, {}]);
			expect(finding(roster, 'idRounded')).toMatchObject({ severity: 'error', kind: 'class' });
		}
	});

	test('that are too long with the year are digests of 25 characters', async () => {
		const sheet = await rows([pupil('s1', { class_external_id: 'x'.repeat(48), ...ROSA })], {
			...mapping,
			responsibleIds: 'document',
		});
		expect(Object.keys(bodies(sheet, 'class'))).toEqual([expect.stringMatching(/^~[0-9a-f]{24}$/)]);
		expect(sheet.findings).toEqual([]);
	});
});

describe('Responsible persons of a sheet without ids', () => {
	test('have an id made of their document, however it is written, so that siblings share a mother', async () => {
		const other = {
			...ROSA,
			responsible_1_document_type: 'cpf',
			responsible_1_document_value: '00000000191',
		};
		const roster = await rows([pupil('s1', ROSA), pupil('s2', other)], { responsibleIds: 'document' });
		const [id, ...more] = idsOf(roster, 'responsible');
		expect([id, more]).toEqual([expect.stringMatching(/^~[0-9a-f]{24}$/), []]);
		expect(bodies(roster, 'user').s1.responsible_external_id).toEqual([id]);
		expect(bodies(roster, 'user').s2.responsible_external_id).toEqual([id]);
	});

	test("without a document have the student's id and their place, as all have where that is asked for", async () => {
		const father = { responsible_3_full_name: 'Otto Prado' };
		expect(idsOf(await rows([pupil('s1', father)], { responsibleIds: 'document' }), 'responsible')).toEqual([
			's1~1',
			's1~3',
		]);
		expect(
			idsOf(await rows([pupil('s1', { ...ROSA, ...father })], { responsibleIds: 'student' }), 'responsible'),
		).toEqual(['s1~1', 's1~3']);
		const long = await rows([pupil('x'.repeat(50))], { responsibleIds: 'student' });
		expect(idsOf(long, 'responsible')).toEqual([expect.stringMatching(/^~[0-9a-f]{24}$/)]);
	});

	test.each([
		...['000.000.000-00', '111.111.111-11', 'não tem', '191', '1,23E+10'].map((value) => ['CPF', value]),
		...['0', '1.23E+10', 'n/a'].map((value) => ['RG', value]),
	])(
		'with %s %s for a document have the id of their student: strangers would share it',
		async (type, value) => {
			const document = { responsible_1_document_type: type, responsible_1_document_value: value };
			const all = [pupil('s1', document), pupil('s2', document)];
			const roster = await rows(all, { responsibleIds: 'document' });
			const named = [...roster.records, ...roster.faulty].map(({ fields }) => fields.external_id);
			expect(named.filter((id) => String(id).includes('~'))).toEqual(['s1~1', 's2~1']);
		},
	);

	test.each([
		['has been rounded', '1,23457E+11', 'idRounded'],
		['is too long', 'x'.repeat(51), 'idTooLong'],
	])(
		'are left out with a student whose id %s: each would come again under the right id',
		async (_what, id, code) => {
			const roster = await rows([pupil(id)], { responsibleIds: 'student' });
			expect(roster.records.filter(({ kind }) => kind !== 'class')).toEqual([]);
			const told = roster.findings.filter(({ kind }) => kind === 'user');
			expect(told.map((one) => one.code)).toEqual([code, code]);
		},
	);

	test('have the same ids the next night, whatever the order of the rows: nothing is sent', async () => {
		const all = [pupil('s1', ROSA), pupil('s2', ROSA), pupil('s3')];
		for (const responsibleIds of ['document', 'student'] as const) {
			const nights = await Nights.after(await rows(all, { responsibleIds }));
			expect((await nights.preview(await rows(all.toReversed(), { responsibleIds }))).changes).toEqual([]);
		}
	});

	test('count as one user for each student: a sibling who comes has a mother of the same name, birth date and document', async () => {
		const first = await rows([pupil('s1', ROSA)], { responsibleIds: 'student' });
		const nights = await Nights.after(first);
		const both = await rows([pupil('s1', ROSA), pupil('s2', ROSA)], { responsibleIds: 'student' });
		const { changes, findings } = await nights.preview(both);
		expect(changes.map(({ key }) => key)).toEqual(['u:17|s2~1', 'u:17|s2', 'b:17|5A|s2|student']);
		expect(findings).toEqual([]);
	});

	test('have ids as before where nothing is said: those of the column', async () => {
		const roster = await rows([pupil('s1', { responsible_1_external_id: 'r1', ...ROSA })], {});
		expect(idsOf(roster, 'responsible')).toEqual(['r1']);
		expect(finding(await rows([pupil('s1')], {}), 'idMissing')).toMatchObject({ severity: 'error' });
	});
});

test('Who has another document than a CPF under a type that says both is one user as well', async () => {
	const home = {
		...ROSA,
		responsible_1_document_type: 'CPF/CNPJ',
		responsible_1_document_value: '12.345.678/0001-95',
	};
	const roster = await rows([pupil('s1', home), pupil('s2', home)], { responsibleIds: 'document' });
	expect(idsOf(roster, 'responsible')).toEqual([expect.stringMatching(/^~/)]);
});

test('A guardian whose document is filled in later, or taken out, is no second user: she waits, with whom needs her', async () => {
	const mapping: Partial<Mapping> = { responsibleIds: 'document' };
	const [without, filled] = [[pupil('s1')], [pupil('s1', ROSA), pupil('s2', ROSA)]];
	const nights = await Nights.after(await rows(without, mapping));
	const { told, plan } = await nights.sync(await rows(filled, mapping));
	expect(told.filter((one) => one.includes('~'))).toEqual([]);
	expect(plan.findings.map(({ code }) => code)).toContain('personTwice');
	const others = await Nights.after(await rows(filled.slice(0, 1), mapping));
	expect((await others.sync(await rows(without, mapping))).told).toEqual([]);
});
