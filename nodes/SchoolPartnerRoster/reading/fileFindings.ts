/** What is said of files. */
import { findingTypes } from '../roster/finding';
import type { Kind } from '../roster/record';

import { USER_COLUMNS } from './formats';

export const fileWarnings = findingTypes('warning', 'any', {
	windows1252: {
		message: 'A file is not in UTF-8: it is read as windows-1252',
		what_to_do: 'Look at a name with an accent in Records. Better have the files exported in UTF-8.',
	},
	shortRows: {
		message:
			'A file has rows with fewer cells than its header has names; the missing ones are taken as empty',
		what_to_do:
			'Look at the first of them. Nothing where only empty cells at its end are missing; else a delimiter is, and values stand in wrong columns.',
	},
	fileWithoutRows: (file: string) => ({
		message: `${file} has no rows, only the names of its columns`,
		what_to_do:
			'Look whether that is right. The file is taken as not there: nothing of its kind counts as gone.',
	}),
	fileSaidAbsent: (file: string) => ({
		message: `manifest.csv says that ${file} is absent, but it is there`,
		what_to_do: 'Correct manifest.csv. The file is not read.',
	}),
	fileNotInManifest: (file: string) => ({
		message: `manifest.csv says nothing of ${file}, but it is there`,
		what_to_do:
			'Correct manifest.csv. The file is read, but nothing of its kind counts as gone because it is not in it.',
	}),
});

export const fileNotes = findingTypes('information', 'any', {
	fileWithoutRows: (file: string) => ({
		message: `${file} has only the names of its columns`,
		what_to_do: 'Nothing, unless it should have some.',
	}),
	fileNotUsed: (name: string) => ({
		message: `${name} is no file of this format and is not read`,
		what_to_do: 'Nothing, unless its name is misspelt.',
	}),
});

/** Which column a field of the service comes from. */
const COLUMNS: Readonly<Record<string, string>> = {
	'class code': 'classCode (code) in classes.csv',
	'class name': 'title in classes.csv',
	'user cell_phone': 'sms or phone in users.csv',
	...Object.fromEntries(
		Object.entries(USER_COLUMNS).map(([field, column]) => [`user ${field}`, `${column} in users.csv`]),
	),
};

/** Of stage and grade, the row of Mapping → Grades has only one. */
export const HALF_MAPPED =
	'Choose both stage and grade in the row for it under Mapping → Grades, or neither to leave its classes out on purpose.';

/** What a person can do about a field of a record that came from files. */
export function adviceOf(kind: Kind, field: string): string {
	if (field === 'educational_stage' || field === 'grade') return HALF_MAPPED;
	if (kind === 'class' && field === 'year')
		return 'Set Mapping → Year, or choose under Mapping → Year From which year of the school year is meant, or correct schoolYear in academicSessions.csv.';
	if (field.endsWith('external_id'))
		return 'Choose another column for the id under Mapping, or correct it where the roster comes from. An id is never cut.';
	const column = COLUMNS[`${kind} ${field}`];
	return `Correct ${column ?? 'it'} where the roster comes from. The record is left out until then.`;
}
