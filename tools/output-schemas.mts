/** Writes `__schema__` of the action node: one JSON Schema for each operation, derived from the contract. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { outputSchemaOf } from '../nodes/SchoolPartner/framework/outputSchema.ts';
import { resources } from '../nodes/SchoolPartner/operations/index.ts';

/** n8n looks for the schemas of a node's version in this folder. */
const VERSION = 'v1.0.0';

const [dist = 'dist'] = process.argv.slice(2);
for (const resource of resources) {
	const folder = path.join(dist, 'nodes', 'SchoolPartner', '__schema__', VERSION, resource.name);
	await mkdir(folder, { recursive: true });
	for (const operation of resource.operations) {
		const schema = { ...outputSchemaOf(operation), version: 1 };
		await writeFile(path.join(folder, `${operation.name}.json`), `${JSON.stringify(schema, null, 2)}\n`);
	}
}
