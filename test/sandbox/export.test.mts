/** `npm run sandbox -- export`: files that are the same every time, at any volume, and words for what is wrong. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readExportLine } from '../../sandbox/roster/command-line.mts';
import { rosterMapping } from '../../sandbox/roster/mapping.mts';
import type { RosterChanges } from '../../sandbox/roster-types.mts';
import { filesOf, readRoster } from './read-roster.mts';

const folder = mkdtempSync(join(tmpdir(), 'roster-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string): string => join(folder, name);

interface Ended {
	code: number;
	stdout: string;
	stderr: string;
}

/** Runs the command as a person does. */
async function exported(
	line: string,
	{ node = [], env = {} }: { node?: string[]; env?: Record<string, string> } = {},
): Promise<Ended> {
	const args = [...node, '--import', 'tsx', 'sandbox/main.mts', 'export', ...line.split(' ')];
	return await new Promise((resolve) => {
		execFile(process.execPath, args, { env: { ...process.env, ...env } }, (error, stdout, stderr) =>
			resolve({ code: typeof error?.code === 'number' ? error.code : error ? -1 : 0, stdout, stderr }),
		);
	});
}

test('The same seed gives the same bytes, wherever on earth and whenever; another seed gives others', async () => {
	const bytes = async (seed: number, zone: string): Promise<Buffer> => {
		const out = file(`${seed}-${zone.replace('/', '-')}.zip`);
		const { code } = await exported(`--format oneroster-1.2 --tonight 9 --seed ${seed} --out ${out}`, {
			env: { TZ: zone },
		});
		expect(code).toBe(0);
		return readFileSync(out);
	};
	const first = await bytes(3, 'Asia/Tokyo');
	expect((await bytes(3, 'America/Los_Angeles')).equals(first)).toBe(true);
	expect((await bytes(4, 'Asia/Tokyo')).equals(first)).toBe(false);
});

test('It writes the zip, the changes and the mapping, and says what is in them', async () => {
	const [out, changes, mapping] = [file('a.zip'), file('changes.json'), file('mapping.json')];
	const line = `--format sds --students 90 --schools 4 --tonight 10 --out ${out} --changes ${changes} --mapping ${mapping}`;
	const { code, stdout } = await exported(line);
	const read = readRoster(readFileSync(out), 'sds', rosterMapping);
	const people = new Set(read.users.map(({ external_id }) => external_id)).size;
	expect([code, stdout.split('\n')]).toEqual([
		0,
		[
			`${out}: sds, 4 schools, ${read.classes.length} classes, ${people} people, ${read.bonds.length} bonds, 10 changes`,
			`${changes}: what changed`,
			`${mapping}: the mapping that fits`,
			'',
		],
	]);
	const listed = JSON.parse(readFileSync(changes, 'utf8')) as RosterChanges;
	expect(listed).toMatchObject({ seed: 1, students: 90, schools: 4, tonight: 10 });
	expect(listed.changes.length).toBe(10);
	expect(JSON.parse(readFileSync(mapping, 'utf8'))).toEqual(rosterMapping);
});

test('The mapping knows every grade of the service’s schools once, under codes that go on from stage to stage', () => {
	expect(
		rosterMapping.grades.grade.map(({ gradeCode, educationalStage, gradeName, schoolExternalId }) =>
			[gradeCode, educationalStage, gradeName, schoolExternalId].join('|'),
		),
	).toEqual([
		...['01|EF1|1º ano|', '02|EF1|2º ano|', '03|EF1|3º ano|', '04|EF1|4º ano|', '05|EF1|5º ano|'],
		...['06|EF2|6º ano|', '07|EF2|7º ano|', '08|EF2|8º ano|', '09|EF2|9º ano|'],
		...['10|EM|1ª série|', '11|EM|2ª série|', '12|EM|3ª série|'],
	]);
	expect(rosterMapping.roles.role).toEqual([
		{ role: 'administrator', profile: 'coordinator' },
		{ role: 'siteAdministrator', profile: 'coordinator' },
	]);
});

test('50,000 students, some 155,000 records, are written in bounded time and with 640 MB of heap', async () => {
	const out = file('large.zip');
	const began = Date.now();
	const { code, stderr } = await exported(
		`--format oneroster-1.2 --students 50000 --schools 40 --tonight 100 --out ${out}`,
		{ node: ['--max-old-space-size=640'] },
	);
	expect([code, stderr]).toEqual([0, '']);
	// Some seconds; ten times that only when the machine has much else to do.
	expect(Date.now() - began).toBeLessThan(90_000);
	const files = filesOf(readFileSync(out));
	const rows = (name: string): number => (files[name] ?? '').split('\r\n').length - 2;
	const records = rows('classes.csv') + rows('users.csv') + rows('enrollments.csv');
	expect([rows('orgs.csv'), records > 150_000, records < 165_000]).toEqual([41, true, true]);
});

describe('What is wrong with the line is said, with what is right', () => {
	test.each([
		['', 'An export needs --format and --out.'],
		['--format sds', 'An export needs --format and --out.'],
		['--format xml --out a.zip', '--format must be oneroster-1.1, oneroster-1.2 or sds, not "xml".'],
		['--format sds --out a.zip --students 0', '--students must be a whole number from 1 to 200000, not "0".'],
		['--format sds --out a.zip --tonight -1', "Option '--tonight' argument is ambiguous."],
		['--format sds --out a.zip --colour', "Unknown option '--colour'"],
	])('%j', (line, problem) => {
		const read = readExportLine(line === '' ? [] : line.split(' '));
		expect('problem' in read && read.problem).toContain(problem);
	});

	test('more changes than students, and a folder that is not there, end in one sentence', async () => {
		const many = await exported(`--format sds --students 5 --tonight 6 --out ${file('b.zip')}`);
		expect([many.code, many.stderr]).toEqual([
			1,
			'The roster could not be written: There are 5 students: no more can change in a night.\n',
		]);
		const nowhere = await exported(`--format sds --out ${file('no/such/folder.zip')}`);
		expect([nowhere.code, nowhere.stderr]).toEqual([
			1,
			expect.stringMatching(/^The roster could not be written: ENOENT.*\n$/),
		]);
	});
});
