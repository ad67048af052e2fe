/** What exports write otherwise than their format says, and is read nevertheless: with a warning only where something may be lost. */
import {
	bodies,
	bytesOf,
	changed,
	extended,
	finding,
	oneRoster12,
	rosterOf,
	stopOf,
	zipOf,
	type Lines,
} from './support.mts';

describe('Read like what the format says is', () => {
	const expected = async () => (await rosterOf(oneRoster12())).records.map(({ fields }) => fields);

	test('rows whose empty cells at the end are left out', async () => {
		const files = Object.entries(oneRoster12()).map(([name, lines]) => [
			name,
			lines.map((line) => line.replace(/,+$/, '')),
		]);
		const roster = await rosterOf(Object.fromEntries(files) as Lines);
		expect(roster.records.map(({ fields }) => fields)).toEqual(await expected());
		expect(roster.findings.map(({ code }) => code)).toEqual(['shortRows']);
	});

	test('a row that lacks a cell, and it is named, since its values may stand in wrong columns', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'users.csv', (line, at) => (at === 2 ? line.replace(/,[^,]*$/, '') : line)),
		);
		expect(finding(roster, 'shortRows')).toMatchObject({ file: 'users.csv', line: 3 });
	});

	test('windows-1252, with every accent', async () => {
		const files = bytesOf(oneRoster12()).map(({ name, bytes }) => ({
			name,
			bytes: new Uint8Array(
				Buffer.from(Buffer.from(bytes).toString().replaceAll('Nina', 'Inês “Nê”'), 'utf8'),
			),
		}));
		const users = files.find(({ name }) => name === 'users.csv');
		const text = Buffer.from(users?.bytes ?? [])
			.toString()
			.replaceAll('“', '\x93')
			.replaceAll('”', '\x94');
		Object.assign(users ?? {}, { bytes: new Uint8Array(Buffer.from(text, 'latin1')) });
		const roster = await rosterOf(files);
		expect(bodies(roster, 'user')['st-1'].first_name).toBe('Inês “Nê”');
		expect(finding(roster, 'windows1252')).toMatchObject({ severity: 'warning', file: 'users.csv' });
	});

	test('but not a file in UTF-8 because of one byte that is none: every other accent would be read wrong', async () => {
		const files = bytesOf(changed(oneRoster12(), 'classes.csv', (line) => line.replaceAll('cl-1', '5ºA')));
		const orgs = Buffer.from(oneRoster12()['orgs.csv'].join('\n').replace('North', 'Nor\xe7\xe3o'), 'latin1');
		const read = await rosterOf(
			files.map((file) => (file.name === 'orgs.csv' ? { ...file, bytes: orgs } : file)),
		);
		expect(Object.keys(bodies(read, 'class'))).toEqual(['5ºA']);
		const classes = files.find(({ name }) => name === 'classes.csv')?.bytes ?? [];
		const stray = Buffer.concat([
			Buffer.from(classes),
			Buffer.from('cl-2,,,S\xe3o,05,co-1,5B,homeroom,,sch-1,y26,,,\n', 'latin1'),
		]);
		expect(
			(await stopOf(files.map((file) => (file.name === 'classes.csv' ? { ...file, bytes: stray } : file))))
				.message,
		).toBe('classes.csv is in UTF-8, but not all of it: line 3 holds bytes of another encoding');
	});

	test('TRUE, 1 and yes in enabledUser', async () => {
		const roster = await rosterOf(
			changed(oneRoster12(), 'users.csv', (line, at) => line.replace('true', ['', 'TRUE', '1', 'yes'][at])),
		);
		expect(roster.findings).toEqual([]);
	});

	test.each([
		['file.results,full'],
		['file.results,bulk'],
		['file.lineItems,bulk'],
		['file.x,absent\nfile.x,bulk'],
	])('an odd line of the manifest about a file that nobody reads (%j): all is read', async (line) => {
		const named = line.split(',')[0];
		const manifest = oneRoster12()['manifest.csv'].filter((one) => !one.startsWith(named));
		const roster = await rosterOf({ ...oneRoster12(), 'manifest.csv': [...manifest, ...line.split('\n')] });
		expect(roster.findings).toEqual([]);
		expect(roster.records.map(({ fields }) => fields)).toEqual(await expected());
		expect(roster.completeness).toEqual({ class: 'whole', user: 'whole', bond: 'whole' });
	});

	test('a delimiter at the end of every row of a file, which its header does not have', async () => {
		const endSo = changed(oneRoster12(), 'users.csv', (line, at) => (at === 0 ? line : `${line},`));
		const roster = await rosterOf(endSo);
		expect(roster.findings).toEqual([]);
		expect(roster.records.map(({ fields }) => fields)).toEqual(await expected());
	});

	test('the same in a file of one row, or with none behind the last row', async () => {
		for (const file of ['orgs.csv', 'demographics.csv', 'courses.csv'])
			expect(
				(await rosterOf(changed(oneRoster12(), file, (line, at) => (at === 0 ? line : `${line},`)))).findings,
			).toEqual([]);
		const { length } = oneRoster12()['users.csv'];
		const joined = changed(oneRoster12(), 'users.csv', (line, at) =>
			at === 0 || at === length - 1 ? line : `${line},`,
		);
		expect((await rosterOf(joined)).findings).toEqual([]);
	});

	test.each(['export 2026/', '../../etc/', '..\\', '/', 'C:\\'])(
		'a folder in the zip (%s)',
		async (folder) => {
			const roster = await rosterOf([
				{ name: 'x.zip', bytes: zipOf({ ...oneRoster12(), '__MACOSX/._users.csv': ['x'] }, folder) },
			]);
			expect(roster.records.map(({ fields }) => fields)).toEqual(await expected());
			expect(roster.findings).toEqual([]);
		},
	);

	test('a name of a file in capitals', async () => {
		const { 'users.csv': users, ...files } = oneRoster12();
		expect((await rosterOf({ ...files, 'USERS.CSV': users })).records).toHaveLength(6);
	});

	test('the status active in a whole export', async () => {
		const files = changed(oneRoster12(), 'enrollments.csv', (line) => line.replace(/^(e\d),,/, '$1,active,'));
		const roster = await rosterOf(files);
		expect(roster.findings).toEqual([]);
		expect(roster.records.map(({ fields }) => fields)).toEqual(await expected());
	});
});

test('A comma that is not in quotes has moved the cells of its row, although the last of them are empty: the row is not used', async () => {
	const files = changed(oneRoster12(), 'users.csv', (line) =>
		line.replace('Nina,Prado', 'Nina,Prado, Souza'),
	);
	const roster = await rosterOf(files);
	expect(finding(roster, 'tooManyCells')).toMatchObject({ severity: 'error', file: 'users.csv', line: 2 });
	expect(bodies(roster, 'user')).not.toHaveProperty('st-1');
	const allEndSo = changed(files, 'users.csv', (line, at) => (at === 0 ? line : `${line},`));
	const ofHabit = extended(
		allEndSo,
		'users.csv',
		...Array.from({ length: 9 }, (_, at) => `x-${at},,,true,,,Ana,Sá,,,,,,,,,,,,,,,`),
	);
	expect(finding(await rosterOf(ofHabit), 'tooManyCells')?.places).toEqual([{ file: 'users.csv', line: 2 }]);
});

test('A name with a byte that windows-1252 does not have is left out: it has lost a character', async () => {
	const users = Buffer.from(oneRoster12()['users.csv'].join('\n').replace('Nina', 'Ni\x81a'), 'latin1');
	const files = bytesOf(oneRoster12()).map((file) =>
		file.name === 'users.csv' ? { ...file, bytes: users } : file,
	);
	const roster = await rosterOf(files);
	expect(Object.keys(bodies(roster, 'user'))).toEqual(['gu-1', 'te-1']);
	expect(finding(roster, 'charactersLost')).toMatchObject({
		...{ severity: 'error', kind: 'user', fields: ['first_name'], line: 2 },
	});
});
