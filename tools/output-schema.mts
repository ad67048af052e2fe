/** What an operation gives, as JSON Schema: the editor shows it before the first run. Derived from the contract. */
import * as z from 'zod/v4-mini';

import { answerOf, type Operation } from '../nodes/SchoolPartner/framework/operation.ts';
import { ITEM_OF_ALREADY, type Answer } from '../nodes/shared/calls/answer.ts';

/** A JSON Schema as n8n reads it from `__schema__`. */
export type OutputSchema = Record<string, unknown>;

/** The message that an item of the operation is, as the contract has it; undefined where the document does not show it. */
function messageOf(operation: Operation): z.ZodMiniType | undefined {
	const { work, output } = operation;
	if (work.kind !== 'parts') return output ?? answerOf(operation).schema;
	const parts = Object.entries(work.parts).map(([name, part]) => [name, partOf(part.work.answer)]);
	return z.looseObject(Object.fromEntries(parts) as Record<string, z.ZodMiniType>);
}

/** A part for which nothing is found is null, or an empty list. */
function partOf({ shape, schema = z.looseObject({}) }: Answer): z.ZodMiniType {
	return shape === 'list' ? z.array(schema) : z.nullable(schema);
}

export function outputSchemaOf(operation: Operation): OutputSchema {
	const message = messageOf(operation);
	const { type, properties } = message === undefined ? ANYTHING : schemaOf(message);
	const { adds, already } = answerOf(operation);
	// What the node itself says of what came of a request.
	const members = Object.entries({ ...adds, ...(already && ITEM_OF_ALREADY[already]) });
	const added = Object.fromEntries(members.map(([name, value]) => [name, { type: typeof value }]));
	return { type, properties: { ...added, ...properties } };
}

interface ObjectSchema extends OutputSchema {
	properties?: OutputSchema;
}

const ANYTHING: ObjectSchema = { type: 'object', properties: {} };

function schemaOf(schema: z.ZodMiniType): ObjectSchema {
	return withoutLimits(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })) as ObjectSchema;
}

/** The editor needs names and types; limits and requirements would only be noise there. */
function withoutLimits(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withoutLimits);
	if (typeof schema !== 'object' || schema === null) return schema;
	const { type, properties, items, anyOf } = schema as OutputSchema;
	const nullable: unknown = Array.isArray(anyOf)
		? anyOf.find((each) => (each as OutputSchema).type !== 'null')
		: undefined;
	if (nullable !== undefined) return withoutLimits(nullable);
	return {
		...(type !== undefined && { type }),
		...(properties !== undefined && {
			properties: Object.fromEntries(
				Object.entries(properties as object).map(([name, each]) => [name, withoutLimits(each)]),
			),
		}),
		...(items !== undefined && { items: withoutLimits(items) }),
	};
}
