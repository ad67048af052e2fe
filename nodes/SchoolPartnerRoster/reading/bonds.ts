/** Bonds: who is in which class, from enrollments.csv. */
import { findingTypes, type FindingType } from '../roster/finding';
import type { Fields, RosterRecord } from '../roster/record';

import type { ClassRead } from './classes';
import { personFieldsIn } from './people';
import type { PeopleById, Person } from './person';
import { dateNotRead, whenIs, type RosterReading } from './reading';
import type { School, Schools } from './schools';
import { forEachRow, type TableRow } from './table';
import { roleNotMapped } from './userFindings';

/** What is known of the schools, people and classes of the files. */
interface Ends {
	schools: Schools;
	people: PeopleById;
	classes: ReadonlyMap<string, ClassRead>;
}

/** Reads all enrollments, and gives bonds to the collector. */
export async function readBonds(reading: RosterReading, ends: Ends): Promise<void> {
	await forEachRow(reading.tables.enrollments, reading.turns, (row) => {
		if (row.state !== 'unusable') readEnrollment(row, ends, reading);
	});
}

function readEnrollment(row: TableRow, { schools, people, classes }: Ends, reading: RosterReading): void {
	const { rules, findings, collector } = reading;
	const profile = rules.profileOf(row.cell('role'));
	const ofClass = endOfBond('class', row.cell('classSourcedId'), classes, reading);
	const ofUser = endOfBond('user', row.cell('userSourcedId'), people, reading);
	const when = whenIs(row, rules);
	const hasLeft = row.state === 'gone' || when === 'ended';
	if (ofClass === 'out' || ofUser === 'out' || profile === '') return;
	if (when === 'later' && !hasLeft) return findings.add(bondNotes.notBegun, row.place);
	const school = ofClass.school ?? schools.of(row.cell('schoolSourcedId'));
	const person = ofUser.id === '' ? people.get(row.cell('userSourcedId')) : undefined;
	const fields: Fields = {
		...(person !== undefined && personFieldsIn(person.row, rules, person.birthDate)),
		school_external_id: school.id ?? '',
		class_external_id: ofClass.id,
		user_external_id: ofUser.id,
		profile_name: profile ?? '',
	};
	const bond: RosterRecord = { kind: 'bond', fields, source: row.place };
	if (hasLeft || ofClass.isGone || ofUser.isGone) return void collector.leave(bond);
	const problem =
		ofClass.problem ??
		ofUser.problem ??
		school.problem ??
		(when === 'unreadable'
			? dateNotRead(row.place.file, 'beginDate or endDate', rules.dateFormat)
			: undefined) ??
		(profile === undefined ? roleNotMapped('bond', row.cell('role')) : undefined);
	// A class or user without an id has a finding of its own.
	if (problem === undefined && ofClass.id !== '' && ofUser.id !== '') collector.add(bond);
	else collector.refuse(ofClass.school === undefined ? withoutSchool(bond) : bond, problem);
}

/**
 * Traps: a bond that cannot be told must not look like one that is gone; a role that nobody mapped was never sent. And the school of a bond is that
 * of its class: where the class cannot be read tonight, the one that the enrollment names may be another, so the bond may be of any.
 */
function withoutSchool(bond: RosterRecord): RosterRecord {
	const isNamed = bond.fields.class_external_id !== '' || bond.fields.user_external_id !== '';
	return isNamed ? { ...bond, fields: { ...bond.fields, school_external_id: '' } } : bond;
}

/** One end of a bond: its id in the service where it is known, and why there is no bond. `out`: the bond is not asked for. */
type BondEnd = { id: string; isGone?: boolean; school?: School; problem?: FindingType } | 'out';

function endOfBond(
	kind: 'class' | 'user',
	sourcedId: string,
	known: ReadonlyMap<string, { id: string; state: Person['state']; school?: School }>,
	{ rules }: RosterReading,
): BondEnd {
	const found = known.get(sourcedId);
	if (found === undefined) {
		const id = rules[`${kind}IdFrom`] === 'sourcedId' ? sourcedId : '';
		return { id, problem: bondErrors[`${kind}NotInFile`] };
	}
	if (found.state === 'later' || found.state === 'out') return 'out';
	return { id: found.id, school: found.school, isGone: found.state === 'gone' };
}

const bondErrors = findingTypes('error', 'bond', {
	classNotInFile: {
		message: 'Bond: its class is not in classes.csv, or its row there cannot be used',
		what_to_do: 'Have the class exported with the others, or the enrollment taken out.',
	},
	userNotInFile: {
		message: 'Bond: its user is not in users.csv, or its row there cannot be used',
		what_to_do: 'Have the user exported with the others, or the enrollment taken out.',
	},
});

const bondNotes = findingTypes('information', 'bond', {
	notBegun: {
		message: 'Bond: the enrollment has not begun yet',
		what_to_do: 'Nothing: it is read from that day on.',
	},
});
