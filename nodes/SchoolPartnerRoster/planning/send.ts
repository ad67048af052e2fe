/** Which call of the service a record becomes, and what tells its content from another. */
import {
	createBond,
	createClass,
	createResponsible,
	createStudent,
	createUser,
	deleteBond,
} from '../../shared/calls/provisioning';
import { bond, classCreation, userCreation } from '../../shared/contract/provisioning';
import { digestOf } from '../ledger/digest';
import type { Fields, Kind } from '../roster/record';

/** The call that creates this record, or removes this bond. The action node makes the same. */
export function callOf(action: 'create' | 'remove', kind: Kind, { profiles }: Fields) {
	if (action === 'remove') return deleteBond;
	if (kind === 'class') return createClass;
	if (kind === 'bond') return createBond;
	const only = Array.isArray(profiles) && profiles.length === 1 ? String(profiles[0]) : profiles;
	if (only === 'student') return createStudent;
	return only === 'responsible' ? createResponsible : createUser;
}

const RESPONSIBLE = 'responsible_external_id';

/** What the content of a record is, by the names of the service, in a fixed order: what a version adds must not change the digest of what lacks it. */
const CONTENT: Record<Kind, readonly string[]> = {
	class: Object.keys(classCreation.shape).sort(),
	user: Object.keys(userCreation.shape)
		.filter((name) => name !== RESPONSIBLE)
		.sort(),
	bond: Object.keys(bond.shape).sort(),
};

/**
 * The digest of what is sent, the same for a number and its text, for an empty field and one that is not there. The responsible persons of a
 * student have a digest of their own behind a dot, so that it can be said what has changed.
 */
export function fieldsDigest(kind: Kind, fields: Fields): string {
	let content = '';
	for (const name of CONTENT[kind]) content += written(name, fields[name]);
	const hash = digestOf(content);
	const persons = fields[RESPONSIBLE];
	return Array.isArray(persons) && persons.length > 0
		? `${hash}.${digestOf(JSON.stringify(persons.toSorted()))}`
		: hash;
}

/** With its length, so that no text looks like two fields. */
function written(name: string, value: Fields[string] | undefined): string {
	if (value === undefined || value === null || value === '') return '';
	if (typeof value === 'object' && value.length === 0) return '';
	const text = typeof value === 'object' ? JSON.stringify(value.toSorted()) : String(value);
	return `${name} ${text.length} ${text}\n`;
}

/** True when of two digests of a student only the responsible persons differ. */
export function onlyResponsibleDiffer(one: string, other: string): boolean {
	return one.split('.')[0] === other.split('.')[0];
}
