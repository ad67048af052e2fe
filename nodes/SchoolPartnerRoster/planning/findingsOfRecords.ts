/** What is said of records that are there otherwise than the roster has them. */
import type { RefusalDetail } from '../ledger/detail';
import type { LedgerEntry } from '../ledger/ledger';
import type { Cause } from '../roster/findings';
import type { Kind } from '../roster/record';

import type { Change } from './change';
import type { DesiredRecord } from './desired';
import type { PlanOptions } from './options';

export function changedRecord(
	{ kind, school }: DesiredRecord,
	entry: LedgerEntry,
	differing: string[],
	{ changedRecords }: PlanOptions,
): Cause {
	const [code, message] =
		entry.school !== school
			? ['schoolMoved', 'A user has moved to another school']
			: differing.join() === 'responsible_external_id'
				? ['responsibleChanged', 'The responsible persons of a student have changed']
				: ['recordChanged', `The content of a ${kind} has changed since it was created`];
	const what_to_do =
		changedRecords === 'sendAgain'
			? SENT_AGAIN
			: 'The service has no call that changes it: correct it there by hand. Then run the operation Resolve with its key and "inService", or this is said every time.';
	return { severity: 'warning', code, message, what_to_do, kind, fields: differing, isOfOne: true };
}

const SENT_AGAIN = 'It is sent again as a creation, as the option Changed Records asks.';

/** Of nearly everybody of a school. */
export const fieldMapped = (kind: Kind, field: string, { changedRecords }: PlanOptions): Cause => ({
	severity: 'warning',
	code: 'fieldMapped',
	...{ kind, fields: [field] },
	message: `The field ${field} has a value in nearly every ${kind}, and had none before`,
	what_to_do: changedRecords === 'sendAgain' ? SENT_AGAIN : NOT_SENT,
});

export const fieldUnmapped = (kind: Kind, field: string, { changedRecords }: PlanOptions): Cause => ({
	severity: 'warning',
	code: 'fieldUnmapped',
	...{ kind, fields: [field] },
	message: `The field ${field} has no value any more in nearly every ${kind} that had one`,
	what_to_do: `Look whether its column is still mapped, or has another name. ${changedRecords === 'sendAgain' ? SENT_AGAIN : NOT_SENT}`,
});

const NOT_SENT =
	'The service keeps what it has: it has no call that changes it. Where it takes a second creation as a change, the option Changed Records: Send Again sends each once.';

const ANOTHER =
	'Nothing that needs it is sent until then. If it is the same one and only corrected, run the operation Resolve with its key and "inService". If it is another one, give it an id of its own in the school system.';

export const anotherPerson = (fields: string[]): Cause => ({
	severity: 'error',
	code: 'anotherPerson',
	...{ kind: 'user', fields, isOfOne: true },
	message:
		'A user has another first name and another birth date or document than the one who was created with this id',
	what_to_do: ANOTHER,
});

export const anotherYear = (fields: string[]): Cause => ({
	severity: 'error',
	code: 'anotherYear',
	...{ kind: 'class', fields, isOfOne: true },
	message: 'A class is of another year than the one that was created with this id',
	what_to_do:
		'Nobody is put into it until then. Where ids of classes come again each year, set Mapping → Class ID From to Identifier and Year, for files and for rows of a sheet. If the year was only corrected, run the operation Resolve with its key and "inService".',
});

export const looksLikeKnown = (kind: Kind, known: string): Cause => ({
	severity: 'error',
	code: 'looksLikeKnown',
	...{ kind, isOfOne: true },
	message: `A ${kind} has an id that differs from a known one (${known}) in nothing but its writing: case, zeros in front, or characters that nobody sees`,
	what_to_do:
		'It is not created, and the known one counts as there. Correct the id in the export. If it is really another one, run the operation Resolve with its key and "notInService".',
});

export const personTwice = (known: string): Cause => ({
	severity: 'error',
	code: 'personTwice',
	...{ kind: 'user', isOfOne: true },
	message: `A new user has the name of a known one (${known}) of the school, and the birth date, the document, or an id that was made of the student or the document`,
	what_to_do:
		'It is not created: nobody could remove the second one. If the id has changed, give the export the old one. If it is really somebody else, or a second user on purpose, run the operation Resolve with its key and "notInService".',
});

export const uncertainRecord = (kind: Kind): Cause => ({
	severity: 'warning',
	code: 'uncertain',
	...{ kind, isOfOne: true },
	message: `A ${kind} was sent in an earlier run, and nobody knows whether the service has it`,
	what_to_do:
		'Look into the service, and run the operation Resolve with its key and "inService" or "notInService". Where the service refuses what it has already, Statuses That Mean It Exists and Existing Records: Adopt settle it without a person.',
});

export const existsAlready = (kind: Kind): Cause => ({
	severity: 'warning',
	code: 'exists',
	...{ kind, isOfOne: true },
	message: `The service says that a ${kind} exists already, although it was not created here`,
	what_to_do:
		'It may be somebody else\'s, so what needs it waits. Look into the service, and run the operation Resolve with its key and "inService"; or correct in the school system what both have (id, e-mail, document): with other values it is sent the same night.',
});

/** @param next YYYY-MM-DD */
export function refusedBefore(
	change: Change,
	{ status, code, refused: { since } }: RefusalDetail,
	next: string,
): Cause {
	const { kind, action } = change;
	const answer = [status === undefined ? [] : `status ${status}`, code ?? []].flat().join(', ');
	const what = action === 'remove' ? 'The removal of a bond' : `A ${kind}`;
	return {
		severity: 'error',
		code: 'refusedBefore',
		...{ kind, isOfOne: true },
		message: `${what} is refused by the service since ${since}${answer && ` (${answer})`}, and was not sent tonight`,
		what_to_do: `${mayLackNeeds(change)}It is tried next on ${next}, ${AT_ONCE}`,
	};
}

/** What is to be done about a refusal of tonight. @param next YYYY-MM-DD */
export function triedAgain(change: Change, next: string): string {
	return `${mayLackNeeds(change)}It is tried again on ${next}, then less and less often, ${AT_ONCE}`;
}

/** A bond is sent only where the ledger has its class and its user, a student only where it has the responsible persons. */
function mayLackNeeds({ kind, action, needs }: Change): string {
	if (action !== 'create' || needs.length === 0) return '';
	const [needed, again] =
		kind === 'bond' ? ['its class and its user', ', with its bonds'] : ['the responsible persons', ''];
	return `The ledger has ${needed}: the service may not have one of them. If so, run the operation Resolve with ${needs.join(' or ')} and "notInService": it is created again${again}. `;
}

const AT_ONCE =
	'and at once when its values in the roster change, or when the operation Resolve gets its key and "notInService".';

export const schoolIsEmpty = (school: string): Cause => ({
	severity: 'warning',
	code: 'schoolEmpty',
	message: `The export has no class, no user and no bond of school ${school}, and the ledger has`,
	what_to_do:
		'Nothing of this school is removed for now. If the school should be in the export, look why it is not. When it was away for seven days, what is left of it is held, for a person to decide.',
});
