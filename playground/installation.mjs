/**
 * Which n8n the demo and the end-to-end tests run: the pinned one of this folder, or the one of the folder that
 * PLAYGROUND_N8N names (relative to the repository's root), such as `playground/oldest`. Plain JavaScript: read before
 * anything is installed.
 */
import { readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the pinned n8n, of the demo and of these modules. */
export const PLAYGROUND = dirname(fileURLToPath(import.meta.url));

/** The folder whose package.json and lockfile name the n8n that is run, and the Node.js that runs it. */
export const INSTALLATION = process.env.PLAYGROUND_N8N
	? resolve(PLAYGROUND, '..', process.env.PLAYGROUND_N8N)
	: PLAYGROUND;

/** The Node.js that npm installed beside n8n, whatever Node.js the machine has. */
export const INSTALLED_NODE = join(INSTALLATION, 'node_modules', '.bin', 'node');

export const N8N_BIN = join(INSTALLATION, 'node_modules', 'n8n', 'bin', 'n8n');

/** The versions that the folder's package.json pins, whether they are installed yet or not. */
export const { n8n: N8N_VERSION, node: NODE_VERSION } = JSON.parse(
	readFileSync(join(INSTALLATION, 'package.json'), 'utf8'),
).dependencies;
