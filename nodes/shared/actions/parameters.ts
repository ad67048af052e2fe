/**
 * What the parameters of the node say for one item. Reading parameters is half of the cost of a run, so that
 * every parameter is looked at once per run and then read in the cheapest way that gives what n8n gives:
 * a constant is taken as it is, a plain reference to a field is read from the item, the rest is n8n's.
 */
import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { whyUnreadable } from '../engine/unexpected';
import { failed, inputFailure, success, type Failure, type Outcome } from '../failure';

import type { Expressions } from './expressions';
import { fieldReference, referredField } from './fieldReference';
import { mustGive } from './textAround';

/** Hears where an expression that computes a value, or has text around it, gives nothing: the steps to it, none when it is the parameter itself. */
export type HearsNothing = (steps: Array<string | number>) => void;

/** Reads a value for one item. Throws n8n's ExpressionError when an expression cannot be evaluated. */
export type Reader = (itemIndex: number, nothing?: HearsNothing) => unknown;

/** Makes the reader of one parameter. `fallback` stands for a parameter that the workflow does not have. */
export function parameterReader(
	context: Expressions,
	items: readonly INodeExecutionData[],
	name: string,
	fallback: unknown,
	data = asData,
): Reader {
	const raw = context.getNodeParameter(name, 0, fallback ?? null, { rawExpressions: true }) as unknown;
	return compile({ context, items, data, isId: isIdName(name) }, raw);
}

/** One value: the field that it is for, what the user calls its place, and how it is read for an item. */
export interface Source {
	field: string;
	label: string;
	read: Reader;
}

/** The entries of a collection that are among these fields. n8n knows no collection that is an expression as a whole. */
export function collectionSources(
	context: Expressions,
	items: readonly INodeExecutionData[],
	collection: 'additionalFields' | 'mapping' | 'options',
	fields: Readonly<Record<string, INodeProperties>>,
	dataOf: (field: string) => typeof asData = () => asData,
): Source[] {
	const raw = context.getNodeParameter(collection, 0, {}, { rawExpressions: true }) as object;
	const known = new Map(
		Object.entries(fields).map(([field, property]) => [property.name, { field, property }]),
	);
	return Object.entries(raw).flatMap(([name, entry]) => {
		const found = known.get(name);
		if (found === undefined) return [];
		const { field, property } = found;
		const read = compile({ context, items, data: dataOf(field), isId: isIdName(name) }, entry);
		return [{ field, label: property.displayName, read }];
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

/** Of what an expression is read, what becomes of a date that it gives, and whether an id is made of it. */
interface ParameterReading {
	context: Expressions;
	items: readonly INodeExecutionData[];
	data: (value: unknown) => unknown;
	isId: boolean;
}

/** `externalId`, `account_id`, the ids of a list, and the name of a ledger. Trap: a row of a roster without a class says that its student has left it. */
const isIdName = (name: string) =>
	/(?:^id|Ids?|_ids?|^ledgerName)$/.test(name) && name !== 'class_external_id';

function compile(reading: ParameterReading, raw: unknown): Reader {
	if (typeof raw === 'string' && raw.startsWith('=')) return compileExpression(reading, raw);
	if (typeof raw !== 'object' || raw === null) return () => raw;
	// A resource locator: what counts is its value, whatever its mode.
	if ('__rl' in raw) return compile(reading, 'value' in raw ? raw.value : undefined);
	const isList = Array.isArray(raw);
	const readingOf = (key: string) => (isList ? reading : { ...reading, isId: isIdName(key) });
	const members = Object.entries(raw).map(
		([key, member]) => [isList ? Number(key) : key, compile(readingOf(key), member)] as const,
	);
	return (i, nothing) => {
		const values = members.map(
			([step, read]) => [step, read(i, (steps) => nothing?.([step, ...steps]))] as const,
		);
		return isList ? values.map(([, value]) => value) : Object.fromEntries(values);
	};
}

function compileExpression({ context, items, data, isId }: ParameterReading, raw: string): Reader {
	const evaluate: Reader = (i, nothing) => {
		const value = data(context.evaluateExpression(raw.slice(1), i, { isId }));
		if ((value === undefined || value === null) && mustGive(raw.slice(1))) nothing?.([]);
		return value;
	};
	const path = fieldReference(raw);
	// Trap: for a tool, the items are what the model answers, and $json may be the item of the agent.
	if (path === undefined || context.isTool) return evaluate;
	return (i) => {
		const field = referredField(items[i].json, path);
		return field.certain ? field.value : evaluate(i);
	};
}

/** Trap: an expression or an item may hold a date of luxon or JavaScript, which is no data; its ISO text is. */
export function asData(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (value instanceof Date) return localDay(value) ?? value.toISOString();
	return 'toISO' in value && typeof value.toISO === 'function' ? String(value) : value;
}

/** The same, of a field that wants a moment. */
export function asMoment(value: unknown): unknown {
	return value instanceof Date ? value.toISOString() : asData(value);
}

/**
 * The day of which a date is the beginning. Trap: n8n's Postgres node reads a column of days as local midnights; east of Greenwich that is the day before
 * in UTC. What is midnight in UTC is no such date.
 */
function localDay(date: Date): string | undefined {
	const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
	const isBeginning = Number(new Date(year, month, day)) === Number(date);
	if (!isBeginning || Number(date) % 86_400_000 === 0) return undefined;
	return new Date(Date.UTC(year, month, day)).toISOString().slice(0, 10);
}
