/** Bonds: who is in which class, from enrollments.csv. */
import { findingTypes, type FindingType } from '../roster/finding';
import type { Fields, Place } from '../roster/record';

import type { ClassRead } from './classes';
import { personFields } from './people';
import type { Person } from './person';
import { dateNotRead, standings, whenIs, type Known, type RosterReading } from './reading';
import type { School, Schools } from './schools';
import { cellOf, placeOf } from './table';
import { roleNotMapped } from './userFindings';

/** Reads all enrollments, and gives bonds to the collector. */
export async function readBonds(
	reading: RosterReading,
	schools: Schools,
	people: Known<Person>,
	classes: Known<ClassRead>,
): Promise<void> {
	const { tables, rules, findings, collector, turns } = reading;
	const table = tables.enrollments;
	if (table === undefined) return;
	const standing = await standings(reading, 'enrollments', 'bond');
	const notRead = dateNotRead(table.file, 'beginDate or endDate', rules.dateFormat);
	await turns.forEach(table.lines, (_, row) => {
		if (standing[row] === 'unusable') return;
		const source = placeOf(table, row);
		const role = cellOf(table, 'role', row);
		const profile = rules.profileOf(role);
		const when = whenIs(cellOf(table, 'beginDate', row), cellOf(table, 'endDate', row), rules);
		const ofClass = endOf('class', cellOf(table, 'classSourcedId', row), classes, reading);
		const ofUser = endOf('user', cellOf(table, 'userSourcedId', row), people, reading);
		const hasLeft = standing[row] === 'gone' || when === 'ended';
		if (ofClass === 'out' || ofUser === 'out' || profile === '') return;
		if (when === 'later' && !hasLeft) return findings.add(bondNotes.notBegun, source);
		const school = ofClass.school ?? schools.of(cellOf(table, 'schoolSourcedId', row));
		const person = ofUser.id === '' ? people.known.get(cellOf(table, 'userSourcedId', row)) : undefined;
		const ids: Fields = {
			...(person !== undefined && personFields(person, reading)),
			school_external_id: school.id ?? '',
			class_external_id: ofClass.id,
			user_external_id: ofUser.id,
			profile_name: profile ?? '',
		};
		const cause =
			ofClass.cause ?? ofUser.cause ?? school.cause ?? (when === 'unreadable' ? notRead : undefined);
		if (hasLeft) {
			const isUnclear = role === '' || !isTold(ids);
			if (isUnclear && reading.completeness.bond !== 'whole') findings.add(bondErrors.leftUnclear, source);
			collector.leave('bond', ids, source);
		} else if (ofClass.isGone || ofUser.isGone) {
			collector.leave('bond', ids, source);
			findings.add(bondNotes.enrollmentOfGone, source);
		} else if (cause !== undefined) refuse(reading, ids, source, cause, ofClass);
		else if (profile === undefined) refuse(reading, ids, source, roleNotMapped('bond', role), ofClass);
		else if (!isTold(ids)) refuse(reading, ids, source, bondErrors.idMissing, ofClass);
		else collector.add('bond', ids, source);
	});
}

function isTold(ids: Fields): boolean {
	return ids.school_external_id !== '' && ids.class_external_id !== '' && ids.user_external_id !== '';
}

/**
 * Traps: a bond that cannot be told must not look like one that is gone; a role that nobody mapped was never sent. And the school of a bond is that
 * of its class: where the class cannot be read tonight, the one that the enrollment names may be another, so the bond may be of any.
 */
function refuse(
	reading: RosterReading,
	ids: Fields,
	source: Place,
	cause: FindingType,
	ofClass: { school?: School },
): void {
	const isNamed = ids.class_external_id !== '' || ids.user_external_id !== '';
	const sure = ofClass.school === undefined && isNamed ? { ...ids, school_external_id: '' } : ids;
	reading.collector.refuse('bond', sure, source, cause);
}

/** One end of a bond: its id in the service where it is known, and why there is no bond. `out`: the bond is not asked for. */
type End = { id: string; isGone?: boolean; school?: School; cause?: FindingType } | 'out';

function endOf(
	kind: 'class' | 'user',
	sourcedId: string,
	{ known, unusable }: Known<{ id: string; state: Person['state']; school?: School }>,
	{ completeness, rules }: RosterReading,
): End {
	const found = known.get(sourcedId);
	if (found === undefined) {
		const id = rules[`${kind}IdFrom`] === 'sourcedId' ? sourcedId : '';
		// A file that need not hold everybody may lack it. A row that cannot be used is there, and a finding says so.
		const mayLackIt = completeness[kind] !== 'whole' && !unusable.has(sourcedId);
		return id !== '' && mayLackIt ? { id } : { id, cause: bondErrors[`${kind}NotInFile`] };
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
	idMissing: {
		message: 'Bond: its class or its user has no id',
		what_to_do: 'See the findings about classes and users.',
	},
	// Where absence says nothing, nobody would notice.
	leftUnclear: {
		message: 'Bond: the row of an enrollment that has left does not say its class, its user or its role',
		what_to_do:
			'Have these columns exported for rows that have left, too. Until then, the bond stays: remove it in the service by hand.',
	},
});

const bondNotes = findingTypes('information', 'bond', {
	enrollmentOfGone: {
		message: 'Bond: its class or its user has left, the enrollment has not',
		what_to_do: 'Nothing: the bond counts as gone.',
	},
	notBegun: {
		message: 'Bond: the enrollment has not begun yet',
		what_to_do: 'Nothing: it is read from that day on.',
	},
});
