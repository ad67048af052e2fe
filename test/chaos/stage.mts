/**
 * One real n8n, and lanes to it: a lane is a sandbox and the credentials for it, so that runs which break, reset and
 * measure a sandbox stand side by side without disturbing each other.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
	createCredential,
	signIn,
	type Session,
	type StoredCredential,
} from '../../playground/n8n-client.mts';
import { startN8n, type RunningN8n } from '../../playground/n8n.mts';
import { installPackage } from '../../playground/package-under-test.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { machineAccess } from '../support/stage.mts';

import type { OperationCase } from './operations.mts';

const LANES = 4;
const STUDENTS = 150;

export interface Lane {
	sandbox: Sandbox;
	/** Credentials of the lane, kept over its runs as a user would keep them. */
	credentials: Record<OperationCase['credential'], StoredCredential>;
}

export class ChaosStage {
	private constructor(
		readonly userFolder: string,
		readonly lanes: readonly Lane[],
		private n8n: RunningN8n,
		private signedIn: Session,
	) {}

	static async set(): Promise<ChaosStage> {
		const userFolder = mkdtempSync(join(tmpdir(), 'school-partner-chaos-'));
		const sandboxes = await Promise.all(
			Array.from({ length: LANES }, async () => await startSandbox({ students: STUDENTS })),
		);
		try {
			const n8n = await startN8n({
				userFolder,
				prepare: async (folder) => void (await installPackage(folder)),
			});
			const session = await signIn(n8n.baseUrl);
			const lanes: Lane[] = [];
			for (const sandbox of sandboxes) {
				const machine = await newCredential(session, 'machine', sandbox);
				lanes.push({
					sandbox,
					credentials: { machine, signOn: await newCredential(session, 'signOn', sandbox) },
				});
			}
			return new ChaosStage(userFolder, lanes, n8n, session);
		} catch (error) {
			// Trap: a process that is left behind keeps the test runner from ending.
			await Promise.all(sandboxes.map(async (sandbox) => await sandbox.stop()));
			throw error;
		}
	}

	get session(): Session {
		return this.signedIn;
	}

	get process(): RunningN8n['process'] {
		return this.n8n.process;
	}

	/** Starts n8n again on what it has kept. */
	async startAgain(env: Record<string, string> = {}): Promise<void> {
		this.n8n = await startN8n({ userFolder: this.userFolder, port: this.n8n.port, env });
		this.signedIn = await signIn(this.n8n.baseUrl);
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
		await this.n8n.stop();
		await Promise.all(this.lanes.map(async ({ sandbox }) => await sandbox.stop()));
		rmSync(this.userFolder, { recursive: true, force: true });
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
	return await createCredential(session, { name: 'Sign-on', type: 'schoolPartnerOidcOAuth2Api', data });
}
