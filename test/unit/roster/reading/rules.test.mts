/** Rules 2 to 4 of the roster: identity, what is healed and what is never guessed, and what absence says. */
import {
	GRADES,
	bodies,
	bytesOf,
	changed,
	extended,
	finding,
	oneRoster11,
	oneRoster12,
	rosterOf,
	sds21,
	stopOf,
	zipOf,
	type Lines,
} from './support.mts';

const delta = (lines: Lines, ...files: string[]) =>
	changed(lines, 'manifest.csv', (line) => (files.some((file) => line.startsWith(`file.${file},`)) ? line.replace('bulk', 'delta') : line));

describe('An id', () => {
	test('that stands twice in the same row counts once, with a warning', async () => {
		const roster = await rosterOf(extended(oneRoster12(), 'users.csv', oneRoster12()['users.csv'][1]));
		expect(finding(roster, 'sameTwice')).toMatchObject({ severity: 'warning', count: 1, file: 'users.csv', line: 5 });
		expect(Object.keys(bodies(roster, 'user'))).toHaveLength(3);
	});

	test('that stands for different ones is an error for all of them', async () => {
		const roster = await rosterOf(extended(oneRoster12(), 'users.csv', 'st-1,,,true,other,,Other,Person,,,,,,,,,,,,,,'));
		expect(finding(roster, 'idTwice')).toMatchObject({ severity: 'error', count: 2, places: [{ line: 2 }, { line: 5 }] });
		expect(bodies(roster, 'user')['st-1']).toBeUndefined();
		expect(roster.faulty).toContainEqual(expect.objectContaining({ kind: 'user', fields: { external_id: 'st-1' } }));
	});

	test('that was chosen and stands for different ones is an error for all of them', async () => {
		const twice = changed(oneRoster12(), 'users.csv', (line) => line.replace(',otto,', ',nina,'));
		const roster = await rosterOf(twice, { ...GRADES, userIdFrom: 'username' });
		expect(finding(roster, 'idTwice')).toMatchObject({ kind: 'user', count: 2 });
		expect(Object.keys(bodies(roster, 'user'))).toEqual(['rosa']);
	});

	test('is another one when its capitals are others', async () => {
		const roster = await rosterOf(
			extended(extended(oneRoster12(), 'users.csv', 'ST-1,,,true,x,,Xena,Silva,,,,,,,,,,,,,,'), 'roles.csv', 'r9,,,ST-1,primary,student,,,sch-1,'),
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

	test('that is missing is an error, and nothing of its kind counts as gone until it is there', async () => {
		const roster = await rosterOf(extended(oneRoster12(), 'classes.csv', ',,,Grade 6,06,co-1,6A,homeroom,,sch-1,y26,,,'));
		expect(finding(roster, 'idMissing')).toMatchObject({ severity: 'error', file: 'classes.csv', line: 3 });
		expect(roster.completeness).toEqual({ class: 'changes', user: 'whole', bond: 'whole' });
	});

	test('of a person with several rows in OneRoster 1.1 makes two users, and one finding', async () => {
		const files = extended(oneRoster11(), 'users.csv', 'te-1p,,,true,sch-1,parent,otto,,Otto,Reis,,A3,,,,st-1,,');
		const roster = await rosterOf(files);
		expect(finding(roster, 'personTwice')).toMatchObject({ count: 1, line: 5 });
		expect(bodies(roster, 'user')['te-1p'].profiles).toEqual(['responsible']);
		expect(bodies(roster, 'user')['st-1'].responsible_external_id).toEqual(['gu-1', 'te-1p']);
	});
});

describe('Healed with a warning is', () => {
	const expected = async () => (await rosterOf(oneRoster12())).records.map(({ fields }) => fields);
	const encoded = (change: (text: string) => Uint8Array) =>
		Object.entries(oneRoster12()).map(([name, lines]) => ({ name, bytes: change(`${lines.join('\n')}\n`) }));
	const utf8 = (text: string) => new Uint8Array(Buffer.from(text));

	test.each<[string, (text: string) => Uint8Array, string]>([
		['a byte order mark', (text) => utf8(`\ufeff${text}`), 'byteOrderMark'],
		['a tab between cells', (text) => utf8(text.replaceAll('"Grade 5, room A"', 'Grade 5| room A').replaceAll(',', '\t').replaceAll('|', ',')), 'delimiter'],
		['a header in capitals', (text) => utf8(text.replace(/^.*/, (header) => header.toUpperCase())), 'headerCase'],
		['rows whose empty cells at the end are left out', (text) => utf8(text.replace(/,+$/gm, '')), 'shortRows'],
	])('%s', async (_name, change, code) => {
		const roster = await rosterOf(encoded(change));
		expect(roster.records.map(({ fields }) => fields)).toEqual(await expected());
		expect(finding(roster, code)).toMatchObject({ severity: 'warning' });
	});

	test('a semicolon between cells', async () => {
		const roster = await rosterOf(encoded((text) => utf8(text.replace('"Grade 5, room A"', 'Grade 5').replaceAll(',', ';'))));
		expect(bodies(roster, 'class')['cl-1'].name).toBe('Grade 5');
		expect(finding(roster, 'delimiter')).toMatchObject({ severity: 'warning', count: 9 });
	});

	test('windows-1252, with every accent', async () => {
		const files = bytesOf(oneRoster12()).map(({ name, bytes }) => ({
			name,
			bytes: new Uint8Array(Buffer.from(Buffer.from(bytes).toString().replaceAll('Nina', 'Inês “Nê”'), 'utf8')),
		}));
		const users = files.find(({ name }) => name === 'users.csv');
		const text = Buffer.from(users?.bytes ?? []).toString().replaceAll('“', '\x93').replaceAll('”', '\x94');
		Object.assign(users ?? {}, { bytes: new Uint8Array(Buffer.from(text, 'latin1')) });
		const roster = await rosterOf(files);
		expect(bodies(roster, 'user')['st-1'].first_name).toBe('Inês “Nê”');
		expect(finding(roster, 'windows1252')).toMatchObject({ severity: 'warning', file: 'users.csv' });
	});

	test('TRUE, 1 and yes in enabledUser', async () => {
		const roster = await rosterOf(changed(oneRoster12(), 'users.csv', (line, at) => line.replace('true', ['', 'TRUE', '1', 'yes'][at])));
		expect(finding(roster, 'trueWritten')).toMatchObject({ severity: 'warning', count: 3 });
		expect(finding(roster, 'notEnabled')).toBeUndefined();
	});

	test('a folder in the zip', async () => {
		const roster = await rosterOf([{ name: 'x.zip', bytes: zipOf({ ...oneRoster12(), '__MACOSX/._users.csv': ['x'] }, 'export 2026/') }]);
		expect(roster.records.map(({ fields }) => fields)).toEqual(await expected());
		expect(finding(roster, 'folderInZip')).toMatchObject({ severity: 'warning' });
	});

	test('a name of a file in capitals', async () => {
		const { 'users.csv': users, ...files } = oneRoster12();
		expect((await rosterOf({ ...files, 'USERS.CSV': users })).records).toHaveLength(6);
	});

	test('the status active in a whole export', async () => {
		const files = changed(oneRoster12(), 'enrollments.csv', (line) => line.replace(/^(e\d),,/, '$1,active,'));
		const roster = await rosterOf(files);
		expect(finding(roster, 'activeInBulk')).toMatchObject({ severity: 'warning', count: 2 });
		expect(roster.records.map(({ fields }) => fields)).toEqual(await expected());
	});

	test('columns in another order', async () => {
		const files = changed(oneRoster12(), 'demographics.csv', (_line, at) => ['birthDate,sourcedId', '2015-05-20,st-1'][at]);
		const roster = await rosterOf(files);
		expect(finding(roster, 'columnOrder')).toMatchObject({ severity: 'warning', file: 'demographics.csv' });
		expect(roster.records.map(({ fields }) => fields)).toEqual(await expected());
	});
});

describe('Never guessed is', () => {
	test('a date that may be two', async () => {
		const files = changed(oneRoster12(), 'demographics.csv', (line) => line.replace('2015-05-20', '05/06/2015'));
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

	test('a day that does not exist', async () => {
		const files = changed(oneRoster12(), 'demographics.csv', (line) => line.replace('2015-05-20', '2015-02-30'));
		expect(finding(await rosterOf(files), 'dateNotRead')).toMatchObject({ severity: 'error' });
	});

	test('a grade that nobody mapped', async () => {
		const roster = await rosterOf(oneRoster12(), {});
		expect(finding(roster, 'gradeNotMapped')).toMatchObject({ severity: 'error', kind: 'class', message: expect.stringContaining('"05"') as string, count: 1 });
		expect(roster.faulty).toMatchObject([{ kind: 'class', fields: { school_external_id: 'sch-1', external_id: 'cl-1' } }]);
	});

	test('a role that nobody mapped: one finding for each role, until it is mapped to a profile or to none', async () => {
		const files = changed(oneRoster12(), 'roles.csv', (line) => line.replace('teacher', 'principal'));
		const roster = await rosterOf(files);
		expect(finding(roster, 'roleNotMapped')).toMatchObject({ severity: 'error', message: expect.stringContaining('"principal"') as string });
		expect(roster.faulty).toMatchObject([{ fields: { external_id: 'te-1' } }]);
		const mapped = await rosterOf(files, { ...GRADES, roles: [{ role: 'Principal', profile: 'coordinator' }] });
		expect(bodies(mapped, 'user')['te-1'].profiles).toEqual(['coordinator']);
		const leftOut = await rosterOf(files, { ...GRADES, roles: [{ role: 'principal', profile: '' }] });
		expect(leftOut.findings.filter(({ severity }) => severity !== 'information')).toEqual([]);
		expect(Object.keys(bodies(leftOut, 'bond'))).toEqual(['cl-1 st-1']);
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
		const unknown = await rosterOf(changed(oneRoster12(), 'classes.csv', (line) => line.replace('sch-1', 'sch-9')));
		expect(finding(unknown, 'schoolNotInFile')).toMatchObject({ severity: 'error', file: 'classes.csv', line: 2 });
		expect(unknown.records.filter(({ kind }) => kind !== 'user')).toEqual([]);
		const district = await rosterOf(changed(oneRoster12(), 'classes.csv', (line) => line.replace('sch-1', 'net')));
		expect(finding(district, 'orgIsNoSchool')).toMatchObject({ severity: 'error' });
	});

	test('what the service demands and the file does not have: the field, the file and the line are told, the person is not', async () => {
		const roster = await rosterOf(changed(oneRoster12(), 'users.csv', (line) => line.replace('Nina,Prado', 'Nina,')));
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
		const roster = await rosterOf(changed(oneRoster12(), 'users.csv', (line) => line.replace('Nina,', '"=HYPERLINK(""http://x.example"")",')));
		expect(finding(roster, 'formula')).toMatchObject({ severity: 'error', message: expect.stringContaining('first_name') as string });
		expect(JSON.stringify(roster.findings)).not.toContain('HYPERLINK');
	});
});

describe('A class without a grade of its own', () => {
	const without = () => changed(oneRoster12(), 'classes.csv', (line) => line.replace(',05,co-1', ',,co-1'));

	test('takes that of its course, which is said', async () => {
		const roster = await rosterOf(changed(without(), 'courses.csv', (line) => line.replace('MAT,,', 'MAT,06,')));
		expect(bodies(roster, 'class')['cl-1'].grade).toBe('6º ano');
		expect(finding(roster, 'gradeFromCourse')).toMatchObject({ severity: 'information' });
	});

	test('takes that of most of its students, which is said', async () => {
		const roster = await rosterOf(without());
		expect(bodies(roster, 'class')['cl-1'].grade).toBe('5º ano');
		expect(finding(roster, 'gradeFromStudents')).toMatchObject({ severity: 'warning' });
	});

	test('is an error when its students are divided', async () => {
		let files = extended(without(), 'users.csv', 'st-2,,,true,x,,Xena,Silva,,,,,,,06,,,,,,,');
		files = extended(files, 'roles.csv', 'r9,,,st-2,primary,student,,,sch-1,');
		files = extended(files, 'enrollments.csv', 'e9,,,cl-1,sch-1,st-2,student,,,');
		expect(finding(await rosterOf(files), 'gradeMissing')).toMatchObject({ severity: 'error', kind: 'class' });
	});

	test('of several grades is what most of its students are, if that is one of them', async () => {
		const several = (grades: string) => changed(oneRoster12(), 'classes.csv', (line) => line.replace(',05,co-1', `,"${grades}",co-1`));
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
		const files = changed(oneRoster12(), 'enrollments.csv', (line) => line.replace('2026-01-15,2026-12-15', `${begin},${end}`));
		const roster = await rosterOf(files);
		expect(Object.keys(bodies(roster, 'bond'))).toEqual(there);
		expect(roster.gone.map(({ fields }) => fields.user_external_id)).toEqual(gone);
	});

	test('As Of is the day that counts', async () => {
		const roster = await rosterOf(oneRoster12(), { ...GRADES, asOf: '2027-01-01' });
		expect(roster.gone).toMatchObject([{ kind: 'bond', fields: { user_external_id: 'st-1', profile_name: 'student' } }]);
	});

	test('a person whose roles have all ended is gone, with the enrollments', async () => {
		const roster = await rosterOf(changed(sds21(), 'roles.csv', (line) => line.replace('05,TRUE,,', '05,TRUE,2025-01-01,2025-12-31')));
		expect(roster.gone).toEqual([
			expect.objectContaining({ kind: 'user', fields: { school_external_id: 'sch-1', external_id: 'st-1' } }),
			expect.objectContaining({ kind: 'bond', fields: { school_external_id: 'sch-1', class_external_id: 'cl-1', user_external_id: 'st-1', profile_name: 'student' } }),
		]);
		expect(Object.keys(bodies(roster, 'user'))).toEqual(['te-1']);
	});

	test('what ended and began again is there', async () => {
		const files = extended(oneRoster12(), 'enrollments.csv', 'e0,,,cl-1,sch-1,st-1,student,,2025-01-15,2025-12-15');
		const roster = await rosterOf(files);
		expect(roster.gone).toEqual([]);
		expect(Object.keys(bodies(roster, 'bond'))).toContain('cl-1 st-1');
	});
});

describe('What absence says', () => {
	test('a file that the manifest calls delta says only what changed: what it names and does not hold may be there', async () => {
		const files = delta(oneRoster12(), 'users', 'roles', 'classes', 'enrollments');
		const gone = changed(files, 'enrollments.csv', (line) => line.replace('e2,,', 'e2,tobedeleted,2026-01-01T00:00:00Z').replace('e1,,', 'e1,active,'));
		const more = extended(gone, 'enrollments.csv', 'e3,active,,cl-7,sch-1,st-7,student,,,');
		const roster = await rosterOf(more);
		expect(roster.completeness).toEqual({ class: 'changes', user: 'changes', bond: 'changes' });
		expect(roster.gone).toMatchObject([{ fields: { user_external_id: 'te-1' } }]);
		expect(Object.keys(bodies(roster, 'bond'))).toEqual(['cl-1 st-1', 'cl-7 st-7']);
		expect(finding(roster, 'statusMissing')).toMatchObject({ severity: 'warning' });
	});

	test('an enrollment in a whole export whose class or user is not there is an error', async () => {
		const roster = await rosterOf(extended(oneRoster12(), 'enrollments.csv', 'e3,,,cl-7,sch-1,st-1,student,,,', 'e4,,,cl-1,sch-1,st-7,student,,,'));
		expect(finding(roster, 'classNotInFile')).toMatchObject({ severity: 'error', line: 4 });
		expect(finding(roster, 'userNotInFile')).toMatchObject({ severity: 'error', line: 5 });
		expect(roster.completeness.bond).toBe('whole');
		expect(roster.faulty).toHaveLength(2);
	});

	test('an optional file that is not there says nothing of its kind', async () => {
		const { 'enrollments.csv': _enrollments, ...files } = sds21();
		expect((await rosterOf(files)).completeness).toEqual({ class: 'whole', user: 'whole', bond: 'silent' });
		const absent = changed(oneRoster12(), 'manifest.csv', (line) => line.replace('enrollments,bulk', 'enrollments,absent'));
		const { 'enrollments.csv': _too, ...others } = absent;
		expect((await rosterOf(others)).completeness.bond).toBe('silent');
	});

	test('an optional file with nothing but its header says nothing, and that is told', async () => {
		const roster = await rosterOf({ ...sds21(), 'classes.csv': sds21()['classes.csv'].slice(0, 1), 'enrollments.csv': sds21()['enrollments.csv'].slice(0, 1) });
		expect(roster.completeness).toMatchObject({ class: 'silent', bond: 'silent' });
		expect(finding(roster, 'fileWithoutRows')).toMatchObject({ severity: 'warning', file: 'classes.csv' });
	});

	test('a row that nobody can tell: nothing of that kind counts as gone', async () => {
		const roster = await rosterOf(extended(oneRoster12(), 'enrollments.csv', 'e3,,,cl-1,sch-1,Prado, Nina,student,,,,x'));
		expect(finding(roster, 'tooManyCells')).toMatchObject({ severity: 'error', file: 'enrollments.csv', line: 4 });
		expect(roster.completeness).toEqual({ class: 'whole', user: 'whole', bond: 'changes' });
	});

	test('a file that the manifest does not name is read, but does not say who is gone', async () => {
		const roster = await rosterOf(changed(oneRoster12(), 'manifest.csv', (line) => (line.startsWith('file.enrollments') ? undefined : line)));
		expect(finding(roster, 'fileNotInManifest')).toMatchObject({ severity: 'warning' });
		expect(roster.completeness.bond).toBe('changes');
	});

	test('somebody marked as tobedeleted is gone', async () => {
		const roster = await rosterOf(changed(oneRoster12(), 'users.csv', (line) => line.replace('te-1,,', 'te-1,tobedeleted,')));
		expect(roster.gone.map(({ kind }) => kind)).toEqual(['user', 'bond']);
	});
});

describe('Reading stops, and nothing is used, for', () => {
	const without = (lines: Lines, file: string) => Object.fromEntries(Object.entries(lines).filter(([name]) => name !== file));
	const only = (lines: Lines, file: string, text: string) => [
		...bytesOf(without(lines, file)),
		{ name: file, bytes: new Uint8Array(Buffer.from(text)) },
	];
	const usersText = `${oneRoster12()['users.csv'].join('\n')}\n`;

	test.each<[string, () => Lines | Array<{ name: string; bytes: Uint8Array }>, string, RegExp]>([
		['a file that the manifest names and that is missing', () => without(oneRoster12(), 'classes.csv'), 'fileMissing', /^classes\.csv is missing: manifest\.csv names it/],
		['a file that the format demands and that is missing', () => without(sds21(), 'roles.csv'), 'fileMissing', /^roles\.csv is missing: SDS v2\.1 demands it/],
		['users of OneRoster 1.2 without roles', () => changed(without(oneRoster12(), 'roles.csv'), 'manifest.csv', (line) => line.replace('roles,bulk', 'roles,absent')), 'fileMissing', /^roles\.csv is missing/],
		['enrollments of SDS without classes', () => without(sds21(), 'classes.csv'), 'fileMissing', /^classes\.csv is missing/],
		['an empty file', () => only(oneRoster12(), 'users.csv', ''), 'fileEmpty', /^users\.csv is empty/],
		['a file of nothing but line ends', () => only(oneRoster12(), 'users.csv', '\n\n\n'), 'fileEmpty', /^users\.csv is empty/],
		['a file without rows', () => only(oneRoster12(), 'users.csv', usersText.split('\n')[0]), 'fileWithoutRows', /^users\.csv has no rows/],
		['a file that is cut in a row', () => only(oneRoster12(), 'users.csv', usersText.slice(0, usersText.indexOf('otto'))), 'fileCut', /^users\.csv ends in the middle of its last row/],
		['a file that is cut in a character', () => [...bytesOf(without(oneRoster12(), 'users.csv')), { name: 'users.csv', bytes: new Uint8Array(Buffer.from(`${usersText}te-2,é`)).slice(0, -1) }], 'fileCut', /middle of a character/],
		['a quote that is not closed', () => only(oneRoster12(), 'users.csv', usersText.replace('Rosa', '"Rosa')), 'quoteNotClosed', /the quote in line 3 is not closed/],
		['a quote that is closed too early', () => only(oneRoster12(), 'users.csv', usersText.replace('Rosa', '"Ro"sa')), 'quoteNotClosed', /the quote in line 3/],
		['a column that is missing', () => changed(oneRoster12(), 'users.csv', (line) => line.replace('familyName', 'surname')), 'columnMissing', /^users\.csv has no column familyName/],
		['a column that is there twice', () => changed(oneRoster12(), 'users.csv', (line) => line.replace('middleName', 'familyName')), 'columnTwice', /the column familyName twice/],
		['a manifest that says neither bulk nor delta nor absent', () => changed(oneRoster12(), 'manifest.csv', (line) => line.replace('users,bulk', 'users,full')), 'manifest', /^manifest\.csv says in line 8/],
		['another version of OneRoster', () => changed(oneRoster12(), 'manifest.csv', (line) => line.replace('version,1.2', 'version,2.0')), 'format', /OneRoster 1\.1 or 1\.2/],
		['files of another format', () => ({ 'Student.csv': ['SIS ID'], 'School.csv': ['SIS ID'] }), 'format', /None of these .*Student\.csv, School\.csv/],
		['one file twice', () => [...bytesOf(oneRoster12()), ...bytesOf(oneRoster12()).slice(0, 1)], 'fileTwice', /manifest\.csv is there twice/],
		['no files', () => [], 'noFiles', /no files/],
	])('%s', async (_name, files, code, message) => {
		const failure = await stopOf(files());
		expect(failure).toMatchObject({ origin: 'input', effect: 'none', code, message: expect.stringMatching(message) as string });
		expect(failure.next).not.toBe('');
	});

	test('a format that was chosen and is another', async () => {
		expect(await stopOf(oneRoster12(), GRADES, 'sds')).toMatchObject({ code: 'format', message: expect.stringContaining('Format is SDS') as string });
		expect(await stopOf(without(oneRoster12(), 'manifest.csv'), GRADES, 'sds')).toMatchObject({ code: 'format' });
		expect(await stopOf(sds21(), GRADES, 'oneRoster')).toMatchObject({ code: 'format', message: expect.stringContaining('Format is OneRoster') as string });
	});

	test('a column that the mapping names and the file does not have', async () => {
		const mapping = { ...GRADES, documentType: 'CPF', documentFrom: 'metadata.cpf' };
		expect(await stopOf(oneRoster12(), mapping)).toMatchObject({ code: 'columnMissing', message: expect.stringContaining('metadata.cpf') as string });
	});
});

describe('Findings', () => {
	test('of one cause are one, with their number and the first ten places', async () => {
		const rows = Array.from({ length: 30 }, (_, at) => `x-${at},,,true,u${at},,,Silva,,,,,,,,,,,,,,`);
		const roles = Array.from({ length: 30 }, (_, at) => `rx${at},,,x-${at},primary,student,,,sch-1,`);
		const roster = await rosterOf(extended(extended(oneRoster12(), 'users.csv', ...rows), 'roles.csv', ...roles));
		const refused = roster.findings.filter(({ code }) => code === 'fieldRefused');
		expect(refused).toHaveLength(1);
		expect(refused[0]).toMatchObject({ count: 30, file: 'users.csv', line: 5 });
		expect(refused[0].places.map(({ line }) => line)).toEqual([5, 6, 7, 8, 9, 10, 11, 12, 13, 14]);
	});

	test('of a file of nonsense are bounded', async () => {
		const rows = Array.from({ length: 500 }, (_, at) => `c-${at},,,Class,g${at},co-1,C,homeroom,,sch-1,y26,,,`);
		expect((await rosterOf(extended(oneRoster12(), 'classes.csv', ...rows))).findings.length).toBeLessThan(60);
	});

	test('name the line in the file, also behind cells with line ends in them', async () => {
		const files = changed(oneRoster12(), 'users.csv', (line) => line.replace(',Nina,', ',"Nina\n\nMaria",').replace(',Otto,', ',,'));
		expect(finding(await rosterOf(files), 'fieldRefused')).toMatchObject({ file: 'users.csv', line: 6 });
	});
});
