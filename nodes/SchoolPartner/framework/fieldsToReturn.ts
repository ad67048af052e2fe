/** Fields to Return: which fields of a lookup leave the node. Their names are those of the contract. */
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import * as z from 'zod/v4-mini';

import type { Expressions } from '../../shared/actions/expressions';
import { labelOf } from '../../shared/actions/properties';
import { commaSeparated } from '../../shared/contract/blocks';
import { isJsonObject } from '../../shared/contract/json';
import { quoted } from '../../shared/contract/quoted';
import { failed, inputFailure, success, type Outcome } from '../../shared/failure';

import type { Operation } from './operation';
import type { Settings } from './settings';

const NAME = 'fieldsToReturn';

/** The option of a lookup. */
export function fieldsToReturnOf(operation: Operation): INodeProperties {
	const options = namesOf(operation).map((value) => ({ name: labelOfPath(value), value }));
	return {
		displayName: 'Fields to Return',
		name: NAME,
		type: 'multiOptions',
		options: options.sort((one, other) => one.name.localeCompare(other.name)),
		default: [],
		description:
			'The fields of the answer that leave the node, for a workflow and for an AI agent. None chosen: all of them.',
	};
}

const error = 'must be a list of names';

/** Trap: an expression that names no field is not "none chosen". It would hand out everything. */
export const fieldNames = z._default(
	commaSeparated(z.array(z.string(), { error }).check(z.minLength(1, { error }))),
	[],
);

/** True for the list of the panel as long as nothing is chosen in it. */
export function isNoneChosen(context: Expressions): boolean {
	const options = context.getNodeParameter('options', 0, {}, { rawExpressions: true }) as IDataObject;
	const written = options[NAME];
	return Array.isArray(written) && written.length === 0;
}

/** The names of its fields; of those that answer in parts, each part and each field of it. */
function namesOf({ work }: Operation): string[] {
	if (work.kind === 'parts')
		return Object.entries(work.parts).flatMap(([part, { work: lookup }]) => [
			part,
			...namesIn(lookup.answer.schema).map((name) => `${part}.${name}`),
		]);
	return work.kind === 'request' ? namesIn(work.answer.schema) : [];
}

function namesIn(schema: z.ZodMiniType | undefined): string[] {
	return schema instanceof z.ZodMiniObject ? Object.keys(schema.shape) : [];
}

/** `dependents.date_of_birth` is "Dependents: Date of Birth". */
function labelOfPath(name: string): string {
	return name.split('.').map(labelOf).join(': ');
}

/** What is chosen; or why it cannot be had. */
export function chosenFields(
	operation: Operation,
	{ fieldsToReturn: chosen, simplify }: Pick<Settings, 'fieldsToReturn' | 'simplify'>,
): Outcome<readonly string[]> {
	if (operation.effect !== 'read' || chosen.length === 0) return success([]);
	const refused = (message: string, next: string) =>
		failed(inputFailure({ message, next: `${next} Nothing was sent.` }));
	if (!simplify)
		return refused(
			'Fields to Return needs Simplify',
			'Turn Simplify on, or choose no fields: a raw answer has names of its own.',
		);
	const names = namesOf(operation);
	const unknown = chosen.find((name) => !names.includes(name));
	return unknown === undefined
		? success(chosen)
		: refused(
				`Fields to Return has no "${quoted(unknown, 100)}"`,
				`${operation.label} gives: ${names.join(', ')}.`,
			);
}

/** The chosen fields of an item; all of them when none is chosen. */
export function onlyFields(item: IDataObject, fields: readonly string[]): IDataObject {
	if (fields.length === 0) return item;
	const kept = Object.entries(item).flatMap(([name, value]) => {
		if (fields.includes(name)) return [[name, value]];
		const within = fields.flatMap((field) =>
			field.startsWith(`${name}.`) ? [field.slice(name.length + 1)] : [],
		);
		return within.length === 0 ? [] : [[name, onlyFieldsWithin(value, within)]];
	});
	return Object.fromEntries(kept) as IDataObject;
}

function onlyFieldsWithin(value: unknown, fields: readonly string[]): unknown {
	if (Array.isArray(value)) return value.map((entry) => onlyFieldsWithin(entry, fields));
	// What is no object is not what was chosen.
	return isJsonObject(value) ? onlyFields(value as IDataObject, fields) : null;
}
