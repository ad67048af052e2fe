/** What the service would refuse: it is asked before anything is sent, and each record is told with its place. */
import type { IDataObject } from 'n8n-workflow';

import { PROFILES_PATH, STAGES_PATH } from './workroom.mts';
import { EXPORT, keysOf, MAPPING, useOffice, zipOf } from './rosterStage.mts';

const office = useOffice();
const { workroom } = office;

const CLASS = 'c:school-001|ros-class-1';
const ALL = [
	CLASS,
	...['ros-mother-1', 'ros-teacher-1', 'ros-student-1', 'ros-student-2'].map((id) => `u:school-001|${id}`),
	...['ros-student-1|student', 'ros-student-2|student', 'ros-teacher-1|educator'].map(
		(id) => `b:school-001|ros-class-1|${id}`,
	),
];

const gradeOf = (change: IDataObject) => ({
	mapping: {
		...MAPPING,
		grades: { grade: [{ gradeCode: '05', educationalStage: 'EF1', gradeName: '5º ano', ...change }] },
	},
});
const errorsIn = (attention: IDataObject[]) => attention.filter(({ severity }) => severity === 'error');

test('The service is asked once for all profiles and once for each school', async () => {
	await office.preview();
	expect((await workroom.received('/data')).map(({ path, query }) => [path, query])).toEqual([
		[PROFILES_PATH, {}],
		[STAGES_PATH, { school_external_id: 'school-001' }],
	]);
});

test.each<[string, object, string, RegExp]>([
	[
		'a grade that the stage does not have',
		{ gradeName: '9º ano' },
		'The service has no grade "9º ano" in the educational stage "EF1" of this school',
		/"1º ano"/,
	],
	[
		'a stage that the school does not have',
		{ educationalStage: 'EFX' },
		'The service has no educational stage "EFX" in this school',
		/"EF1", "EF2", "EM"/,
	],
])('What it would refuse needs attention, and is not sent: %s', async (_what, change, message, next) => {
	const { changes, attention, summary } = await office.preview({
		parameters: gradeOf(change as IDataObject),
	});
	expect(errorsIn(attention)).toMatchObject([
		{ message, count: 1, kind: 'class', key: CLASS, file: 'classes.csv', line: 2 },
	]);
	expect(errorsIn(attention)[0].what_to_do).toMatch(next);
	// The bonds need the class, and wait.
	expect(changes.map(({ key }) => key)).toEqual(ALL.slice(1, 5));
	expect(summary).toMatchObject({ counts: { class: { error: 1 }, bond: { waiting: 3 } } });
});

test('A stage that the service lists twice has the grades of both', async () => {
	const stage = (...names: string[]) => ({ name: 'EF1', grades: names.map((name) => ({ name })) });
	const data = [stage('5º ano'), stage('4º ano')];
	await workroom.admin.addFault({ path: STAGES_PATH }, { status: 200, body: { data } });
	const { changes, attention } = await office.preview();
	expect(errorsIn(attention)).toEqual([]);
	expect(changes.map(({ key }) => key)).toEqual(ALL);
});

test('What it would refuse needs attention: a profile that it does not have', async () => {
	const roles = { role: [{ role: 'teacher', profile: 'wizard' }] };
	const { changes, attention } = await office.preview({ parameters: { mapping: { ...MAPPING, roles } } });
	expect(errorsIn(attention).map(({ message, kind }) => [message, kind])).toEqual([
		['The service has no profile "wizard"', 'user'],
		['The service has no profile "wizard"', 'bond'],
	]);
	expect(keysOf(changes).filter((key) => key.includes('teacher'))).toEqual([]);
});

test('What it would refuse needs attention: a school that it does not know', async () => {
	const elsewhere = Object.fromEntries(
		Object.entries(EXPORT).map(([name, text]) => [name, text.replaceAll('school-001', 'school-of-nobody')]),
	);
	const { changes, attention } = await office.preview({ roster: [zipOf(elsewhere)] });
	expect(changes).toEqual([]);
	expect(errorsIn(attention)[0].message).toBe('The service does not know the school "school-of-nobody"');
});

test.each<[string, object]>([
	['the page of a proxy that says that nothing is found', { htmlPage: true, status: 404 }],
	['a refusal', { status: 403 }],
])(
	'After %s nobody knows what it would refuse: the night stops, and says how to go on without asking',
	async (_what, fault) => {
		await workroom.admin.addFault({ path: '/data' }, fault);
		const words = await office.stop('sync');
		expect(words.message).toContain('The service could not be asked what it has');
		expect(words.description).toContain('Check With Service off');
		expect(words.description).not.toContain('may be done');
		expect(await office.sent()).toEqual([]);
	},
);

test('The service is not asked where Check With Service is off: it is found out by sending', async () => {
	const night = { options: { checkWithService: false }, parameters: gradeOf({ gradeName: '9º ano' }) };
	await office.approve(await office.sync(night));
	expect(await workroom.received()).toEqual([]);
	const { changes } = await office.sync(night);
	expect(await workroom.received('/data')).toEqual([]);
	expect(changes).toHaveLength(ALL.length);
});
