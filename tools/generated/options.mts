/** The options that operations share: what each takes, and its default. */
import type { INodeProperties } from 'n8n-workflow';

import { optionsOf } from '../../nodes/SchoolPartner/framework/settings.ts';
import { resources } from '../../nodes/SchoolPartner/operations/index.ts';
import { mapping } from '../../nodes/SchoolPartnerRoster/panel/mapping.ts';
import { options } from '../../nodes/SchoolPartnerRoster/panel/options.ts';
import { properties as ofTheLogoutTrigger } from '../../nodes/SchoolPartnerLogoutTrigger/properties.ts';
import { properties as ofTheTrigger } from '../../nodes/SchoolPartnerTrigger/properties.ts';
import { table } from './table.mts';

export function optionsTable(): string {
	const shared = new Map<string, INodeProperties>();
	for (const operation of resources.flatMap(({ operations }) => operations)) {
		const own = Object.values(operation.optionFields ?? {}).map(({ name }) => name);
		for (const option of (optionsOf(operation).options ?? []) as INodeProperties[]) {
			if (!own.includes(option.name)) shared.set(option.name, withoutOwnChoices(option));
		}
	}
	return tableOf([...shared.values()]);
}

/** Which fields there are differs between operations. */
function withoutOwnChoices(option: INodeProperties): INodeProperties {
	return option.name === 'fieldsToReturn' ? { ...option, options: [] } : option;
}

/** The collections of the roster node, by the words of the documents. */
const ROSTER: Readonly<Record<string, INodeProperties>> = { mapping, night: options.night };

/** The entries of one of them. */
export function rosterOptionsTable(name: string): string {
	if (!Object.hasOwn(ROSTER, name)) throw new Error(`The roster node has no options "${name}"`);
	return tableOf((ROSTER[name].options ?? []) as INodeProperties[]);
}

const underOptions = (properties: readonly INodeProperties[]) =>
	(properties.find(({ name }) => name === 'options')?.options ?? []) as INodeProperties[];

/** What stands under Options of the event trigger. */
export function triggerOptionsTable(): string {
	return tableOf(underOptions(ofTheTrigger));
}

/** What a logout token may lack by the option of the logout trigger. */
export function acceptWithoutTable(): string {
	const [{ options: choices = [] }] = underOptions(ofTheLogoutTrigger);
	return table(
		['Accepted without', 'What that gives up'],
		choices.map((choice) => [choice.name, 'description' in choice ? (choice.description ?? '') : '']),
	);
}

function tableOf(options: readonly INodeProperties[]): string {
	const rows = [...options]
		.sort((one, other) => one.displayName.localeCompare(other.displayName))
		.map((option) => [option.displayName, rangeOf(option), defaultOf(option), option.description ?? '']);
	return table(['Option', 'Takes', 'Default', 'What it does'], rows);
}

function rangeOf({ type, typeOptions: { minValue, maxValue } = {}, options = [] }: INodeProperties): string {
	if (type === 'boolean') return 'on or off';
	if (type === 'multiOptions' && options.length === 0) return 'fields of the operation';
	if (type === 'string') return 'text';
	if (type === 'fixedCollection') return 'rows';
	if (options.length > 0) return options.map(({ name }) => `*${name}*`).join(', ');
	return maxValue === undefined ? `${minValue} or more` : `${minValue} to ${maxValue.toLocaleString('en')}`;
}

function defaultOf({ type, default: value, options = [] }: INodeProperties): string {
	if (typeof value === 'boolean') return value ? 'on' : 'off';
	if (type === 'string' || type === 'fixedCollection') return typeof value === 'string' ? value : '';
	if (type === 'multiOptions') return 'all';
	const chosen = options.find((option) => 'value' in option && option.value === value);
	return chosen === undefined ? Number(value).toLocaleString('en') : `*${chosen.name}*`;
}
