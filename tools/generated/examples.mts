/** An input of an operation that its contract accepts, made of the examples that stand in the editor. */
import type { INodeProperties } from 'n8n-workflow';

import { wireName } from '../../nodes/shared/actions/properties.ts';
import type { Operation } from '../../nodes/SchoolPartner/framework/operation.ts';

export type Input = Record<string, unknown>;

/** Every field filled, but those that the contract does not take beside others. */
export function exampleInput(operation: Operation): Input {
	const input = Object.fromEntries(
		Object.entries({ ...operation.fields, ...operation.additionalFields, ...operation.optionFields }).map(
			([field, property]) => [field, exampleOf(property)],
		),
	);
	const { error } = operation.contract.safeParse(input);
	const refused = new Set(error?.issues.map(({ path: [field] }) => field));
	const accepted = Object.fromEntries(Object.entries(input).filter(([field]) => !refused.has(field)));
	operation.contract.parse(accepted);
	return accepted;
}

/** The entries of a group ("Add Responsible Person"): its fields by the service's names. */
export function entryFields(property: INodeProperties): Record<string, INodeProperties> | undefined {
	const group = property.type === 'fixedCollection' ? property.options?.[0] : undefined;
	if (group === undefined || !('values' in group)) return undefined;
	return Object.fromEntries(group.values.map((value) => [wireName(value.name), value]));
}

function exampleOf(property: INodeProperties): unknown {
	const entry = entryFields(property);
	if (entry !== undefined) {
		return [Object.fromEntries(Object.entries(entry).map(([field, each]) => [field, exampleOf(each)]))];
	}
	if (property.type === 'multiOptions') return ['student'];
	if (property.default !== '' && typeof property.default !== 'object') return property.default;
	const typed = property.modes?.find(({ type }) => type === 'string') ?? property;
	return typed.placeholder?.replace(/^e\.g\. /, '') ?? 'example';
}
