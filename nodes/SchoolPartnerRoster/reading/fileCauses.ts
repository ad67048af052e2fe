/** What is said of files. */
import type { Cause } from '../roster/findings';
import type { Kind } from '../roster/record';

import type { TableHealed } from './table';

const NOTHING = 'Nothing: it is read nevertheless.';

const healedCause = (code: string, message: string): Cause => ({
	severity: 'warning',
	code,
	message,
	what_to_do: NOTHING,
});

export const HEALED: Readonly<Record<TableHealed, Cause>> = {
	byteOrderMark: healedCause('byteOrderMark', 'A file begins with a byte order mark'),
	windows1252: {
		severity: 'warning',
		code: 'windows1252',
		message: 'A file is not in UTF-8: it is read as windows-1252',
		what_to_do: 'Look at a name with an accent in Records. Better have the files exported in UTF-8.',
	},
	delimiter: healedCause('delimiter', 'A file has semicolons or tabs between its cells, not commas'),
	headerCase: healedCause('headerCase', 'A file writes names of columns with other capitals than the format'),
	columnOrder: healedCause('columnOrder', 'A file has its columns in another order than the format'),
	shortRows: healedCause(
		'shortRows',
		'A file has rows with fewer cells than its header has names; the missing ones are taken as empty',
	),
};

export const inFolder = healedCause('folderInZip', 'The files stand in a folder of the zip');

export const withoutRows = (file: string): Cause => ({
	severity: 'warning',
	code: 'fileWithoutRows',
	message: `${file} has no rows, only the names of its columns`,
	what_to_do:
		'Look whether that is right. The file is taken as not there: nothing of its kind counts as gone.',
});

export const saidAbsent = (file: string): Cause => ({
	severity: 'warning',
	code: 'fileSaidAbsent',
	message: `manifest.csv says that ${file} is absent, but it is there`,
	what_to_do: 'Correct manifest.csv. The file is not read.',
});

export const notInManifest = (file: string): Cause => ({
	severity: 'warning',
	code: 'fileNotInManifest',
	message: `manifest.csv says nothing of ${file}, but it is there`,
	what_to_do:
		'Correct manifest.csv. The file is read, but nothing of its kind counts as gone because it is not in it.',
});

export const notUsed = (name: string): Cause => ({
	severity: 'information',
	code: 'fileNotUsed',
	message: `${name} is no file of this format and is not read`,
	what_to_do: 'Nothing, unless its name is misspelt.',
});

/** Which column a field of the service comes from. */
const COLUMNS: Readonly<Record<string, string>> = {
	'class year': 'schoolYear of the session of the class in academicSessions.csv',
	'class code': 'classCode (code) in classes.csv',
	'class name': 'title in classes.csv',
	'user first_name': 'givenName in users.csv',
	'user last_name': 'familyName in users.csv',
	'user birth_date': 'birthDate in demographics.csv',
	'user email': 'email in users.csv',
	'user cell_phone': 'sms or phone in users.csv',
};

/** What a person can do about a field of a record that came from files. */
export function adviceOf(kind: Kind, field: string): string {
	if (kind === 'class' && field === 'year') {
		return 'Set Mapping → Year, or choose under Mapping → Year From which year of the school year is meant, or correct schoolYear in academicSessions.csv.';
	}
	if (field.endsWith('external_id'))
		return 'Choose another column for the id under Mapping, or correct it where the roster comes from. An id is never cut.';
	const column = COLUMNS[`${kind} ${field}`];
	return `Correct ${column ?? 'it'} where the roster comes from. The record is left out until then.`;
}
