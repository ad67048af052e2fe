/** What the engine tests of the action node stand on: a sandbox, a credential for it, and what it received. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { LoggedRequest } from '../../sandbox/admin-types.mts';
import { startSandbox, type Sandbox, type StartOptions } from '../../sandbox/start.mts';
import { CredentialStore, runNode, type NodeRun, type NodeRunOptions } from '../support/engine.mts';

export const TOKEN_PATH = '/identity/connect/token';
export const USER_PATH = '/integration/partner/v1/user';
export const CLASS_PATH = '/integration/partner/v1/class';
export const BOND_PATH = '/integration/partner/v1/bond-user-class';
export const CALLBACK_PATH = '/integration/partner/v1/callback';
export const PROFILES_PATH = '/data/v1/profiles';
export const STAGES_PATH = '/data/v1/educational-stages';

export type RunOptions = Omit<NodeRunOptions, 'parameters' | 'items'>;

export class Workroom {
	#sandbox: Sandbox | undefined;

	#credentials: CredentialStore | undefined;

	/** Strict: what the document does not show is refused, so that no test passes by what only this sandbox takes. */
	async start(options: StartOptions = {}): Promise<void> {
		this.#sandbox = await startSandbox({ strict: true, ...options });
	}

	/** The sandbox as it was after its start, and a credential without a token. */
	async reset(): Promise<void> {
		await this.sandbox.admin.reset();
		this.#credentials = await this.credentialWith({});
	}

	get sandbox(): Sandbox {
		if (this.#sandbox === undefined) throw new Error('The sandbox has not been started');
		return this.#sandbox;
	}

	get admin(): Sandbox['admin'] {
		return this.sandbox.admin;
	}

	/** The credential of this test. */
	get credentials(): CredentialStore {
		if (this.#credentials === undefined) throw new Error('The workroom has not been reset');
		return this.#credentials;
	}

	/** A credential that differs from the right one in what is given. */
	async credentialWith(change: IDataObject): Promise<CredentialStore> {
		const { baseUrl, issuerUrl, clientId, clientSecret } = this.sandbox;
		const right = { baseUrl, issuerUrl, clientId, clientSecret };
		return await CredentialStore.of('schoolPartnerOAuth2Api', { ...right, ...change } as never);
	}

	/** The same client's credential of the sign-on. */
	async signOnCredential(): Promise<CredentialStore> {
		const { issuerUrl, clientId, clientSecret } = this.sandbox;
		return await CredentialStore.of('schoolPartnerOidcApi', { issuerUrl, clientId, clientSecret });
	}

	/** Runs the action node with the credential of this test. */
	async run(parameters: INodeParameters, items?: IDataObject[], options: RunOptions = {}): Promise<NodeRun> {
		return await runNode({ parameters, items, credentials: this.credentials, ...options });
	}

	/** Stores a fresh token, as an earlier run would have left it, and forgets how it came. */
	async storeToken(): Promise<void> {
		await this.run({ resource: 'profile', operation: 'getAll' });
		await this.admin.clearRequests();
		this.credentials.reads = 0;
	}

	/** What arrived at the service, oldest first, without requests for tokens. */
	async received(path = '/'): Promise<LoggedRequest[]> {
		const requests = await this.admin.requests({ path });
		return requests.filter((request) => request.path !== TOKEN_PATH);
	}

	async tokenRequests(): Promise<number> {
		return await this.admin.countRequests({ path: TOKEN_PATH });
	}

	async stop(): Promise<void> {
		await this.#sandbox?.stop();
	}
}

/** A workroom for all tests of a file, reset before each. */
export function useWorkroom(options: StartOptions = {}): Workroom {
	const workroom = new Workroom();
	beforeAll(async () => await workroom.start(options));
	beforeEach(async () => await workroom.reset());
	afterAll(async () => await workroom.stop());
	return workroom;
}

/** Method, path, query and body of a request: what the service's document speaks of. */
export function asked({ method, path, query, body }: LoggedRequest) {
	return { method, path, query, body };
}

/** Parameters that create a student whose id stands in the item. */
export function studentParameters(change: INodeParameters = {}): INodeParameters {
	return {
		resource: 'user',
		operation: 'createStudent',
		schoolExternalId: 'school-001',
		externalId: '={{ $json.id }}',
		firstName: 'Abelia',
		lastName: 'Fontela',
		...change,
	};
}

/** Items of `count` students, with the ids student-1, student-2, … */
export function students(count: number): IDataObject[] {
	return Array.from({ length: count }, (_, index) => ({ id: `student-${index + 1}` }));
}

/** Message and description of a failure, however n8n has wrapped it. */
export function wordsOf(run: NodeRun): { message: string; description: string } {
	const { error } = run;
	if (error === undefined) throw new Error('The run did not fail');
	return { message: error.message, description: String(error.description ?? '') };
}
