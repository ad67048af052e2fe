/** The database of a real n8n, held so that n8n can read it and not write: as a backup or a full disk does it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { N8N_BIN } from '../../../playground/installation.mjs';
import type { RunningN8n } from '../../../playground/n8n.mts';

interface Connection {
	exec(sql: string, done: (error: Error | null) => void): void;
	close(done: (error: Error | null) => void): void;
}

// n8n's own, which the playground has built: the same library that writes the file reads it here.
const { Database } = createRequire(N8N_BIN)('sqlite3') as {
	Database: new (file: string, done: (error: Error | null) => void) => Connection;
};

async function done(work: (callBack: (error: Error | null) => void) => void): Promise<void> {
	await new Promise<void>((resolve, reject) => work((error) => (error === null ? resolve() : reject(error))));
}

/** Gives the function that lets n8n write again. */
export async function lockDatabase({ userFolder }: RunningN8n): Promise<() => Promise<void>> {
	let connection: Connection | undefined;
	await done((callBack) => {
		connection = new Database(join(userFolder, '.n8n', 'database.sqlite'), callBack);
	});
	await done((callBack) => connection?.exec('PRAGMA busy_timeout = 20000; BEGIN IMMEDIATE', callBack));
	return async () => {
		await done((callBack) => connection?.exec('ROLLBACK', callBack));
		await done((callBack) => connection?.close(callBack));
	};
}
