/** What absence says: who is gone, who may be there, and when nothing of an export is used. */
import {
	GRADES,
	bytesOf,
	changed,
	extended,
	finding,
	oneRoster12,
	rosterOf,
	sds21,
	stopOf,
	type Lines,
} from './support.mts';

describe('What absence says', () => {
	test('an enrollment in a whole export whose class or user is not there is an error', async () => {
		const roster = await rosterOf(
			extended(
				oneRoster12(),
				'enrollments.csv',
				'e3,,,cl-7,sch-1,st-1,student,,,',
				'e4,,,cl-1,sch-1,st-7,student,,,',
			),
		);
		expect(finding(roster, 'classNotInFile')).toMatchObject({ severity: 'error', line: 4 });
		expect(finding(roster, 'userNotInFile')).toMatchObject({ severity: 'error', line: 5 });
		expect(roster.completeness.bond).toBe('whole');
		expect(roster.faulty).toHaveLength(2);
	});

	test('an optional file that is not there says nothing of its kind', async () => {
		const { 'enrollments.csv': _enrollments, ...files } = sds21();
		expect((await rosterOf(files)).completeness).toEqual({ class: 'whole', user: 'whole', bond: 'silent' });
		const absent = changed(oneRoster12(), 'manifest.csv', (line) =>
			line.replace('enrollments,bulk', 'enrollments,absent'),
		);
		const { 'enrollments.csv': _too, ...others } = absent;
		expect((await rosterOf(others)).completeness.bond).toBe('silent');
	});

	test('in the holidays enrollments.csv has nothing but its header: nobody leaves, although the manifest says that it is whole', async () => {
		const files = oneRoster12();
		const roster = await rosterOf({ ...files, 'enrollments.csv': files['enrollments.csv'].slice(0, 1) });
		expect(finding(roster, 'fileWithoutRows')).toMatchObject({
			severity: 'warning',
			file: 'enrollments.csv',
		});
		expect(roster.completeness).toEqual({ class: 'whole', user: 'whole', bond: 'silent' });
	});

	test('an optional file with nothing but its header says nothing, and that is told', async () => {
		const roster = await rosterOf({
			...sds21(),
			'classes.csv': sds21()['classes.csv'].slice(0, 1),
			'enrollments.csv': sds21()['enrollments.csv'].slice(0, 1),
		});
		expect(roster.completeness).toMatchObject({ class: 'silent', bond: 'silent' });
		expect(finding(roster, 'fileWithoutRows')).toMatchObject({ severity: 'warning', file: 'classes.csv' });
	});

	test.each(['courses', 'academicSessions'])(
		'%s.csv with nothing but its header, as many systems write it each night, is no warning each night',
		async (name) => {
			const files = oneRoster12();
			const [header] = files[`${name}.csv`];
			const roster = await rosterOf({ ...files, [`${name}.csv`]: [header] });
			expect(finding(roster, 'fileWithoutRows')).toMatchObject({
				severity: 'information',
				file: `${name}.csv`,
			});
		},
	);

	test('a row that nobody can tell: nothing of that kind counts as gone', async () => {
		const roster = await rosterOf(
			extended(oneRoster12(), 'enrollments.csv', 'e3,,,cl-1,sch-1,Prado, Nina,student,,,,x'),
		);
		expect(finding(roster, 'tooManyCells')).toMatchObject({
			severity: 'error',
			file: 'enrollments.csv',
			line: 4,
		});
		expect(roster.completeness).toEqual({ class: 'whole', user: 'whole', bond: 'partial' });
	});

	test('a file that the manifest does not name is read, but does not say who is gone', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'manifest.csv', (line) =>
				line.startsWith('file.enrollments') ? undefined : line,
			),
		);
		expect(finding(roster, 'fileNotInManifest')).toMatchObject({ severity: 'warning' });
		expect(roster.completeness.bond).toBe('partial');
	});

	test('somebody marked as tobedeleted is gone', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'users.csv', (line) => line.replace('te-1,,', 'te-1,tobedeleted,')),
		);
		expect(roster.gone.map(({ kind }) => kind)).toEqual(['user', 'bond']);
	});

	test('somebody marked as tobedeleted is gone although no row says in which role, or where', async () => {
		const left = changed(oneRoster12(), 'users.csv', (line) => line.replace('te-1,,', 'te-1,tobedeleted,'));
		const roster = await rosterOf(
			changed(left, 'roles.csv', (line) => (line.includes('te-1') ? undefined : line)),
		);
		expect(roster.gone[0]).toMatchObject({ kind: 'user', fields: { external_id: 'te-1' } });
	});

	test('of somebody who is gone no error is told, whatever is wrong with the row', async () => {
		const left = changed(oneRoster12(), 'users.csv', (line) => line.replace('te-1,,', 'te-1,tobedeleted,'));
		const files = changed(left, 'roles.csv', (line) => line.replace('2020-02-01', 'some day'));
		expect(finding(await rosterOf(files), 'dateNotRead')).toBeUndefined();
	});
});

describe('Reading stops, and nothing is used, for', () => {
	const without = (lines: Lines, file: string) =>
		Object.fromEntries(Object.entries(lines).filter(([name]) => name !== file));
	const only = (lines: Lines, file: string, text: string) => [
		...bytesOf(without(lines, file)),
		{ name: file, bytes: new Uint8Array(Buffer.from(text)) },
	];
	const usersText = `${oneRoster12()['users.csv'].join('\n')}\n`;

	test.each<[string, () => Lines | Array<{ name: string; bytes: Uint8Array }>, string, RegExp]>([
		[
			'a file that the manifest names and that is missing',
			() => without(oneRoster12(), 'classes.csv'),
			'fileMissing',
			/^classes\.csv is missing: manifest\.csv names it/,
		],
		[
			'a file that the format demands and that is missing',
			() => without(sds21(), 'roles.csv'),
			'fileMissing',
			/^roles\.csv is missing: SDS v2\.1 demands it/,
		],
		[
			'a file that the format demands and that the manifest forgot',
			() =>
				changed(without(oneRoster12(), 'orgs.csv'), 'manifest.csv', (line) =>
					line.startsWith('file.orgs') ? undefined : line,
				),
			'fileMissing',
			/^orgs\.csv is missing: OneRoster 1\.2 demands it/,
		],
		[
			'users of OneRoster 1.2 without roles',
			() =>
				changed(without(oneRoster12(), 'roles.csv'), 'manifest.csv', (line) =>
					line.replace('roles,bulk', 'roles,absent'),
				),
			'fileMissing',
			/^roles\.csv is missing/,
		],
		[
			'enrollments of SDS without classes',
			() => without(sds21(), 'classes.csv'),
			'fileMissing',
			/^classes\.csv is missing/,
		],
		['an empty file', () => only(oneRoster12(), 'users.csv', ''), 'fileEmpty', /^users\.csv is empty/],
		[
			'a file of nothing but line ends',
			() => only(oneRoster12(), 'users.csv', '\n\n\n'),
			'fileEmpty',
			/^users\.csv is empty/,
		],
		[
			'a file without rows',
			() => only(oneRoster12(), 'users.csv', usersText.split('\n')[0]),
			'fileWithoutRows',
			/^users\.csv has no rows/,
		],
		[
			'a file that is cut in a row',
			() => only(oneRoster12(), 'users.csv', usersText.slice(0, usersText.indexOf('otto'))),
			'fileCut',
			/^users\.csv ends in the middle of its last row/,
		],
		[
			'a file that is cut in a character',
			() => [
				...bytesOf(without(oneRoster12(), 'users.csv')),
				{ name: 'users.csv', bytes: new Uint8Array(Buffer.from(`${usersText}te-2,é`)).slice(0, -1) },
			],
			'fileCut',
			/middle of a character/,
		],
		[
			'a quote that is not closed',
			() => only(oneRoster12(), 'users.csv', usersText.replace('Rosa', '"Rosa')),
			'quoteNotClosed',
			/the quote in line 3 is not closed/,
		],
		[
			'a quote that is closed too early',
			() => only(oneRoster12(), 'users.csv', usersText.replace('Rosa', '"Ro"sa')),
			'quoteNotClosed',
			/the quote in line 3/,
		],
		[
			'a column that is missing',
			() => changed(oneRoster12(), 'users.csv', (line) => line.replace('familyName', 'surname')),
			'columnMissing',
			/^users\.csv has no column familyName/,
		],
		[
			'a column that is there twice',
			() => changed(oneRoster12(), 'users.csv', (line) => line.replace('middleName', 'familyName')),
			'columnTwice',
			/the column familyName twice/,
		],
		[
			'a manifest that says neither bulk nor absent',
			() => changed(oneRoster12(), 'manifest.csv', (line) => line.replace('users,bulk', 'users,full')),
			'manifest',
			/^manifest\.csv says in line 8/,
		],
		[
			'a manifest that says two things of a file',
			() => extended(oneRoster12(), 'manifest.csv', 'file.users,absent'),
			'manifest',
			/^manifest\.csv says in line 13 of users/,
		],
		[
			'a manifest that calls a file absent that is there, and has to be',
			() => changed(oneRoster12(), 'manifest.csv', (line) => line.replace('users,bulk', 'users,absent')),
			'manifest',
			/^manifest\.csv says that users\.csv is absent, but it is there$/,
		],
		[
			'an export of what has changed',
			() => changed(oneRoster12(), 'manifest.csv', (line) => line.replace('users,bulk', 'users,delta')),
			'manifest',
			/^manifest\.csv says in line 8 of users that it holds only what has changed \(delta\)/,
		],
		[
			'another version of OneRoster',
			() => changed(oneRoster12(), 'manifest.csv', (line) => line.replace('version,1.2', 'version,2.0')),
			'format',
			/OneRoster 1\.1 or 1\.2/,
		],
		[
			'files of another format',
			() => ({ 'Student.csv': ['SIS ID'], 'School.csv': ['SIS ID'] }),
			'format',
			/None of these .*Student\.csv, School\.csv/,
		],
		[
			'one file twice',
			() => [...bytesOf(oneRoster12()), ...bytesOf(oneRoster12()).slice(0, 1)],
			'fileTwice',
			/manifest\.csv is there twice/,
		],
		['no files', () => [], 'noFiles', /no files/],
	])('%s', async (_name, files, code, message) => {
		const failure = await stopOf(files());
		expect(failure).toMatchObject({
			origin: 'input',
			effect: 'none',
			code,
			message: expect.stringMatching(message) as string,
		});
		expect(failure.next).not.toBe('');
	});

	test('a format that was chosen and is another', async () => {
		expect(await stopOf(oneRoster12(), GRADES, 'sds')).toMatchObject({
			code: 'format',
			message: expect.stringContaining('Format is SDS') as string,
		});
		expect(await stopOf(without(oneRoster12(), 'manifest.csv'), GRADES, 'sds')).toMatchObject({
			code: 'format',
		});
		expect(await stopOf(sds21(), GRADES, 'oneRoster')).toMatchObject({
			code: 'format',
			message: expect.stringContaining('Format is OneRoster') as string,
		});
	});

	test('a column that the mapping names and the file does not have', async () => {
		const mapping = { ...GRADES, documentType: 'CPF', documentFrom: 'metadata.cpf' };
		expect(await stopOf(oneRoster12(), mapping)).toMatchObject({
			code: 'columnMissing',
			message: expect.stringContaining('metadata.cpf') as string,
		});
	});
});
