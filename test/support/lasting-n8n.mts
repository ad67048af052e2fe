/** A real n8n with the packed package that ends and is started again on what it has kept. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { signIn, type Session } from '../../playground/n8n-client.mts';
import { startN8n, type RunningN8n } from '../../playground/n8n.mts';

import { DAYTIME } from './daytime.mts';
import { prepareUserFolder } from './user-folder.mts';

export class LastingN8n {
	private constructor(
		readonly userFolder: string,
		private running: RunningN8n,
		private signedIn: Session,
	) {}

	static async start(env: Record<string, string> = {}): Promise<LastingN8n> {
		const userFolder = mkdtempSync(join(tmpdir(), 'school-partner-lasting-'));
		const running = await startN8n({
			userFolder,
			editor: false,
			env: { ...DAYTIME, ...env },
			prepare: prepareUserFolder,
		});
		return new LastingN8n(userFolder, running, await signIn(running.baseUrl));
	}

	/** Of the n8n that runs now: one that was started again wants a new one. */
	get session(): Session {
		return this.signedIn;
	}

	get process(): RunningN8n['process'] {
		return this.running.process;
	}

	/** SIGKILL, as in a crash. */
	async kill(): Promise<void> {
		await this.running.kill();
	}

	/** SIGTERM; SIGKILL only after so long, in milliseconds. */
	async stop(patience?: number): Promise<void> {
		await this.running.process.stop(patience);
	}

	async startAgain(env: Record<string, string> = {}): Promise<void> {
		this.running = await startN8n({
			userFolder: this.userFolder,
			port: this.running.port,
			editor: false,
			env: { ...DAYTIME, ...env },
		});
		this.signedIn = await signIn(this.running.baseUrl);
	}

	async end(): Promise<void> {
		await this.running.stop();
		rmSync(this.userFolder, { recursive: true, force: true });
	}
}
