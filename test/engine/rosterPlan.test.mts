import type { IDataObject } from 'n8n-workflow';

import { linesDuring, REQUESTS_OF_A_RUN } from '../support/debugLog.mts';

import { PROFILES_PATH, STAGES_PATH, useWorkroom, wordsOf } from './workroom.mts';
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

const FIRST = { firstRun: true };
const planned = async (night: Night = {}) => outputsOf(await plan(workroom, { options: FIRST, ...night }));
const keysOf = (changes: IDataObject[]) =>
	changes.map(({ action, key }) => `${String(action)} ${String(key)}`);
const writes = async () => (await workroom.received('/integration')).length;

/** What a plan that stops says; that it stops, and gives nothing at all. */
async function stop(night: Night): Promise<{ message: string; description: string }> {
	const run = await plan(workroom, night);
	expect(run.outputs.flat()).toEqual([]);
	return wordsOf(run);
}

const ALL = [
	'create c:school-001|ros-class-1',
	'create u:ros-mother-1',
	'create u:ros-teacher-1',
	'create u:ros-student-1',
	'create u:ros-student-2',
	'create b:school-001|ros-class-1|ros-student-1|student',
	'create b:school-001|ros-class-1|ros-student-2|student',
	'create b:school-001|ros-class-1|ros-teacher-1|educator',
];

describe('The plan of the first run', () => {
	test('creates what the export holds, in the order in which the service needs it, and sends nothing', async () => {
		const { changes, held, findings, summary } = await planned();
		expect(keysOf(changes)).toEqual(ALL);
		expect(changes[3].send).toMatchObject({
			external_id: 'ros-student-1',
			responsible_external_id: ['ros-mother-1'],
		});
		expect(held).toEqual([]);
		expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
		expect(summary).toMatchObject([
			{ held: false, first_run: true, as_of: '2026-03-02', batches: 1, left: 0 },
		]);
		expect(await writes()).toBe(0);
	});

	test('counts what runs today in UTC, where As Of is empty', async () => {
		const today = () => new Date().toISOString().slice(0, 10);
		const before = today();
		const { summary } = await planned({ parameters: { mapping: { ...MAPPING, asOf: '' } } });
		expect([before, today()]).toContain(summary[0].as_of);
	});

	test('gives one row of the run and one of each batch that creates, for the ledger', async () => {
		const { changes, ledgerRows } = await planned({ options: { ...FIRST, batchSize: 5 } });
		expect(ledgerRows.map(({ kind, state }) => [kind, state])).toEqual([
			['run', 'planned'],
			['batch', 'planned'],
			['batch', 'planned'],
		]);
		expect(changes.map(({ batch }) => batch)).toEqual([1, 1, 1, 1, 1, 2, 2, 2]);
		const runs = new Set([...changes, ...ledgerRows].map(({ run_id: run }) => run));
		expect(runs.size).toBe(1);
	});

	test('reads single files as well, from all items or from the fields that are named', async () => {
		const files = Object.fromEntries(Object.entries(EXPORT).map(([name, text]) => [name, Buffer.from(text)]));
		const { 'users.csv': users, ...others } = files;
		const apart = [itemWithFiles(others), itemWithFiles({ 'users.csv': users })];
		expect(keysOf((await planned({ roster: apart })).changes)).toEqual(ALL);
		const beside = [
			{
				...zipOf(),
				binary: {
					roster: zipOf().binary!.data,
					picture: itemWithFiles({ 'logo.png': Buffer.from('x') }).binary!.data,
				},
			},
		];
		const named = await planned({ roster: beside, options: { ...FIRST, fileFields: 'roster' } });
		expect(keysOf(named.changes)).toEqual(ALL);
		expect(named.findings.filter(({ code }) => code === 'fileNotUsed')).toEqual([]);
	});

	test('says of every item that comes out from which one it came', async () => {
		const run = await plan(workroom, { options: FIRST });
		expect(run.outputs.flat().every(({ pairedItem }) => JSON.stringify(pairedItem) === '{"item":0}')).toBe(
			true,
		);
	});

	test('leaves no password of the files in anything that comes out', async () => {
		const run = await plan(workroom, { options: FIRST });
		expect(JSON.stringify(run.outputs)).not.toContain('secret');
	});
});

describe('The plan of the night after', () => {
	test('has no change and no ledger row when nothing is different', async () => {
		const ledger = doneOf(await planned());
		const { changes, ledgerRows, held, summary } = await planned({ ledger, options: {} });
		expect([changes, ledgerRows, held]).toEqual([[], [], []]);
		expect(summary).toMatchObject([{ held: false, counts: { user: { same: 4 }, bond: { same: 3 } } }]);
		expect(await workroom.received(PROFILES_PATH)).toHaveLength(1);
	});

	test('removes the bond of a student who left the class, and creates nothing', async () => {
		const ledger = doneOf(await planned());
		const without = EXPORT['enrollments.csv']
			.split('\n')
			.filter((line) => !line.startsWith('e2,'))
			.join('\n');
		const { changes } = await planned({
			ledger,
			roster: [zipOf({ 'enrollments.csv': without })],
			options: {},
		});
		expect(keysOf(changes)).toEqual(['remove b:school-001|ros-class-1|ros-student-2|student']);
	});

	test('holds what is too much, and lets it through by the id that a person has approved', async () => {
		const ledger = doneOf(await planned());
		const [, , ...others] = EXPORT['enrollments.csv'].split('\n');
		const roster = [
			zipOf({ 'enrollments.csv': [EXPORT['enrollments.csv'].split('\n')[0], ...others].join('\n') }),
		];
		const careful = { holdRemovalsFrom: 1, holdRemovalsPercent: 0 };
		const { changes, held, summary } = await planned({ ledger, roster, options: careful });
		expect([changes.length, held.length, summary[0].held]).toEqual([0, 1, true]);
		const [because] = summary[0].held_because as IDataObject[];
		const approved = await planned({
			ledger,
			roster,
			options: { ...careful, approvedPlan: `other, ${String(because.plan_id)}` },
		});
		expect([approved.changes.length, approved.held.length]).toEqual([1, 0]);
	});
});

describe('A plan stops, and says what to do, when', () => {
	test.each<[string, Night, string, RegExp]>([
		[
			'no node is connected to the ledger',
			{ ledger: 'notWired' },
			'No node is connected to the input Ledger',
			/second input/,
		],
		[
			'the execution is a retried one, whose ledger may be old',
			{ mode: 'retry' },
			'This execution is retried',
			/Start the workflow anew/,
		],
		[
			'the node before gave no roster',
			{ roster: [], ledger: [{ id: 1 }] },
			'The input Roster has no items',
			/first input/,
		],
		['the ledger is empty and it is not the first run', { options: {} }, 'The ledger is empty', /First Run/],
		[
			'the ledger is another table',
			{ ledger: [{ name: 'Chess', price: 3 }] },
			'1 of 1 items at the input Ledger are no rows of a ledger',
			/columns run_id/,
		],
		[
			'an item holds nothing',
			{ roster: [{ json: {} }] },
			'The items of the input hold no files (binary data)',
			/HTTP Request/,
		],
		[
			'the files were unpacked before',
			{ roster: [{ json: { sourcedId: 'x' } }] },
			'The items of the input have fields, but no files (binary data)',
			/Extract from File/,
		],
		[
			'the field with the file has another name',
			{ options: { ...FIRST, fileFields: 'data, upload' } },
			'No item of the input has a file in the field "upload": there are "data"',
			/File Fields/,
		],
		[
			'a file is missing that the manifest names',
			{ roster: [zipOf({ 'classes.csv': undefined })] },
			'classes.csv is missing',
			/exported again/,
		],
		[
			'the format is another one',
			{ parameters: { format: 'sds' } },
			'Format is SDS, but the files are OneRoster',
			/Format/,
		],
		[
			'an option has a value that it cannot have',
			{ options: { ...FIRST, batchSize: 0 } },
			'Batch Size must be a whole number from 1 to 10000',
			/Options/,
		],
		[
			'a row of the mapping is not what it must be',
			{ parameters: { mapping: { ...MAPPING, year: 'MMXXVI' } } },
			'Year must be a whole number',
			/Mapping/,
		],
		[
			'schools are named without what they need',
			{ options: { ...FIRST, onlySchools: 'school-001' } },
			'The option Only Schools needs the option User Keys set to School',
			/User Keys/,
		],
		[
			'the schools come from an expression that gives nothing',
			{ options: { ...FIRST, onlySchools: '={{ $json.schools?.trim() }}' } },
			'Only Schools names no school',
			/all schools/,
		],
		[
			'the schools come from an expression that gives an empty text',
			{ options: { ...FIRST, onlySchools: '={{ "" }}' } },
			'Only Schools names no school',
			/all schools/,
		],
	])('%s', async (_what, night, message, next) => {
		const words = await stop({ options: FIRST, ...night });
		expect(words.message).toContain(message);
		expect(`${words.message} ${words.description}`).toMatch(next);
		expect(await writes()).toBe(0);
	});

	test.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
		'anything is wrong, also where On Error is set to go on: the files must not pass as changes (%s)',
		async (onError) => {
			const run = await plan(workroom, { onError, ledger: 'notWired' });
			expect(run.run.status).toBe('error');
			expect(run.outputs.flat()).toEqual([]);
			expect(wordsOf(run).message).toBe('No node is connected to the input Ledger');
		},
	);
});

describe('What the service would refuse', () => {
	const gradeOf = (change: IDataObject) => ({
		mapping: {
			...MAPPING,
			grades: { grade: [{ gradeCode: '05', educationalStage: 'EF1', gradeName: '5º ano', ...change }] },
		},
	});
	const errorsOf = (findings: IDataObject[]) => findings.filter(({ severity }) => severity === 'error');

	test('is asked once for all profiles and once for each school', async () => {
		await planned();
		expect((await workroom.received('/data')).map(({ path, query }) => [path, query])).toEqual([
			[PROFILES_PATH, {}],
			[STAGES_PATH, { school_external_id: 'school-001' }],
		]);
	});

	test("is told in n8n's log at its level debug, by its numbers; nothing where it was not asked", async () => {
		const [line, ...more] = await linesDuring(async () => await planned());
		expect(more).toEqual([]);
		const requests = (await workroom.received('/data')).length;
		expect(line).toMatchObject({
			message: REQUESTS_OF_A_RUN,
			details: { operation: 'plan', requests, retries: 0, pauses: 0 },
		});
		expect(JSON.stringify(line)).not.toMatch(/ros-|school-001|Abelia/);
		expect(
			await linesDuring(async () => await planned({ options: { ...FIRST, checkWithService: false } })),
		).toEqual([]);
	});

	test.each<[string, Night, string, RegExp, number]>([
		[
			'a grade that the stage does not have',
			{ parameters: gradeOf({ gradeName: '9º ano' }) },
			'The service has no grade "9º ano" in the educational stage "EF1" of this school',
			/"1º ano"/,
			1,
		],
		[
			'a stage that the school does not have',
			{ parameters: gradeOf({ educationalStage: 'EFX' }) },
			'The service has no educational stage "EFX" in this school',
			/"EF1", "EF2", "EM"/,
			1,
		],
	])('becomes a finding of the record: %s', async (_what, night, message, next, count) => {
		const { changes, findings, summary } = await planned(night);
		expect(errorsOf(findings)).toMatchObject([
			{ message, count, kind: 'class', key: 'c:school-001|ros-class-1', file: 'classes.csv', line: 2 },
		]);
		expect(errorsOf(findings)[0].what_to_do).toMatch(next);
		// The bonds need the class, and wait.
		expect(keysOf(changes)).toEqual(ALL.slice(1, 5));
		expect(summary[0]).toMatchObject({ counts: { class: { error: 1 }, bond: { waiting: 3 } } });
	});

	test('becomes a finding: a profile that it does not have', async () => {
		const roles = { role: [{ role: 'teacher', profile: 'wizard' }] };
		const { changes, findings } = await planned({ parameters: { mapping: { ...MAPPING, roles } } });
		expect(errorsOf(findings).map(({ message, kind }) => [message, kind])).toEqual([
			['The service has no profile "wizard"', 'user'],
			['The service has no profile "wizard"', 'bond'],
		]);
		expect(keysOf(changes).filter((key) => key.includes('teacher'))).toEqual([]);
	});

	test('becomes a finding: a school that it does not know', async () => {
		const elsewhere = Object.fromEntries(
			Object.entries(EXPORT).map(([name, text]) => [name, text.replaceAll('school-001', 'school-of-nobody')]),
		);
		const { changes, findings } = await planned({ roster: [zipOf(elsewhere)] });
		expect(changes).toEqual([]);
		expect(errorsOf(findings)[0].message).toBe('The service does not know the school "school-of-nobody"');
	});

	test('stops the plan where the page of a proxy says that nothing is found: it is no school that the service does not know', async () => {
		await workroom.admin.addFault({ path: STAGES_PATH }, { htmlPage: true, status: 404 });
		const words = await stop({ options: FIRST });
		expect(words.message).toContain('The service could not be asked what it has');
	});

	test('is not asked where the option is off: then no credential is needed', async () => {
		const run = await plan(workroom, {
			options: { ...FIRST, checkWithService: false },
			parameters: gradeOf({ gradeName: '9º ano' }),
			credentials: undefined,
		});
		expect(keysOf(outputsOf(run).changes)).toEqual(ALL);
		expect(await workroom.received()).toEqual([]);
	});

	test('stops the plan when it cannot be asked, and says how to plan without', async () => {
		await workroom.admin.addFault({ path: PROFILES_PATH }, { status: 403 });
		const words = await stop({ options: FIRST });
		expect(words.message).toContain('The service could not be asked what it has');
		expect(words.description).toContain('Check With Service off');
	});
});
