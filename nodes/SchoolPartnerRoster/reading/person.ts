/** A person of the roster while it becomes a user. */
import type { FindingType } from '../roster/finding';
import type { Place } from '../roster/record';

/** A role in the words of the files. */
export interface Role {
	role: string;
	/** The service's profile; '' when left out on purpose, nothing when nobody said what it is. */
	profile: string | undefined;
	/** sourcedId of its org; '' for a role that is held wherever the student is. */
	org: string;
	isPrimary: boolean;
	when: 'now' | 'ended' | 'later';
}

/** One row of users.csv while it becomes a user. */
export interface Person {
	row: number;
	/** In the service; '' when the column that was chosen is empty. */
	id: string;
	/** `later`: no role has begun; `out`: left out on purpose, or responsible for nobody; `here` may still have causes. */
	state: 'here' | 'gone' | 'later' | 'out';
	roles: Role[];
	/** The schools of its profiles, in the order of the roles. */
	schools: Array<{ school: string; profile: string }>;
	// Trap: what few people have is not there for the others. A list for each of a hundred thousand is work for the memory.
	/** Why it cannot be sent, and where that stands, if not in its own row. */
	causes?: Array<{ cause: FindingType; at?: Place }>;
	students?: Person[];
	responsibles?: Person[];
	/** Ids of responsible persons who are not in the file. */
	unknownResponsibles?: string[];
	/** The school that is marked as primary, else the first. */
	mainSchool?: string;
	grade?: string;
	birthDate?: string;
}

/** Somebody cannot be sent. */
export function blame(person: Person, cause: FindingType, at?: Place): void {
	(person.causes ??= []).push({ cause, at });
}

/** Each school of a person once. */
export function schoolsOf({ schools }: Person): string[] {
	return schools.length === 1 ? [schools[0].school] : [...new Set(schools.map(({ school }) => school))];
}
