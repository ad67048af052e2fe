/** Who is who is said by ids alone. */
import { ofEachKind } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';

import {
	GRADES,
	bodies,
	changed,
	extended,
	finding,
	oneRoster11,
	oneRoster12,
	rosterOf,
} from './support.mts';

const EMAILS_DIFFER = {
	...{ severity: 'warning', code: 'rowsDiffer', file: 'users.csv', line: 5 },
	message: expect.stringMatching(/email$/) as string,
};

describe('An id', () => {
	test('that stands twice in the same row counts once', async () => {
		const roster = await rosterOf(extended(oneRoster12(), 'users.csv', oneRoster12()['users.csv'][1]));
		expect(roster.findings).toEqual([]);
		expect(Object.keys(bodies(roster, 'user'))).toHaveLength(3);
	});

	test('that stands in a second row with its name in another form of Unicode is of one person', async () => {
		const named = (form: 'NFC' | 'NFD') =>
			oneRoster12()['users.csv'][1].replace('Nina,Prado', 'Níria,Órfão'.normalize(form));
		const first = changed(oneRoster12(), 'users.csv', (line) =>
			line.startsWith('st-1') ? named('NFC') : line,
		);
		const roster = await rosterOf(extended(first, 'users.csv', named('NFD')));
		expect(roster.findings).toEqual([]);
		expect(bodies(roster, 'user')['st-1']).toMatchObject({ first_name: 'Níria', last_name: 'Órfão' });
	});

	test.each([
		['an e-mail in capitals', 'NINA@School.example,,,gu-1', []],
		['a phone that the first lacks, and without its e-mail', ',11 95555-0123,,gu-1', []],
		['no guardian', 'nina@school.example,,,', []],
		['another e-mail, which is said', 'other@school.example,,,gu-1', [EMAILS_DIFFER]],
	])(
		'that stands in a second row with %s is of one person, and the first row counts',
		async (_what, cells, told) => {
			const second = oneRoster12()['users.csv'][1].replace('nina@school.example,,,gu-1', cells);
			const roster = await rosterOf(extended(oneRoster12(), 'users.csv', second));
			expect(roster.findings).toMatchObject(told);
			expect(bodies(roster, 'user')['st-1']).toMatchObject({
				...{ email: 'nina@school.example', responsible_external_id: ['gu-1'] },
				...(cells.includes('95555') && { cell_phone: '11 95555-0123' }),
			});
			expect(Object.keys(bodies(roster, 'bond'))).toEqual(['cl-1 st-1', 'cl-1 te-1']);
		},
	);

	test('that in a second row has left is used for none of them', async () => {
		const second = oneRoster12()['users.csv'][1].replace('st-1,', 'st-1,tobedeleted');
		const roster = await rosterOf(extended(oneRoster12(), 'users.csv', second));
		expect(finding(roster, 'idTwice')).toMatchObject({ severity: 'error', count: 2 });
		expect(bodies(roster, 'user')['st-1']).toBeUndefined();
	});

	test('that stands for different ones is an error for all of them', async () => {
		const roster = await rosterOf(
			extended(oneRoster12(), 'users.csv', 'st-1,,,true,other,,Other,Person,,,,,,,,,,,,,,'),
		);
		expect(finding(roster, 'idTwice')).toMatchObject({
			severity: 'error',
			count: 2,
			places: [{ line: 2 }, { line: 5 }],
		});
		expect(bodies(roster, 'user')['st-1']).toBeUndefined();
		expect(roster.faulty).toContainEqual(
			expect.objectContaining({ kind: 'user', fields: { external_id: 'st-1' } }),
		);
	});

	test('of somebody whose school is not in the files is still mentioned: that person has an error, and is not gone', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'roles.csv', (line) =>
				line.replace('teacher,2020-02-01,,sch-1', 'teacher,,,sch-9'),
			),
		);
		expect(finding(roster, 'schoolNotInFile')).toMatchObject({ severity: 'error', kind: 'user' });
		expect(roster.faulty).toContainEqual(
			expect.objectContaining({
				kind: 'user',
				fields: expect.objectContaining({ external_id: 'te-1' }) as object,
			}),
		);
	});

	test.each(['1.23E+12', '4e+10'])(
		'that a sheet has rounded (%s) is left out, with what needs it',
		async (id) => {
			const all = changed(oneRoster12(), 'users.csv', (line) => line.replace(/^st-1,/, `${id},`));
			const roster = await rosterOf(changed(all, 'enrollments.csv', (line) => line.replace('st-1', id)));
			expect(bodies(roster, 'user')[id]).toBeUndefined();
			expect(finding(roster, 'idRounded')).toMatchObject({ severity: 'error' });
		},
	);

	test('that was chosen and stands for different ones is an error for all of them', async () => {
		const twice = changed(oneRoster12(), 'users.csv', (line) => line.replace(',otto,', ',nina,'));
		const roster = await rosterOf(twice, { ...GRADES, userIdFrom: 'username' });
		expect(finding(roster, 'idTwice')).toMatchObject({ kind: 'user', count: 2 });
		expect(Object.keys(bodies(roster, 'user'))).toEqual(['rosa']);
	});

	test('of two schools is an error for what is in both: it cannot be taken back from the wrong one', async () => {
		const twice = extended(
			extended(oneRoster12(), 'orgs.csv', 'sch-2,,,South School,school,1001,net'),
			'classes.csv',
			'cl-2,,,"Grade 5, room B",05,co-1,5B,homeroom,,sch-2,y26,,,',
		);
		const roster = await rosterOf(twice, { ...GRADES, schoolIdFrom: 'identifier' });
		expect(finding(roster, 'schoolIdTwice')).toMatchObject({ severity: 'error' });
		expect(roster.records).toEqual([]);
		expect(roster.faulty.map(({ kind, fields }) => [kind, fields.external_id])).toEqual([
			...['st-1', 'gu-1', 'te-1'].map((id) => ['user', id]),
			...['cl-1', 'cl-2'].map((id) => ['class', id]),
			...[undefined, undefined].map((id) => ['bond', id]),
		]);
	});

	test('is another one when its capitals are others', async () => {
		const roster = await rosterOf(
			extended(
				extended(oneRoster12(), 'users.csv', 'ST-1,,,true,x,,Xena,Silva,,,,,,,,,,,,,,'),
				'roles.csv',
				'r9,,,ST-1,primary,student,,,sch-1,',
			),
		);
		expect(Object.keys(bodies(roster, 'user')).sort()).toEqual(['ST-1', 'gu-1', 'st-1', 'te-1']);
	});

	test('of more than 50 characters is an error: it is never cut', async () => {
		const long = `st-${'1'.repeat(48)}`;
		const files = oneRoster12();
		for (const file of ['users.csv', 'roles.csv', 'enrollments.csv']) {
			files[file] = files[file].map((line) => line.replace('st-1', long));
		}
		const roster = await rosterOf(files);
		expect(finding(roster, 'idTooLong')).toMatchObject({
			severity: 'error',
			message: expect.stringContaining('at most 50 characters') as string,
			file: 'users.csv',
			line: 2,
		});
		expect(roster.records.filter(({ kind }) => kind === 'user')).toHaveLength(2);
	});

	test('that is missing is an error: of the class its school is known, and the export is whole', async () => {
		const roster = await rosterOf(
			extended(oneRoster12(), 'classes.csv', ',,,Grade 6,06,co-1,6A,homeroom,,sch-1,y26,,,'),
		);
		expect(finding(roster, 'idMissing')).toMatchObject({ severity: 'error', file: 'classes.csv', line: 3 });
		expect(roster.faulty).toMatchObject([{ kind: 'class', fields: { school_external_id: 'sch-1' } }]);
		expect(roster.completeness).toEqual(ofEachKind('whole'));
	});

	test.each([
		['users.csv', ',,,true,ana,,Ana,Sá,,A4,,,,,05,,,,,,,', { user: 'partial' }],
		['classes.csv', ',,,Grade 6,06,co-1,6A,homeroom,,,y26,,,', { class: 'partial' }],
		['enrollments.csv', 'e3,,,,,,student,,,', { bond: 'partial' }],
	])(
		'that is missing with the school, in %s, may be any: the export is not whole',
		async (file, line, said) => {
			const roster = await rosterOf(extended(oneRoster12(), file, line));
			expect(roster.completeness).toEqual({ ...ofEachKind('whole'), ...said });
		},
	);

	test.each([
		['another class', '"Grade 5, room B",05,co-1,5A,homeroom,,sch-1,y26,,,'],
		['a class that is like it in everything', '"Grade 5, room A",05,co-1,5A,homeroom,,sch-1,y26,,,'],
		['a class that has an error', 'Grade 9,99,co-1,5A,homeroom,,sch-1,y26,,,'],
	])(
		'that was chosen and stands for %s, too, is an error for both, and nobody comes into one',
		async (_what, cells) => {
			const files = extended(oneRoster12(), 'classes.csv', `cl-2,,,${cells}`);
			for (const classIdFrom of ['identifier', 'identifierAndYear'] as const) {
				const roster = await rosterOf(files, { ...GRADES, classIdFrom });
				expect(finding(roster, 'idTwice')).toMatchObject({
					...{ kind: 'class', count: 2, places: [{ line: 2 }, { line: 3 }] },
				});
				expect([bodies(roster, 'class'), bodies(roster, 'bond')]).toEqual([{}, {}]);
				expect(roster.faulty.filter(({ kind }) => kind === 'class')).toHaveLength(2);
			}
			expect(finding(await rosterOf(files), 'idTwice')).toBeUndefined();
		},
	);

	test.each([
		['has left', '"Grade 5, room B",05,co-1,5A,homeroom,,sch-1,y26,,,', 'tobedeleted'],
		['is of a type that is not read', '"Grade 5, room B",05,co-1,5A,scheduled,,sch-1,y26,,,', ''],
		['is of a grade that is left out', '"Grade 7, room A",07,co-1,5A,homeroom,,sch-1,y26,,,', ''],
		['is in another school', '"Grade 5, room A",05,co-1,5A,homeroom,,sch-2,y26,,,', ''],
	])('that was chosen is no error where the other class with it %s', async (_what, cells, status) => {
		const orgs = extended(oneRoster12(), 'orgs.csv', 'sch-2,,,South School,school,1002,net');
		const roster = await rosterOf(extended(orgs, 'classes.csv', `cl-2,${status},,${cells}`), {
			grades: [...GRADES.grades, { gradeCode: '07', educationalStage: '', gradeName: '' }],
			...{ classIdFrom: 'identifier', classTypes: ['homeroom'] },
		});
		expect(finding(roster, 'idTwice')).toBeUndefined();
		expect(Object.keys(bodies(roster, 'bond'))).toEqual(['5A st-1', '5A te-1']);
	});

	test.each(['username', 'identifier'] as const)(
		'in the column %s that stands in a row of OneRoster 1.1 for each role is of one user with all of them',
		async (userIdFrom) => {
			const parent = 'te-1p,,,true,sch-1,parent,otto,,Otto,Reis,,A3,,,,st-1,,';
			const [header, ...users] = extended(oneRoster11(), 'users.csv', parent)['users.csv'];
			for (const order of [users, users.toReversed()]) {
				const files = { ...oneRoster11(), 'users.csv': [header, ...order] };
				const roster = await rosterOf(files, { ...GRADES, userIdFrom });
				const [nina, rosa, otto] = userIdFrom === 'username' ? ['nina', 'rosa', 'otto'] : ['A1', 'A2', 'A3'];
				expect(roster.findings).toEqual([]);
				expect(bodies(roster, 'user')[otto].profiles).toEqual(['educator', 'responsible']);
				expect(bodies(roster, 'user')[nina].responsible_external_id).toEqual([rosa, otto].sort());
			}
		},
	);

	test('of a person with several rows in OneRoster 1.1 makes two users', async () => {
		const files = extended(
			oneRoster11(),
			'users.csv',
			'te-1p,,,true,sch-1,parent,otto,,Otto,Reis,,A3,,,,st-1,,',
		);
		const roster = await rosterOf(files);
		expect(roster.findings).toEqual([]);
		expect(bodies(roster, 'user')['te-1p'].profiles).toEqual(['responsible']);
		expect(bodies(roster, 'user')['st-1'].responsible_external_id).toEqual(['gu-1', 'te-1p']);
	});
});
