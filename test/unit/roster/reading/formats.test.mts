import { createStudent } from '../../../../nodes/shared/calls/provisioning.ts';
import { readFiles } from '../../../../nodes/SchoolPartnerRoster/reading/readFiles.ts';

import {
	GRADES,
	bodies,
	bytesOf,
	changed,
	extended,
	finding,
	host,
	oneRoster11,
	oneRoster12,
	rosterOf,
	sds21,
	zipOf,
} from './support.mts';

const CLASS = {
	school_external_id: 'sch-1',
	external_id: 'cl-1',
	educational_stage: 'EF1',
	grade: '5º ano',
	shift: null,
	year: 2026,
	code: '5A',
	name: 'Grade 5, room A',
	description: '',
	course: 'Mathematics',
};
const STUDENT = {
	school_external_id: 'sch-1',
	external_id: 'st-1',
	first_name: 'Nina',
	last_name: 'Prado',
	birth_date: '2015-05-20',
	email: 'nina@school.example',
	responsible_external_id: ['gu-1'],
	profiles: ['student'],
};

describe.each([
	['OneRoster 1.2', oneRoster12],
	['OneRoster 1.1', oneRoster11],
	['SDS v2.1', sds21],
])('%s', (_format, files) => {
	test('becomes the classes, users and bonds of the service', async () => {
		const roster = await rosterOf(files());
		expect(bodies(roster, 'class')).toEqual({ 'cl-1': CLASS });
		expect(bodies(roster, 'user')).toEqual({
			'st-1': STUDENT,
			'gu-1': {
				school_external_id: 'sch-1',
				external_id: 'gu-1',
				first_name: 'Rosa',
				last_name: 'Prado',
				ddi: '55',
				cell_phone: '11955550123',
				profiles: ['responsible'],
			},
			'te-1': {
				school_external_id: 'sch-1',
				external_id: 'te-1',
				first_name: 'Otto',
				last_name: 'Reis',
				cell_phone: '11 4444-0000',
				profiles: ['educator'],
			},
		});
		const bond = { school_external_id: 'sch-1', class_external_id: 'cl-1' };
		expect(bodies(roster, 'bond')).toEqual({
			'cl-1 st-1': { ...bond, user_external_id: 'st-1', profile_name: 'student' },
			'cl-1 te-1': { ...bond, user_external_id: 'te-1', profile_name: 'educator' },
		});
		expect(roster).toMatchObject({
			faulty: [],
			gone: [],
			schools: ['sch-1'],
			completeness: { class: 'whole', user: 'whole', bond: 'whole' },
		});
		expect(roster.findings.filter(({ severity }) => severity === 'error')).toEqual([]);
	});

	test('is the same from a zip as from single files', async () => {
		const single = await rosterOf(files());
		const zipped = await rosterOf([{ name: 'export.zip', bytes: zipOf(files()) }]);
		expect(zipped).toEqual(single);
	});

	test('tells how many rows each file has, and its digest', async () => {
		const { files: read } = await rosterOf(files());
		const enrollments = read.find(({ name }) => name === 'enrollments.csv');
		expect(enrollments).toEqual({
			name: 'enrollments.csv',
			rows: 2,
			sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
		});
	});

	test('keeps passwords, race and whatever else is not for the service out of everything', async () => {
		const mapping = { ...GRADES, roles: [{ role: 'teacher', profile: '' }], asOf: '2019-01-01' };
		const usersWith = (from: string, to: string) =>
			changed(files(), 'users.csv', (line) => line.replace(from, to));
		for (const [given, how] of [
			[files(), GRADES],
			[files(), mapping],
			[usersWith('st-1,', ',,,,'), GRADES],
			[usersWith('hunter2', '"hunter2'), GRADES],
		] as const) {
			const outcome = await readFiles(bytesOf(given), how, 'automatic', host);
			expect(JSON.stringify(outcome)).not.toMatch(/hunter2|secret-race|female/);
		}
	});
});

describe('A user record', () => {
	test('is the body that Create Student sends', async () => {
		const { records } = await rosterOf(oneRoster12());
		const student = records.find(({ fields }) => fields.external_id === 'st-1')?.fields;
		const { profiles: _profiles, ...input } = STUDENT;
		const { body } = createStudent.work.request(createStudent.contract.parse(input));
		expect(student).toEqual(JSON.parse(JSON.stringify(body)));
	});
});

describe('Guardians', () => {
	test('are found when the guardian lists its students, too', async () => {
		const turned = changed(oneRoster12(), 'users.csv', (line) =>
			line.replace(',gu-1,05', ',,05').replace('-0123,,,,', '-0123,,st-1,,'),
		);
		expect(bodies(await rosterOf(turned), 'user')['st-1']).toEqual(STUDENT);
	});

	test('of SDS who have no role are responsible by their relationship', async () => {
		const roster = await rosterOf(sds21());
		expect(bodies(roster, 'user')['gu-1'].profiles).toEqual(['responsible']);
		expect(roster.findings).toEqual([]);
	});

	test('of OneRoster who have no role are responsible because a student lists them', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'roles.csv', (line) => (line.startsWith('r2') ? undefined : line)),
		);
		expect(bodies(roster, 'user')['gu-1'].profiles).toEqual(['responsible']);
	});

	test('who are listed and are something else are not made responsible, which is said', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'users.csv', (line) => line.replace('gu-1,05', 'te-1,05')),
		);
		expect(bodies(roster, 'user')['st-1'].responsible_external_id).toBeUndefined();
		expect(finding(roster, 'agentNotResponsible')).toMatchObject({
			severity: 'warning',
			file: 'users.csv',
			line: 2,
		});
	});

	test('who are listed in two rows that say the same are told of once', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'users.csv', (line) => {
				const other = line.replace('gu-1,05', 'te-1,05');
				return other === line ? line : `${other}\n${other}`;
			}),
		);
		expect(finding(roster, 'agentNotResponsible')).toMatchObject({ line: 2, count: 1 });
	});

	test('of SDS whose relationship does not say who they are keep their student back', async () => {
		const roster = await rosterOf(changed(sds21(), 'relationships.csv', (line) => line.replace('gu-1', '')));
		expect(finding(roster, 'responsibleWithoutId')).toMatchObject({
			severity: 'error',
			file: 'relationships.csv',
			line: 2,
		});
		expect(roster.faulty.map(({ fields }) => fields.external_id)).toContain('st-1');
	});

	test.each(['doctor', 'aide', 'other', 'child'])(
		'of SDS who are %s are not responsible, and keep nobody back',
		async (role) => {
			const files = changed(sds21(), 'relationships.csv', (line) => line.replace('guardian', role));
			const roster = await rosterOf(files);
			expect(bodies(roster, 'user')['st-1'].responsible_external_id).toBeUndefined();
			expect(finding(roster, 'relationshipNotUsed')).toMatchObject({ severity: 'information' });
		},
	);

	test.each([
		['a relationship', sds21, 'relationships.csv', 'guardian', 'Encarregado'],
		['a relationship', sds21, 'relationships.csv', 'guardian', 'tutor'],
		['a role', oneRoster12, 'roles.csv', 'guardian', 'Encarregado'],
		['a role', oneRoster11, 'users.csv', 'guardian', 'Encarregado'],
	])(
		'with %s that nobody mapped keep their student back: nobody could add them later',
		async (_what, lines, file, said, word) => {
			const files = changed(lines(), file, (line) => line.replace(said, word));
			const roster = await rosterOf(files);
			expect(bodies(roster, 'user')['st-1']).toBeUndefined();
			expect(roster.faulty.map(({ fields }) => fields.external_id)).toContain('st-1');
			expect(finding(roster, 'roleNotMapped')).toMatchObject({ severity: 'error', kind: 'user' });
			const mapped = (profile: string) => ({ ...GRADES, roles: [{ role: word, profile }] });
			const named = async (profile: string) =>
				bodies(await rosterOf(files, mapped(profile)), 'user')['st-1'].responsible_external_id;
			expect([await named('responsible'), await named('')]).toEqual([['gu-1'], undefined]);
		},
	);

	test('with a role that nobody mapped, or with none, keep nobody here who has left, and nobody who has no word of theirs', async () => {
		const ended = changed(sds21(), 'roles.csv', (line) =>
			line.startsWith('st-1,') ? line.replace(/,[^,]*$/, ',2025-12-31') : line,
		);
		const files = changed(ended, 'relationships.csv', (line) => line.replace('guardian', 'Encarregado'));
		const roster = await rosterOf(files);
		expect(roster.gone.map(({ fields }) => fields.external_id)).toContain('st-1');
		expect(
			[...roster.records, ...roster.faulty].some(({ fields }) => Object.values(fields).includes('st-1')),
		).toBe(false);
		const without = await rosterOf(
			changed(sds21(), 'relationships.csv', (line) => line.replace('guardian', '')),
		);
		expect(bodies(without, 'user')['st-1']).toBeDefined();
	});

	test('with a role that nobody mapped keep back the students whom they list, unless they have left', async () => {
		const listed = changed(oneRoster12(), 'users.csv', (line) =>
			line.replace(',gu-1,05', ',,05').replace('-0123,,,,', '-0123,,st-1,,'),
		);
		const files = changed(listed, 'roles.csv', (line) => line.replace('guardian', 'Encarregado'));
		expect(bodies(await rosterOf(files), 'user')['st-1']).toBeUndefined();
		const left = changed(files, 'users.csv', (line) => line.replace('gu-1,,', 'gu-1,tobedeleted,'));
		expect(bodies(await rosterOf(left), 'user')['st-1']).toBeDefined();
	});

	test('who left are not named as responsible', async () => {
		const left = changed(oneRoster12(), 'users.csv', (line) => line.replace('gu-1,,', 'gu-1,tobedeleted,'));
		const roster = await rosterOf(left, { ...GRADES, userKeys: 'network' });
		expect(bodies(roster, 'user')['st-1'].responsible_external_id).toBeUndefined();
		expect(roster.gone.map(({ fields }) => fields.external_id)).toEqual(['gu-1']);
	});

	test('who are missing from a whole export keep their student back', async () => {
		const without = changed(oneRoster12(), 'users.csv', (line) =>
			line.startsWith('gu-1') ? undefined : line,
		);
		const roster = await rosterOf(without);
		expect(finding(roster, 'responsibleNotInFile')).toMatchObject({
			severity: 'error',
			file: 'users.csv',
			line: 2,
		});
		expect(roster.faulty.map(({ fields }) => fields.external_id)).toEqual(['st-1']);
	});
});

describe('Mapping', () => {
	test('takes the ids of schools, classes and users from the columns that were chosen', async () => {
		const roster = await rosterOf(oneRoster12(), {
			...GRADES,
			schoolIdFrom: 'identifier',
			classIdFrom: 'identifier',
			userIdFrom: 'username',
		});
		expect(Object.keys(bodies(roster, 'bond'))).toEqual(['5A nina', '5A otto']);
		expect(bodies(roster, 'user').nina).toMatchObject({
			school_external_id: '1001',
			responsible_external_id: ['rosa'],
		});
	});

	test('finds grades of one school before those of all', async () => {
		const rows = [
			...GRADES.grades,
			{ gradeCode: '05', educationalStage: 'X', gradeName: 'Five', schoolExternalId: 'sch-1' },
		];
		expect(bodies(await rosterOf(oneRoster12(), { grades: rows }), 'class')['cl-1']).toMatchObject({
			educational_stage: 'X',
			grade: 'Five',
		});
	});

	test.each([
		['CPF', 'userIds', ['00000000191', undefined, undefined]],
		['RG', 'identifier', ['A1', 'A2', 'A3']],
		['TAX', 'metadata.tax', ['T1', 'T2', 'T3']],
		['TAX', 'Metadata.Tax', ['T1', 'T2', 'T3']],
	])('reads documents of the type %s from %s', async (documentType, documentFrom, values) => {
		const files = changed(
			oneRoster12(),
			'users.csv',
			(line, index) => `${line},${index === 0 ? 'metadata.tax' : `T${index}`}`,
		);
		const users = bodies(await rosterOf(files, { ...GRADES, documentType, documentFrom }), 'user');
		const documents = ['st-1', 'gu-1', 'te-1'].map((id) => users[id]);
		expect(documents.map((user) => [user.document_type, user.document_value])).toEqual(
			values.map((value) => [value && documentType, value]),
		);
	});

	test('needs no column of documents where no type of them is sent', async () => {
		const { records } = await rosterOf(oneRoster12(), { ...GRADES, documentFrom: 'metadata.tax' });
		expect(records).toEqual((await rosterOf(oneRoster12())).records);
	});

	test.each([
		['asGiven', '2026', 2026],
		['start', '2026-2027', 2026],
		['end', '2026/2027', 2027],
		['start', 'School year', 2026],
	] as const)('takes the year %s of the school year "%s": %i', async (yearFrom, schoolYear, year) => {
		const files = changed(oneRoster12(), 'academicSessions.csv', (line) => line.replace(/2026$/, schoolYear));
		expect(bodies(await rosterOf(files, { ...GRADES, yearFrom }), 'class')['cl-1'].year).toBe(year);
	});

	test('asks for a year where the files say none', async () => {
		const files = changed(oneRoster12(), 'academicSessions.csv', (line) =>
			line.replace(/2026$/, '2026-2027'),
		);
		const roster = await rosterOf(files);
		expect(roster.findings.find(({ kind }) => kind === 'class')).toMatchObject({
			severity: 'error',
			message: expect.stringContaining('year') as string,
			what_to_do: expect.stringContaining('Year From') as string,
		});
		expect(bodies(await rosterOf(files, { ...GRADES, year: 2027 }), 'class')['cl-1'].year).toBe(2027);
	});

	test('leaves classes of other types out, with their bonds', async () => {
		const roster = await rosterOf(oneRoster12(), { ...GRADES, classTypes: ['scheduled'] });
		expect([bodies(roster, 'class'), bodies(roster, 'bond')]).toEqual([{}, {}]);
		expect(finding(roster, 'classTypeLeftOut')).toMatchObject({ severity: 'information', count: 1 });
	});

	test('gives every school a user of its own where that is asked', async () => {
		const files = extended(
			extended(oneRoster12(), 'orgs.csv', 'sch-2,,,South School,school,1002,net'),
			'roles.csv',
			'r4,,,te-1,secondary,teacher,,,sch-2,',
		);
		const schoolsWith = async (userKeys: 'network' | 'school') =>
			(await rosterOf(files, { ...GRADES, userKeys })).records
				.filter(({ fields }) => fields.external_id === 'te-1')
				.map(({ fields }) => fields.school_external_id);
		expect(await schoolsWith('network')).toEqual(['sch-1']);
		expect(await schoolsWith('school')).toEqual(['sch-1', 'sch-2']);
	});

	test('sends both profiles of whoever has two roles, always in the same order', async () => {
		const files = extended(oneRoster12(), 'roles.csv', 'r4,,,te-1,secondary,parent,,,sch-1,');
		expect(bodies(await rosterOf(files), 'user')['te-1'].profiles).toEqual(['educator', 'responsible']);
	});
});
