/** The stage of an end-to-end test: the sandbox, a real n8n with the packed package, a session and a credential. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import {
	createCredential,
	createWorkflow,
	credentialReference,
	deleteWorkflow,
	runAndWait,
	signIn,
	type CredentialInput,
	type Execution,
	type Session,
	type StoredCredential,
	type WorkflowInput,
} from '../../playground/n8n-client.mts';
import { startN8n, type RunningN8n } from '../../playground/n8n.mts';
import { startSandbox, type Sandbox, type StartOptions } from '../../sandbox/start.mts';
import { DAYTIME } from './daytime.mts';
import { STRICT_BUT_FOR_SCOPE } from './strict.mts';
import { prepareUserFolder } from './user-folder.mts';

export const ACTION_NODE = 'n8n-nodes-school-partner.schoolPartner';
export const TESTED = 'School Partner';
const START = 'Start';
const ROWS = 'Rows';

export interface Stage {
	sandbox: Sandbox;
	n8n: RunningN8n;
	session: Session;
	/** Machine access to the sandbox, saved in n8n. */
	credential: StoredCredential;
	end(): Promise<void>;
}

export interface StageOptions {
	sandbox?: StartOptions;
	env?: Record<string, string>;
	/** For tests that open n8n's editor in a browser. */
	editor?: boolean;
	/** Where n8n's user folder is made, with its database; default: the system's folder for temporary ones. */
	temporaryIn?: string;
	/** For tests in which a person makes the credential. */
	withoutCredential?: boolean;
}

export async function setStage(options: StageOptions = {}): Promise<Stage> {
	const sandbox = await startSandbox({ strict: STRICT_BUT_FOR_SCOPE, ...options.sandbox });
	try {
		return await n8nBeside(sandbox, options);
	} catch (error) {
		// Trap: a process that is left behind keeps the test runner from ending.
		await sandbox.stop();
		throw error;
	}
}

async function n8nBeside(
	sandbox: Sandbox,
	{ editor = false, env, temporaryIn, withoutCredential }: StageOptions,
): Promise<Stage> {
	const trust = await trustIn(sandbox);
	const n8n = await startN8n({
		editor,
		env: { ...DAYTIME, ...trust.env, ...env },
		temporaryIn,
		prepare: prepareUserFolder,
	});
	const session = await signIn(n8n.baseUrl);
	const credential = withoutCredential
		? NO_CREDENTIAL
		: await createCredential(session, credentialFor(sandbox));
	return {
		sandbox,
		n8n,
		session,
		credential,
		end: async () => {
			await n8n.stop();
			await sandbox.stop();
			await trust.end();
		},
	};
}

/** n8n has to know the certificate of a sandbox over TLS when it starts. */
async function trustIn({
	certificate,
}: Sandbox): Promise<{ env: Record<string, string>; end: () => Promise<void> }> {
	if (certificate === undefined) return { env: {}, end: async () => {} };
	const folder = await mkdtemp(join(tmpdir(), 'school-partner-certificate-'));
	const file = join(folder, 'certificate.pem');
	await writeFile(file, certificate);
	return {
		env: { NODE_EXTRA_CA_CERTS: file },
		end: async () => await rm(folder, { recursive: true, force: true }),
	};
}

const NO_CREDENTIAL: StoredCredential = { id: '', name: '', type: 'schoolPartnerOAuth2Api' };

function credentialFor(sandbox: Sandbox): CredentialInput {
	return { name: 'School Partner', type: 'schoolPartnerOAuth2Api', data: machineAccess(sandbox) };
}

/** What a user fills into the credential for the sandbox. */
export function machineAccess({ baseUrl, issuerUrl, clientId, clientSecret }: Sandbox) {
	return { baseUrl, issuerUrl, clientId, clientSecret, scope: '', authorizationScheme: 'bearer' };
}

export interface NodeWorkflow {
	parameters: INodeParameters;
	/** Rows that stand before the node under test; default: one empty item. */
	rows?: IDataObject[];
	onError?: INode['onError'];
}

/** Start, rows, and the action node: the smallest workflow that a user would build. */
export function nodeWorkflow(
	{ credential }: Stage,
	{ parameters, rows = [{}], onError }: NodeWorkflow,
): WorkflowInput {
	return {
		name: 'Test',
		nodes: [
			{
				id: 'a',
				name: START,
				type: 'n8n-nodes-base.manualTrigger',
				typeVersion: 1,
				position: [0, 0],
				parameters: {},
			},
			{
				id: 'b',
				name: ROWS,
				type: 'n8n-nodes-base.code',
				typeVersion: 2,
				position: [200, 0],
				parameters: { jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));` },
			},
			{
				id: 'c',
				name: TESTED,
				type: ACTION_NODE,
				typeVersion: 1,
				position: [400, 0],
				parameters,
				...(onError && { onError }),
				credentials: credentialReference(credential),
			},
		],
		connections: {
			[START]: { main: [[{ node: ROWS, type: 'main', index: 0 }]] },
			[ROWS]: { main: [[{ node: TESTED, type: 'main', index: 0 }]] },
		},
		settings: { executionOrder: 'v1' },
	};
}

/** Saves the workflow, runs it as the editor does, removes it. */
export async function runOnce(stage: Stage, workflow: WorkflowInput, trigger = START): Promise<Execution> {
	const stored = await createWorkflow(stage.session, workflow);
	try {
		return await runAndWait(stage.session, stored.id, { trigger });
	} finally {
		await deleteWorkflow(stage.session, stored.id);
	}
}
