/** Parameters of the panel, made of what differs between them: the label is that of the name, where no other is given. */
import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** A name, a description, and whatever is not as usual. */
export type Own = Pick<INodeProperties, 'name' | 'description'> & Partial<INodeProperties>;

/** "User IDs" of `userIds`, "Responsible 1 External ID" of `responsible_1_external_id`. */
export function labelOf(name: string): string {
	const words = name.replace(/[A-Z]/g, '_$&').toLowerCase().split('_');
	return words.map((word) => ACRONYMS[word] ?? word[0].toUpperCase() + word.slice(1)).join(' ');
}

const ACRONYMS: Readonly<Partial<Record<string, string>>> = { id: 'ID', ids: 'IDs', ddi: 'DDI' };

export const textField = (own: Own): INodeProperties => ({
	...{ displayName: labelOf(own.name), type: 'string', default: '' },
	...own,
});

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

/** One of its choices, by their values: descriptions, where the label is that of the value. */
export const choiceField = ({ choices, ...own }: Own & { choices: Choices }): INodeProperties => ({
	...{ displayName: labelOf(own.name), type: 'options', default: '' },
	options: Object.entries(choices).map(([value, said]) => choiceOf(value, said)),
	...own,
});

export type Choices = Readonly<Record<string, string | { name: string; description?: string }>>;

function choiceOf(value: string, said: Choices[string]): INodePropertyOptions {
	if (typeof said !== 'string') return { value, ...said };
	return { name: labelOf(value), value, ...(said !== '' && { description: said }) };
}

/** Of what says something of sheets only. */
export const OF_ROWS = { show: { '/source': ['rows'] } };

/** Of what says something of files only: a sheet has columns of its own, and its ids stand in them. */
export const OF_FILES = { show: { '/source': ['files'] } };
