/** Schools: orgs of the type school, and their ids in the service. */
import { findingTypes, type FindingType } from '../roster/finding';

import { indexOf, type RosterReading } from './reading';
import type { TableRow } from './table';

/** What is known of an org: its external id as a school, or why it cannot be used; then the id where it is known nevertheless. */
export type School = { id: string; problem?: undefined } | { id?: string; problem: FindingType };

export interface Schools {
	/** The school of an org's sourcedId. */
	of(org: string): School;
	/** External ids of all schools in the files. */
	all: string[];
	/** By external id. */
	names: Map<string, string>;
}

export const schoolErrors = findingTypes('error', 'any', {
	schoolNotInFile: {
		message: 'The school that it names is not in orgs.csv',
		what_to_do: 'Have the school exported with the others, or correct the id of the school.',
	},
	// Such an org was never a school in the service: nothing in it can be in a ledger.
	orgIsNoSchool: {
		message: 'The org that it names is no school in orgs.csv (its type is another)',
		what_to_do: 'Give it the org of its school where the roster comes from: the service knows only schools.',
	},
	schoolWithoutIdentifier: {
		message: 'The school that it names has no identifier in orgs.csv',
		what_to_do:
			'Fill in the identifier of the school where the roster comes from, or choose sourcedId under Mapping → School ID From.',
	},
	schoolIdTwice: {
		message: 'The school that it names has the same identifier as another one in orgs.csv',
		what_to_do:
			'Give each school its own identifier where the roster comes from. Nobody can say which of them is meant, so none is used.',
	},
	schoolGone: {
		message: 'The school that it names is marked as tobedeleted in orgs.csv',
		what_to_do: 'Nothing is done in a school that leaves. Remove what is in it by hand, when that is meant.',
	},
});

export async function readSchools(reading: RosterReading): Promise<Schools> {
	const { schoolIdFrom, schoolOf } = reading.rules;
	const { rows } = await indexOf(reading, 'orgs');
	const usable = [...rows.values()].filter(
		(row) => isSchool(row) && row.state === 'here' && row.cell(schoolIdFrom) !== '',
	);
	const counts = new Map<string, number>();
	for (const row of usable) counts.set(row.cell(schoolIdFrom), (counts.get(row.cell(schoolIdFrom)) ?? 0) + 1);
	const known = (row: TableRow): School => {
		const id = row.cell(schoolIdFrom);
		if (!isSchool(row)) return { problem: schoolErrors.orgIsNoSchool };
		if (row.state === 'gone') return { problem: schoolErrors.schoolGone, id: schoolOf(id) };
		if (id === '') return { problem: schoolErrors.schoolWithoutIdentifier };
		// Two codes that were mapped to one school are meant so.
		return counts.get(id) === 1 ? { id: schoolOf(id) } : { problem: schoolErrors.schoolIdTwice };
	};
	const unknown = (org: string): School => ({
		problem: schoolErrors.schoolNotInFile,
		id: schoolIdFrom === 'sourcedId' && org !== '' ? schoolOf(org) : undefined,
	});
	const schools = new Map<string, School>();
	for (const [org, row] of rows) schools.set(org, known(row));
	const named = usable.map((row) => [schoolOf(row.cell(schoolIdFrom)), row.cell('name')] as const);
	return {
		of: (org) => schools.get(org) ?? unknown(org),
		all: [...new Set(named.map(([id]) => id))],
		names: new Map(named.filter(([, name]) => name !== '')),
	};
}

const isSchool = (row: TableRow) => row.cell('type').toLowerCase() === 'school';
