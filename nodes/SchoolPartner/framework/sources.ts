/** Where the values of an input come from: each from one place that has a name in the editor. */
import type { INodeExecutionData } from 'n8n-workflow';

import { quoted } from '../../shared/contract/quoted';
import { failed, success, type Failure, type Outcome } from '../../shared/transport/failure';

import type { Expressions } from './expressions';
import { wireName } from './names';
import type { Fields } from './operation';
import { entryReaders, type Reader } from './reading';

/** One value: the field that it is for, what the user calls its place, and how it is read for an item. */
export interface Source {
	/** Empty: the values are read as an object of fields. */
	field: string;
	label: string;
	read: Reader;
}

/** The entries of a collection, each under the name of its field. */
export function collectionSources(
	context: Expressions,
	items: readonly INodeExecutionData[],
	collection: 'additionalFields' | 'options',
	fields: Fields,
): Source[] {
	const known = new Map(Object.entries(fields).map(([field, property]) => [property.name, { field, label: property.displayName }]));
	const fieldOf = (name: string) => known.get(name)?.field ?? wireName(name);
	return entryReaders(context, items, collection).map(([name, read]) => {
		if (name !== undefined) return { field: fieldOf(name), label: known.get(name)?.label ?? name, read };
		const entries: Reader = (i) => Object.fromEntries(Object.entries(read(i) ?? {}).map(([entry, value]) => [fieldOf(entry), value]));
		return { field: '', label: collection === 'options' ? 'Options' : 'Additional Fields', read: entries };
	});
}

/** Reads all sources for one item; a failure names the place whose expression cannot be evaluated. */
export function valuesOf(sources: readonly Source[], itemIndex: number): Outcome<Record<string, unknown>> {
	const values: Record<string, unknown> = {};
	for (const { field, label, read } of sources) {
		try {
			const value = read(itemIndex);
			if (field === '') Object.assign(values, value);
			else values[field] = value;
		} catch (thrown) {
			return failed(unreadableExpression(label, thrown));
		}
	}
	return success(values);
}

function unreadableExpression(label: string, thrown: unknown): Failure {
	return {
		origin: 'input',
		message: `The expression in ${label} cannot be evaluated`,
		description: `${thrown instanceof Error ? quoted(thrown.message) : 'n8n gives no reason'}\nNothing was sent for this item.`,
	};
}
