/** Which call of the service a record becomes, and what it sends. */
import { createBond, createClass, createResponsible, createStudent, createUser, deleteBond } from '../../shared/calls/provisioning';
import { bond, classCreation, userCreation } from '../../shared/contract/provisioning';
import { digestOf } from '../ledger/digest';
import type { Fields, Kind } from '../roster/record';

/** The calls that a roster makes. */
export type RosterCall = typeof createClass | typeof createUser | typeof createResponsible | typeof createStudent | typeof createBond;

/** The call that creates this record, or removes this bond. The action node makes the same. */
export function callOf(action: 'create' | 'remove', kind: Kind, fields: Fields): RosterCall {
	if (action === 'remove') return deleteBond;
	if (kind === 'class') return createClass;
	return kind === 'bond' ? createBond : callOfUser(fields);
}

function callOfUser({ profiles }: Fields): RosterCall {
	const only = Array.isArray(profiles) && profiles.length === 1 ? String(profiles[0]) : profiles;
	if (only === 'student') return createStudent;
	return only === 'responsible' ? createResponsible : createUser;
}

export interface Issue {
	path: PropertyKey[];
	message: string;
}

export type CheckedFields = { ok: true; body: Fields } | { ok: false; issues: Issue[] };

/** The body of the request for a record: checked, and normalised, as the action node does it. */
export function bodyOf(action: 'create' | 'remove', kind: Kind, fields: Fields): CheckedFields {
	const call = callOf(action, kind, fields);
	const checked = call.contract.safeParse(fields);
	if (!checked.success) return { ok: false, issues: checked.error.issues };
	const { body } = (call.work.request as (input: unknown) => { body?: object })(checked.data);
	const present = withoutAbsent(body as Fields);
	const issues = brokenTexts(present);
	return issues.length === 0 ? { ok: true, body: present } : { ok: false, issues };
}

/** Trap: half of a character cannot be written as UTF-8, so that a ledger would give back another id than was put into it; a NUL no database takes. */
const BROKEN = /[\p{Surrogate}\0]/u;

function brokenTexts(body: Fields): Issue[] {
	const broken = Object.keys(body).filter((name) => BROKEN.test([body[name]].flat().join(' ')));
	return broken.map((name) => ({ path: [name], message: 'must be whole characters, but holds one half of a character or a NUL' }));
}

/** What is left out of the request is left out of the item too, or it would stand there as null. */
function withoutAbsent(body: Fields): Fields {
	return Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
}

const RESPONSIBLE = 'responsible_external_id';

/** What the content of a record is, by the names of the service, in a fixed order: what a version adds must not change the digest of what lacks it. */
const CONTENT: Record<Kind, readonly string[]> = {
	class: Object.keys(classCreation.shape).sort(),
	user: Object.keys(userCreation.shape).filter((name) => name !== RESPONSIBLE).sort(),
	bond: Object.keys(bond.shape).sort(),
};

/**
 * The digest of what is sent, the same for a number and its text, for an empty field and one that is not there. The responsible persons of a
 * student have a digest of their own behind a dot, so that it can be said what has changed.
 */
export function contentHashOf(kind: Kind, fields: Fields): string {
	let content = '';
	for (const name of CONTENT[kind]) content += written(name, fields[name]);
	const hash = digestOf(content);
	const persons = fields[RESPONSIBLE];
	return Array.isArray(persons) && persons.length > 0 ? `${hash}.${digestOf(JSON.stringify(persons.toSorted()))}` : hash;
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
