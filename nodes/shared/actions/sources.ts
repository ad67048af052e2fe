/** Where the values of an input come from: each from one place that has a name in the editor. */
import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { whyUnreadable } from '../engine/unexpected';
import { failed, inputFailure, success, type Failure, type Outcome } from '../failure';

import type { Expressions } from './expressions';
import { asData, entryReaders, type Reader } from './reading';

/** One value: the field that it is for, what the user calls its place, and how it is read for an item. */
export interface Source {
	field: string;
	label: string;
	read: Reader;
}

/** The entries of a collection that are among these fields. */
export function collectionSources(
	context: Expressions,
	items: readonly INodeExecutionData[],
	collection: 'additionalFields' | 'mapping' | 'options',
	fields: Readonly<Record<string, INodeProperties>>,
	dataOf: (field: string) => typeof asData = () => asData,
): Source[] {
	const known = new Map(
		Object.entries(fields).map(([field, { name, displayName }]) => [name, { field, label: displayName }]),
	);
	const ofEntry = (name: string) => dataOf(known.get(name)?.field ?? '');
	return entryReaders(context, items, collection, ofEntry).flatMap(([name, read]) => {
		const place = known.get(name);
		return place === undefined ? [] : [{ ...place, read }];
	});
}

/** The options that were added. Trap: one whose expression gives nothing is not one that nobody has added: its default may be careless. */
export function optionSources(
	context: Expressions,
	items: readonly INodeExecutionData[],
	fields: Readonly<Record<string, INodeProperties>>,
): Source[] {
	const sources = collectionSources(context, items, 'options', fields);
	return sources.map(({ read, ...place }) => ({ ...place, read: (...at) => read(...at) ?? null }));
}

/** The values of an item, and where an expression that computes one gives nothing: the field and the steps within it. */
export interface Values {
	values: Record<string, unknown>;
	nothing: Array<Array<string | number>>;
}

/** Reads all sources for one item; a failure names the place whose expression cannot be evaluated. */
export function valuesOf(sources: readonly Source[], itemIndex: number): Outcome<Values> {
	const values: Values['values'] = {};
	const nothing: Values['nothing'] = [];
	for (const { field, label, read } of sources) {
		try {
			values[field] = read(itemIndex, (steps) => nothing.push([field, ...steps]));
		} catch (thrown) {
			return failed(unreadableExpression(label, thrown));
		}
	}
	return success({ values, nothing });
}

function unreadableExpression(label: string, thrown: unknown): Failure {
	const message = `The expression in ${label} cannot be evaluated`;
	return inputFailure({ message, next: `${whyUnreadable(thrown)}\nNothing was sent for this item.` });
}
