/** What the editor shows of an operation before its first run is what it gives. */
import { readFileSync } from 'node:fs';

import type { IDataObject } from 'n8n-workflow';

import { runNode } from '../support/engine.mts';

import { useWorkroom } from './workroom.mts';
import { apply, doneOf, MAPPING, outputsOf, plan, zipOf } from './rosterStage.mts';

const workroom = useWorkroom();

interface Schema {
	type: string;
	properties?: Record<string, Schema>;
}

const schemaOf = (operation: string) =>
	JSON.parse(
		readFileSync(`dist/nodes/SchoolPartnerRoster/__schema__/v1.0.0/${operation}.json`, 'utf8'),
	) as Schema;

function typeOf(value: unknown): string {
	if (Array.isArray(value)) return 'array';
	return typeof value === 'number' ? 'integer' : typeof value;
}

/** The fields of items that are not in the schema, or not of its type; what is null says nothing. */
function strangers(items: IDataObject[], { properties = {} }: Schema): string[] {
	const fields = items.flatMap((item) =>
		Object.entries(item).filter(([, value]) => value !== null && value !== undefined),
	);
	return [
		...new Set(
			fields.filter(([name, value]) => properties[name]?.type !== typeOf(value)).map(([name]) => name),
		),
	];
}

test('Each operation gives items of the shape that its schema shows', async () => {
	const read = await runNode({
		node: 'schoolPartnerRoster',
		inputs: [zipOf()],
		parameters: { operation: 'readFiles', mapping: MAPPING },
	});
	const planned = outputsOf(await plan(workroom, { options: { firstRun: true } }));
	const noted = outputsOf(await plan(workroom, { options: { firstRun: true, takeAsDone: 'everything' } }));
	const applied = await apply(workroom, [planned.changes]);
	const compacted = await runNode({
		node: 'schoolPartnerRoster',
		items: doneOf(planned),
		parameters: { operation: 'compact' },
	});
	const given = {
		readFiles: read.items,
		plan: [...planned.changes, ...noted.changes],
		apply: applied.rows,
		compact: compacted.items,
	};
	for (const [operation, items] of Object.entries(given)) {
		expect(items.length).toBeGreaterThan(3);
		expect([operation, strangers(items, schemaOf(operation))]).toEqual([operation, []]);
	}
});
