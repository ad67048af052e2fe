/** n8n's own database while another program writes into it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

import { INSTALLATION, INSTALLED_NODE } from '../../playground/installation.mjs';

/** Another program begins an exclusive transaction in the SQLite file of this n8n; gives what ends that. */
export async function lockedDatabase(userFolder: string): Promise<() => Promise<void>> {
	const file = join(userFolder, '.n8n', 'database.sqlite');
	// n8n's own driver: that of Node.js is missing in the version that old ones run on.
	const script = `
		const { Database } = require(process.argv[1]);
		const database = new Database(process.argv[2]);
		database.configure('busyTimeout', 60000);
		database.exec('begin exclusive', (error) => {
			if (error) throw error;
			console.log('locked');
		});
		process.stdin.on('end', () => database.exec('rollback', () => database.close())).resume();`;
	const driver = join(INSTALLATION, 'node_modules', 'sqlite3');
	const child = spawn(INSTALLED_NODE, ['-e', script, driver, file], { stdio: ['pipe', 'pipe', 'inherit'] });
	await new Promise((resolve) => child.stdout.once('data', resolve));
	return async () => {
		const ended = new Promise((resolve) => child.once('exit', resolve));
		child.stdin.end();
		await ended;
	};
}
