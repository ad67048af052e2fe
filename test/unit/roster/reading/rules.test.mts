/** What is never guessed, which days count, and how findings are grouped. */
import {
	GRADES,
	bodies,
	changed,
	extended,
	finding,
	oneRoster12,
	rosterOf,
	rows,
	sds21,
	type Lines,
} from './support.mts';

const ROW = {
	school_external_id: 'sch-1',
	...{ student_external_id: 'st-1', student_full_name: 'Nina Prado' },
	...{ class_external_id: 'cl-1', class_name: '5A', class_grade: '05', class_year: '2026' },
};

describe('Never guessed is', () => {
	test('a date that may be two', async () => {
		const files = changed(oneRoster12(), 'demographics.csv', (line) =>
			line.replace('2015-05-20', '05/06/2015'),
		);
		const roster = await rosterOf(files);
		expect(finding(roster, 'dateNotRead')).toMatchObject({
			severity: 'error',
			file: 'demographics.csv',
			line: 2,
			what_to_do: expect.stringContaining('Date Format') as string,
		});
		expect(roster.faulty).toMatchObject([{ kind: 'user', fields: { external_id: 'st-1' } }]);
	});

	test.each([
		['DD/MM/YYYY', '05/06/2015', '2015-06-05'],
		['MM/DD/YYYY', '05/06/2015', '2015-05-06'],
		['MM/DD/YYYY', '5/6/2015 00:00:00', '2015-05-06'],
		['DD.MM.YYYY', '05.06.2015', '2015-06-05'],
		['DD.MM.YYYY', '2015-06-05T00:00:00Z', '2015-06-05'],
	] as const)('but with Date Format %s, %s is %s', async (dateFormat, cell, date) => {
		const files = changed(oneRoster12(), 'demographics.csv', (line) => line.replace('2015-05-20', cell));
		expect(bodies(await rosterOf(files, { ...GRADES, dateFormat }), 'user')['st-1'].birth_date).toBe(date);
	});

	test('a grade that nobody mapped', async () => {
		const roster = await rosterOf(oneRoster12(), {});
		expect(finding(roster, 'gradeNotMapped')).toMatchObject({
			severity: 'error',
			kind: 'class',
			message: expect.stringContaining('"05"') as string,
			count: 1,
		});
		expect(roster.faulty).toMatchObject([
			{ kind: 'class', fields: { school_external_id: 'sch-1', external_id: 'cl-1' } },
		]);
	});

	test('a stage or a grade that is half said; with neither, classes of the grade are left out on purpose, with their bonds', async () => {
		const mappedTo = (educationalStage: string, gradeName: string) => ({
			grades: [{ gradeCode: '05', educationalStage, gradeName }],
		});
		for (const said of [mappedTo('EF1', ''), mappedTo(' ', '5º ano')])
			for (const half of [await rosterOf(oneRoster12(), said), await rows([ROW], said)])
				expect(finding(half, 'fieldRefused')).toMatchObject({
					...{ severity: 'error', kind: 'class' },
					what_to_do: expect.stringContaining('both stage and grade') as string,
				});
		const leftOut = await rosterOf(oneRoster12(), mappedTo('', ' '));
		expect(leftOut).toMatchObject({ faulty: [], unmappedGrades: [] });
		expect(leftOut.findings).toMatchObject([{ code: 'gradeLeftOut', severity: 'information', count: 1 }]);
		expect(leftOut.records.map(({ kind }) => kind)).toEqual(['user', 'user', 'user']);
		const ofSchool = { ...mappedTo('', '').grades[0], schoolExternalId: 'sch-9' };
		const elsewhere = await rosterOf(oneRoster12(), { grades: [...GRADES.grades, ofSchool] });
		expect(Object.keys(bodies(elsewhere, 'class'))).toEqual(['cl-1']);
	});

	test('a role that nobody mapped: one finding for each role, until it is mapped to a profile or to none', async () => {
		const files = changed(oneRoster12(), 'roles.csv', (line) => line.replace('teacher', 'principal'));
		const roster = await rosterOf(files);
		expect(finding(roster, 'roleNotMapped')).toMatchObject({
			severity: 'error',
			message: expect.stringContaining('"principal"') as string,
		});
		// In which school nobody can say.
		expect(roster.faulty).toMatchObject([{ kind: 'user', fields: { external_id: 'te-1' } }]);
		const mapped = await rosterOf(files, {
			...GRADES,
			roles: [{ role: 'Principal', profile: 'coordinator' }],
		});
		expect(bodies(mapped, 'user')['te-1'].profiles).toEqual(['coordinator']);
		const leftOut = await rosterOf(files, { ...GRADES, roles: [{ role: 'principal', profile: '' }] });
		expect(leftOut.findings.filter(({ severity }) => severity !== 'information')).toEqual([]);
		expect(Object.keys(bodies(leftOut, 'bond'))).toEqual(['cl-1 st-1']);
	});

	test('what a cell of a person means that stands in the column of roles: it is not shown', async () => {
		const files = changed(oneRoster12(), 'roles.csv', (line) => line.replace('teacher', 'Otto'));
		const roster = await rosterOf(files);
		expect(finding(roster, 'roleNotMapped')).toMatchObject({ file: 'users.csv', line: 4, kind: 'user' });
		expect(JSON.stringify(roster.findings)).not.toContain('Otto');
	});

	test('a dialing code that is not unmistakable', async () => {
		const phones = ['+351 912 345 678', '0055 11 95555-0123', '(11) 95555-0123', '+1 (555) 010-9999'];
		const read = phones.map(async (phone) => {
			const files = changed(oneRoster12(), 'users.csv', (line) => line.replace('+55 11 95555-0123', phone));
			const { ddi, cell_phone: number } = bodies(await rosterOf(files), 'user')['gu-1'];
			return [ddi, number];
		});
		expect(await Promise.all(read)).toEqual([
			['351', '912345678'],
			[undefined, '0055 11 95555-0123'],
			[undefined, '(11) 95555-0123'],
			['1', '5550109999'],
		]);
	});

	test('a school: an org that is not in orgs.csv, or is no school', async () => {
		const unknown = await rosterOf(
			changed(oneRoster12(), 'classes.csv', (line) => line.replace('sch-1', 'sch-9')),
		);
		expect(finding(unknown, 'schoolNotInFile')).toMatchObject({
			severity: 'error',
			file: 'classes.csv',
			line: 2,
		});
		expect(unknown.records.filter(({ kind }) => kind !== 'user')).toEqual([]);
		const district = await rosterOf(
			changed(oneRoster12(), 'classes.csv', (line) => line.replace('sch-1', 'net')),
		);
		expect(finding(district, 'orgIsNoSchool')).toMatchObject({ severity: 'error' });
	});

	test('what the service demands and the file does not have: the field, the file and the line are told, the person is not', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'users.csv', (line) => line.replace('Nina,Prado', 'Nina,')),
		);
		expect(finding(roster, 'fieldRefused')).toMatchObject({
			severity: 'error',
			kind: 'user',
			message: expect.stringContaining('last_name') as string,
			what_to_do: expect.stringContaining('familyName in users.csv') as string,
			file: 'users.csv',
			line: 2,
		});
		expect(JSON.stringify(roster.findings)).not.toContain('Nina');
	});

	test('a formula: it is text for the service, and a program for whoever opens it in a spreadsheet', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'users.csv', (line) =>
				line.replace('Nina,', '"=HYPERLINK(""http://x.example"")",'),
			),
		);
		expect(finding(roster, 'formula')).toMatchObject({
			severity: 'error',
			message: expect.stringContaining('first_name') as string,
		});
		expect(JSON.stringify(roster.findings)).not.toContain('HYPERLINK');
	});
});

describe('A class without a grade of its own', () => {
	const without = () => changed(oneRoster12(), 'classes.csv', (line) => line.replace(',05,co-1', ',,co-1'));

	test.each(['', '","'])('takes that of its course (%s)', async (cell) => {
		const classes = changed(oneRoster12(), 'classes.csv', (line) =>
			line.replace(',05,co-1', `,${cell},co-1`),
		);
		const roster = await rosterOf(
			changed(classes, 'courses.csv', (line) => line.replace('MAT,,', 'MAT,06,')),
		);
		expect(bodies(roster, 'class')['cl-1'].grade).toBe('6º ano');
	});

	test('takes that of most of its students, which is said', async () => {
		const roster = await rosterOf(without());
		expect(bodies(roster, 'class')['cl-1'].grade).toBe('5º ano');
		expect(finding(roster, 'gradeFromStudents')).toMatchObject({ severity: 'warning' });
	});

	const withStudents = (files: Lines, grade: string, ids: string[], days: string, status = '') => {
		const user = (id: string) => `${id},${status},,true,x,,Xena ${id},Silva,,,,,,,${grade},,,,,,,`;
		const users = extended(files, 'users.csv', ...ids.map(user));
		const role = (id: string) => `r-${id},,,${id},primary,student,,,sch-1,`;
		const roles = extended(users, 'roles.csv', ...ids.map(role));
		const enrollment = (id: string) => `e-${id},,,cl-1,sch-1,${id},student,,${days}`;
		return extended(roles, 'enrollments.csv', ...ids.map(enrollment));
	};

	test.each([
		['have left it', '2025-01-15,2025-12-15', ''],
		['come later', '2026-08-01,', ''],
		['are gone', ',', 'tobedeleted'],
	])('takes that of those who are in it, whatever more who %s are in', async (_who, days, status) => {
		const roster = await rosterOf(withStudents(without(), '06', ['x1', 'x2'], days, status));
		expect(bodies(roster, 'class')['cl-1'].grade).toBe('5º ano');
	});

	test('and whose year has not begun takes that of those who come, and not of who has left', async () => {
		const left = changed(without(), 'enrollments.csv', (line) => line.replace(',2026-12-15', ',2026-01-31'));
		const roster = await rosterOf(withStudents(left, '06', ['x1'], '2026-08-01,'));
		expect(bodies(roster, 'class')['cl-1'].grade).toBe('6º ano');
		expect(bodies(await rosterOf(left), 'class')['cl-1'].grade).toBe('5º ano');
	});

	test('is an error when its students are divided', async () => {
		let files = extended(without(), 'users.csv', 'st-2,,,true,x,,Xena,Silva,,,,,,,06,,,,,,,');
		files = extended(files, 'roles.csv', 'r9,,,st-2,primary,student,,,sch-1,');
		files = extended(files, 'enrollments.csv', 'e9,,,cl-1,sch-1,st-2,student,,,');
		expect(finding(await rosterOf(files), 'gradeMissing')).toMatchObject({
			severity: 'error',
			kind: 'class',
		});
	});

	test('of several grades is what most of its students are, if that is one of them', async () => {
		const several = (grades: string) =>
			changed(oneRoster12(), 'classes.csv', (line) => line.replace(',05,co-1', `,"${grades}",co-1`));
		expect(bodies(await rosterOf(several('05,06')), 'class')['cl-1'].grade).toBe('5º ano');
		expect(finding(await rosterOf(several('06,07')), 'severalGrades')).toMatchObject({ severity: 'error' });
	});
});

describe('Days', () => {
	test.each([
		['2026-01-15', '2026-03-15', 'counts on its last day', ['cl-1 st-1', 'cl-1 te-1'], []],
		['2026-01-15', '2026-03-14', 'is gone the day after', ['cl-1 te-1'], ['st-1']],
		['2026-03-15', '', 'counts on its first day', ['cl-1 st-1', 'cl-1 te-1'], []],
		['2026-03-16', '', 'does not count the day before, and is not gone', ['cl-1 te-1'], []],
	])('an enrollment from %s to "%s" %s', async (begin, end, _what, there, gone) => {
		const files = changed(oneRoster12(), 'enrollments.csv', (line) =>
			line.replace('2026-01-15,2026-12-15', `${begin},${end}`),
		);
		const roster = await rosterOf(files);
		expect(Object.keys(bodies(roster, 'bond'))).toEqual(there);
		expect(roster.gone.map(({ fields }) => fields.user_external_id)).toEqual(gone);
	});

	test('As Of is the day that counts', async () => {
		const roster = await rosterOf(oneRoster12(), { ...GRADES, asOf: '2027-01-01' });
		expect(roster.gone).toMatchObject([
			{ kind: 'bond', fields: { user_external_id: 'st-1', profile_name: 'student' } },
		]);
	});

	test('a person whose roles have all ended is gone, with the enrollments', async () => {
		const roster = await rosterOf(
			changed(sds21(), 'roles.csv', (line) => line.replace('05,TRUE,,', '05,TRUE,2025-01-01,2025-12-31')),
		);
		expect(roster.gone).toEqual([
			expect.objectContaining({ kind: 'user', fields: { school_external_id: 'sch-1', external_id: 'st-1' } }),
			expect.objectContaining({
				kind: 'bond',
				fields: {
					school_external_id: 'sch-1',
					class_external_id: 'cl-1',
					user_external_id: 'st-1',
					profile_name: 'student',
				},
			}),
		]);
		expect(Object.keys(bodies(roster, 'user'))).toEqual(['te-1']);
	});

	test('what ended and began again is there', async () => {
		const files = extended(
			oneRoster12(),
			'enrollments.csv',
			'e0,,,cl-1,sch-1,st-1,student,,2025-01-15,2025-12-15',
		);
		const roster = await rosterOf(files);
		expect(roster.gone).toEqual([]);
		expect(Object.keys(bodies(roster, 'bond'))).toContain('cl-1 st-1');
	});
});

describe('Findings', () => {
	test('of one cause are one, with their number and all their lines; what is corrected record by record has its own', async () => {
		const rows = Array.from({ length: 30 }, (_, at) => `x-${at},,,false,u${at},,,Silva,,,,,,,,,,,,,,`);
		const roles = Array.from({ length: 30 }, (_, at) => `rx${at},,,x-${at},primary,student,,,sch-1,`);
		const roster = await rosterOf(
			extended(extended(oneRoster12(), 'users.csv', ...rows), 'roles.csv', ...roles),
		);
		const lines = rows.map((_row, at) => at + 5);
		const disabled = roster.findings.filter(({ code }) => code === 'notEnabled');
		expect(disabled).toMatchObject([{ count: 30, file: 'users.csv', line: 5 }]);
		expect(disabled[0].places.map(({ line }) => line)).toEqual(lines);
		const refused = roster.findings.filter(({ code }) => code === 'fieldRefused');
		expect(refused.map(({ key, line, count }) => [key, line, count])).toEqual(
			lines.map((line, at) => [`u:sch-1|x-${at}`, line, 1]),
		);
	});

	test('of a file of nonsense are bounded: fifty of a code, and one for the rest', async () => {
		const rows = Array.from(
			{ length: 500 },
			(_, at) => `c-${at},,,Class,g${at},co-1,C,homeroom,,sch-1,y26,,,`,
		);
		const { findings } = await rosterOf(extended(oneRoster12(), 'classes.csv', ...rows));
		const unmapped = findings.filter(({ code }) => code === 'gradeNotMapped');
		expect(unmapped).toHaveLength(51);
		expect(unmapped[50]).toMatchObject({
			message: expect.stringMatching(/^More of the same kind: /) as string,
			count: 450,
		});
		expect(findings.length).toBeLessThan(60);
	});

	test('name the line in the file, also behind cells with line ends in them', async () => {
		const files = changed(oneRoster12(), 'users.csv', (line) =>
			line.replace(',Nina,', ',"Nina\n\nMaria",').replace(',Otto,', ',,'),
		);
		expect(finding(await rosterOf(files), 'fieldRefused')).toMatchObject({ file: 'users.csv', line: 6 });
	});
});

describe('The name of a school', () => {
	test.each([
		['OneRoster', oneRoster12()],
		['SDS', sds21()],
	])('is that of orgs.csv, for who reads of it: %s', async (_format, lines) => {
		expect([...((await rosterOf(lines)).schoolNames ?? [])]).toEqual([['sch-1', 'North School']]);
	});

	test('tells no school from another: rows that differ in nothing else are one', async () => {
		const roster = await rosterOf(
			extended(oneRoster12(), 'orgs.csv', 'sch-1,,,School of the North,school,1001,net'),
		);
		expect(roster.findings).toEqual([]);
		expect(Object.keys(bodies(roster, 'class')).length).toBeGreaterThan(0);
	});
});
