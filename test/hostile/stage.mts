/** One real n8n with the packed package for all attacks, and what an attack does with it and sees of it. */
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import axios from 'axios';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	activateWorkflow,
	createCredential,
	createWorkflow,
	credentialReference,
	deleteCredential,
	listExecutions,
	runManually,
	signIn,
	stopExecution,
	testCredential,
	waitForExecution,
	type Session,
	type StoredCredential,
	type WorkflowInput,
} from '../../playground/n8n-client.mts';
import { send } from '../../playground/client/http.mts';
import { startN8n, type RunningN8n } from '../../playground/n8n.mts';
import { installPackage } from '../../playground/package-under-test.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { logoutTrigger } from '../e2e/signOnWorkflow.mts';
import { allExecutions, startedWith, triggerWorkflow } from '../e2e/trigger/support.mts';
import { eventually } from '../../playground/eventually.mts';

import { lockDatabase } from './database.mts';
import { startIssuer, type IssuerPeer } from './peers/issuerPeer.mts';
import { startPeer, type Answer, type Peer } from './peers/servicePeer.mts';
import { seenOf, workflowOf, type Run, type Seen } from './runs.mts';
import { openReader, type Reader } from './uploads.mts';
import type { Signer } from '../unit/signOn/peer.mts';

/** A run that takes longer is stopped. */
const RUN_PATIENCE_MS = 40_000;

export interface OpenWebhook {
	workflowId: string;
	url: string;
	testUrl: string;
}

export class HostileStage {
	/** What must stand in no database and no log; name and value. */
	readonly secrets = new Map<string, string>();
	/** What must stand in no log. */
	readonly personal = new Set<string>();
	private readonly peers: Peer[] = [];

	private constructor(
		readonly userFolder: string,
		readonly sandbox: Sandbox,
		private n8n: RunningN8n,
		private signedIn: Session,
	) {}

	static async set(): Promise<HostileStage> {
		const sandbox = await startSandbox({ students: 60 });
		const userFolder = mkdtempSync(join(tmpdir(), 'school-partner-hostile-'));
		try {
			const n8n = await startN8n({
				userFolder,
				env: environment(userFolder),
				prepare: async (folder) => void (await installPackage(folder)),
			});
			const stage = new HostileStage(userFolder, sandbox, n8n, await signIn(n8n.baseUrl));
			stage.secrets.set('the client secret of the sandbox', sandbox.clientSecret);
			return stage;
		} catch (error) {
			// Trap: a process that is left behind keeps the test runner from ending.
			await sandbox.stop();
			rmSync(userFolder, { recursive: true, force: true });
			throw error;
		}
	}

	get session(): Session {
		return this.signedIn;
	}

	get baseUrl(): string {
		return this.n8n.baseUrl;
	}

	/** True while the process runs, answers within two seconds, and has its database. */
	async isAlive(): Promise<boolean> {
		if (this.n8n.process.ending() !== undefined) return false;
		const answer = await axios
			.get(`${this.baseUrl}/healthz/readiness`, { timeout: 2_000, validateStatus: () => true, proxy: false })
			.catch(() => undefined);
		return answer?.status === 200;
	}

	get pid(): number {
		return this.n8n.process.pid;
	}

	/** Memory of the n8n process in MB. */
	residentMegabytes(): number {
		const status = readFileSync(`/proc/${this.n8n.process.pid}/status`, 'utf8');
		return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024;
	}

	/** What n8n still holds after all garbage was collected, in MB. */
	async heldMegabytes(): Promise<number> {
		const file = memoryFile(this.userFolder);
		rmSync(file, { force: true });
		process.kill(this.n8n.process.pid, 'SIGUSR2');
		return Number(await eventually(() => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)));
	}

	/** SIGKILL, and a new n8n on what is left. */
	async killAndStartAgain(): Promise<void> {
		await this.n8n.kill();
		await this.startAgain();
	}

	async startAgain(): Promise<void> {
		const { port } = this.n8n;
		this.n8n = await startN8n({ userFolder: this.userFolder, port, env: environment(this.userFolder) });
		this.signedIn = await signIn(this.n8n.baseUrl);
	}

	/** Everything that n8n wrote to its output, over all starts. */
	log(): string {
		return readFileSync(this.n8n.process.logFile, 'utf8');
	}

	/** The files of the database, with what was not written back yet. */
	databaseFiles(): Array<{ name: string; bytes: Buffer }> {
		const folder = join(this.userFolder, '.n8n');
		return readdirSync(folder)
			.filter((name) => name.startsWith('database.sqlite'))
			.map((name) => ({ name, bytes: readFileSync(join(folder, name)) }));
	}

	/** Nothing can be written to the database until the work is done. */
	async whileLocked<T>(work: () => Promise<T>): Promise<T> {
		const unlock = await lockDatabase(join(this.userFolder, '.n8n', 'database.sqlite'));
		try {
			return await work();
		} finally {
			await unlock();
		}
	}

	async peer(api: Answer, token?: Answer): Promise<Peer> {
		return this.kept(await startPeer(api, token));
	}

	async issuer(signers: readonly Signer[]): Promise<IssuerPeer> {
		return this.kept(await startIssuer(signers));
	}

	private kept<P extends Peer>(peer: P): P {
		this.peers.push(peer);
		return peer;
	}

	/** All machine tokens that peers gave out. */
	tokensOfPeers(): string[] {
		return this.peers.flatMap(({ tokens }) => tokens);
	}

	/** A secret of its own, which is then looked for at the end. */
	newSecret(what: string): string {
		const secret = `secret-${randomBytes(18).toString('base64url')}`;
		this.secrets.set(`${what} (${this.secrets.size})`, secret);
		return secret;
	}

	/** Machine access to a peer that is service and issuer in one. */
	async machineCredential(url: string, change: IDataObject = {}): Promise<StoredCredential> {
		const data = {
			baseUrl: url,
			issuerUrl: url,
			clientId: 'hostile-client',
			clientSecret: this.newSecret('a client secret'),
			scope: '',
			authorizationScheme: 'bearer',
			...change,
		};
		const type = 'schoolPartnerOAuth2Api';
		return await createCredential(this.session, {
			name: `Machine ${randomUUID()}`,
			type,
			data: data as never,
		});
	}

	async signOnCredential(issuerUrl: string, change: IDataObject = {}): Promise<StoredCredential> {
		const data = {
			issuerUrl,
			clientId: 'hostile-client',
			clientSecret: this.newSecret('a client secret'),
			...change,
		};
		const type = 'schoolPartnerOidcApi';
		return await createCredential(this.session, {
			name: `Sign-on ${randomUUID()}`,
			type,
			data: data as never,
		});
	}

	/** Machine access to the sandbox. */
	async sandboxCredential(): Promise<StoredCredential> {
		const { baseUrl, issuerUrl, clientId, clientSecret } = this.sandbox;
		return await this.machineCredential(baseUrl, { issuerUrl, clientId, clientSecret });
	}

	async forget(credential: StoredCredential): Promise<void> {
		await deleteCredential(this.session, credential.id);
	}

	/** What the Test button says. */
	async test(credential: StoredCredential): Promise<{ status: string; message: string }> {
		return await testCredential(this.session, credential);
	}

	/** Starts a run as the editor does. */
	async start(run: Run): Promise<{ workflow: string; execution: string }> {
		const { id } = await createWorkflow(this.session, workflowOf(run));
		return { workflow: id, execution: await runManually(this.session, id, { trigger: 'Start' }) };
	}

	/** Runs the node and tells what came of it; a run that takes too long is stopped. It stays in the list of executions. */
	async run(run: Run): Promise<Seen> {
		const { execution } = await this.start(run);
		return await this.seen(execution, run.patienceMs);
	}

	/** Waits for the end of an execution, and stops it when that does not come. */
	async seen(execution: string, patienceMs = RUN_PATIENCE_MS): Promise<Seen> {
		try {
			return seenOf(await waitForExecution(this.session, execution, patienceMs));
		} catch (error) {
			await this.cancel(execution).catch(() => undefined);
			const nothing = { nodeMs: patienceMs, success: [], failure: [], text: '' };
			return { id: execution, status: 'hangs', error: String(error), ...nothing };
		}
	}

	async cancel(execution: string): Promise<void> {
		await stopExecution(this.session, execution);
	}

	/** Publishes a workflow that reads the rosters that are posted to it. */
	async openReader(mapping: INodeParameters): Promise<Reader> {
		return await openReader(this.session, mapping);
	}

	/** Publishes an access events trigger. */
	async openEvents(keys: { apiKey: string; previousApiKey?: string }): Promise<OpenWebhook> {
		const credential = await createCredential(this.session, {
			name: `Key ${randomUUID()}`,
			type: 'schoolPartnerWebhookApi',
			data: { previousApiKey: '', ...keys },
		});
		return await this.publish(triggerWorkflow(credential), 'events');
	}

	/** Publishes a back-channel logout trigger. */
	async openLogout(credential: StoredCredential): Promise<OpenWebhook> {
		return await this.publish(logoutTrigger('back', randomUUID(), credentialReference(credential)), 'logout');
	}

	private async publish(workflow: WorkflowInput, path: string): Promise<OpenWebhook> {
		const { id, nodes } = await createWorkflow(this.session, workflow);
		await activateWorkflow(this.session, id);
		const address = `${nodes[0]?.webhookId}/${path}`;
		const url = `${this.baseUrl}/webhook/${address}`;
		// n8n answers 404 for a fraction of a second.
		await eventually(async () => {
			const { status } = await send({ method: 'POST', url, data: {} });
			return status === 404 ? undefined : true;
		});
		return { workflowId: id, url, testUrl: `${this.baseUrl}/webhook-test/${address}` };
	}

	/** "Listen for test event". */
	async listenForTest({ workflowId }: OpenWebhook, trigger: string): Promise<void> {
		await this.session.request('POST', `/workflows/${workflowId}/run`, {
			triggerToStartFrom: { name: trigger },
			destinationNode: { nodeName: trigger, mode: 'inclusive' },
		});
	}

	/** Runs of a published workflow, once none is under way. */
	async runsOf({ workflowId }: OpenWebhook): Promise<string[]> {
		return await eventually(async () => {
			const all = await allExecutions(this.session, workflowId);
			return all.some(({ status }) => status === 'running' || status === 'new')
				? undefined
				: all.map(({ id }) => id);
		}, 30_000);
	}

	/** How many runs there are now, at most 100. */
	async countRuns({ workflowId }: OpenWebhook): Promise<number> {
		return (await listExecutions(this.session, workflowId)).length;
	}

	/** The item that a run was started with. */
	async startedWith(execution: string): Promise<IDataObject | undefined> {
		return await startedWith(this.session, execution);
	}

	async end(): Promise<void> {
		for (const peer of this.peers) peer.close();
		await this.n8n.stop();
		await this.sandbox.stop();
		rmSync(this.userFolder, { recursive: true, force: true });
	}
}

const memoryFile = (userFolder: string) => join(userFolder, 'held-megabytes');

/** The engine's lazy sandboxes, as docs/scaling.md recommends them, all that n8n can say, and a way to ask what it holds. */
const environment = (userFolder: string) => ({
	N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true',
	N8N_LOG_LEVEL: 'debug',
	NODE_OPTIONS: `--require ${join(__dirname, 'collect-garbage.cjs')}`,
	HOSTILE_MEMORY_FILE: memoryFile(userFolder),
});
