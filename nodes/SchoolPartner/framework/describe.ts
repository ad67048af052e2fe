/** From declared operations to the node's panel: resources, operations, fields, and when each is shown. */
import type { ExpressionString, IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { choiceField, collectionField, switchField } from '../../shared/actions/properties';

import { itemFieldsOf, type PanelFields, type Operation, type Resource } from './operation';
import { optionsOf } from './settings';

const DEFINE_BELOW = 'defineBelow';
const MAP_AUTOMATICALLY = 'autoMapInputData';

/** All parameters of the node, in the order in which a person fills them in. */
export function propertiesOf(resources: readonly Resource[]): INodeProperties[] {
	const [{ name: first }] = resources;
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: byName(
				resources.map(({ label, name, description }) => ({ name: label, value: name, description })),
			),
			default: first,
		},
		...resources.flatMap(operationsOf),
		...resources.flatMap((resource) =>
			resource.operations.flatMap((operation) => parametersOf(resource, operation)),
		),
	];
}

/** What the canvas says below the node: the action, as n8n's node search lists it. */
export function subtitleOf(resources: readonly Resource[]): ExpressionString {
	const actions = resources.flatMap((resource) =>
		resource.operations.map(({ name, action }) => [`${resource.name}.${name}`, action]),
	);
	// Flat, because n8n ends an expression at the first two closing braces.
	const table = JSON.stringify(Object.fromEntries(actions));
	return `={{ (${table})[$parameter.resource + "." + $parameter.operation] }}`;
}

/** Two lists, of which n8n shows one. A tool is not offered what gives secrets, and writes only where its node says so. */
function operationsOf(resource: Resource): INodeProperties[] {
	const { name, operations } = resource;
	const forTools = operations.filter(({ givesSecrets }) => givesSecrets !== true);
	const harmless = forTools.find(({ effect }) => effect !== 'write');
	return [
		listed(operations, operations[0].name, { resource: [name], '@tool': [false] }),
		listed(forTools, harmless?.name ?? '', { resource: [name], '@tool': [true] }),
	];
}

function listed(
	operations: readonly Operation[],
	first: string,
	show: NonNullable<IDisplayOptions['show']>,
): INodeProperties {
	const options = operations.map(({ name, label, action, description }) => ({
		name: label,
		value: name,
		action,
		description,
	}));
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show },
		options: byName(options),
		default: first,
	};
}

function parametersOf(resource: Resource, operation: Operation): INodeProperties[] {
	const here = { resource: [resource.name], operation: [operation.name] };
	const whenDefined = operation.effect === 'write' ? { ...here, dataMode: [DEFINE_BELOW] } : here;
	const inPath = (field: string) => operation.pathFields?.includes(field) === true;
	const whenMapped = { ...here, dataMode: [MAP_AUTOMATICALLY] };
	const { fields, additionalFields } = operation;
	return [
		...Object.keys(fields)
			.filter(inPath)
			.map((field) => shown(fields[field], here)),
		...(operation.effect === 'write'
			? [shown(dataMode, here), shown(namesOfFields(operation), whenMapped)]
			: []),
		...Object.keys(fields)
			.filter((field) => !inPath(field))
			.map((field) => shown(fields[field], whenDefined)),
		...(additionalFields ? [shown(collectionOf(additionalFields), whenDefined)] : []),
		...(operation.work.kind !== 'own' ? [shown(simplify, here)] : []),
		...[optionsOf(operation)].filter(({ options }) => options?.length).map((all) => shown(all, here)),
	];
}

/** Beside what the field itself depends on. */
function shown(property: INodeProperties, show: Record<string, string[]>): INodeProperties {
	return { ...property, displayOptions: { show: { ...show, ...property.displayOptions?.show } } };
}

const dataMode = choiceField({
	displayName: 'Data to Send',
	name: 'dataMode',
	noDataExpression: true,
	choices: {
		[DEFINE_BELOW]: 'Fill in each field here, with values or expressions',
		[MAP_AUTOMATICALLY]: {
			name: "Map Automatically From the Item's Own Fields",
			description: 'Send the fields of the input item that have the names of the service',
		},
	},
	default: DEFINE_BELOW,
	description: 'Where the values come from',
});

/** Stands in the panel, because n8n cuts the text of an option after two lines. */
function namesOfFields(operation: Operation): INodeProperties {
	const names = itemFieldsOf(operation).join('</b>, <b>');
	return {
		displayName: `These fields of the input item are sent, others are left out: <b>${names}</b>`,
		name: 'namesOfFields',
		type: 'notice',
		default: '',
	};
}

function collectionOf(fields: PanelFields): INodeProperties {
	return collectionField({
		...{ name: 'additionalFields', placeholder: 'Add field' },
		options: Object.values(fields).sort((one, other) => one.displayName.localeCompare(other.displayName)),
	});
}

const simplify = switchField({
	name: 'simplify',
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

function byName(options: INodePropertyOptions[]): INodePropertyOptions[] {
	return [...options].sort((one, other) => one.name.localeCompare(other.name));
}
