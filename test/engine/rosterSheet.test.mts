/** A sheet as an office has it: nobody has dragged its columns, and nobody has mapped its grades. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { MAPPING, useOffice, type NightOptions } from './rosterStage.mts';
import { STAGES_PATH } from './workroom.mts';

const office = useOffice();
const { workroom } = office;

const ofSheet = (rows: IDataObject[], mapping: INodeParameters = {}): NightOptions => ({
	roster: rows.map((json) => ({ json })),
	parameters: { source: 'rows', columns: { mappingMode: 'autoMapInputData', value: null }, mapping },
});
const errorsIn = (attention: IDataObject[]) => attention.filter(({ severity }) => severity === 'error');

describe('Map Automatically', () => {
	test('reads the headings of an office, and the night says which became what', async () => {
		const { changes, attention } = await office.preview(
			ofSheet(
				[
					{ Escola: 'school-001', Matrícula: 1041, 'Nome do aluno': 'Abelia Fontela', CPF: '111.444.777-35' },
					// Extract from File leaves out empty cells: no row alone has all headings.
					{ Escola: 'school-001', Matrícula: 1042, 'Nome do aluno': 'Bento Fontela', Bairro: 'Centro' },
				].map((row) => ({ ...row, 'Cód. Turma': '2026-5A', Turma: '5A', 'Ano/Série': '05' })),
				{ ...MAPPING, year: '2026' },
			),
		);
		expect(changes.map(({ key }) => key)).toEqual([
			...['c:school-001|2026-5A', 'u:school-001|1041', 'u:school-001|1042'],
			...['b:school-001|2026-5A|1041|student', 'b:school-001|2026-5A|1042|student'],
		]);
		const documents = changes.slice(1, 3).map(({ send }) => (send as IDataObject).document_type);
		expect(documents).toEqual(['CPF', undefined]);
		expect(changes[1].send).toMatchObject({ first_name: 'Abelia', document_value: '111.444.777-35' });
		expect(attention.slice(1)).toMatchObject([
			{
				...{ severity: 'information', code: 'columnsMatched' },
				message: expect.stringContaining('"Matrícula" is Student External ID'),
			},
			{ severity: 'information', code: 'columnsLeft', message: expect.stringMatching(/: "Bairro"$/) },
		]);
	});

	test('takes the same column for the id of a class, whether it is called Identifier or SourcedId', async () => {
		const row = { Escola: 'school-001', Matrícula: 1041, 'Nome do aluno': 'Abelia Fontela', Turma: '5A' };
		const rows = [1041, 1042].map((id) => ({
			...{ ...row, Matrícula: id },
			...{ 'Cód. Turma': '2026-5A', 'Ano/Série': '05' },
		}));
		const mapping = { ...MAPPING, year: '2026' };
		await office.begin(ofSheet(rows.slice(0, 1), mapping));
		const { changes, summary } = await office.sync(ofSheet(rows, { ...mapping, classIdFrom: 'identifier' }));
		expect(summary.holds).toEqual([]);
		expect(changes).toHaveLength(2);
	});

	test('reads the dates of an Excel file, which n8n gives as numbers of days', async () => {
		const row = { Escola: 'school-001', Matrícula: 1041, 'Nome do aluno': 'Abelia Fontela' };
		const { changes } = await office.preview(ofSheet([{ ...row, 'Data de nascimento': 42_369 }]));
		expect(changes.map(({ send }) => (send as IDataObject).birth_date)).toEqual(['2015-12-31']);
		const { attention } = await office.preview(ofSheet([{ ...row, 'Data de nascimento': 2015 }]));
		expect(errorsIn(attention).map(({ code }) => code)).toContain('dateNotRead');
	});

	test('names the id that no heading is, before the columns that are not used', async () => {
		const { attention } = await office.preview(
			ofSheet([
				{ Escola: 'school-001', Matrícula: 1041, 'Nome do aluno': 'Abelia Fontela', Turma: '5A', Sala: '5A' },
			]),
		);
		expect(attention.filter(({ code }) => code !== 'held').map(({ code }) => code)).toEqual([
			...['idMissing', 'columnMissing', 'columnsMatched', 'columnsLeft'],
		]);
		expect(attention.find(({ code }) => code === 'columnMissing')?.message).toBe(
			'Map Automatically knows no heading of the sheet as Class External ID',
		);
	});

	test.each<[string, NightOptions, string, RegExp]>([
		[
			'no column has a heading that is known',
			ofSheet([{ 'Abelia Fontela': 'Bento Fontela', 2015: 2014 }]),
			'No item of the input has a field that Map Automatically knows',
			/student_external_id/,
		],
		[
			'two columns may be the same field',
			ofSheet([{ 'ID Escola': 'school-001', 'Código INEP': '35000001', 'ID Aluno': '1041' }]),
			'Map Automatically cannot tell which column is School External ID: "ID Escola", "Código INEP"',
			/Rename one of them/,
		],
	])('stops the night when %s', async (_what, night, message, next) => {
		const words = await office.stop('sync', night);
		expect(words.message).toContain(message);
		expect(words.description).toMatch(next);
	});
});

describe('A grade that nobody mapped', () => {
	const row = (grade: string) => ({
		school_external_id: 'school-001',
		...{ student_external_id: '1041', student_full_name: 'Abelia Fontela' },
		...{ class_external_id: '2026-5A', class_name: '5A', class_grade: grade, class_year: '2026' },
	});
	const night = (grades: string[], options = {}) => ({ ...ofSheet(grades.map(row)), options });

	test('is the one of the service that has its name, and the night says so; the service is asked once for each school', async () => {
		const { changes, attention } = await office.preview(night(['5o. ANO', '5o. ANO']));
		expect(changes[0]).toMatchObject({
			kind: 'class',
			send: { educational_stage: 'EF1', grade: '5º ano' },
		});
		expect(attention).toContainEqual(
			expect.objectContaining({
				...{ severity: 'information', code: 'gradeOfService' },
				message:
					'Nobody mapped the grade "5o. ANO": it is taken for "5º ano" of "EF1", the only one of the service with this name in the school',
			}),
		);
		const asked = await workroom.received(STAGES_PATH);
		// Once for its grades, and once for what it would refuse.
		expect(asked.map(({ query }) => query)).toEqual(Array(2).fill({ school_external_id: 'school-001' }));
	});

	test('and that the service does not have either needs a row, for which all its grades are named', async () => {
		const { changes, attention } = await office.preview(night(['Berçário']));
		expect(changes.filter(({ kind }) => kind === 'class')).toEqual([]);
		expect(errorsIn(attention)).toMatchObject([
			{
				...{ code: 'gradeNotMapped', count: 1 },
				what_to_do: expect.stringMatching(
					/Mapping → Grades.*\nThe service has here: .*"EF1": "1º ano", .*"5º ano"/,
				),
			},
		]);
	});

	test('is not what is wrong in a school that the service does not know: the school is told, and nobody of it is held or sent', async () => {
		const rows = [{ ...row('5º ano'), school_external_id: 'school-999' }];
		const { changes, attention, summary } = await office.preview(ofSheet(rows));
		expect([changes, summary.holds]).toEqual([[], []]);
		const told = errorsIn(attention).map(({ code, kind }) => `${String(kind)} ${String(code)}`);
		expect(told.sort()).toEqual(['bond schoolNotKnown', 'class schoolNotKnown', 'user schoolNotKnown']);
	});

	test('stays unmapped where the service is not to be asked', async () => {
		const { attention } = await office.preview(night(['5º ano'], { checkWithService: false }));
		expect(errorsIn(attention)).toMatchObject([{ code: 'gradeNotMapped' }]);
		expect(await workroom.received(STAGES_PATH)).toEqual([]);
	});

	test('stops the night while the service cannot say what its grades are called', async () => {
		await workroom.admin.addFault({ path: '/data' }, { status: 403 });
		const words = await office.stop('sync', night(['5º ano']));
		expect(words.message).toContain('The service could not be asked what its grades are called');
		expect(words.description).toContain('Grades that stand under Mapping → Grades need no asking');
		expect(await office.sent()).toEqual([]);
	});

	test('leaves out a school for which it cannot say so, where it can for another; a Take Over stops', async () => {
		const elsewhere = { school_external_id: 'school-002', student_external_id: '2041' };
		const rows = [row('5º ano'), { ...row('5º ano'), ...elsewhere }];
		// One after another, so that the second of the two is the other school.
		const sheet = { ...ofSheet(rows), options: { concurrency: 1 } };
		await workroom.admin.addFault({ path: STAGES_PATH, every: 2 }, { status: 403 });
		const { changes, attention } = await office.preview(sheet);
		const classes = changes.filter(({ kind }) => kind === 'class');
		expect(classes.map(({ school_external_id: school }) => school)).toEqual(['school-001']);
		expect(errorsIn(attention).map(({ code }) => code)).toContain('schoolNotAnswered');
		// Neither where nobody asks for the other one, since its grades are mapped.
		const mapped = {
			gradeCode: '5º ano',
			educationalStage: 'EF1',
			gradeName: '5º ano',
			schoolExternalId: 'school-001',
		};
		await workroom.admin.clearFaults();
		await workroom.admin.addFault({ path: STAGES_PATH, nth: 1 }, { status: 403 });
		const alone = await office.preview({
			...ofSheet(rows, { ...MAPPING, grades: { grade: [mapped] } }),
			options: { concurrency: 1 },
		});
		expect(alone.changes.some(({ kind }) => kind === 'class')).toBe(true);
		await workroom.admin.clearFaults();
		await workroom.admin.addFault({ path: STAGES_PATH, every: 2 }, { status: 403 });
		const words = await office.stop('takeOver', sheet);
		expect(words.message).toContain('The service could not be asked what its grades are called');
	});

	test('is no matter while the sign-on gives no token: only that is told', async () => {
		const credentials = await workroom.credentialWith({ clientSecret: 'wrong', oauthTokenData: undefined });
		const words = await office.stop('sync', { ...night(['5º ano']), credentials });
		expect(words.message).not.toContain('grades');
		expect(words.description).toMatch(/Client Secret/);
		expect(words.description).not.toContain('Mapping');
	});
});
