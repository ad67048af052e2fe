/** What one operation gives with Simplify on: the fields of an item, from the contract's message. */
import type * as z from 'zod/v4-mini';

import type { Operation } from '../../nodes/SchoolPartner/framework/operation.ts';
import { code, table } from './table.mts';
import { formatOf, sizeOf } from './words.mts';

export function outputTable(operation: Operation): string {
	const schema = messageOf(operation);
	if (schema === undefined) throw new Error(`The contract does not say what ${operation.action} gives`);
	const rows = rowsOf('', schema);
	return table(['Field', 'What it is', 'Longest', 'Can be'], rows);
}

function messageOf({ work, output }: Operation): z.ZodMiniType | undefined {
	return work.kind === 'request' || work.kind === 'merged' ? work.answer.schema : output;
}

function rowsOf(prefix: string, schema: z.ZodMiniType): string[][] {
	const { shape } = definitionOf(schema);
	return Object.entries(shape ?? {}).flatMap(([name, member]) => {
		const field = `${prefix}${name}`;
		const { present, entry } = within(member);
		const held = entry ?? present;
		const lacking = member.safeParse(undefined).success
			? 'absent'
			: member.safeParse(null).success
				? 'null'
				: '';
		const own = [code(field), kindOf(present, entry), sizeOf(asker(held)), lacking];
		return [own, ...rowsOf(`${field}${entry === undefined ? '' : '[]'}.`, held)];
	});
}

function kindOf(schema: z.ZodMiniType, entry: z.ZodMiniType | undefined): string {
	if (entry !== undefined)
		return definitionOf(entry).type === 'object' ? 'list' : `list of ${kindOf(entry, undefined)}`;
	switch (definitionOf(schema).type) {
		case 'object':
			return 'object';
		case 'boolean':
			return 'true or false';
		case 'number':
			return schema.safeParse(0.5).success ? 'number' : 'whole number';
		default:
			return schema.safeParse('-').success ? 'text' : formatOf(asker(schema));
	}
}

/** The schema of a value that is there, and of the entries when it is a list. */
function within(schema: z.ZodMiniType): { present: z.ZodMiniType; entry?: z.ZodMiniType } {
	const { innerType, options, element } = definitionOf(schema);
	// Of a union, what is usual stands first.
	const usual = innerType ?? options?.[0];
	if (usual !== undefined) return within(usual);
	return { present: schema, ...(element && { entry: element }) };
}

interface Definition {
	type: string;
	innerType?: z.ZodMiniType;
	options?: z.ZodMiniType[];
	element?: z.ZodMiniType;
	shape?: Record<string, z.ZodMiniType>;
}

function definitionOf(schema: z.ZodMiniType): Definition {
	return schema._zod.def as unknown as Definition;
}

function asker(schema: z.ZodMiniType) {
	return (value: unknown) => (schema.safeParse(value).error?.issues ?? []).map(({ message }) => message);
}
