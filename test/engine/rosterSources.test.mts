/** Where a roster comes from, beside files: rows of a sheet, and records. And the same as records: Read Files. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { runNode } from '../support/engine.mts';

import { useWorkroom, wordsOf } from './workroom.mts';
import { columnsOf } from './editor.mts';
import {
	doneOf,
	EXPORT,
	itemWithFiles,
	MAPPING,
	outputsOf,
	plan,
	zipOf,
	type Night,
} from './rosterStage.mts';

const workroom = useWorkroom();

/** A sheet of an office, with its own words. */
const SHEET: IDataObject[] = [
	{
		matricula: 1041,
		nome_completo: 'Abelia Maria Fontela',
		nascimento: '2015-12-31',
		turma: '5A',
		serie: '05',
		mae: 'R-1',
		nome_mae: 'Celestina Fontela',
	},
	{
		matricula: 1042,
		nome_completo: 'Bento Fontela',
		nascimento: '',
		turma: '5A',
		serie: '05',
		mae: 'R-1',
		nome_mae: 'Celestina Fontela',
	},
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
const WITH_YEAR = { ...MAPPING, year: '2026' };

const ofSheet = (
	items: IDataObject[],
	columns: INodeParameters = { mappingMode: 'defineBelow', value: COLUMNS },
): Night => ({
	roster: items.map((json) => ({ json })),
	parameters: { source: 'rows', columns, mapping: WITH_YEAR },
	options: { firstRun: true },
});
const planned = async (night: Night) => outputsOf(await plan(workroom, night));
const sentOf = (changes: IDataObject[]) => changes.map(({ kind, send }) => [kind, send]);

const read = async (parameters: INodeParameters = {}) =>
	await runNode({
		node: 'schoolPartnerRoster',
		inputs: [zipOf()],
		parameters: { operation: 'readFiles', mapping: MAPPING, ...parameters },
	});

describe('Rows of a sheet', () => {
	test('become classes, responsible persons, students and bonds by the columns that a person has dragged to their fields', async () => {
		const run = await plan(workroom, ofSheet(SHEET));
		const { changes } = outputsOf(run);
		expect(sentOf(changes)).toEqual([
			[
				'class',
				{
					school_external_id: 'school-001',
					external_id: '5A',
					name: '5A',
					code: '5A',
					educational_stage: 'EF1',
					grade: '5º ano',
					year: 2026,
					shift: null,
					course: null,
					description: '',
				},
			],
			[
				'user',
				{
					school_external_id: 'school-001',
					external_id: 'R-1',
					first_name: 'Celestina',
					last_name: 'Fontela',
					profiles: ['responsible'],
				},
			],
			[
				'user',
				{
					school_external_id: 'school-001',
					external_id: '1041',
					first_name: 'Abelia',
					last_name: 'Maria Fontela',
					birth_date: '2015-12-31',
					profiles: ['student'],
					responsible_external_id: ['R-1'],
				},
			],
			[
				'user',
				{
					school_external_id: 'school-001',
					external_id: '1042',
					first_name: 'Bento',
					last_name: 'Fontela',
					profiles: ['student'],
					responsible_external_id: ['R-1'],
				},
			],
			[
				'bond',
				{
					school_external_id: 'school-001',
					class_external_id: '5A',
					user_external_id: '1041',
					profile_name: 'student',
				},
			],
			[
				'bond',
				{
					school_external_id: 'school-001',
					class_external_id: '5A',
					user_external_id: '1042',
					profile_name: 'student',
				},
			],
		]);
		expect(run.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 0 },
			{ item: 0 },
			{ item: 1 },
			{ item: 0 },
			{ item: 1 },
		]);
	});

	test('are taken as they are when their columns have the names of the fields', async () => {
		const items = [
			{
				school_external_id: 'school-001',
				student_external_id: 's-1',
				student_full_name: 'Abelia Fontela',
				comment: 'not read',
			},
		];
		const { changes } = await planned(ofSheet(items, { mappingMode: 'autoMapInputData', value: null }));
		expect(sentOf(changes)).toEqual([
			[
				'user',
				{
					school_external_id: 'school-001',
					external_id: 's-1',
					first_name: 'Abelia',
					last_name: 'Fontela',
					profiles: ['student'],
				},
			],
		]);
	});

	test('may have computed columns; one that gives nothing is told, with the rows', async () => {
		const value = {
			...COLUMNS,
			student_birth_date: "={{ DateTime.fromFormat($json.nascimento, 'yyyy-MM-dd').toISODate() }}",
		};
		const { changes, findings } = await planned(ofSheet(SHEET, { mappingMode: 'defineBelow', value }));
		expect(
			changes.filter(({ kind }) => kind === 'user').map(({ send }) => (send as IDataObject).birth_date),
		).toEqual([undefined, '2015-12-31', undefined]);
		expect(findings.filter(({ code }) => code === 'expressionGivesNothing')).toMatchObject([
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
		const { changes, findings } = await planned({
			...night,
			parameters: { ...night.parameters, mapping: { ...WITH_YEAR, dateFormat: 'DD/MM/YYYY' } },
		});
		expect(changes.map(({ send }) => (send as IDataObject).birth_date).filter(Boolean)).toEqual([
			'2015-12-31',
		]);
		expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
			{ kind: 'user', places: [{ file: 'Row', line: 2 }] },
		]);
	});

	test.each<[string, Night, string, RegExp]>([
		[
			'no column is mapped',
			ofSheet(SHEET, { mappingMode: 'defineBelow', value: {} }),
			'No row of the input gives anything',
			/Drag the columns/,
		],
		[
			'no column has the name of a field',
			ofSheet(SHEET, { mappingMode: 'autoMapInputData', value: null }),
			'No item of the input has a field that Map Automatically knows',
			/student_external_id/,
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
	])('stop the plan when %s', async (_what, night, message, next) => {
		const run = await plan(workroom, night);
		const words = wordsOf(run);
		expect(run.outputs.flat()).toEqual([]);
		expect(words.message).toContain(message);
		expect(words.description).toMatch(next);
	});

	test('given as the file they are in stop the plan, which says how the file becomes rows', async () => {
		const file = Buffer.from('matricula;nome_completo\n1041;Abelia Fontela\n');
		const words = wordsOf(await plan(workroom, { roster: [itemWithFiles({ 'alunos.csv': file })] }));
		expect(words.message).toBe('None of these is a file of OneRoster or SDS v2.1: alunos.csv');
		expect(words.description).toContain(
			'make rows of it with Extract from File, and set Roster Comes From to Rows of a Sheet',
		);
	});

	test('of which one cannot be computed are planned without it: it is told, and nothing counts as gone because of it', async () => {
		const items = [...SHEET, { ...SHEET[0], matricula: 1043 }];
		const night = { ...ofSheet(items), options: { firstRun: true, completeness: 'complete' } };
		const ledger = doneOf(await planned(night));
		const value = { ...COLUMNS, student_birth_date: '={{ $json.nascimento.trim() }}' };
		const broken = ofSheet(
			items.map((item, index) => (index === 1 ? { ...item, nascimento: 2015 } : item)),
			{ mappingMode: 'defineBelow', value },
		);
		const { changes, findings } = await planned({ ...broken, ledger, options: { completeness: 'complete' } });
		expect(changes).toEqual([]);
		expect(findings.filter(({ severity }) => severity === 'error')).toMatchObject([
			{ code: 'columnUnreadable', count: 1, places: [{ file: 'Row', line: 2 }] },
		]);
	});

	test('are read without the expression engine of n8n, which takes half a minute for these 2,000 rows of 40 columns', async () => {
		const fields = (await columnsOf()).map(({ id }) => id).slice(0, 40);
		const value = Object.fromEntries(fields.map((field) => [field, `={{ $json.${field} }}`]));
		const items = Array.from({ length: 2000 }, (_, index) =>
			Object.fromEntries(
				fields.map((field) => [field, field.endsWith('external_id') ? `${field}-${index}` : 'Abelia']),
			),
		);
		const began = Date.now();
		const run = await runNode({
			node: 'schoolPartnerRoster',
			items,
			parameters: { operation: 'readFiles', source: 'rows', columns: { mappingMode: 'defineBelow', value } },
		});
		expect(run.outputs[0].length).toBeGreaterThanOrEqual(2000);
		expect(Date.now() - began).toBeLessThan(20_000);
	});
});

describe('Read Files', () => {
	test('gives records by the fields of the service, with their place in the file, and needs no credential', async () => {
		const { outputs } = await read();
		expect(outputs).toHaveLength(2);
		expect(outputs[0].map(({ json }) => json.kind).sort()).toEqual([
			'bond',
			'bond',
			'bond',
			'class',
			'user',
			'user',
			'user',
			'user',
		]);
		expect(outputs[0].map(({ json }) => json)).toContainEqual({
			kind: 'user',
			school_external_id: 'school-001',
			external_id: 'ros-student-1',
			first_name: 'Abelia',
			last_name: 'Fontela',
			profiles: ['student'],
			responsible_external_id: ['ros-mother-1'],
			source: { file: 'users.csv', line: 3 },
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
			const grade = {
				gradeCode: '05',
				educationalStage: chosen('EF1'),
				gradeName: chosen('5º ano'),
				schoolExternalId: '',
			};
			const mapping = {
				grades: { grade: [grade] },
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
		const options = { firstRun: true };
		const ofRecords = await planned({ roster: outputs[0], parameters: { source: 'records' }, options });
		const ofFiles = await planned({ options });
		const without = ({ run_id: _run, plan_id: _plan, ...change }: IDataObject) => change;
		expect(ofRecords.changes.map(without)).toEqual(ofFiles.changes.map(without));
	});
});

test('A change that was planned of records says of none that it comes from it, where these say the row of a sheet', async () => {
	const { roster, parameters } = ofSheet(SHEET);
	const read = await runNode({
		node: 'schoolPartnerRoster',
		inputs: roster ?? [],
		parameters: { operation: 'readFiles', ...parameters },
	});
	const ofRows = await plan(workroom, ofSheet(SHEET));
	expect(
		ofRows.outputs[0].filter(({ json }) => json.kind === 'bond').map(({ pairedItem }) => pairedItem),
	).toEqual([{ item: 0 }, { item: 1 }]);
	const ofRecords = await plan(workroom, {
		roster: read.outputs[0],
		parameters: { source: 'records' },
		options: { firstRun: true },
	});
	expect(ofRecords.outputs[0].map(({ pairedItem }) => pairedItem)).toEqual(
		ofRows.outputs[0].map(() => undefined),
	);
});

describe('What Read Files leaves out of the records', () => {
	const records = (roster: Night['roster'], ledger: IDataObject[], options: INodeParameters = {}) =>
		planned({
			roster,
			ledger,
			parameters: { source: 'records' },
			options: { completeness: 'complete', ...options },
		});
	const of = async (change: Parameters<typeof zipOf>[0], parameters: INodeParameters = {}) =>
		(
			await runNode({
				node: 'schoolPartnerRoster',
				inputs: [zipOf(change)],
				parameters: { operation: 'readFiles', mapping: MAPPING, ...parameters },
			})
		).outputs[0];
	const ledgerOf = async () =>
		doneOf(
			await planned({
				roster: (await read()).outputs[0],
				parameters: { source: 'records' },
				options: { firstRun: true },
			}),
		);
	const enrollments = EXPORT['enrollments.csv'];

	test.each<[string, string, string[]]>([
		['has an error', enrollments.replace('e2,,,ros-class-1', 'e2,,,ros-class-9'), ['recordFaulty']],
		[
			'has no id',
			enrollments.replace('e2,,,ros-class-1,school-001,ros-student-2', 'e2,,,ros-class-1,school-001,'),
			['recordsNotWhole'],
		],
	])(
		'because it %s does not look as if it were gone, when the records are complete',
		async (_what, csv, codes) => {
			const { changes, findings } = await records(await of({ 'enrollments.csv': csv }), await ledgerOf());
			expect(changes).toEqual([]);
			expect(findings.map(({ code }) => code)).toEqual(expect.arrayContaining(codes));
		},
	);

	test('because the export is one of changes does not look as if it were gone, and what the export says is gone goes', async () => {
		const line = enrollments
			.split('\n')
			.filter((row) => row.startsWith('sourcedId') || row.startsWith('e2,'))
			.join('\n');
		const delta = {
			'enrollments.csv': line.replace('e2,,', 'e2,tobedeleted,'),
			'manifest.csv': EXPORT['manifest.csv'].replace('file.enrollments,bulk', 'file.enrollments,delta'),
		};
		const { changes } = await records(await of(delta), await ledgerOf());
		expect(changes).toMatchObject([
			{ action: 'remove', key: 'b:school-001|ros-class-1|ros-student-2|student' },
		]);
	});

	test('is said of each, however many there are: with the wrong column for an id every row is in error', async () => {
		const rows = Array.from({ length: 65_000 }, (_, row) => ({
			json: {
				school_external_id: 'school-001',
				student_external_id: '2026',
				student_first_name: `Ana ${row}`,
				class_external_id: '5',
				class_name: `5º ano ${row}`,
			},
		}));
		const parameters = {
			operation: 'readFiles',
			source: 'rows',
			columns: { mappingMode: 'autoMapInputData', value: null },
		};
		const { outputs, error } = await runNode({ node: 'schoolPartnerRoster', inputs: rows, parameters });
		expect(error).toBeUndefined();
		expect(outputs[0].filter(({ json }) => json.kind === 'faulty')).toHaveLength(2 * rows.length + 1);
	});

	test('is no record that the School Partner node would send; of which school a bond is says its class, and that is not there', async () => {
		const items = await of({
			'enrollments.csv': enrollments.replace('e2,,,ros-class-1', 'e2,,,ros-class-9'),
		});
		expect(items.map(({ json }) => json).filter(({ kind }) => kind === 'faulty')).toEqual([
			{
				kind: 'faulty',
				of: 'bond',
				class_external_id: 'ros-class-9',
				user_external_id: 'ros-student-2',
				profile_name: 'student',
				source: { file: 'enrollments.csv', line: 3 },
			},
		]);
	});
});

describe('A ledger that was written with files', () => {
	const identity = { mapping: { ...MAPPING, userIdFrom: 'username', schoolIdFrom: 'identifier' } };
	const options = { firstRun: true, checkWithService: false };

	test('is gone on with records, whose ids somebody else chose, and still stops with other ids of files', async () => {
		const ledger = doneOf(await planned({ parameters: identity, options }));
		const { outputs } = await read(identity);
		const night = {
			roster: outputs[0],
			ledger,
			parameters: { source: 'records' },
			options: { checkWithService: false },
		};
		expect((await planned(night)).changes).toEqual([]);
		const more = {
			...night,
			roster: [
				...outputs[0],
				{ json: { kind: 'class', ...(outputs[0][0].json as INodeParameters), external_id: 'c-9' } },
			],
		};
		const after = [...ledger, ...doneOf(await planned(more))];
		expect(
			wordsOf(await plan(workroom, { ledger: after, options: { checkWithService: false } })).message,
		).toContain('other options for what an id is');
	});
});

test('Files that n8n keeps within the data of an item (the setting binaryMode of a workflow) are read too', async () => {
	const [{ binary }] = [zipOf()];
	const roster = [{ json: { _files: { ...binary, note: 'no file' } } as unknown as IDataObject }];
	const { changes } = await planned({ roster, options: { firstRun: true } });
	expect(changes).toHaveLength(8);
	expect((await planned({ roster, options: { firstRun: true, fileFields: 'data' } })).changes).toHaveLength(
		8,
	);
});

describe('Records', () => {
	test('that are none stop the plan', async () => {
		const run = await plan(workroom, {
			roster: [{ json: { name: 'Abelia' } }],
			parameters: { source: 'records' },
			options: { firstRun: true },
		});
		expect(wordsOf(run).message).toBe('None of the items is a record of a class, user or bond');
	});

	test('that are not all there is remove nothing, unless a person says that they are complete', async () => {
		const whole = (await read()).outputs[0];
		const parameters = { source: 'records' };
		const ledger = doneOf(await planned({ roster: whole, parameters, options: { firstRun: true } }));
		const night = { roster: whole.filter(({ json }) => json.kind !== 'bond'), ledger, parameters };
		expect((await planned(night)).changes).toEqual([]);
		const { changes } = await planned({ ...night, options: { completeness: 'complete' } });
		expect(changes.map(({ action }) => action)).toEqual(['remove', 'remove', 'remove']);
	});
});
