/** From the parameters, or from the item's own fields, to input that the contract has accepted. */
import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';
import type * as z from 'zod/v4-mini';

import { firstOf, quoted } from '../../shared/contract/quoted';
import { failed, success, type Failure, type Outcome } from '../../shared/transport/failure';

import { wireName, withWireNames } from './names';
import type { Fields, Operation } from './operation';
import { asData, parameterReader, type Reader } from './reading';

/** Gives what the contract made of one item's values, or what is wrong with them. */
export type InputReader = (itemIndex: number) => Outcome<unknown>;

/** One field of the payload: where its value comes from, and what the user calls that place. */
interface Source {
	field: string;
	label: string;
	read: Reader;
}

export function inputReader(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	operation: Operation,
	mapped: boolean,
): InputReader {
	const sources = mapped
		? [...mappedSources(items, operation), ...definedSources(context, items, operation, operation.pathFields ?? [])]
		: definedSources(context, items, operation, Object.keys(operation.fields));
	const collections = [
		...(mapped ? [] : collectionSource(context, items, 'additionalFields', operation.additionalFields)),
		...collectionSource(context, items, 'options', operation.optionFields),
	];
	const labels = labelsOf(operation, sources);
	return (itemIndex) => {
		const values: Record<string, unknown> = {};
		for (const source of [...sources, ...collections]) {
			try {
				const value = source.read(itemIndex);
				if (source.field === '') Object.assign(values, value);
				else values[source.field] = value;
			} catch (thrown) {
				return failed(unreadableExpression(source.label, thrown));
			}
		}
		const checked = operation.contract.safeParse(values);
		return checked.success ? success(checked.data) : failed(refusedInput(checked.error.issues, labels));
	};
}

function definedSources(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	operation: Operation,
	fields: readonly string[],
): Source[] {
	return fields.map((field) => {
		const property = operation.fields[field];
		const read = parameterReader(context, items, property.name, property.default);
		return { field, label: property.displayName, read: entriesOf(property, read) };
	});
}

/** The item's own fields under the service's names; unknown ones are left out. */
function mappedSources(items: readonly INodeExecutionData[], operation: Operation): Source[] {
	return Object.keys({ ...operation.fields, ...operation.additionalFields })
		.filter((field) => !operation.pathFields?.includes(field))
		.map((field) => ({
			field,
			label: `The field "${field}" of the input item`,
			// Trap: `constructor` and the like must not be found where the item has no such field.
			read: (i) => (Object.hasOwn(items[i].json, field) ? asData(items[i].json[field]) : undefined),
		}));
}

/** The entries of a collection, each under the name of its field; the source itself has none. */
function collectionSource(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
	parameter: 'additionalFields' | 'options',
	fields: Fields | undefined,
): Source[] {
	if (fields === undefined) return [];
	const fieldOf = new Map(Object.entries(fields).map(([field, property]) => [property.name, field]));
	const read = parameterReader(context, items, parameter, {});
	const entriesFor: Reader = (i) =>
		Object.fromEntries(Object.entries(read(i) ?? {}).map(([name, value]) => [fieldOf.get(name) ?? wireName(name), value]));
	return [{ field: '', label: parameter === 'options' ? 'Options' : 'Additional Fields', read: entriesFor }];
}

/** A group of entries ("Query Parameters") is a list under the name of its only option. */
function entriesOf(property: INodeProperties, read: Reader): Reader {
	if (property.type !== 'fixedCollection') return read;
	const group = property.options?.[0]?.name ?? '';
	return (i) => {
		const value = read(i);
		if (typeof value !== 'object' || value === null || Array.isArray(value)) return value ?? [];
		const entries: unknown = (value as Record<string, unknown>)[group] ?? [];
		return Array.isArray(entries) ? entries.map((entry) => (isObject(entry) ? withWireNames(entry) : entry)) : entries;
	};
}

function labelsOf(operation: Operation, sources: readonly Source[]): Map<string, string> {
	const additional = Object.entries({ ...operation.additionalFields, ...operation.optionFields }).map(
		([field, property]) => [field, property.displayName] as const,
	);
	return new Map([...additional, ...sources.map(({ field, label }) => [field, label] as const)]);
}

type Issue = z.core.$ZodIssue;

function refusedInput(issues: readonly Issue[], labels: ReadonlyMap<string, string>): Failure {
	const findings = issues.map((issue) => `${placeOf(issue, labels)} ${issue.message}`);
	const [first, ...others] = findings;
	return {
		origin: 'input',
		message: first,
		description: [...firstOf(others), 'Nothing was sent for this item. Correct its values and run it again.'].join('\n'),
	};
}

/** "Birth Date", or "Entry 2 of Profiles". */
function placeOf(issue: Issue, labels: ReadonlyMap<string, string>): string {
	const [field, index, member] = issue.path;
	const label = labels.get(String(field)) ?? String(field ?? 'The input');
	if (typeof index !== 'number') return label;
	// Labels of the item's own fields are the beginning of a sentence ("The field …").
	const entry = `Entry ${index + 1} of ${label.replace(/^The field/, 'the field')}`;
	return member === undefined ? entry : `${entry}: "${String(member)}"`;
}

function unreadableExpression(label: string, thrown: unknown): Failure {
	return {
		origin: 'input',
		message: `The expression in ${label} cannot be evaluated`,
		description: `${thrown instanceof Error ? quoted(thrown.message) : 'n8n gives no reason'}\nNothing was sent for this item.`,
	};
}

function isObject(value: unknown): value is object {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
