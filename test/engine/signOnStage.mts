/** The stage of the sign-on's engine tests: sandbox, a browser without a screen, and a credential in memory. */
import type {
	ExecutionError,
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeParameters,
} from 'n8n-workflow';
import * as independent from 'openid-client';

import { SandboxBrowser } from '../../sandbox/browser.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { CredentialStore, runNode, type NodeRun, type OnError } from '../support/engine.mts';
import { STRICT_BUT_FOR_SCOPE } from '../support/strict.mts';

export const REDIRECT = 'http://localhost:9/callback';
export const OTHER_REDIRECT = 'http://localhost:9/elsewhere';

/** What n8n shows of a refused item. `shown` is everything of it, to look for what must not be there. */
export interface Refusal {
	message: string;
	description: string;
	shown: string;
}

/** What a visitor comes back with. */
export interface Callback {
	code: string;
	state: string;
	browserBinding: string;
	redirectUri: string;
}

export interface Tokens {
	id_token: string;
	access_token: string;
	refresh_token: string;
	claims: IDataObject;
}

export function textOf(value: unknown): string {
	if (typeof value !== 'string') throw new Error(`Text was expected, but it is ${typeof value}`);
	return value;
}

export class SignOnStage {
	browser: SandboxBrowser;

	credentials: CredentialStore | undefined;

	private constructor(readonly sandbox: Sandbox) {
		this.browser = new SandboxBrowser(sandbox.baseUrl);
	}

	static async set(): Promise<SignOnStage> {
		return new SignOnStage(await startSandbox({ students: 12, strict: STRICT_BUT_FOR_SCOPE }));
	}

	async end(): Promise<void> {
		this.browser.close();
		await this.sandbox.stop();
	}

	/** As at the start: a fresh browser, nobody connected, nothing logged. */
	async reset(): Promise<void> {
		await this.sandbox.admin.reset();
		await this.sandbox.admin.changeSettings({ codeLifetime: 300, tokenLifetime: 3_600 });
		await this.sandbox.admin.changeRegistration({ redirectUris: [REDIRECT, OTHER_REDIRECT] });
		await this.sandbox.admin.clearRequests();
		this.browser.close();
		this.browser = new SandboxBrowser(this.sandbox.baseUrl);
		this.credentials = await this.credentialsWith({});
	}

	async credentialsWith(change: IDataObject, type = 'schoolPartnerOidcApi'): Promise<CredentialStore> {
		const { issuerUrl, clientId, clientSecret } = this.sandbox;
		const data = { issuerUrl: `${issuerUrl}/`, clientId, clientSecret, ...change };
		return await CredentialStore.of(type, data as ICredentialDataDecryptedObject);
	}

	/** As n8n keeps it after Connect; without tokens as before. */
	async connectedWith(tokens?: Partial<Record<keyof Tokens, unknown>>): Promise<CredentialStore> {
		const change = tokens && { oauthTokenData: { ...tokens, token_type: 'Bearer' } as IDataObject };
		return await this.credentialsWith({ ...change }, 'schoolPartnerOidcOAuth2Api');
	}

	/** The values come with the item, and the parameters refer to them, as in a real workflow, but for the choice of the credential. */
	async run(
		operation: string,
		given: INodeParameters,
		store = this.credentials,
		onError?: OnError,
	): Promise<NodeRun> {
		const { options = {}, user, startedBy, ...values } = given;
		const references = Object.fromEntries(Object.keys(values).map((name) => [name, `={{ $json.${name} }}`]));
		return await runNode({
			parameters: {
				resource: 'signOn',
				operation,
				...(user !== undefined && { user }),
				...(startedBy !== undefined && { startedBy }),
				...references,
				options,
			},
			items: [values as IDataObject],
			credentials: store,
			onError,
		});
	}

	async itemOf(operation: string, given: INodeParameters, store?: CredentialStore): Promise<IDataObject> {
		const { items, error } = await this.run(operation, given, store);
		if (error !== undefined) throw error;
		expect(items).toHaveLength(1);
		return items[0];
	}

	async refusalOf(operation: string, given: INodeParameters, store?: CredentialStore): Promise<Refusal> {
		const { error } = await this.run(operation, given, store);
		const { message = '', description }: Partial<ExecutionError> = error ?? {};
		const shown = JSON.stringify({ message, description, error });
		expect(shown).not.toContain(this.sandbox.clientSecret);
		return { message, description: typeof description === 'string' ? description : '', shown };
	}

	/** A visitor who starts, logs in and comes back. */
	async visit(
		options: INodeParameters = {},
	): Promise<{ started: IDataObject; back: URL; given: Callback & INodeParameters }> {
		const started = await this.itemOf('getAuthorizationUrl', { redirectUri: REDIRECT, options });
		const back = await this.browser.signIn(textOf(started.authorization_url), 'student1');
		const [code, state] = ['code', 'state'].map((name) => back.searchParams.get(name) ?? '');
		const browserBinding = textOf(started.browser_binding);
		return { started, back, given: { code, state, browserBinding, redirectUri: REDIRECT } };
	}

	async signedInUser(): Promise<Tokens> {
		const { given } = await this.visit();
		const item = await this.itemOf('exchangeCode', given);
		const [id_token, access_token, refresh_token] = [
			item.id_token,
			item.access_token,
			item.refresh_token,
		].map(textOf);
		return { id_token, access_token, refresh_token, claims: item.claims as IDataObject };
	}

	/** openid-client, configured for the sandbox: an independent party. */
	async openidClient(): Promise<independent.Configuration> {
		const { issuerUrl, clientId, clientSecret } = this.sandbox;
		const auth = independent.ClientSecretPost(clientSecret);
		const options = { execute: [independent.allowInsecureRequests] };
		return await independent.discovery(new URL(issuerUrl), clientId, undefined, auth, options);
	}
}
