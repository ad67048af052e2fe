/** What an operation gives, as JSON Schema: the editor shows it before the first run. Derived from the contract. */
import * as z from 'zod/v4-mini';

import { ITEM_OF_ALREADY, type Answer } from '../../shared/calls/answer';

import type { Operation } from './operation';

/** A JSON Schema as n8n reads it from `__schema__`. */
export type OutputSchema = Record<string, unknown>;

/** The parts of a `parts` operation do not depend on its input; this stands in for one. */
const ANY_INPUT = new Proxy({}, { get: () => 'any' });

export function outputSchemaOf(operation: Operation): OutputSchema {
	const { work } = operation;
	switch (work.kind) {
		case 'own':
			return operation.output === undefined ? anything() : schemaOf(operation.output);
		case 'parts':
			return object(
				Object.fromEntries(
					Object.entries(work.parts(ANY_INPUT)).map(([name, { answer }]) => {
						const entity = answerSchema(answer);
						return [name, answer.shape === 'list' ? { type: 'array', items: entity } : entity];
					}),
				),
			);
		case 'request':
		case 'merged':
			return answerSchema(work.answer);
	}
}

function answerSchema({ schema, adds = {}, already }: Answer): OutputSchema {
	const answered = schema === undefined ? anything() : schemaOf(schema);
	const members = { ...adds, ...(already && ITEM_OF_ALREADY[already]) };
	const added = Object.fromEntries(Object.entries(members).map(([name, value]) => [name, { type: typeof value }]));
	return { ...answered, properties: { ...added, ...(answered.properties as object) } };
}

function anything(): OutputSchema {
	return object({});
}

function object(properties: Record<string, unknown>): OutputSchema {
	return { type: 'object', properties };
}

function schemaOf(schema: z.ZodMiniType): OutputSchema {
	const { type, properties } = withoutLimits(z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' })) as OutputSchema;
	return { type, properties };
}

/** The editor needs names and types; limits and requirements would only be noise there. */
function withoutLimits(schema: unknown): unknown {
	if (Array.isArray(schema)) return schema.map(withoutLimits);
	if (typeof schema !== 'object' || schema === null) return schema;
	const { type, properties, items, anyOf } = schema as OutputSchema;
	const nullable = Array.isArray(anyOf) ? anyOf.find((each) => (each as OutputSchema).type !== 'null') : undefined;
	if (nullable !== undefined) return withoutLimits(nullable);
	return {
		...(type !== undefined && { type }),
		...(properties !== undefined && {
			properties: Object.fromEntries(Object.entries(properties as object).map(([name, each]) => [name, withoutLimits(each)])),
		}),
		...(items !== undefined && { items: withoutLimits(items) }),
	};
}
