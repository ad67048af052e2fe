/** What the service should have tonight, by the keys of the ledger, and whose record each is. */
import type { Network, Person } from './network.mts';

export interface Truth {
	/** Of each user the number of the person. */
	users: Map<string, number>;
	/** Of each user the ones of the responsible persons. */
	responsible: Map<string, number[]>;
	/** Of each class the year. */
	classes: Map<string, number>;
	bonds: Set<string>;
}

const PROFILES = { student: 'student', guardian: 'responsible', teacher: 'educator' };

const part = (id: string) => id.replaceAll('%', '%25').replaceAll('|', '%7C');

export const userKey = (school: string, id: string) => `u:${part(school)}|${part(id)}`;

/** Of a user's key. */
export const idOf = (key: string) => key.slice(key.indexOf('|') + 1);

export function truthOf({ people, classes, nextClasses }: Network): Truth {
	const truth: Truth = { users: new Map(), responsible: new Map(), classes: new Map(), bonds: new Set() };
	for (const { externalId, school, year } of [...classes, ...nextClasses])
		truth.classes.set(`c:${part(school)}|${part(externalId)}`, year);
	for (const person of people) {
		if (person.role === 'guardian') continue;
		addUser(truth, person);
		for (const ofClass of [...person.classes, ...(person.nextClass ? [person.nextClass] : [])])
			truth.bonds.add(
				`b:${[ofClass.school, ofClass.externalId, person.id, PROFILES[person.role]].map(part).join('|')}`,
			);
	}
	return truth;
}

/** In each of the schools, with the responsible persons of a student. */
function addUser({ users, responsible }: Truth, { id, number, schools, guardians }: Person): void {
	for (const school of schools) {
		users.set(userKey(school, id), number);
		responsible.set(
			userKey(school, id),
			guardians.map((one) => one.number),
		);
		for (const guardian of guardians) users.set(userKey(school, guardian.id), guardian.number);
	}
}
