/**
 * A parameter that only names a field of the item is read without n8n's expression engine. Here the same expressions
 * are read both ways, for the same items, with n8n's two engines: the one in this process, and the one
 * in a sandbox of its own, which is n8n's default.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';

import type { Findings } from './reading-probe.mts';

const root = process.cwd();

/** n8n's default engine, "vm", is native code that comes for Node.js 24 and later: n8n itself runs on such a one. */
const nodeOfN8n = join(root, 'playground', 'node_modules', '.bin', 'node');
const isNode24 = Number(process.versions.node.split('.')[0]) >= 24;
const sandboxed: [engine: string, node: string] =
	isNode24 || existsSync(nodeOfN8n)
		? ['vm', isNode24 ? process.execPath : nodeOfN8n]
		: ['quickjs', process.execPath];

/** Any other seed gives other cases. */
const SEED = 2026;

async function findingsWith(engine: string, node: string): Promise<Findings> {
	const loader = pathToFileURL(createRequire(join(root, 'package.json')).resolve('tsx')).href;
	const probe = join(root, 'test', 'engine', 'reading-probe.mts');
	const { stdout } = await promisify(execFile)(node, ['--import', loader, probe, engine, String(SEED)], {
		cwd: root,
		maxBuffer: 64 * 1024 * 1024,
	});
	return JSON.parse(stdout) as Findings;
}

test.each([['legacy', process.execPath], sandboxed])(
	'Every way to name a field, read directly or not, gives what n8n gives with its engine "%s"',
	async (engine, node) => {
		const found = await findingsWith(engine, node);
		expect(found.engine).toBe(engine);
		expect(found.different).toEqual([]);
		expect(found.compared).toBeGreaterThan(2_000);
		// So that the comparison does not hold because nothing is read directly.
		expect(found.direct).toBeGreaterThan(700);
		// What an engine swallows, the node hears of all the same; and of nothing else.
		expect({ unheard: found.unheard, falselyHeard: found.falselyHeard }).toEqual({
			unheard: [],
			falselyHeard: [],
		});
		expect(found.failing).toBeGreaterThan(10);
	},
);
