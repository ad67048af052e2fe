/** A user folder for an n8n of its own, with the packed package in it. */
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { N8N_VERSION } from '../../playground/installation.mjs';
import { startN8n } from '../../playground/n8n.mts';
import { installPackage } from '../../playground/package-under-test.mts';

/**
 * As the first start of this n8n leaves a folder: making its database takes as long as the rest of a start. Trap: n8n takes a relative
 * path from its own folder, so that nothing would be where the next one looks.
 */
const STARTED_ONCE = resolve('.cache', `started-once-${N8N_VERSION}`);

export async function prepareUserFolder(folder: string): Promise<void> {
	if (!existsSync(STARTED_ONCE)) await startOnce();
	await cp(STARTED_ONCE, folder, { recursive: true });
	await installPackage(folder);
}

/** Two files of tests may both do so: whoever comes later takes what is there. */
async function startOnce(): Promise<void> {
	mkdirSync('.cache', { recursive: true });
	const folder = mkdtempSync(`${STARTED_ONCE}-`);
	try {
		const { process } = await startN8n({ userFolder: folder, editor: false });
		await process.stop();
		rmSync(join(folder, 'n8n.log'));
		// The types of all nodes, which n8n writes anew at every start: left here, n8n's own lint would read them.
		rmSync(join(folder, '.cache'), { recursive: true, force: true });
		renameSync(folder, STARTED_ONCE);
	} catch (error) {
		if (!existsSync(STARTED_ONCE)) throw error;
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
