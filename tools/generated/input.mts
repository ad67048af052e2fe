/** What one operation takes: the label in the editor, where the value goes, its format, size, and what becomes of nothing. */
import type { INodeProperties } from 'n8n-workflow';

import type { Operation } from '../../nodes/SchoolPartner/framework/operation.ts';
import { entryFields, exampleInput, type Input } from './examples.mts';
import { code, table } from './table.mts';
import { placesOf, requestsOf, sentValue } from './wire.mts';
import { formatOf, sizeOf, type Ask } from './words.mts';

/** A field of the input, or of an entry in one of its lists: `responsible`, 0, `name`. */
interface Field {
	path: Array<string | number>;
	label: string;
	property: INodeProperties;
}

export function inputTable(operation: Operation): string {
	const fields = fieldsOf(operation);
	if (fields.length === 0) return 'Nothing has to be filled in.';
	const sent = operation.work.kind !== 'own';
	const head = ['Field', ...(sent ? ['On the wire'] : []), 'Format', 'Longest', 'Required', 'When empty'];
	return table(
		head,
		fields.map((field) => row(operation, field, sent)),
	);
}

function fieldsOf({ fields, additionalFields, optionFields }: Operation): Field[] {
	return [
		...under('', fields),
		...under('Additional Fields > ', additionalFields),
		...under('Options > ', optionFields),
	];
}

function under(group: string, fields: Record<string, INodeProperties> = {}): Field[] {
	return Object.entries(fields).flatMap(([field, property]) => {
		const label = `${group}${property.displayName}`;
		const entry = entryFields(property);
		if (entry === undefined) return [{ path: [field], label, property }];
		return Object.entries(entry).map(([member, each]) => ({
			path: [field, 0, member],
			label: `${label} > ${each.displayName}`,
			property: each,
		}));
	});
}

function row(operation: Operation, { path, label, property }: Field, sent: boolean): string[] {
	const example = exampleInput(operation);
	const ask = askerOf(operation, example, path);
	const hasDefault = property.default !== '' && typeof property.default !== 'object';
	const refused = !hasDefault && ask('').length > 0;
	const places = placesOf(operation, example, path).join(', ');
	const format = property.type === 'boolean' ? 'on or off' : formatOf(ask);
	return [
		label,
		...(sent ? [places] : []),
		format,
		sizeOf(ask),
		requirement(property, path, refused),
		refused ? '' : hasDefault ? defaultOf(property) : whenEmpty(operation, example, path),
	];
}

/** What is refused when it is empty, and yet not marked in the editor, is needed beside some other field only. */
function requirement(
	{ required, default: value }: INodeProperties,
	path: Field['path'],
	refused: boolean,
): string {
	if (required === true && value === '') return 'yes';
	if (!refused) return 'no';
	return required === true ? 'yes' : path.length > 1 ? 'in every entry' : 'depends';
}

/** Only what the contract says of this one field counts. */
function askerOf(operation: Operation, example: Input, path: Field['path']): Ask {
	return (value) => {
		const { error } = operation.contract.safeParse(changed(example, path, value));
		const own = (error?.issues ?? []).filter((issue) => path.every((step, at) => issue.path[at] === step));
		return own.map(({ message }) => message);
	};
}

function changed(example: Input, [field, ...rest]: Field['path'], value: unknown): Input {
	const [index, member] = rest;
	if (index === undefined) return { ...example, [field]: value };
	return { ...example, [field]: [{ ...firstOf(example[field]), [String(member)]: value }] };
}

function firstOf(list: unknown): Input {
	return Array.isArray(list) ? (list as Input[])[0] : {};
}

/** The value that a field starts with in the editor, as a person sees it. */
function defaultOf({ type, default: value, options = [] }: INodeProperties): string {
	if (type === 'boolean') return value === true ? 'on' : 'off';
	const chosen = options.find((option) => 'value' in option && option.value === value);
	return chosen === undefined ? code(String(value as string | number)) : `*${chosen.name}*`;
}

/** What travels in the place of nothing; not said where no body is sent. */
function whenEmpty(operation: Operation, example: Input, path: Field['path']): string {
	const without = operation.contract.parse(changed(example, path, ''));
	const [request] = requestsOf(operation, without);
	if (request?.body === undefined) return '';
	const value = sentValue(request, path);
	if (value === undefined) return 'left out';
	if (value === null) return code('null');
	return value === '' ? 'empty text' : 'the time of the run';
}
