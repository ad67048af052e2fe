/** Parameters of the panel, made of what differs between them: the label is that of the name, where no other is given. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** A name, and whatever is not as usual. */
export type Own = Pick<INodeProperties, 'name'> & Partial<INodeProperties>;

/** "User IDs" of `userIds`, "Responsible 1 External ID" of `responsible_1_external_id`. */
export function labelOf(name: string): string {
	const words = name.replace(/[A-Z]/g, '_$&').toLowerCase().split('_');
	return words
		.map((word) => ACRONYMS[word] ?? word[0].toUpperCase() + word.slice(1))
		.join(' ')
		.replaceAll(' Of ', ' of ');
}

const ACRONYMS: Readonly<Partial<Record<string, string>>> = {
	id: 'ID',
	ids: 'IDs',
	ddi: 'DDI',
	cnpj: 'CNPJ',
	uri: 'URI',
	uris: 'URIs',
	url: 'URL',
	api: 'API',
};

export const textField = (own: Own): INodeProperties => ({
	...{ displayName: labelOf(own.name), type: 'string', default: '' },
	...own,
});

/** A token, a code or the like: what nobody may read over a shoulder. */
export const secretField = (own: Own) =>
	textField({ typeOptions: { password: true }, required: true, ...own });

export const numberField = ({
	minValue,
	maxValue,
	...own
}: Own & { minValue: number; maxValue?: number }): INodeProperties => ({
	...{ displayName: labelOf(own.name), type: 'number', default: minValue },
	typeOptions: { minValue, ...(maxValue !== undefined && { maxValue }) },
	...own,
});

/** On, as long as nobody turns it off. */
export const switchField = (own: Own): INodeProperties => ({
	...{ displayName: labelOf(own.name), type: 'boolean', default: true },
	...own,
});

/** Entries that are added one by one. */
export const collectionField = (own: Own): INodeProperties => ({
	...{ displayName: labelOf(own.name), type: 'collection', placeholder: 'Add option', default: {} },
	...own,
});

/** Rows of the same values. */
export const rowsField = (
	own: Own,
	row: string,
	values: INodeProperties[],
	rowLabel = labelOf(row),
): INodeProperties => ({
	...{ displayName: labelOf(own.name), type: 'fixedCollection', default: {} },
	typeOptions: { multipleValues: true, sortable: true },
	placeholder: `Add ${rowLabel}`,
	options: [{ displayName: rowLabel, name: row, values }],
	...own,
});

/** One of its choices, by their values: descriptions, where the label is that of the value. */
export const choiceField = ({ choices, ...own }: Own & { choices: Choices }): INodeProperties => ({
	...{ displayName: labelOf(own.name), type: 'options', default: '' },
	options: Object.entries(choices).map(([value, choice]) => choiceOf(value, choice)),
	...own,
});

export type Choices = Readonly<Record<string, string | { name: string; description?: string }>>;

function choiceOf(value: string, choice: Choices[string]): INodePropertyOptions {
	if (typeof choice !== 'string') return { value, ...choice };
	return { name: labelOf(value), value, ...(choice !== '' && { description: choice }) };
}

/** `schoolExternalId`: the parameter that fills the field `school_external_id`. */
export function parameterName(field: string): string {
	return field.replace(/_[a-z]/g, (letter) => letter[1].toUpperCase());
}

/** `school_external_id`: the field that the parameter `schoolExternalId` fills. */
export function wireName(parameter: string): string {
	return parameter.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`);
}

/** Parameters for texts, by the fields of the service that they fill. */
export function textFields<Field extends string>(
	fields: Record<Field, Partial<Own>>,
): Record<Field, INodeProperties> {
	const made = Object.entries<Partial<Own>>(fields).map(([field, own]) => [
		field,
		textField({ name: parameterName(field), ...own }),
	]);
	return Object.fromEntries(made) as Record<Field, INodeProperties>;
}

/** A name of the service that is picked from a list or typed; saved workflows may also hold it as plain text. */
export const pickedField = ({
	searchListMethod,
	choose,
	example,
	...own
}: Own & { searchListMethod: string; choose: string; example: string }): INodeProperties => ({
	displayName: labelOf(own.name),
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: choose,
			typeOptions: { searchListMethod, searchable: true },
		},
		{ displayName: 'By Name', name: 'name', type: 'string', placeholder: `e.g. ${example}` },
	],
	...own,
});
