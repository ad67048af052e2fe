/** From the parameters, or from the item's own fields, to input that the contract has accepted. */
import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { firstOf } from '../../shared/contract/quoted';
import { isJsonObject } from '../../shared/contract/json';
import { failed, inputFailure, success, type Failure, type Outcome } from '../../shared/failure';

import type { Expressions } from '../../shared/actions/expressions';
import { itemFieldsOf, type Operation } from './operation';
import { labelOf, wireName } from '../../shared/actions/properties';
import {
	asData,
	asMoment,
	collectionSources,
	optionSources,
	parameterReader,
	valuesOf,
	type Reader,
	type Source,
} from '../../shared/actions/parameters';

/**
 * Gives what the contract made of one item's values, or what is wrong with them.
 * @param mapped whether the values are the item's own fields, and not those of the node
 */
export function inputReader(
	context: Expressions,
	items: readonly INodeExecutionData[],
	operation: Operation,
	mapped: boolean,
): (itemIndex: number) => Outcome<unknown> {
	const { fields, additionalFields = {}, optionFields, pathFields = [] } = operation;
	const sources = [
		...(mapped ? mappedSources(items, operation) : []),
		...definedSources(context, items, operation, mapped ? pathFields : Object.keys(fields)),
		...(mapped ? [] : collectionSources(context, items, 'additionalFields', additionalFields, dataOf)),
		...(optionFields ? optionSources(context, items, optionFields) : []),
	];
	const labels = labelsOf(operation, sources);
	return (itemIndex) => {
		if (mapped && isOnlyFile(items[itemIndex])) return failed(ONLY_FILE);
		const read = valuesOf(sources, itemIndex);
		if (!read.ok) return read;
		const { values, nothing } = read.value;
		const checked = operation.contract.safeParse(values);
		const issues = checked.success ? brokenTexts(checked.data) : checked.error.issues;
		const findings = [
			...issues.map(({ path, message }) => `${placeOf(path, labels)} ${message}`),
			// What must be there was refused already.
			...nothing
				.filter(([field]) => !issues.some(({ path }) => path[0] === field))
				.map((path) => givesNothing(path, labels)),
		];
		return findings.length === 0 ? success(checked.data) : failed(refusedInput(findings));
	};
}

/** Trap: what a column of days gives to a field that wants a moment would be refused as a day. */
const dataOf = (field: string) => (field === 'updated_at' ? asMoment : asData);

function isOnlyFile({ json, binary }: INodeExecutionData): boolean {
	return Object.keys(json).length === 0 && Object.keys(binary ?? {}).length > 0;
}

const ONLY_FILE = inputFailure({
	message: 'The input item has no fields, only a file (binary data)',
	next: 'Put a node before this one that reads the file into fields, such as Extract from File, or choose Define Below in Data to Send.\nNothing was sent for this item.',
});

function definedSources(
	context: Expressions,
	items: readonly INodeExecutionData[],
	operation: Operation,
	fields: readonly string[],
): Source[] {
	return fields.map((field) => {
		const property = operation.fields[field];
		const read = parameterReader(context, items, property.name, property.default, dataOf(field));
		return { field, label: property.displayName, read: entriesOf(property, read) };
	});
}

/** The item's own fields under the service's names; unknown ones are left out. */
function mappedSources(items: readonly INodeExecutionData[], operation: Operation): Source[] {
	return itemFieldsOf(operation).map((field) => ({
		field,
		label: `The field "${field}" of the input item`,
		// Trap: `constructor` and the like must not be found where the item has no such field.
		read: (i) => (Object.hasOwn(items[i].json, field) ? dataOf(field)(items[i].json[field]) : undefined),
	}));
}

/** A group of entries ("Query Parameters") is a list under the name of its only option. */
function entriesOf(property: INodeProperties, read: Reader): Reader {
	if (property.type !== 'fixedCollection') return read;
	const group = property.options?.[0]?.name ?? '';
	return (i, nothing) => {
		const value = read(i, ([, ...steps]) =>
			nothing?.(steps.map((step) => (typeof step === 'string' ? wireName(step) : step))),
		);
		if (!isJsonObject(value)) return value ?? [];
		const entries = value[group] ?? [];
		return Array.isArray(entries)
			? entries.map((entry) => (isJsonObject(entry) ? withWireNames(entry) : entry))
			: entries;
	};
}

function withWireNames(entry: object): Record<string, unknown> {
	return Object.fromEntries(Object.entries(entry).map(([name, value]) => [wireName(name), value]));
}

function labelsOf(operation: Operation, sources: readonly Source[]): Map<string, string> {
	const additional = Object.entries({ ...operation.additionalFields, ...operation.optionFields }).map(
		([field, property]) => [field, property.displayName] as const,
	);
	return new Map([...additional, ...sources.map(({ field, label }) => [field, label] as const)]);
}

/** What is wrong with a value, and where: the field, the entry of a list, the member of an entry. */
interface Issue {
	path: PropertyKey[];
	message: string;
}

/**
 * Texts that hold one half of a character. Trap: JavaScript cuts an emoji in two when it cuts text by length, and
 * half of one can stand in no address and in no UTF-8.
 */
function brokenTexts(accepted: unknown): Issue[] {
	if (typeof accepted === 'string')
		return LONE_SURROGATE.test(accepted) ? [{ path: [], message: BROKEN }] : [];
	if (typeof accepted !== 'object' || accepted === null) return [];
	const issues: Issue[] = [];
	for (const [name, member] of Object.entries(accepted)) {
		const place = Array.isArray(accepted) ? Number(name) : name;
		for (const { path, message } of brokenTexts(member)) issues.push({ path: [place, ...path], message });
	}
	return issues;
}

const LONE_SURROGATE = /\p{Surrogate}/u;
const BROKEN =
	'must be whole characters, but holds one half of a character, as text does that was cut within an emoji';

function refusedInput([first, ...others]: readonly string[]): Failure {
	const next = [...firstOf(others), 'Nothing was sent for this item. Correct its values and run it again.'];
	return inputFailure({ message: first, next: next.join('\n') });
}

/**
 * Left out without a word, what was computed would be lost: `DateTime.fromFormat('31/02/2015', 'dd/MM/yyyy').toISODate()` is null.
 */
function givesNothing(path: Issue['path'], labels: ReadonlyMap<string, string>): string {
	return `The expression in ${placeOf(path, labels)} gives nothing for this item; give an empty text to leave the field out.`;
}

/** "Birth Date", "Entry 2 of Profiles", or "Entry 2 of Responsible Persons: Date of Birth". The members of an item's own field have the service's names. */
function placeOf([field, index, member]: Issue['path'], labels: ReadonlyMap<string, string>): string {
	const label = labels.get(String(field)) ?? String(field ?? 'The input');
	if (typeof index !== 'number') return label;
	const isOfItem = label.startsWith('The field');
	// Labels of the item's own fields are the beginning of a sentence ("The field …").
	const entry = `Entry ${index + 1} of ${isOfItem ? label.replace('The', 'the') : label}`;
	if (member === undefined) return entry;
	return `${entry}: ${isOfItem ? `"${String(member)}"` : labelOf(String(member))}`;
}
