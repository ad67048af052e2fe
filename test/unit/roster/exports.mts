/** Exports as they may come, of few schools and persons, so that they meet again and again. */
import fc from 'fast-check';

import type { RosterRecord } from '../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Roster } from '../../../nodes/SchoolPartnerRoster/roster/roster.ts';

import { aBond, aClass, aUser, rosterOf } from './world.mts';

/** Numbers are among the ids: a table may turn them from text into numbers. */
export const SCHOOLS = ['north', '17'];
const IDS = ['a', 'b|', 'c%', 'd', 'e', '5'];

const classes = fc.uniqueArray(
	fc.record({
		school: fc.constantFrom(...SCHOOLS),
		id: fc.constantFrom(...IDS.slice(0, 3)),
		name: fc.constantFrom('One', 'Two'),
	}),
	{ selector: ({ school, id }) => `${school} ${id}`, maxLength: 5 },
);
const users = (selector: (user: { school: string; id: string }) => string) =>
	fc.uniqueArray(
		fc.record({
			school: fc.constantFrom(...SCHOOLS),
			id: fc.constantFrom(...IDS),
			profile: fc.constantFrom('student', 'responsible', 'educator'),
			name: fc.constantFrom('One', 'Two'),
			responsible: fc.subarray(IDS, { maxLength: 2 }),
		}),
		{ selector, maxLength: 10 },
	);
const bonds = fc.uniqueArray(
	fc.record({
		school: fc.constantFrom(...SCHOOLS),
		ofClass: fc.constantFrom(...IDS.slice(0, 3)),
		user: fc.constantFrom(...IDS),
		profile: fc.constantFrom('student', 'educator'),
	}),
	{ selector: (bond) => JSON.stringify(bond), maxLength: 12 },
);

/** Schools as an export may have them, with references that lead nowhere, too. */
export function records(userKeys: 'network' | 'school'): fc.Arbitrary<RosterRecord[]> {
	const persons = users(({ school, id }) => (userKeys === 'school' ? `${school} ${id}` : id));
	return fc.tuple(classes, persons, bonds).map(([ofClasses, ofUsers, ofBonds]) => [
		...ofClasses.map(({ school, id, name }) => aClass(id, school, { name })),
		...ofUsers.map(({ school, id, profile, name, responsible }) =>
			aUser(id, profile, school, {
				first_name: name,
				...(profile === 'student' && { responsible_external_id: responsible }),
			}),
		),
		...ofBonds.map(({ school, ofClass, user, profile }) => aBond(user, ofClass, profile, school)),
	]);
}

/** An export of these records, in which one class has enrollments that cannot be sent. */
export function exportOf(all: readonly RosterRecord[]): Roster {
	const isFaulty = ({ kind, fields }: RosterRecord) => kind === 'bond' && fields.class_external_id === 'c%';
	return rosterOf(
		all.filter((record) => !isFaulty(record)),
		{ faulty: all.filter(isFaulty) },
	);
}
