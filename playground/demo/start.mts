/** Brings up all parts of the demo: sandbox, n8n with the package, owner, credentials, examples. */
import { randomUUID } from 'node:crypto';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startSandbox } from '../../sandbox/start.mts';
import type { Sandbox } from '../../sandbox/start.mts';
import { PLAYGROUND } from '../installation.mjs';
import { N8nRequestError, signIn, withCredential, withExport } from '../n8n-client.mts';
import type { Session, WorkflowInput } from '../n8n-client.mts';
import { startN8n } from '../n8n.mts';
import type { RunningN8n } from '../n8n.mts';
import { installPackage, installedIn } from '../package-under-test.mts';
import { connectSandbox } from './connect.mts';
import { credentialsFor, rosterCredentialFor } from './credentials.mts';
import { importExamples } from './examples.mts';
import type { ImportedExample } from './examples.mts';
import { rebuildOnChange, RELOADING } from './rebuild.mts';
import { exportOf, isFilledBy, STUDENTS } from './roster.mts';

const ROOT = dirname(PLAYGROUND);
const EXAMPLES = join(ROOT, 'examples');

export interface DemoOptions {
	/** Absent: any free one. */
	port?: number;
	sandboxPort?: number;
	rosterPort?: number;
	/** The package is built and loaded anew at each change of its sources. */
	dev?: boolean;
}

export interface RunningDemo {
	sandbox: Sandbox;
	/** Another one, with schools and nobody in them: a roster fills it. */
	rosterSandbox: Sandbox;
	n8n: RunningN8n;
	session: Session;
	/** The `x-api-key` of the events. */
	webhookKey: string;
	examples: ImportedExample[];
	/** Stops both processes; safe to call twice. */
	stop(): Promise<void>;
}

async function signInAsOwner(baseUrl: string): Promise<Session> {
	try {
		return await signIn(baseUrl);
	} catch (error) {
		if (!(error instanceof N8nRequestError) || error.status !== 401) throw error;
		throw new Error(
			'The owner of this n8n has another password than the demo. Set it back, or delete playground/home to start anew.',
			{ cause: error },
		);
	}
}

/**
 * Starts everything on the n8n home in `userFolder`; what is kept there from an earlier start is used again.
 * `say` gets one line for each part that is under way. When a part does not start, those before it are stopped.
 */
export async function startDemo(
	userFolder: string,
	options: DemoOptions,
	say: (line: string) => void,
): Promise<RunningDemo> {
	mkdirSync(userFolder, { recursive: true });
	say('Starting the sandboxes');
	const sandbox = await startSandbox({ root: ROOT, port: options.sandboxPort ?? 0 });
	const started: Array<{ stop(): Promise<unknown> }> = [sandbox];
	const stop = async () => {
		for (const part of started.splice(0).reverse()) await part.stop();
		// n8n copies its editor to this folder at every start; left here, n8n's own lint would read all of it.
		rmSync(join(userFolder, '.cache'), { recursive: true, force: true });
	};
	try {
		const { rosterPort: port = 0 } = options;
		const rosterSandbox = await startSandbox({ root: ROOT, port, students: STUDENTS, empty: true });
		started.push(rosterSandbox);
		say('Building and packing the package, installing it in n8n');
		const version = await installPackage(userFolder);
		if (options.dev) started.push(await rebuildOnChange(installedIn(userFolder)));
		say(`Starting n8n with version ${version} of the package`);
		const env = options.dev ? RELOADING : {};
		const n8n = await startN8n({ userFolder, port: options.port, env });
		started.push(n8n);
		say('Setting up the owner, the credentials and the examples');
		const session = await signInAsOwner(n8n.baseUrl);
		const webhookKey = randomUUID();
		const credentials = await credentialsFor(session, sandbox, webhookKey);
		const ofRoster = await rosterCredentialFor(session, rosterSandbox);
		const atHome = (file: WorkflowInput): WorkflowInput => {
			const workflow = credentials.reduce(withCredential, file);
			return isFilledBy(workflow)
				? withExport(withCredential(workflow, ofRoster), exportOf(rosterSandbox))
				: withExport(workflow, exportOf(sandbox));
		};
		const examples = await importExamples(session, EXAMPLES, atHome, join(userFolder, 'examples.json'));
		await connectSandbox(sandbox.admin, n8n.baseUrl, webhookKey);
		return { sandbox, rosterSandbox, n8n, session, webhookKey, examples, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
