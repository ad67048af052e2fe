/** What may be said about people: see people.ts and roles.ts for when. */
import type { Cause } from '../roster/findings';
import type { Rules } from './mapping';
import type { Role } from './roles';

/** Roles of OneRoster and SDS beside the built-in ones. Others are not shown: a cell that was moved holds a person's name. */
const KNOWN_ROLES = new Set(
	[
		...[
			'administrator',
			'aide',
			'counselor',
			'districtAdministrator',
			'principal',
			'proctor',
			'siteAdministrator',
		],
		...[
			'systemAdministrator',
			'adjunct',
			'doctor',
			'faculty',
			'instructor',
			'lecturer',
			'nurse',
			'officeStaff',
			'other',
		],
		...[
			'professor',
			'researcher',
			'staff',
			'substitute',
			'teacherAssistant',
			'teachingAssistant',
			'tutor',
			'assistant',
		],
	].map((role) => role.toLowerCase()),
);

const shown = (role: string) =>
	KNOWN_ROLES.has(role.toLowerCase()) ? `the role "${role}"` : 'a role that the format does not know';

export const OTHER_ROLES =
	'Map it to a profile under Mapping → Roles, or to none to leave it out without a finding. The other roles of the person count.';

export function unmapped(roles: readonly Role[]): Cause[] {
	const names = roles.filter(({ profile }) => profile === undefined).map(({ role }) => role.toLowerCase());
	return [...new Set(names)].map((role) => roleNotMapped('user', role));
}

/** A role that no row of the mapping is for. */
export function roleNotMapped(kind: 'user' | 'bond', role: string): Cause {
	return {
		severity: 'error',
		code: 'roleNotMapped',
		kind,
		message: `${kind === 'user' ? 'User' : 'Bond'}: nobody said which profile ${shown(role)} is`,
		what_to_do: 'Map it to a profile under Mapping → Roles, or to none to leave these out without a finding.',
	};
}

export const withoutId = (rules: Rules): Cause => ({
	severity: 'error',
	code: 'idMissing',
	message: `User: ${rules.userIdFrom} is empty`,
	what_to_do:
		'Fill it in where the roster comes from, or choose another column under Mapping → User ID From. Until then, no user counts as gone because it is not in the files.',
});

export const withoutRole: Cause = {
	severity: 'error',
	code: 'userWithoutRole',
	message: 'User: no role, neither as student nor as anything else',
	what_to_do: 'Give the person a role where the roster comes from.',
};

export const studentWithoutSchool: Cause = {
	severity: 'error',
	code: 'studentWithoutSchool',
	message: 'User: the students of that person have no school that can be used',
	what_to_do: 'See the findings about the schools of these students.',
};

export const birthUnusable: Cause = {
	severity: 'error',
	code: 'birthUnusable',
	message: 'User: the row of that person in demographics.csv cannot be used',
	what_to_do: 'See the finding about that row. The service offers no way to add the day of birth later.',
};

export const responsibleNotInFile: Cause = {
	severity: 'error',
	code: 'responsibleNotInFile',
	message: 'User: a responsible person of that student is not in users.csv',
	what_to_do:
		'Have that person exported too, or take the link away. The service offers no way to add a responsible person later.',
};

export const responsibleWithoutId: Cause = {
	severity: 'error',
	code: 'responsibleWithoutId',
	message: 'User: a responsible person of that student has no id',
	what_to_do:
		'Fill in the id of that person, or take the link away. The service offers no way to add a responsible person later.',
};

export const responsibleGone: Cause = {
	severity: 'information',
	code: 'responsibleGone',
	kind: 'user',
	message: 'User: a responsible person of that student has left, or has not begun, and is not named',
	what_to_do: 'Nothing.',
};

export const severalRows: Cause = {
	severity: 'warning',
	code: 'personTwice',
	kind: 'user',
	message:
		'users.csv: one person (the same username or identifier) has several rows, as OneRoster 1.1 does for each role',
	what_to_do: 'Nothing, if the service is to have one user for each row.',
};

export const notEnabled: Cause = {
	severity: 'warning',
	code: 'notEnabled',
	kind: 'user',
	message: 'users.csv: enabledUser is not true',
	what_to_do: 'Nothing, if these persons belong to the roster: they are read like the others.',
};

export const enabledHealed: Cause = {
	severity: 'warning',
	code: 'trueWritten',
	kind: 'user',
	message: 'users.csv: enabledUser is written as TRUE, 1 or yes',
	what_to_do: 'Nothing: it is taken as true.',
};

export const notBegun: Cause = {
	severity: 'information',
	code: 'notBegun',
	kind: 'user',
	message: 'User: no role has begun yet',
	what_to_do: 'Nothing: the person is read from that day on.',
};

export const leftOut: Cause = {
	severity: 'information',
	code: 'leftOut',
	kind: 'user',
	message:
		'User: left out, because of a role that is mapped to no profile, or as responsible for no student who is here',
	what_to_do: 'Nothing.',
};
