/** n8n's own database while another program writes into it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { INSTALLED_NODE } from '../../playground/installation.mjs';

/** Another program begins an exclusive transaction in the SQLite file of this n8n; gives what ends that. */
export async function lockedDatabase(userFolder: string): Promise<() => Promise<void>> {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	const script = `
		const { DatabaseSync } = require('node:sqlite');
		const database = new DatabaseSync(process.argv[1], { timeout: 60_000 });
		database.exec('begin exclusive');
		console.log('locked');
		process.stdin.on('end', () => { database.exec('rollback'); database.close(); }).resume();`;
	const child = spawn(INSTALLED_NODE, ['-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] });
	await new Promise((resolve) => child.stdout.once('data', resolve));
	return async () => {
		const ended = new Promise((resolve) => child.once('exit', resolve));
		child.stdin.end();
		await ended;
	};
}
