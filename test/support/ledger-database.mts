/** A PostgreSQL of its own for the ledger of a roster: n8n gets a credential of it, and a test looks into it. */
import { createRequire } from 'node:module';

import type { IDataObject } from 'n8n-workflow';

import { N8N_BIN } from '../../playground/installation.mjs';
import { createCredential, type Session, type StoredCredential } from '../../playground/n8n-client.mts';
import { startQueueServices, type QueueServices } from '../e2e/trigger/queue-services.mts';

interface Client {
	connect(): Promise<void>;
	query(sql: string): Promise<{ rows: IDataObject[] }>;
	end(): Promise<void>;
}

// n8n's own.
const { Client } = createRequire(N8N_BIN)('pg') as { Client: new (options: object) => Client };

const PLACE = { host: '127.0.0.1', user: 'postgres', database: 'postgres' };

export class LedgerDatabase {
	private constructor(
		private readonly services: QueueServices,
		private client: Client,
	) {}

	get port(): number {
		return this.services.postgresPort;
	}

	static async start(): Promise<LedgerDatabase> {
		const services = await startQueueServices();
		return new LedgerDatabase(services, await connected(services));
	}

	/** It ends as in a crash, and comes back after so many milliseconds. */
	async crash(downMs: number): Promise<void> {
		await this.client.end();
		await this.services.crashPostgres(downMs);
		this.client = await connected(this.services);
	}

	/** What a person fills into n8n's credential of PostgreSQL. */
	async credential(session: Session, name = 'Ledger database'): Promise<StoredCredential> {
		const data = { ...PLACE, port: this.services.postgresPort, password: '', ssl: 'disable' };
		return await createCredential(session, { name, type: 'postgres', data });
	}

	/** Another database of the same server, with a connection of its own. */
	async another(name: string): Promise<Pick<LedgerDatabase, 'rows' | 'stop'>> {
		const client = new Client({ ...PLACE, port: this.port, database: name });
		await client.connect();
		return { rows: async (sql) => (await client.query(sql)).rows, stop: async () => await client.end() };
	}

	async rows(sql: string): Promise<IDataObject[]> {
		return (await this.client.query(sql)).rows;
	}

	async stop(): Promise<void> {
		await this.client.end();
		await this.services.stop();
	}
}

async function connected({ postgresPort: port }: QueueServices): Promise<Client> {
	const client = new Client({ ...PLACE, port });
	await client.connect();
	return client;
}
