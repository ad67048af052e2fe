/** Bonds: who is in which class, from enrollments.csv. */
import type { Fields, Place } from '../roster/record';

import type { ClassRead, Classes } from './classes';
import { readDate } from './dates';
import type { Cause } from '../roster/findings';
import type { People } from './people';
import type { Person } from './person';
import { roleNotMapped } from './peopleCauses';
import {
	cellOf,
	dateNotRead,
	isNoLongerWhole,
	placeOf,
	remembering,
	standings,
	whenIs,
	type RosterReading,
} from './reading';
import { noSchool, type School, type Schools } from './schools';

/** One end of a bond: its id in the service where it is known, and why there is no bond. `out`: the bond is not asked for. */
type End = { id: string; isGone?: boolean; school?: School; cause?: Cause } | 'out';

/** Reads all enrollments, and gives bonds to the collector. */
export async function readBonds(
	reading: RosterReading,
	schools: Schools,
	people: People,
	classes: Classes,
): Promise<void> {
	const { tables, rules, findings, collector, turns } = reading;
	const table = tables.enrollments;
	if (table === undefined) return;
	const standing = await standings(reading, 'enrollments', 'bond');
	const dateOf = remembering((cell) => readDate(cell, rules.dateFormat));
	const notRead = dateNotRead(table.file, 'beginDate or endDate', rules.dateFormat);
	await turns.forEach(table.size, (row) => {
		if (standing[row] === 'unusable') return;
		const source = placeOf(table, row);
		const role = cellOf(table, 'role', row);
		const profile = rules.profileOf(role);
		const when = whenIs(cellOf(table, 'beginDate', row), cellOf(table, 'endDate', row), rules.asOf, dateOf);
		const ofClass = classEnd(cellOf(table, 'classSourcedId', row), classes, reading);
		const ofUser = userEnd(cellOf(table, 'userSourcedId', row), people, reading);
		const hasLeft = standing[row] === 'gone' || when === 'ended';
		if (ofClass === 'out' || ofUser === 'out' || profile === '') return;
		if (when === 'later' && !hasLeft) return findings.add(notBegun, source);
		const school = ofClass.school ?? schools.of(cellOf(table, 'schoolSourcedId', row));
		const ids: Fields = {
			school_external_id: school.id ?? '',
			class_external_id: ofClass.id,
			user_external_id: ofUser.id,
			profile_name: profile ?? '',
		};
		if (hasLeft) {
			const isUnclear = role === '' || [ids.school_external_id, ofClass.id, ofUser.id].includes('');
			if (isUnclear && reading.completeness.bond !== 'whole') findings.add(leftUnclear, source);
			return collector.leave('bond', ids, source);
		}
		if (ofClass.isGone || ofUser.isGone) {
			collector.leave('bond', ids, source);
			return findings.add(endIsGone, source);
		}
		const cause =
			ofClass.cause ?? ofUser.cause ?? school.cause ?? (when === 'unreadable' ? notRead : undefined);
		if (cause !== undefined || profile === undefined || Object.values(ids).includes('')) {
			const why = cause ?? (profile === undefined ? roleNotMapped('bond', role) : endWithoutId);
			refuse(reading, ids, source, why, ofClass.school !== undefined);
		} else {
			collector.add('bond', ids, source);
		}
	});
}

/**
 * Traps: a bond that cannot be told must not look like one that is gone; a role that nobody mapped was never sent. And the school of a bond is that
 * of its class: where the class cannot be read tonight, the one that the enrollment names may be another, so the bond may be of any.
 */
function refuse(
	reading: RosterReading,
	ids: Fields,
	source: Place,
	cause: Cause,
	isSchoolKnown: boolean,
): void {
	const isTold = ids.school_external_id !== '' && ids.class_external_id !== '' && ids.user_external_id !== '';
	if (!isTold && cause !== noSchool) isNoLongerWhole(reading, 'bond');
	reading.collector.refuse('bond', isSchoolKnown ? ids : { ...ids, school_external_id: '' }, source, {
		...cause,
		kind: 'bond',
	});
}

/** Somebody who is not in the file: that is right where it need not hold everybody. */
function unknownEnd(sourcedId: string, isWhole: boolean, isSourcedId: boolean, cause: Cause): End {
	const id = isSourcedId ? sourcedId : '';
	return id !== '' && !isWhole ? { id } : { id, cause };
}

function classEnd(sourcedId: string, classes: Classes, { completeness, rules }: RosterReading): End {
	const known: ClassRead | undefined = classes.known.get(sourcedId);
	if (known === undefined) {
		// Its row cannot be used; but it is there, and a finding says so.
		const isWhole = completeness.class === 'whole' || classes.unusable.has(sourcedId);
		return unknownEnd(sourcedId, isWhole, rules.classIdFrom === 'sourcedId', classNotInFile);
	}
	if (known.state === 'out') return 'out';
	return { id: known.id, school: known.school, isGone: known.state === 'gone' };
}

function userEnd(sourcedId: string, people: People, { completeness, rules }: RosterReading): End {
	const known: Person | undefined = people.known.get(sourcedId);
	if (known === undefined) {
		const isWhole = completeness.user === 'whole' || people.unusable.has(sourcedId);
		return unknownEnd(sourcedId, isWhole, rules.userIdFrom === 'sourcedId', userNotInFile);
	}
	if (known.state === 'later' || known.state === 'out') return 'out';
	return { id: known.id, isGone: known.state === 'gone' };
}

const classNotInFile: Cause = {
	severity: 'error',
	code: 'classNotInFile',
	message: 'Bond: its class is not in classes.csv, or its row there cannot be used',
	what_to_do: 'Have the class exported with the others, or the enrollment taken out.',
};

const userNotInFile: Cause = {
	severity: 'error',
	code: 'userNotInFile',
	message: 'Bond: its user is not in users.csv, or its row there cannot be used',
	what_to_do: 'Have the user exported with the others, or the enrollment taken out.',
};

const endWithoutId: Cause = {
	severity: 'error',
	code: 'idMissing',
	message: 'Bond: its class or its user has no id',
	what_to_do: 'See the findings about classes and users.',
};

/** Where absence says nothing, nobody would notice. */
const leftUnclear: Cause = {
	severity: 'error',
	code: 'leftUnclear',
	kind: 'bond',
	message: 'Bond: the row of an enrollment that has left does not say its class, its user or its role',
	what_to_do:
		'Have these columns exported for rows that have left, too. Until then, the bond stays: remove it in the service by hand.',
};

const endIsGone: Cause = {
	severity: 'information',
	code: 'enrollmentOfGone',
	kind: 'bond',
	message: 'Bond: its class or its user has left, the enrollment has not',
	what_to_do: 'Nothing: the bond counts as gone.',
};

const notBegun: Cause = {
	severity: 'information',
	code: 'notBegun',
	kind: 'bond',
	message: 'Bond: the enrollment has not begun yet',
	what_to_do: 'Nothing: it is read from that day on.',
};
