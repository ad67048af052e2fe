import { isObject } from '../checks/check-fields.mts';
import { userAccessPayload, userAccessRevocationPayload } from '../document/events.mts';
import type { DocumentedField, FieldTable } from '../document/field-table.mts';
import type { Variant } from '../variants.mts';
import type { Envelope } from './envelopes.mts';

type Change = (field: DocumentedField, value: unknown) => unknown;

/** An event as the variants make it. Ids stay, so that it can still be told whose it is. */
export function variedEnvelope<Sent extends Envelope>(envelope: Sent, variants: readonly Variant[]): Sent {
	const on = (Object.keys(changes) as Array<keyof typeof changes>).find((name) => variants.includes(name));
	if (on === undefined) return envelope;
	const { header, payload } = envelope;
	const table = header.action === 'USER_ACCESS' ? userAccessPayload : userAccessRevocationPayload;
	return {
		...envelope,
		header: on === 'long-event-values' ? withMilliseconds(header) : header,
		payload: changedObject(table, payload, changes[on]),
	};
}

/** `created_at` has room for 20 characters; with milliseconds it has 24. */
const withMilliseconds = (header: Envelope['header']): Envelope['header'] => ({
	...header,
	created_at: header.created_at.replace('Z', '.000Z'),
});

const isText = (value: unknown): value is string => typeof value === 'string';

const changes = {
	'empty-event-texts': ({ required }, value) => (required === true && isText(value) ? '' : value),
	'long-event-values': ({ type, size }, value) => {
		if (type === 'int' && typeof value === 'number') return value * 10;
		if (type === 'date' && isText(value)) return `${value}T00:00:00`;
		return isText(value) && size !== undefined ? value.padEnd(size + 1, 'x') : value;
	},
	'wrong-event-kinds': ({ type, required }, value) => {
		if (isText(value)) return [value];
		if (typeof value === 'number') return String(value);
		// What has to be there keeps its shape, so that what is in it can be of a wrong kind, too.
		if (required === true) return value;
		if (type === 'string[]' && Array.isArray(value)) return value.join(', ');
		if (Array.isArray(value)) return (value as unknown[])[0] ?? 'none';
		return isObject(value) ? Object.values(value).flat().join(' ') : value;
	},
} satisfies Partial<Record<Variant, Change>>;

function changedObject(
	table: FieldTable,
	value: Record<string, unknown>,
	change: Change,
): Record<string, unknown> {
	const result = { ...value };
	for (const field of table.fields) {
		// The samples spell the tax id `cpnj`.
		const name = field.name === 'cnpj' && !('cnpj' in value) ? 'cpnj' : field.name;
		if (value[name] !== undefined && value[name] !== null)
			result[name] = changedField(field, value[name], change);
	}
	return result;
}

function changedField(field: DocumentedField, value: unknown, change: Change): unknown {
	return /^(id|.+_id)$/.test(field.name) ? value : change(field, changedWithin(field.type, value, change));
}

function changedWithin(type: DocumentedField['type'], value: unknown, change: Change): unknown {
	if (typeof type !== 'object') return value;
	if ('object' in type) return isObject(value) ? changedObject(type.object, value, change) : value;
	if (!Array.isArray(value)) return value;
	return value.map((item: unknown) => (isObject(item) ? changedObject(type.list, item, change) : item));
}
