/** What a broken or hostile export does: a clear message or a finding, in bounded time and memory, and never a throw. */
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';

import { readFiles } from '../../../../nodes/SchoolPartnerRoster/reading/readFiles.ts';

import { GRADES, bytesOf, host, oneRoster12, rosterOf, sds21, stopOf, zipOf } from './support.mts';

const MB = 1024 * 1024;
const LONGEST_MS = 5_000;

type Files = Array<{ name: string; bytes: Uint8Array }>;
const zipped = (bytes: Uint8Array): Files => [{ name: 'export.zip', bytes }];
const withUsers = (bytes: Uint8Array): Files => [
	...bytesOf(oneRoster12()).filter(({ name }) => name !== 'users.csv'),
	{ name: 'users.csv', bytes },
];
const text = (content: string) => new Uint8Array(Buffer.from(content));
const users = () => `${oneRoster12()['users.csv'].join('\n')}\n`;

/** The zip with a number in its list of contents changed, for every file. `at`: its place in the record; `size`: bytes. */
function withCentral(zip: Uint8Array, at: number, size: 2 | 4, value: number): Uint8Array {
	const changed = zip.slice();
	const view = new DataView(changed.buffer);
	for (let place = 0; place + 46 < changed.length; place++) {
		if (view.getUint32(place, true) !== 0x02014b50) continue;
		if (size === 2) view.setUint16(place + at, value, true);
		else view.setUint32(place + at, value, true);
	}
	return changed;
}

const flipped = (zip: Uint8Array, at: number) =>
	zip.map((byte, place) => (place === at ? byte ^ 0xff : byte));

describe('Reading stops in words for', () => {
	test.each<[string, () => Files, string]>([
		['a zip that is cut in half', () => zipped(zipOf(oneRoster12()).slice(0, 900)), 'zipDamaged'],
		['a zip that lacks its last byte', () => zipped(zipOf(oneRoster12()).slice(0, -1)), 'zipDamaged'],
		['a zip with a changed byte in a file', () => zipped(flipped(zipOf(oneRoster12()), 60)), 'zipDamaged'],
		[
			'a zip whose text was changed on the way, where its list of contents still says the sum of the old one',
			() => {
				const files = bytesOf(oneRoster12()).map(({ name, bytes }): [string, Uint8Array] => [name, bytes]);
				const zip = Buffer.from(zipSync(Object.fromEntries(files), { level: 0 }));
				zip.write('Lena', zip.indexOf('Nina'));
				return zipped(zip);
			},
			'zipDamaged',
		],
		['a zip with a password', () => zipped(withCentral(zipOf(oneRoster12()), 8, 2, 1)), 'zipEncrypted'],
		[
			'a zip that claims 1 GB',
			() => zipped(withCentral(zipOf(oneRoster12()), 24, 4, 1024 * MB)),
			'zipTooLarge',
		],
		[
			'a zip whose files are larger than they claim',
			() => zipped(withCentral(zipOf(oneRoster12()), 24, 4, 10)),
			'zipDamaged',
		],
		[
			'a zip whose files are smaller than they claim',
			() => zipped(withCentral(zipOf(oneRoster12()), 24, 4, 100_000)),
			'zipDamaged',
		],
		[
			'a zip that is packed in another way',
			() => zipped(withCentral(zipOf(oneRoster12()), 10, 2, 14)),
			'zipMethod',
		],
		[
			'a zip bomb: 90 MB of the same in 90 KB',
			() => zipped(zipSync({ 'users.csv': new Uint8Array(90 * MB) }, { level: 1 })),
			'zipTooLarge',
		],
		[
			'a zip whose files lie on top of each other',
			() => zipped(withCentral(zipOf(oneRoster12()), 20, 4, 50_000)),
			'zipDamaged',
		],
		[
			'a zip of 65 files',
			() =>
				zipped(zipSync(Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`${at}.csv`, text('a')])))),
			'zipTooLarge',
		],
		['a zip in a zip', () => zipped(zipSync({ 'inner.zip': zipOf(oneRoster12()) })), 'zipInZip'],
		[
			'a zip in a zip that calls itself CSV',
			() => zipped(zipSync({ 'users.csv': zipOf(oneRoster12()) })),
			'notCsv',
		],
		['a path that leads out of the zip', () => zipped(zipOf(oneRoster12(), '../../etc/')), 'zipPath'],
		[
			'a path that leads out of the zip in the way of Windows',
			() => zipped(zipOf(oneRoster12(), '..\\')),
			'zipPath',
		],
		['a path from the root', () => zipped(zipOf(oneRoster12(), '/')), 'zipPath'],
		['an empty zip', () => zipped(zipSync({})), 'noFiles'],
		[
			'an Excel workbook',
			() => [{ name: 'users.xlsx', bytes: zipSync({ '[Content_Types].xml': text('<x/>') }) }],
			'notCsv',
		],
		[
			'an old Excel workbook called CSV',
			() => withUsers(new Uint8Array([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 1, 2])),
			'notCsv',
		],
		['a PDF called CSV', () => withUsers(text('%PDF-1.7\n')), 'notCsv'],
		[
			'a page of a sign-in called CSV',
			() => withUsers(text('<!DOCTYPE html><title>Sign in</title>')),
			'notCsv',
		],
		['JSON called CSV', () => withUsers(text('{"error": "expired"}')), 'notCsv'],
		['NUL bytes', () => withUsers(text(users().replace('Nina', 'Ni\0na'))), 'nulBytes'],
		['UTF-16', () => withUsers(new Uint8Array(Buffer.from(`\ufeff${users()}`, 'utf16le'))), 'utf16'],
		['UTF-16 without its mark', () => withUsers(new Uint8Array(Buffer.from(users(), 'utf16le'))), 'nulBytes'],
		[
			'10,000 columns',
			() => withUsers(text(`${users().split('\n')[0]}${',x'.repeat(10_000)}\n`)),
			'tooManyColumns',
		],
		['a cell of 50 MB', () => withUsers(text(users().replace('Nina', 'N'.repeat(50 * MB)))), 'rowTooLong'],
		[
			'a cell of 50 MB in quotes',
			() => withUsers(text(users().replace('Nina', `"${'N\n'.repeat(25 * MB)}"`))),
			'rowTooLong',
		],
		['a header of 50 MB', () => withUsers(text('x'.repeat(50 * MB))), 'rowTooLong'],
		['a file of quotes', () => withUsers(text(`${users()}${'"'.repeat(100_001)}`)), 'quoteNotClosed'],
	])('%s', async (_name, files, code) => {
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

describe('Reading goes on beside', () => {
	test('a zip in a zip that is none of the roster', async () => {
		const zip = zipSync({
			...Object.fromEntries(bytesOf(oneRoster12()).map(({ name, bytes }) => [name, bytes])),
			'old.zip': text('PK'),
		});
		const roster = await rosterOf(zipped(zip));
		expect(roster.records).toHaveLength(6);
		expect(roster.findings).toContainEqual(
			expect.objectContaining({ code: 'fileNotUsed', message: expect.stringContaining('old.zip') as string }),
		);
	});

	test('a row of 10,000 cells', async () => {
		const roster = await rosterOf(withUsers(text(`${users()}st-9${',x'.repeat(10_000)}\n`)));
		expect(roster.findings).toContainEqual(expect.objectContaining({ code: 'tooManyCells', line: 5 }));
		expect(roster.completeness.user).toBe('changes');
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
	/** One thing that goes wrong on the way. */
	const damage = fc.oneof(
		fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), with: fc.constant('') }),
		fc.record({
			kind: fc.constant('insert' as const),
			at: fc.nat(),
			with: fc.oneof(
				fc.string(),
				fc.constantFrom(
					'"',
					',',
					'\n',
					'\r',
					'\0',
					'""',
					'",',
					'\ufeff',
					'=1+1',
					'é',
					';',
					'\t',
					'__proto__',
				),
			),
		}),
		fc.record({
			kind: fc.constant('remove' as const),
			at: fc.nat(),
			with: fc.string({ minLength: 1, maxLength: 30 }),
		}),
		fc.record({
			kind: fc.constant('byte' as const),
			at: fc.nat(),
			with: fc.string({ minLength: 1, maxLength: 1, unit: 'binary' }),
		}),
	);
	const damaged = (
		bytes: Uint8Array,
		{ kind, at, with: what }: { kind: string; at: number; with: string },
	): Uint8Array => {
		const place = at % (bytes.length + 1);
		if (kind === 'cut') return bytes.slice(0, place);
		if (kind === 'insert')
			return Buffer.concat([bytes.subarray(0, place), Buffer.from(what), bytes.subarray(place)]);
		if (kind === 'remove')
			return Buffer.concat([bytes.subarray(0, place), bytes.subarray(place + what.length)]);
		const changed = bytes.slice();
		changed[place % bytes.length] = what.charCodeAt(0);
		return changed;
	};

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
			expect(found.places.length).toBeLessThanOrEqual(10);
			expect(found.what_to_do).toMatch(/\w/);
		}
	}

	test('to its files, there is a clear message or findings, and no throw', async () => {
		const rosters = [oneRoster12(), sds21()].map((lines) => bytesOf(lines));
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...rosters),
				fc.nat(),
				fc.array(damage, { minLength: 1, maxLength: 4 }),
				async (files, which, damages) => {
					const broken = files.map((file, at) =>
						at === which % files.length ? { ...file, bytes: damages.reduce(damaged, file.bytes) } : file,
					);
					await holds(broken);
				},
			),
			{ numRuns: 500 },
		);
	});

	test('to its zip, too', async () => {
		const zips = [zipOf(oneRoster12()), zipOf(sds21(), 'folder/')];
		await fc.assert(
			fc.asyncProperty(
				fc.constantFrom(...zips),
				fc.array(damage, { minLength: 1, maxLength: 3 }),
				async (zip, damages) => {
					await holds(zipped(damages.reduce(damaged, zip)));
				},
			),
			{ numRuns: 300 },
		);
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
