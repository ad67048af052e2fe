/** What is said of records that cannot be sent, or that have left. */
import { kindOfKey } from '../ledger/key';
import { findingTypes, type FindingType } from '../roster/finding';
import type { Kind } from '../roster/record';

const ANOTHER =
	'Nothing that needs it is sent until then. If it is the same one and only corrected, run the operation Resolve with its key and "inService". If it is another one, give it an id of its own in the school system.';

export const planErrors = findingTypes('error', 'any', {
	anotherPerson: (fields: string[]) => ({
		...{ kind: 'user', fields, isOfOne: true },
		message:
			'A user has another first name and another birth date or document than the one who was created with this id',
		what_to_do: ANOTHER,
	}),
	anotherYear: (fields: string[]) => ({
		...{ kind: 'class', fields, isOfOne: true },
		message: 'A class is of another year than the one that was created with this id',
		what_to_do:
			'Nobody is put into it until then. Where ids of classes come again each year, set Mapping → Class ID From to Identifier and Year, for files and for rows of a sheet: only at the turn of a year, since all classes are new then. The next Sync is held once for it (idsChanged), which is right to approve. If the year was only corrected, run the operation Resolve with its key and "inService".',
	}),
	looksLikeKnown: (kind: Kind, known: string) => ({
		...{ kind, isOfOne: true },
		message: `A ${kind} has an id that differs from a known one (${known}) in nothing but its writing: case, zeros in front, or characters that nobody sees`,
		what_to_do:
			'It is not created, and the known one counts as there. Correct the id in the export. If it is really another one, run the operation Resolve with its key and "notInService".',
	}),
	newTwice: (kind: Kind, other: string) => ({
		...{ kind, isOfOne: true },
		message: `A ${kind} is new, and so is the same one with an id that differs (${other}) in nothing but its writing: case, zeros in front, or characters that nobody sees`,
		what_to_do:
			'Neither is created: nobody could remove the second one. Give all of its rows the same id where the roster comes from. If they are really two, run the operation Resolve with the key of each and "notInService".',
	}),
	personTwice: (known: string) => ({
		...{ kind: 'user', isOfOne: true },
		message: `A new user has the name of a known one (${known}) of the school, and the birth date, the document, or an id that was made of the student or the document`,
		what_to_do:
			'It is not created, since nobody could remove the second one, and the known one counts as there. If the id has changed, give the export the old one; where it was made, take out the document that was filled in later: the service could not be told of it. If it is really somebody else, or a second user on purpose, run the operation Resolve with its key and "notInService".',
	}),
	responsibleCircle: {
		kind: 'user',
		message:
			'Users need one another as responsible persons in a circle, so that none of them can be created first',
		what_to_do: 'Take one of them out of the circle in the export. They are left out until then.',
	},
	needsUnknown: (kind: Kind, lacking: string) => {
		const who = lacking.startsWith('u:') && kind === 'user' ? 'responsible person' : kindOfKey(lacking);
		// Where users are told apart by school, the same id in another school is somebody else.
		const needed = lacking.startsWith('u:') && lacking.includes('|') ? `${who} of its school` : who;
		return {
			...{ kind, isOfOne: true },
			message: `A ${kind} names a ${needed} that is neither in the export nor in the ledger`,
			what_to_do: `Add the ${needed} to the export, or take it out of the ${kind}. The ${kind} is left out until then.`,
		};
	},
});

export const planWarnings = findingTypes('warning', 'any', {
	uncertain: (kind: Kind) => ({
		...{ kind, isOfOne: true },
		message: `A ${kind} was sent in an earlier run, or had an error when its school was taken over, and nobody knows whether the service has it`,
		what_to_do:
			'Look into the service, and run the operation Resolve with its key and "inService" or "notInService". Where the service refuses what it has already, Statuses That Mean It Exists and Existing Records: Adopt settle it without a person.',
	}),
	exists: (kind: Kind) => ({
		...{ kind, isOfOne: true },
		message: `The service says that a ${kind} exists already, although it was not created here`,
		what_to_do:
			'It may be somebody else\'s, so what needs it waits. Look into the service, and run the operation Resolve with its key and "inService"; or correct in the school system what both have (id, e-mail, document): with other values it is sent the same night.',
	}),
	schoolEmpty: (school: string) => ({
		message: `The export has no class, no user and no bond of school ${school}, and the ledger has`,
		what_to_do:
			'Nothing of this school is removed for now. If the school should be in the export, look why it is not. When it was away for seven days, what is left of it is held, for a person to decide.',
	}),
	schoolKnown: (school: string) => ({
		message: `The ledger knows school ${school} already, so that nothing of it was taken over`,
		what_to_do:
			'Run Sync for it. It creates what the ledger does not know of; where the service has that already, name its status under Statuses That Mean It Exists, and set Existing Records to Adopt, but only where it refuses users that it has, too.',
	}),
});

/** Of a list, which says itself who leaves: nothing sends the removal again. */
export const uncertainRemoval: FindingType = {
	severity: 'warning',
	code: 'uncertain',
	...{ kind: 'bond', action: 'remove', isOfOne: true },
	message: 'The removal of a bond was sent in an earlier run, and nobody knows whether it was done',
	what_to_do:
		'Look into the service. If the bond is still there, remove it by hand, or give Sync a list that says again that it is gone. Once it is gone, run the operation Resolve with its key and "notInService".',
};

export interface LeftRecord {
	kind: Exclude<Kind, 'bond'>;
	key: string;
	school: string;
}

export const hasLeft = ({ kind }: Pick<LeftRecord, 'kind'>): FindingType => ({
	severity: 'information',
	code: kind === 'class' ? 'classLeft' : 'userLeft',
	...{ kind, isOfOne: true },
	message: `A ${kind} is no longer in the export, and the service has no call that removes it`,
	what_to_do: 'Nothing while a hold waits. Then remove it in the service by hand if it should not stay.',
});
