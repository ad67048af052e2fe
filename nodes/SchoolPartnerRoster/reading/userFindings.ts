/** What is said of people of files: see people.ts, person.ts and roles.ts for when. */
import { findingTypes } from '../roster/finding';

export const userErrors = findingTypes('error', 'user', {
	idMissing: (column: string) => ({
		message: `User: ${column} is empty`,
		what_to_do:
			'Fill it in where the roster comes from, or choose another column under Mapping → User ID From. Until then, what it may be about stays.',
	}),
	userWithoutRole: {
		message: 'User: no role, neither as student nor as anything else',
		what_to_do: 'Give the person a role where the roster comes from.',
	},
	studentWithoutSchool: {
		message: 'User: the students of that person have no school that can be used',
		what_to_do: 'See the findings about the schools of these students.',
	},
	birthUnusable: {
		message: 'User: the row of that person in demographics.csv cannot be used',
		what_to_do: 'See the finding about that row. The service offers no way to add the day of birth later.',
	},
	roleUnusable: {
		message: 'User: a row of that person in roles.csv cannot be used',
		what_to_do: 'See the finding about that row.',
	},
	relationshipUnusable: {
		message: 'User: a row of that student in relationships.csv cannot be used',
		what_to_do: 'See the finding about that row.',
	},
	responsibleNotInFile: {
		message: 'User: a responsible person of that student is not in users.csv',
		what_to_do:
			'Have that person exported too, or take the link away. The service offers no way to add a responsible person later.',
	},
	responsibleWithoutId: {
		message: 'User: a responsible person of that student has no id',
		what_to_do:
			'Fill in the id of that person, or take the link away. The service offers no way to add a responsible person later.',
	},
});

export const userWarnings = findingTypes('warning', 'user', {
	notEnabled: {
		message: 'users.csv: enabledUser is not true',
		what_to_do:
			'Nothing, if these persons belong to the roster: they are read like the others. If they have left, set the option Disabled Users of Sync or Preview to Has Left.',
	},
	roleOfNobody: {
		message: 'roles.csv: the user is not in users.csv',
		what_to_do: 'Have the user exported too, when that person is to be in the service.',
	},
	relationshipOfNobody: {
		message: 'relationships.csv: the student is not in users.csv',
		what_to_do: 'Have the student exported too, when both are to be in the service.',
	},
	agentNotResponsible: {
		message: 'users.csv: of a person and its agent, none is a student whom the other is responsible for',
		what_to_do:
			'Give the agent the role parent, guardian or relative, or map its role to the profile responsible under Mapping → Roles.',
	},
});

export const userNotes = findingTypes('information', 'user', {
	responsibleGone: {
		message: 'User: a responsible person of that student has left, or has not begun, and is not named',
		what_to_do: 'Nothing.',
	},
	relationshipNotUsed: {
		message: 'relationships.csv: a relationship that makes nobody responsible (doctor, aide, other)',
		what_to_do: 'Nothing. Map the role to the profile responsible under Mapping → Roles when it should.',
	},
	notBegun: {
		message: 'User: no role has begun yet',
		what_to_do: 'Nothing: the person is read from that day on.',
	},
	leftOut: {
		message:
			'User: left out, because of a role that is mapped to no profile, or as responsible for no student who is here',
		what_to_do: 'Nothing.',
	},
});

/** Roles of OneRoster and SDS beside the built-in ones. Others are not shown: a cell that was moved holds a person's name. */
const KNOWN_ROLES = [
	...['adjunct', 'administrator', 'aide', 'assistant', 'counselor', 'districtAdministrator', 'doctor'],
	...['faculty', 'instructor', 'lecturer', 'nurse', 'officeStaff', 'other', 'principal', 'proctor'],
	...['professor', 'researcher', 'siteAdministrator', 'staff', 'substitute', 'systemAdministrator'],
	...['teacherAssistant', 'teachingAssistant', 'tutor', 'child'],
].map((role) => role.toLowerCase());

const shownRole = (role: string) =>
	KNOWN_ROLES.includes(role.toLowerCase()) ? `the role "${role}"` : 'a role that the format does not know';

/** Whether somebody may be a guardian by a role that nobody mapped. A tutor is one in Spanish; without a word it is another one (SDS). */
export const mayBeResponsible = (role: string, profile: string | undefined) =>
	profile === undefined &&
	role !== '' &&
	(role.toLowerCase() === 'tutor' || !KNOWN_ROLES.includes(role.toLowerCase()));

/** A role that no row of the mapping is for. */
export const { roleNotMapped } = findingTypes('error', 'any', {
	roleNotMapped: (kind: 'user' | 'bond', role: string) => ({
		message: `${kind === 'user' ? 'User' : 'Bond'}: nobody said which profile ${shownRole(role)} is`,
		what_to_do:
			'Map it to a profile under Mapping → Roles, or to none: these are left out, and their students come without them for good.',
	}),
});
