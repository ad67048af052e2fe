/** Writes `__schema__` of the nodes with operations: one JSON Schema for each, of the action node derived from the contract. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { resources } from '../nodes/SchoolPartner/operations/index.ts';

import { outputSchemaOf } from './output-schema.mts';
import { rosterSchemas } from './roster-schemas.mts';

/** n8n looks for the schemas of a node's version in this folder. */
const VERSION = 'v1.0.0';

const [dist = 'dist'] = process.argv.slice(2);

async function write(folder: string, operation: string, schema: object): Promise<void> {
	await mkdir(folder, { recursive: true });
	await writeFile(
		path.join(folder, `${operation}.json`),
		`${JSON.stringify({ ...schema, version: 1 }, null, 2)}\n`,
	);
}

for (const resource of resources) {
	const folder = path.join(dist, 'nodes', 'SchoolPartner', '__schema__', VERSION, resource.name);
	for (const operation of resource.operations) await write(folder, operation.name, outputSchemaOf(operation));
}
// A node without resources: n8n looks for the operation itself.
const roster = path.join(dist, 'nodes', 'SchoolPartnerRoster', '__schema__', VERSION);
for (const [operation, schema] of Object.entries(rosterSchemas)) await write(roster, operation, schema);
