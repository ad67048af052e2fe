/** What a broken or hostile export does: a clear message or a finding, in bounded time and memory, and never a throw. */
import fc from 'fast-check';
import { strToU8 } from 'fflate';

import { readFiles } from '../../../../nodes/SchoolPartnerRoster/reading/readFiles.ts';

import {
	BROKEN,
	brokenFiles,
	brokenZip,
	STRANGE,
	MB,
	text,
	users,
	withCentral,
	withUsers,
	zipped,
	type Files,
} from './broken.mts';
import { GRADES, host, oneRoster12, rosterOf, stopOf, zipOf } from './support.mts';

const LONGEST_MS = 5_000;

describe('Reading stops in words for', () => {
	test.each([...BROKEN])('%s', async (_name, files, code) => {
		const given = files();
		const start = performance.now();
		const failure = await stopOf(given);
		expect(performance.now() - start).toBeLessThan(LONGEST_MS);
		expect(failure).toMatchObject({ origin: 'input', effect: 'none', code });
		expect(failure.message).not.toMatch(/Nina|Prado|hunter2|undefined/);
		expect(failure.message.length).toBeLessThan(300);
		expect(failure.next).toMatch(/\w/);
	});
});

test('Files that lie on top of each other in a small zip come to 300 MB together at most', async () => {
	// Each says that it is the whole zip, where it begins, and as large as a file may be.
	const zip = [
		[20, 400_000],
		[24, 90 * MB],
		[42, 0],
	].reduce((made, [at, value]) => withCentral(made, at, 4, value), zipOf(oneRoster12()));
	expect((await stopOf(zipped(zip))).message).toMatch(/are larger than 300 MB together, unpacked$/);
});

describe('Reading goes on beside', () => {
	test.each([...STRANGE])('%s, and tells it', async (_name, files, code) => {
		const roster = await rosterOf(files());
		expect(roster.findings.map((finding) => finding.code)).toContain(code);
		expect(JSON.stringify(roster.findings)).not.toMatch(/hunter2|Prado/);
		expect(roster.records.length).toBeGreaterThan(0);
	});

	test('a row of 10,000 cells, and takes the file for changes only', async () => {
		const roster = await rosterOf(withUsers(text(`${users()}st-9${',x'.repeat(10_000)}\n`)));
		expect(roster.findings).toContainEqual(expect.objectContaining({ code: 'tooManyCells', line: 5 }));
		expect(roster.completeness.user).toBe('partial');
	});

	test('quotes in the middle of a cell, which are characters', async () => {
		const roster = await rosterOf(withUsers(text(users().replace('Nina', 'Ana "Nina" 5"'))));
		expect(roster.records.find(({ fields }) => fields.external_id === 'st-1')?.fields.first_name).toBe(
			'Ana "Nina" 5"',
		);
	});

	test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
		'a person whose id is %s',
		async (id) => {
			const files = oneRoster12();
			for (const file of ['users.csv', 'roles.csv', 'enrollments.csv', 'demographics.csv']) {
				files[file] = files[file].map((line) => line.replace('st-1', id));
			}
			const { records } = await rosterOf(files);
			expect(
				records.filter(({ fields }) => fields.external_id === id || fields.user_external_id === id),
			).toHaveLength(2);
		},
	);

	test.each(['__proto__', 'constructor', 'toString'])(
		'a column, a role, a grade and a status called %s',
		async (word) => {
			const files = oneRoster12();
			files['users.csv'] = files['users.csv'].map((line, at) => `${line},${at === 0 ? word : 'x'}`);
			files['roles.csv'].push(`r9,,,te-1,secondary,${word},,,sch-1,`);
			files['classes.csv'].push(
				`cl-9,${word},,Class,${word},co-1,C,${word},,sch-1,y26,,,`,
				`cl-8,,,Class,${word},co-1,C,${word},,sch-1,y26,,,`,
			);
			const roster = await rosterOf(files);
			expect(roster.findings.map(({ code }) => code)).toEqual(
				expect.arrayContaining(['roleNotMapped', 'gradeNotMapped', 'statusNotKnown']),
			);
		},
	);
});

describe('Whatever happens to an export', () => {
	/** An outcome that a person can work with. */
	async function holds(files: Files): Promise<void> {
		const start = performance.now();
		const outcome = await readFiles(files, GRADES, 'automatic', host);
		expect(performance.now() - start).toBeLessThan(LONGEST_MS);
		if (!outcome.ok) {
			expect(outcome.failure).toMatchObject({
				origin: 'input',
				effect: 'none',
				message: expect.stringMatching(/\w/) as string,
				next: expect.stringMatching(/\w/) as string,
			});
			expect(outcome.failure.message).not.toMatch(/hunter2|Prado/);
			return;
		}
		const { records, findings } = outcome.value;
		expect(JSON.stringify(findings)).not.toMatch(/hunter2|Prado/);
		for (const { kind, fields } of records) {
			const ids =
				kind === 'bond' ? [fields.class_external_id, fields.user_external_id] : [fields.external_id];
			for (const id of [fields.school_external_id, ...ids]) expect(id).toMatch(/^.{1,50}$/su);
		}
		for (const found of findings) {
			expect(found.count).toBeGreaterThan(0);
			expect(found.places.length).toBeLessThanOrEqual(1_000);
			expect(found.what_to_do).toMatch(/\w/);
		}
	}

	test('to its files, there is a clear message or findings, and no throw', async () => {
		await fc.assert(fc.asyncProperty(brokenFiles, holds), { numRuns: 500 });
	});

	test('to its zip, too', async () => {
		const property = fc.asyncProperty(brokenZip, async (zip) => await holds(zipped(zip)));
		await fc.assert(property, { numRuns: 300 });
	});

	test('with any bytes at all', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom('users.csv', 'export.zip', 'manifest.csv', ''),
				fc.uint8Array({ maxLength: 300 }),
				async (name, bytes) => {
					await holds([{ name, bytes }]);
					await holds([{ name: 'x.zip', bytes: Buffer.concat([strToU8('PK\x03\x04'), bytes]) }]);
				},
			),
			{ numRuns: 200 },
		);
	});
});

test('A file of 50 MB in one cell takes no more memory than itself', async () => {
	const files = withUsers(text(users().replace('Nina', 'N'.repeat(50 * MB))));
	const before = process.memoryUsage().rss;
	await stopOf(files);
	expect(process.memoryUsage().rss - before).toBeLessThan(100 * MB);
});
