/** The field tables of access events, from the schemas that judge a delivery. */
import { readFileSync } from 'node:fs';

import * as z from 'zod/v4-mini';

import * as tables from '../../nodes/shared/contract/events/tables.ts';
import { code, table } from './table.mts';
import { formatOf, sizeOf } from './words.mts';

type Schema = z.ZodMiniType<unknown, unknown>;
type Table = Schema & { shape: Record<string, Schema> };

/** One table of an event: `header`, `user`, or that of a field without a name of its own: `schoolClass.grade`. */
export function eventTable(name: string): string {
	const { shape } = tableOf(name);
	const rows = Object.entries(shape).map(([field, schema]) => {
		const ask = askerOf(schema);
		const required = ask(undefined).length > 0 ? 'yes' : 'no';
		return [code(field), formatOf(ask), sizeOf(ask), required];
	});
	return table(['Field', 'Format', 'Longest', 'Required'], rows);
}

function tableOf(name: string): Table {
	const [first, ...fields] = name.split('.');
	const start = tables[first as keyof typeof tables] as unknown as Table;
	return fields.reduce((found, field) => found.shape[field] as Table, start);
}

/** What is said of the value itself; findings about what it holds are those of other tables. */
function askerOf(schema: Schema) {
	return (value: unknown) =>
		(z.safeParse(schema, value).error?.issues ?? [])
			.filter(({ path }) => path.length === 0)
			.map(({ message }) => message);
}

/** What n8n answers before the trigger is asked, as test/e2e/trigger holds it to. */
export function ownAnswersTable(): string {
	const tried = readFileSync('test/e2e/trigger/own-answers.mts', 'utf8');
	const [, list = ''] = /n8nAnswers[^=]*= \[([^]*?)\n\];/.exec(tried) ?? [];
	const rows = [...list.matchAll(/\(\s*'([^']+)',\s+(\d{3})/g)].map(([, what, status]) => [what, status]);
	return table(['Sent', 'Status'], rows);
}
