/**
 * The tables of the document's section "Event resources", written down once more, independently of the
 * schemas: path, type, size, required. A star stands for the first entry of a list.
 */
export type Kind = 'text' | 'number' | 'object' | 'list' | 'time' | 'date';

export interface Row {
	path: Array<string | number>;
	kind: Kind;
	size?: number;
	required: boolean;
}

type Column = [name: string, kind: Kind, size: number | undefined, required: boolean];

const id = (name: string, required = true): Column => [name, 'text', 36, required];
const text = (name: string, size: number, required = true): Column => [name, 'text', size, required];
const object = (name: string, required = true): Column => [name, 'object', undefined, required];
const list = (name: string, required = true): Column => [name, 'list', undefined, required];

const HASH = text('hash', 500);
const EXTERNAL_ID = text('external_id', 50, false);

function rows(at: string, columns: Column[]): Row[] {
	const parent = at.split('.').map((part) => (part === '*' ? 0 : part));
	return columns.map(([name, kind, size, required]) => ({ path: [...parent, name], kind, size, required }));
}

const HEADER = rows('header', [
	id('request_id'),
	text('client_id', 200),
	text('action', 100),
	['created_at', 'time', undefined, true],
]);

function bondRows(at: string): Row[] {
	return [
		...rows(at, [id('user_id'), id('class_id'), list('profiles'), list('subjects', false)]),
		...rows(`${at}.profiles.*`, [id('id'), text('name', 64)]),
		...rows(`${at}.subjects.*`, [id('id'), text('name', 50)]),
	];
}

const SCHOOL = 'payload.structure_school';
const USERS = 'payload.structure_users';

export const USER_ACCESS_TABLE: Row[] = [
	...HEADER,
	...rows('payload', [object('structure_school'), object('structure_users')]),
	...rows(SCHOOL, [HASH, object('tenant'), object('school'), object('class')]),
	...rows(`${SCHOOL}.tenant`, [HASH, id('id'), text('name', 100), EXTERNAL_ID, text('brand_name', 50)]),
	...rows(`${SCHOOL}.school`, [HASH, id('id'), text('name', 50), text('cnpj', 18), EXTERNAL_ID]),
	...rows(`${SCHOOL}.class`, [
		HASH,
		id('id'),
		text('name', 100),
		id('school_id'),
		text('code', 50),
		EXTERNAL_ID,
		text('course_code', 50, false),
		text('description', 500, false),
		['year', 'number', 4, true],
		object('educational_stage'),
		object('grade'),
		object('shift', false),
	]),
	...['educational_stage', 'grade', 'shift'].flatMap((name) =>
		rows(`${SCHOOL}.class.${name}`, [id('id'), text('name', 80)]),
	),
	...rows(USERS, [HASH, list('users'), object('bond')]),
	...rows(`${USERS}.users.*`, [
		HASH,
		id('id'),
		id('account_id'),
		text('name', 100),
		['date_of_birth', 'date', 10, true],
		object('cell_phone', false),
		text('email', 200, false),
		text('academic_email', 200, false),
		text('login', 50, false),
		EXTERNAL_ID,
		list('documents', false),
		list('responsible_ids', false),
	]),
	...rows(`${USERS}.users.*.cell_phone`, [text('ddi', 5), text('value', 20)]),
	...rows(`${USERS}.users.*.documents.*`, [text('type', 20), text('value', 20)]),
	...bondRows(`${USERS}.bond`),
];

export const USER_ACCESS_REVOCATION_TABLE: Row[] = [
	...HEADER,
	...rows('payload', [object('bond')]),
	...bondRows('payload.bond'),
];

/** A path as the answers write it. */
export function written(path: Row['path']): string {
	return path
		.map((part) => (typeof part === 'number' ? `[${part}]` : `.${part}`))
		.join('')
		.slice(1);
}

type Branch = Record<string | number, unknown>;

function parentOf(envelope: unknown, path: Row['path']): Branch {
	return path.slice(0, -1).reduce<unknown>((branch, part) => (branch as Branch)[part], envelope) as Branch;
}

const last = (path: Row['path']): string | number => path[path.length - 1] ?? '';

/** Puts a value where a path leads. */
export function put(envelope: object, path: Row['path'], value: unknown): object {
	parentOf(envelope, path)[last(path)] = value;
	return envelope;
}

/** Takes away what a path leads to. */
export function without(envelope: object, path: Row['path']): object {
	Reflect.deleteProperty(parentOf(envelope, path), last(path));
	return envelope;
}
