/** Where a roster comes from, beside files: rows of a sheet, and records. And the same as records: Read Files. */
import { Expression, type IDataObject, type INodeParameters } from 'n8n-workflow';

import { columnsOf } from './editor.mts';
import { EXPORT, itemWithFiles, MAPPING, useOffice, zipOf, type NightOptions } from './rosterStage.mts';

const office = useOffice();

/** A sheet of an office, with its own words. */
const FAMILY = { turma: '5A', serie: '05', mae: 'R-1', nome_mae: 'Celestina Fontela' };
const SHEET: IDataObject[] = [
	{ matricula: 1041, nome_completo: 'Abelia Maria Fontela', nascimento: '2015-12-31', ...FAMILY },
	{ matricula: 1042, nome_completo: 'Bento Fontela', nascimento: '', ...FAMILY },
];
const COLUMNS: INodeParameters = {
	school_external_id: 'school-001',
	student_external_id: '={{ $json.matricula }}',
	student_full_name: '={{ $json.nome_completo }}',
	student_birth_date: '={{ $json.nascimento }}',
	class_external_id: '={{ $json.turma }}',
	class_name: '={{ $json.turma }}',
	class_grade: '={{ $json.serie }}',
	responsible_1_external_id: '={{ $json["mae"] }}',
	responsible_1_full_name: '={{ $json["nome_mae"] }}',
};
const BY_HEADING: INodeParameters = { mappingMode: 'autoMapInputData', value: null };
const WITH_YEAR = { ...MAPPING, year: '2026' };

const ofSheet = (
	items: IDataObject[],
	columns: INodeParameters = { mappingMode: 'defineBelow', value: COLUMNS },
): NightOptions => ({
	roster: items.map((json) => ({ json })),
	parameters: { source: 'rows', columns, mapping: WITH_YEAR },
});
const sentOf = (changes: IDataObject[]) => changes.map(({ kind, send }) => [kind, send]);
const ofSchool = (kind: string, fields: IDataObject) => [
	kind,
	{ school_external_id: 'school-001', ...fields },
];

const read = async (parameters: INodeParameters = {}, roster = [zipOf()]) =>
	await office.run('readFiles', { roster, parameters, credentials: undefined });

describe('Rows of a sheet', () => {
	test('become classes, responsible persons, students and bonds by the columns that a person has dragged to their fields', async () => {
		const { changes, run } = await office.preview(ofSheet(SHEET));
		const grade = { educational_stage: 'EF1', grade: '5º ano', year: 2026 };
		const student = { last_name: 'Fontela', profiles: ['student'], responsible_external_id: ['R-1'] };
		const abelia = { first_name: 'Abelia', last_name: 'Maria Fontela', birth_date: '2015-12-31' };
		const mother = { first_name: 'Celestina', last_name: 'Fontela', profiles: ['responsible'] };
		const in5a = { class_external_id: '5A', profile_name: 'student' };
		expect(sentOf(changes)).toEqual([
			ofSchool('class', {
				...{ external_id: '5A', name: '5A', code: '5A', ...grade },
				...{ shift: null, course: null, description: '' },
			}),
			ofSchool('user', { external_id: 'R-1', ...mother }),
			ofSchool('user', { external_id: '1041', ...student, ...abelia }),
			ofSchool('user', { external_id: '1042', ...student, first_name: 'Bento' }),
			ofSchool('bond', { user_external_id: '1041', ...in5a }),
			ofSchool('bond', { user_external_id: '1042', ...in5a }),
		]);
		expect(run.outputs[2].map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 0, 0, 1, 0, 1].map((item) => ({ item })),
		);
	});

	test('are taken as they are when their columns have the names of the fields', async () => {
		const student = { student_external_id: 's-1', student_full_name: 'Abelia Fontela' };
		const items = [{ school_external_id: 'school-001', ...student, comment: 'not read' }];
		const { changes } = await office.preview(ofSheet(items, BY_HEADING));
		const names = { first_name: 'Abelia', last_name: 'Fontela' };
		expect(sentOf(changes)).toEqual([
			ofSchool('user', { external_id: 's-1', ...names, profiles: ['student'] }),
		]);
	});

	test('may have computed columns; one that gives nothing is told, with the rows', async () => {
		const value = {
			...COLUMNS,
			student_birth_date: "={{ DateTime.fromFormat($json.nascimento, 'yyyy-MM-dd').toISODate() }}",
		};
		const { changes, attention } = await office.preview(
			ofSheet(SHEET, { mappingMode: 'defineBelow', value }),
		);
		expect(
			changes.filter(({ kind }) => kind === 'user').map(({ send }) => (send as IDataObject).birth_date),
		).toEqual([undefined, '2015-12-31', undefined]);
		expect(attention.filter(({ code }) => code === 'expressionGivesNothing')).toMatchObject([
			{
				message: 'The expression for Student Birth Date under Columns gives nothing for some rows',
				count: 1,
				places: [{ file: 'Row', line: 2 }],
			},
		]);
	});

	test('may write dates in their own way, which is never guessed', async () => {
		const items = [
			{ ...SHEET[0], nascimento: '31/12/2015' },
			{ ...SHEET[1], nascimento: '12/31/2015' },
		];
		const night = ofSheet(items);
		const { changes, attention } = await office.preview({
			...night,
			parameters: { ...night.parameters, mapping: { ...WITH_YEAR, dateFormat: 'DD/MM/YYYY' } },
		});
		expect(changes.map(({ send }) => (send as IDataObject).birth_date).filter(Boolean)).toEqual([
			'2015-12-31',
		]);
		expect(attention.filter(({ severity }) => severity === 'error')).toMatchObject([
			{ kind: 'user', places: [{ file: 'Row', line: 2 }] },
		]);
	});

	test.each<[string, NightOptions, string, RegExp]>([
		[
			'no column is mapped',
			ofSheet(SHEET, { mappingMode: 'defineBelow', value: {} }),
			'No row of the input gives anything',
			/Drag the columns/,
		],
		[
			'an expression cannot be evaluated for any of them',
			ofSheet(SHEET, {
				mappingMode: 'defineBelow',
				value: { ...COLUMNS, student_email: '={{ $json.mail.trim() }}' },
			}),
			'An expression under Columns cannot be evaluated for any row',
			/\?\./,
		],
	])('stop the night when %s', async (_what, night, message, next) => {
		const words = await office.stop('sync', night);
		expect(words.message).toContain(message);
		expect(words.description).toMatch(next);
	});

	test('given as the file they are in stop the night, which says how the file becomes rows', async () => {
		const file = Buffer.from('matricula;nome_completo\n1041;Abelia Fontela\n');
		const words = await office.stop('sync', { roster: [itemWithFiles({ 'alunos.csv': file })] });
		expect(words.message).toBe('None of these is a file of OneRoster or SDS v2.1: alunos.csv');
		expect(words.description).toContain(
			'make rows of it with Extract from File, and set Roster Comes From to Rows of a Sheet',
		);
	});

	test('of which one cannot be computed are planned without it: it is told, and nothing counts as gone because of it', async () => {
		const items = [...SHEET, { ...SHEET[0], matricula: 1043 }];
		const options = { missingRowsMean: 'hasLeft' };
		await office.begin({ ...ofSheet(items), options });
		const value = { ...COLUMNS, student_birth_date: '={{ $json.nascimento.trim() }}' };
		const broken = ofSheet(
			items.map((item, index) => (index === 1 ? { ...item, nascimento: 2015 } : item)),
			{ mappingMode: 'defineBelow', value },
		);
		const { changes, attention } = await office.sync({ ...broken, options });
		expect(changes).toEqual([]);
		expect(attention.filter(({ severity }) => severity === 'error')).toMatchObject([
			{ code: 'columnUnreadable', count: 1, places: [{ file: 'Row', line: 2 }] },
		]);
	});

	test.each(['=aluno-{{ $json.matricula }}', '=aluno-{{ $json.matricula || null }}'])(
		'whose ids are made as %s do not all give one id where the number is missing',
		async (student_external_id) => {
			const items = [SHEET[0], { ...SHEET[1], matricula: null }];
			const value = { ...COLUMNS, student_external_id };
			const { changes } = await office.preview(ofSheet(items, { mappingMode: 'defineBelow', value }));
			const ids = changes.flatMap(({ kind, key, send }) =>
				kind === 'user' ? JSON.stringify([key, send]) : [],
			);
			expect(ids.join()).toContain('aluno-1041');
			expect(ids.join()).not.toMatch(/aluno-(?!1041)/);
		},
	);

	test('are read without the expression engine of n8n, which takes half a minute for 2,000 rows of 40 columns', async () => {
		const fields = (await columnsOf()).map(({ id }) => id).slice(0, 40);
		const evaluatedFor = async (count: number, expressionOf: (field: string) => string) => {
			const value = Object.fromEntries(fields.map((field) => [field, expressionOf(field)]));
			const items = Array.from({ length: count }, (_, index) =>
				Object.fromEntries(
					fields.map((field) => [field, field.endsWith('external_id') ? `${field}-${index}` : 'Abelia']),
				),
			);
			const { roster, parameters } = ofSheet(items, { mappingMode: 'defineBelow', value });
			const engine = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
			const run = await read(parameters, roster);
			expect(run.outputs[0].length).toBeGreaterThanOrEqual(count);
			const evaluated = engine.mock.calls.length;
			engine.mockRestore();
			return evaluated;
		};
		const plain = (field: string) => `={{ $json.${field} }}`;
		expect(await evaluatedFor(2_000, plain)).toBe(await evaluatedFor(2, plain));
		// What has to be computed goes through it, so that the count above says something.
		expect(await evaluatedFor(2, (field) => `={{ $json.${field}.trim() }}`)).toBeGreaterThanOrEqual(80);
	});
});

describe('Read Files', () => {
	test('gives records by the fields of the service, with their place in the file, and needs no credential', async () => {
		const { outputs } = await read();
		expect(outputs).toHaveLength(2);
		const kinds = outputs[0].map(({ json }) => json.kind).sort();
		expect(kinds.join(' ')).toBe('bond bond bond class user user user user');
		expect(outputs[0].map(({ json }) => json)).toContainEqual({
			...{ kind: 'user', school_external_id: 'school-001', external_id: 'ros-student-1' },
			...{ first_name: 'Abelia', last_name: 'Fontela', profiles: ['student'] },
			...{ responsible_external_id: ['ros-mother-1'], source: { file: 'users.csv', line: 3 } },
		});
	});

	test('tells on its second output what is left out, by cause', async () => {
		const { outputs } = await read({ mapping: {} });
		const errors = outputs[1].map(({ json }) => json).filter(({ severity }) => severity === 'error');
		expect(errors).toMatchObject([{ kind: 'class', count: 1, file: 'classes.csv', line: 2 }]);
		expect(outputs[0].filter(({ json }) => json.kind === 'class')).toEqual([]);
	});

	test.each(['list', 'name'])(
		'takes a stage, a grade and a profile that were picked or typed (%s)',
		async (mode) => {
			const chosen = (value: string) => ({ __rl: true, mode, value });
			const ofService = { educationalStage: chosen('EF1'), gradeName: chosen('5º ano') };
			const mapping = {
				grades: { grade: [{ gradeCode: '05', ...ofService, schoolExternalId: '' }] },
				roles: { role: [{ role: 'teacher', profile: chosen('coordinator') }] },
			};
			const { outputs, error } = await read({ mapping });
			expect(error).toBeUndefined();
			const records = outputs[0].map(({ json }) => json);
			expect(records).toContainEqual(
				expect.objectContaining({ kind: 'class', educational_stage: 'EF1', grade: '5º ano' }),
			);
			expect(records).toContainEqual(
				expect.objectContaining({ external_id: 'ros-teacher-1', profiles: ['coordinator'] }),
			);
		},
	);

	test('gives records of which a plan has the same changes as of the files', async () => {
		const { outputs } = await read();
		const ofRecords = await office.preview({ roster: outputs[0], parameters: { source: 'records' } });
		const ofFiles = await office.preview({});
		const without = ({ hold_id: _hold, ...change }: IDataObject) => change;
		expect(ofRecords.changes.map(without)).toEqual(ofFiles.changes.map(without));
	});
});

test('A change that was planned of records says of none that it comes from it, where these say the row of a sheet', async () => {
	const { roster, parameters } = ofSheet(SHEET);
	const { outputs } = await read(parameters, roster);
	const ofRows = await office.preview(ofSheet(SHEET));
	expect(
		ofRows.run.outputs[2].filter(({ json }) => json.kind === 'bond').map(({ pairedItem }) => pairedItem),
	).toEqual([{ item: 0 }, { item: 1 }]);
	const ofRecords = await office.preview({ roster: outputs[0], parameters: { source: 'records' } });
	expect(ofRecords.run.outputs[2].map(({ pairedItem }) => pairedItem)).toEqual(
		ofRows.run.outputs[2].map(() => undefined),
	);
});

describe('What Read Files leaves out of the records', () => {
	const records = (roster: NightOptions['roster']): NightOptions => ({
		roster,
		parameters: { source: 'records' },
		options: { missingRowsMean: 'hasLeft' },
	});
	const of = async (change: Parameters<typeof zipOf>[0]) => (await read({}, [zipOf(change)])).outputs[0];
	/** A first night of all records. */
	const begin = async () => await office.begin(records((await read()).outputs[0]));
	const enrollments = EXPORT['enrollments.csv'];

	test.each<[string, string, string[]]>([
		['has an error', enrollments.replace('e2,,,ros-class-1', 'e2,,,ros-class-9'), ['recordFaulty']],
		[
			'has no id',
			enrollments.replace('e2,,,ros-class-1,school-001,ros-student-2', 'e2,,,ros-class-1,school-001,'),
			['recordFaulty', 'keptForRow'],
		],
	])(
		'because it %s does not look as if it were gone, when the records are complete',
		async (_what, csv, codes) => {
			await begin();
			const { changes, attention } = await office.sync(records(await of({ 'enrollments.csv': csv })));
			expect(changes).toEqual([]);
			expect(attention.map(({ code }) => code)).toEqual(expect.arrayContaining(codes));
		},
	);

	test('is said of each, however many there are: with the wrong column for an id every row is in error', async () => {
		const rows = Array.from({ length: 65_000 }, (_, row) => ({
			json: {
				school_external_id: 'school-001',
				student_external_id: '2026',
				student_first_name: String.fromCodePoint(0x4e00 + (row % 20_000), 0x4e00 + Math.floor(row / 20_000)),
				class_external_id: '5',
				class_name: `5º ano ${row}`,
			},
		}));
		const { outputs, error } = await read({ source: 'rows', columns: BY_HEADING, mapping: {} }, rows);
		expect(error).toBeUndefined();
		// Every student; and the class, of which the first row counts and lacks its grade, with the bond that needs it.
		expect(outputs[0].filter(({ json }) => json.kind === 'faulty')).toHaveLength(rows.length + 2);
	});

	test('is no record that the School Partner node would send; of which school a bond is says its class, and that is not there', async () => {
		const items = await of({
			'enrollments.csv': enrollments.replace('e2,,,ros-class-1', 'e2,,,ros-class-9'),
		});
		expect(items.map(({ json }) => json).filter(({ kind }) => kind === 'faulty')).toEqual([
			{
				...{ kind: 'faulty', of: 'bond', profile_name: 'student' },
				...{ class_external_id: 'ros-class-9', user_external_id: 'ros-student-2' },
				source: { file: 'enrollments.csv', line: 3 },
			},
		]);
	});
});

describe('A ledger that was written with files', () => {
	const identity = { mapping: { ...MAPPING, userIdFrom: 'username' } };

	test('is gone on with records, whose ids somebody else chose, and still held with other ids of files', async () => {
		await office.begin({ parameters: identity });
		const { outputs } = await read(identity);
		const night = { roster: outputs[0], parameters: { source: 'records' } };
		expect((await office.sync(night)).changes).toEqual([]);
		const { summary, changes } = await office.sync();
		expect(summary).toMatchObject({
			outcome: 'held',
			holds: [{ reason: expect.stringContaining('other options for what an id is') as string }],
		});
		expect(new Set(changes.map(({ state }) => state))).toEqual(new Set(['held']));
	});
});

test('Files that n8n keeps within the data of an item (the setting binaryMode of a workflow) are read too', async () => {
	const [{ binary }] = [zipOf()];
	const roster = [{ json: { _files: { ...binary, note: 'no file' } } as unknown as IDataObject }];
	const { changes } = await office.preview({ roster });
	expect(changes).toHaveLength(8);
	expect((await office.preview({ roster, options: { fileFields: 'data' } })).changes).toHaveLength(8);
});

describe('Records', () => {
	test('that are none stop the night', async () => {
		const night = { roster: [{ json: { name: 'Abelia' } }], parameters: { source: 'records' } };
		expect((await office.stop('sync', night)).message).toBe(
			'None of the items is a record of a class, user or bond',
		);
	});

	test('that only say who has left a class take nobody else out, and one that names no profile is told', async () => {
		const parameters = { source: 'records' };
		const { outputs } = await office.run('readFiles');
		await office.begin({ roster: outputs[0], parameters });
		const ends = { class_external_id: 'ros-class-1', user_external_id: 'ros-student-2' };
		const left = { kind: 'gone', of: 'bond', school_external_id: 'school-001', ...ends };
		const toldOf = async (...items: IDataObject[]) => {
			const roster = items.map((json) => ({ json }));
			const { changes, attention } = await office.sync({ roster, parameters });
			return [changes.map(({ action, key }) => [action, key]), attention.map(({ code }) => code)];
		};
		expect(await toldOf(left)).toEqual([[], ['goneWithoutIds']]);
		const removal = ['remove', 'b:school-001|ros-class-1|ros-student-2|student'];
		expect(await toldOf({ ...left, profile_name: 'student' })).toEqual([[removal], []]);
	});
});
