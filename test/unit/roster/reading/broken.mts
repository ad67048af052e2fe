/** Exports that are broken or hostile: made by hand, each with the code of the words that it stops with, and by chance. */
import fc from 'fast-check';
import { zipSync } from 'fflate';

import { bytesOf, GRADES, oneRoster12, sds21, zipOf } from './support.mts';

export const MB = 1024 * 1024;

export type Files = Array<{ name: string; bytes: Uint8Array }>;
export const zipped = (bytes: Uint8Array): Files => [{ name: 'export.zip', bytes }];
export const withUsers = (bytes: Uint8Array): Files => [
	...bytesOf(oneRoster12()).filter(({ name }) => name !== 'users.csv'),
	{ name: 'users.csv', bytes },
];
export const text = (content: string) => new Uint8Array(Buffer.from(content));
export const users = () => `${oneRoster12()['users.csv'].join('\n')}\n`;

/** The zip with a number in its list of contents changed, for every file. `at`: its place in the record; `size`: bytes. */
export function withCentral(zip: Uint8Array, at: number, size: 2 | 4, value: number): Uint8Array {
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

/** Name, files, and the code with which reading stops. */
export const BROKEN: ReadonlyArray<readonly [string, () => Files, string]> = [
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
		'a zip whose files claim more bytes than it has',
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
	['a page of a sign-in called zip', () => zipped(text('<!DOCTYPE html><title>Sign in</title>')), 'notZip'],
	['nothing that can be told, called zip', () => zipped(text('expired')), 'notZip'],
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
		'UTF-8 with a byte that is none',
		() =>
			withUsers(
				Buffer.concat([
					text(users().replace('Nina', 'Inês')),
					Buffer.from('te-2,,,true,x,,Jos\xe9,Reis,,,,,,,,,,,,,,\n', 'latin1'),
				]),
			),
		'mixedEncoding',
	],
	[
		'10,000 columns',
		() => withUsers(text(`${users().split('\n')[0]}${',x'.repeat(10_000)}\n`)),
		'fileWithoutRows',
	],
	['a cell of 50 MB', () => withUsers(text(users().replace('Nina', 'N'.repeat(50 * MB)))), 'rowTooLong'],
	[
		'a cell of 50 MB in quotes',
		() => withUsers(text(users().replace('Nina', `"${'N\n'.repeat(25 * MB)}"`))),
		'rowTooLong',
	],
	['a header of 50 MB', () => withUsers(text('x'.repeat(50 * MB))), 'rowTooLong'],
	['a file of quotes', () => withUsers(text(`${users()}${'"'.repeat(100_001)}`)), 'quoteNotClosed'],
];

/** The export with a text of one of its files changed; every place where it stands. */
const withText = (file: string, from: string, to: string): Files =>
	bytesOf(oneRoster12()).map(({ name, bytes }) => ({
		name,
		bytes: name === file ? text(Buffer.from(bytes).toString().replaceAll(from, to)) : bytes,
	}));

/** Name, files, and the code of the finding that tells it: the rest of the export is read. */
export const STRANGE: ReadonlyArray<readonly [string, () => Files, string]> = [
	[
		'a zip in a zip that is none of the roster',
		() => {
			const files = bytesOf(oneRoster12()).map(({ name, bytes }): [string, Uint8Array] => [name, bytes]);
			return zipped(zipSync({ ...Object.fromEntries(files), 'old.zip': text('PK') }));
		},
		'fileNotUsed',
	],
	['a row of 10,000 cells', () => withUsers(text(`${users()}st-9${',x'.repeat(10_000)}\n`)), 'tooManyCells'],
	[
		'a name that is a formula',
		() => withText('users.csv', 'Nina', '=HYPERLINK(""http://evil.example"")'),
		'formula',
	],
	['a name that is a formula in quotes', () => withText('users.csv', 'Nina', '"=1+1"'), 'formula'],
	['an id that is a formula', () => zipped(withWord('te-1', '=cmd')), 'formula'],
	['an id of 10,000 characters', () => zipped(withWord('te-1', 'x'.repeat(10_000))), 'idTooLong'],
	['a day that there is not', () => withText('demographics.csv', '2015-05-20', '2015-02-31'), 'dateNotRead'],
	[
		'a date that may be two days',
		() => withText('demographics.csv', '2015-05-20', '03/04/2015'),
		'dateNotRead',
	],
	['a role that nobody knows', () => withText('roles.csv', 'teacher', 'wizard'), 'roleNotMapped'],
	['a grade that nobody knows', () => withText('classes.csv', '05', '99'), 'gradeNotMapped'],
	['a status that nobody knows', () => withText('users.csv', 'te-1,,', 'te-1,gone,'), 'statusNotKnown'],
	['a school that is not there', () => withText('classes.csv', 'sch-1', 'sch-9'), 'schoolNotInFile'],
	[
		'a student who is the own guardian',
		() => withText('users.csv', 'gu-1,05', 'st-1,05'),
		'agentNotResponsible',
	],
	[
		'a thousand rows of one id, all different',
		() =>
			withUsers(
				text(
					users() +
						Array.from({ length: 1_000 }, (_, n) => `te-1,,,true,u${n},,N${n},Reis,,,,,,,,,,,,,,\n`).join(''),
				),
			),
		'idTwice',
	],
	[
		'bytes that are no UTF-8',
		() => withUsers(Buffer.from(users().replace('Nina', 'N\xedna'), 'latin1')),
		'windows1252',
	],
	['a row that is cut', () => withUsers(text(`${users()}te-9,,,true\n`)), 'shortRows'],
];

/** One thing that goes wrong on the way. */
const damage = fc.oneof(
	fc.record({ kind: fc.constant('cut' as const), at: fc.nat(), with: fc.constant('') }),
	fc.record({
		kind: fc.constant('insert' as const),
		at: fc.nat(),
		with: fc.oneof(
			fc.string(),
			fc.constantFrom('"', ',', '\n', '\r', '\0', '""', '",', '\ufeff', '=1+1', 'é', ';', '\t', '__proto__'),
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

/** The export in a zip, with a word of it another one. */
export function withWord(word: string, other: string): Uint8Array {
	return zipOf(
		Object.fromEntries(
			Object.entries(oneRoster12()).map(([name, lines]) => [
				name,
				lines.map((line) => line.replaceAll(word, other)),
			]),
		),
	);
}

/** What a person fills in under Mapping for these exports. */
export const GRADED = {
	grades: { grade: GRADES.grades.map((grade) => ({ schoolExternalId: '', ...grade })) },
};

/** The zip of an export in which up to three things went wrong. */
export const brokenZip = fc
	.tuple(
		fc.constantFrom(zipOf(oneRoster12()), zipOf(sds21(), 'folder/')),
		fc.array(damage, { minLength: 1, maxLength: 3 }),
	)
	.map(([zip, damages]) => damages.reduce(damaged, zip));

/** An export in which up to four things went wrong in one of the files. */
export const brokenFiles: fc.Arbitrary<Files> = fc
	.tuple(
		fc.constantFrom(bytesOf(oneRoster12()), bytesOf(sds21())),
		fc.nat(),
		fc.array(damage, { minLength: 1, maxLength: 4 }),
	)
	.map(([files, which, damages]) =>
		files.map((file, at) =>
			at === which % files.length ? { ...file, bytes: damages.reduce(damaged, file.bytes) } : file,
		),
	);

/** So many of them, always the same. */
export const damagedZips = (count: number) => fc.sample(brokenZip, { numRuns: count, seed: 16 });
export const damagedFiles = (count: number) => fc.sample(brokenFiles, { numRuns: count, seed: 16 });
