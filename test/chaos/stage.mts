/**
 * One real n8n, and lanes to it: a lane is a sandbox and the credentials for it, so that runs which break, reset and
 * measure a sandbox stand side by side without disturbing each other.
 */
import { createCredential, type Session, type StoredCredential } from '../../playground/n8n-client.mts';
import { startSandbox, type Sandbox, type StartOptions } from '../../sandbox/start.mts';
import { LastingN8n } from '../support/lasting-n8n.mts';
import { machineAccess } from '../support/stage.mts';

import type { OperationCase } from './operations.mts';

const LANES = 4;

export interface Lane {
	sandbox: Sandbox;
	/** Credentials of the lane, kept over its runs as a user would keep them. */
	credentials: Record<OperationCase['credential'], StoredCredential>;
}

export class ChaosStage {
	private constructor(
		readonly n8n: LastingN8n,
		readonly lanes: readonly Lane[],
	) {}

	/** @param service of every lane */
	static async set(service: StartOptions): Promise<ChaosStage> {
		const sandboxes = await Promise.all(
			Array.from({ length: LANES }, async () => await startSandbox(service)),
		);
		try {
			const n8n = await LastingN8n.start();
			const lanes: Lane[] = [];
			for (const sandbox of sandboxes) {
				const machine = await newCredential(n8n.session, 'machine', sandbox);
				lanes.push({
					sandbox,
					credentials: { machine, signOn: await newCredential(n8n.session, 'signOn', sandbox) },
				});
			}
			return new ChaosStage(n8n, lanes);
		} catch (error) {
			// Trap: a process that is left behind keeps the test runner from ending.
			await Promise.all(sandboxes.map(async (sandbox) => await sandbox.stop()));
			throw error;
		}
	}

	/** Gives every job to the first lane that is free. */
	async onLanes<T>(jobs: readonly T[], work: (lane: Lane, job: T) => Promise<void>): Promise<void> {
		const queue = jobs.values();
		await Promise.all(
			this.lanes.map(async (lane) => {
				for (const job of queue) await work(lane, job);
			}),
		);
	}

	async end(): Promise<void> {
		await this.n8n.end();
		await Promise.all(this.lanes.map(async ({ sandbox }) => await sandbox.stop()));
	}
}

/** A credential without a token, for a sandbox or for another address in its place. */
export async function newCredential(
	session: Session,
	kind: OperationCase['credential'],
	sandbox: Sandbox,
	change: { baseUrl?: string; issuerUrl?: string } = {},
): Promise<StoredCredential> {
	if (kind === 'machine') {
		const data = { ...machineAccess(sandbox), ...change };
		return await createCredential(session, { name: 'School Partner', type: 'schoolPartnerOAuth2Api', data });
	}
	const { issuerUrl, clientId, clientSecret } = sandbox;
	const data = { issuerUrl, clientId, clientSecret, ...change };
	return await createCredential(session, { name: 'Sign-on', type: 'schoolPartnerOidcApi', data });
}
