import type { DocumentedField, FieldTable, FieldType } from '../document/field-table.mts';

/** What is wrong with a request body, in the words of an API: one sentence per field. */
export type Findings = string[];

export interface CheckRules {
	/**
	 * Fields that must be there and not empty. The document leaves open which ones are required, so this is
	 * the sandbox's own decision: without them a record could not be found again.
	 */
	readonly refusedWhenEmpty?: readonly string[];
	/** Path in front of the field names, e.g. `data[2].`. */
	readonly prefix?: string;
}

/** As the document counts: an emoji is one character, and two UTF-16 units. */
export const charactersOf = (text: string): number => [...text].length;

export function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Holds a value against a table of the document: types, sizes, null, unknown fields. */
export function checkFields(table: FieldTable, value: unknown, rules: CheckRules = {}): Findings {
	const prefix = rules.prefix ?? '';
	if (!isObject(value)) return [`${prefix.replace(/\.$/, '') || 'The body'} must be a JSON object.`];
	const known = new Set(table.fields.map(({ name }) => name));
	const unknown = Object.keys(value)
		.filter((name) => !known.has(name))
		.map((name) => `${prefix}${name} is not a known field.`);
	return [
		...unknown,
		...table.fields.flatMap((field) => checkField(field, value[field.name], prefix, rules)),
	];
}

function checkField(field: DocumentedField, value: unknown, prefix: string, rules: CheckRules): Findings {
	const name = `${prefix}${field.name}`;
	const mustBeFilled = rules.refusedWhenEmpty?.includes(field.name) ?? false;
	if (value === undefined) return mustBeFilled ? [`${name} is required.`] : [];
	if (value === null) {
		if (field.nullable) return [];
		return [mustBeFilled ? `${name} is required.` : `${name} must not be null.`];
	}
	if (mustBeFilled && isEmpty(value)) return [`${name} must not be empty.`];
	const wrong = wrongType(field.type, value, name);
	if (wrong.length > 0 || field.size === undefined || typeof value !== 'string') return wrong;
	return charactersOf(value) > field.size ? [`${name} must have at most ${field.size} characters.`] : [];
}

const isEmpty = (value: unknown): boolean =>
	(typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);

function wrongType(type: FieldType, value: unknown, name: string): Findings {
	if (typeof type === 'object') {
		if ('object' in type) return checkFields(type.object, value, { prefix: `${name}.` });
		if (!Array.isArray(value)) return [`${name} must be an array.`];
		return value.flatMap((item, index) => checkFields(type.list, item, { prefix: `${name}[${index}].` }));
	}
	return accepts[type](value) ? [] : [`${name} must be ${described[type]}.`];
}

const isText = (value: unknown): value is string => typeof value === 'string';

const accepts: Record<Exclude<FieldType, object>, (value: unknown) => boolean> = {
	string: isText,
	int: (value) => Number.isInteger(value),
	bool: (value) => typeof value === 'boolean',
	date: (value) => isText(value) && isDate(value),
	datetime: (value) => isText(value) && isUtcTimestamp(value),
	timestamp: (value) => isText(value) && isUtcTimestamp(value),
	uuid: (value) => isText(value) && isUuid(value),
	'string[]': (value) => Array.isArray(value) && value.every((item) => isText(item) && item.trim() !== ''),
};

const described: Record<Exclude<FieldType, object>, string> = {
	string: 'a string',
	int: 'an integer',
	bool: 'a boolean',
	date: 'a date of the shape YYYY-MM-DD',
	datetime: 'an ISO 8601 timestamp in UTC',
	timestamp: 'an ISO 8601 timestamp in UTC',
	uuid: 'a UUID',
	'string[]': 'an array of strings that are not empty',
};

/** A day of the calendar written YYYY-MM-DD: 2026-02-30 is not one. */
export function isDate(text: string): boolean {
	if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
	const time = Date.parse(`${text}T00:00:00Z`);
	return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** An ISO 8601 point in time that says it is UTC: a `Z`, or an offset of zero. */
export function isUtcTimestamp(text: string): boolean {
	const match = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:Z|[+-]00:00)$/.exec(text);
	if (!match) return false;
	return isDate(match[1]) && Number(match[2]) < 24 && Number(match[3]) < 60 && Number(match[4] ?? 0) < 60;
}

export function isUuid(text: string): boolean {
	return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i.test(text);
}

export const emptyGuid = '00000000-0000-0000-0000-000000000000';
