/** A lock on the database of n8n, as a backup or a slow disk would hold it. */
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { PLAYGROUND } from '../../playground/installation.mjs';

interface SqliteDatabase {
	exec(sql: string, done: (error: Error | null) => void): void;
	close(done: () => void): void;
}

interface Sqlite {
	Database: new (file: string, done: (error: Error | null) => void) => SqliteDatabase;
}

/** Nothing can be written to the file until the function that it gives is called. */
export async function lockDatabase(file: string): Promise<() => Promise<void>> {
	const requireOfPlayground = createRequire(join(PLAYGROUND, 'package.json'));
	const { Database } = requireOfPlayground('sqlite3') as Sqlite;
	const database = await new Promise<SqliteDatabase>((resolve, reject) => {
		const opened: SqliteDatabase = new Database(file, (error) => (error ? reject(error) : resolve(opened)));
	});
	const run = async (sql: string) =>
		await new Promise<void>((resolve, reject) =>
			database.exec(sql, (error) => (error ? reject(error) : resolve())),
		);
	await run('PRAGMA busy_timeout = 10000');
	await run('BEGIN IMMEDIATE');
	return async () => {
		await run('ROLLBACK');
		await new Promise<void>((resolve) => database.close(() => resolve()));
	};
}
