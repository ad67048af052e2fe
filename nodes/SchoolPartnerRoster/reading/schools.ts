/** Schools: orgs of the type school, and their ids in the service. */
import { findingTypes, type FindingType } from '../roster/finding';

import { indexOf, type RosterReading } from './reading';
import { cellOf } from './table';

/** What is known of an org: its external id as a school, or why it cannot be used; then the id where it is known nevertheless. */
export type School = { id: string; cause?: undefined } | { id?: string; cause: FindingType };

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
	const { orgs } = reading.tables;
	const { schoolIdFrom, schoolOf } = reading.rules;
	const { rowOf, standing, unusable } = await indexOf(withoutNames(reading), 'orgs');
	const [known, names] = [new Map<string, School>(), new Map<string, string>()];
	const all: string[] = [];
	const [once, twice] = [new Set<string>(), new Set<string>()];
	for (const [org, row] of rowOf) {
		const id = cellOf(orgs, schoolIdFrom, row);
		if (cellOf(orgs, 'type', row).toLowerCase() !== 'school')
			known.set(org, { cause: schoolErrors.orgIsNoSchool });
		else if (standing[row] === 'gone') known.set(org, { cause: schoolErrors.schoolGone, id: schoolOf(id) });
		else if (id === '') known.set(org, { cause: schoolErrors.schoolWithoutIdentifier });
		else {
			const school = schoolOf(id);
			known.set(org, { id: school });
			all.push(school);
			if (cellOf(orgs, 'name', row) !== '') names.set(school, cellOf(orgs, 'name', row));
			(once.has(id) ? twice : once).add(id);
		}
	}
	// Two codes that were mapped to one school are meant so.
	for (const [org, row] of rowOf) {
		const isGood = known.get(org)?.cause === undefined;
		if (isGood && twice.has(cellOf(orgs, schoolIdFrom, row)))
			known.set(org, { cause: schoolErrors.schoolIdTwice });
	}
	// Of changes, and of no orgs at all, a school that is not there may still be one.
	const mayBeUnknown = schoolIdFrom === 'sourcedId' && (orgs === undefined || reading.deltas.has('orgs'));
	const unknown = (org: string): School => {
		const id = schoolIdFrom === 'sourcedId' && org !== '' ? schoolOf(org) : undefined;
		const isSchool = mayBeUnknown && id !== undefined && !unusable.has(org);
		return isSchool ? { id } : { cause: schoolErrors.schoolNotInFile, id };
	};
	return { of: (org) => known.get(org) ?? unknown(org), all: [...new Set(all)], names };
}

/** Rows of one school that differ in nothing but its name are one. */
function withoutNames(reading: RosterReading): RosterReading {
	const { tables } = reading;
	if (tables.orgs === undefined) return reading;
	const columns = { ...tables.orgs.columns };
	delete columns.name;
	return { ...reading, tables: { ...tables, orgs: { ...tables.orgs, columns } } };
}
