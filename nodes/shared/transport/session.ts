/**
 * The token of one run. The credential is read once per run, not once per request: each reading costs n8n a
 * look into its database, a decryption and an expression sandbox. Nothing of it outlives the run.
 *
 * Fetching, storing and renewing tokens stays with n8n: its OAuth2 helpers do it under n8n's own lock.
 */
import type { IDataObject, IExecuteFunctions, IHttpRequestOptions, ILoadOptionsFunctions, IN8nHttpFullResponse } from 'n8n-workflow';

import { baseAddress } from '../contract/path';

import type { Attempt } from './attempt';
import { answeredWithoutToken, tokenFailure, type TokenFailure } from './tokenFailure';
import { troubleOf } from './trouble';

/** Where requests can be sent from: a run, or a list that the editor loads. */
export type Context = IExecuteFunctions | ILoadOptionsFunctions;

/** `bearer`: `Authorization: Bearer <token>`. `token`: the bare token (the header format of some endpoints is not shown). */
export type AuthorizationScheme = 'bearer' | 'token';

interface Credential {
	baseUrl: string;
	issuerUrl: string;
	scheme: AuthorizationScheme;
	token: string | undefined;
	/** n8n has stored an answer of the sign-on area that holds no token. */
	withoutToken: boolean;
}

/** So many fresh tokens refused in a row, with nothing accepted between them: the service takes none, and no more are fetched. */
const MOST_FRESH_REFUSED = 2;

/** Trap: with any other token type n8n's OAuth2 helpers put the token into the URL. */
const SIGN_AS_BEARER = { tokenType: 'Bearer' };

export class Session {
	/** Set while the first request of a run without a stored token is on its way. */
	private opening: Promise<void> | undefined;

	private renewing: Promise<TokenFailure | undefined> | undefined;

	/** A renewed token that nobody has tried yet. */
	private untried = false;

	/** Set while one request tries it. */
	private trial: Promise<void> | undefined;

	private freshRefused = 0;

	/** Why there is no token, when the last try to get one came to nothing. */
	private closed: TokenFailure | undefined;

	private constructor(
		private readonly context: Context,
		private readonly credentialType: string,
		private credential: Credential,
	) {}

	/** Reads the credential of the run. Throws what n8n throws when the node has none. */
	static async open(context: Context, credentialType: string): Promise<Session> {
		return new Session(context, credentialType, await readCredential(context, credentialType));
	}

	/** Base address of the service, without a slash at its end. */
	get baseUrl(): string {
		return this.credential.baseUrl;
	}

	/**
	 * Sends a request once, with the token of the run. `unsigned` when no token can be had: nothing was sent then.
	 * Never throws.
	 */
	async send(options: IHttpRequestOptions): Promise<Attempt> {
		if (this.closed?.lasting) return { kind: 'unsigned', reason: this.closed };
		for (;;) {
			const { token } = this.credential;
			if (token === undefined) {
				if (this.opening === undefined) return await this.sendFirst(options);
				await this.opening;
				if (this.closed !== undefined) return { kind: 'unsigned', reason: this.closed };
			} else if (!this.untried) {
				return await this.sendSigned(options, token);
			} else if (this.trial === undefined) {
				return await this.sendTrial(options, token);
			} else {
				await this.trial;
			}
		}
	}

	/** False when the service has refused fresh tokens too, and has accepted nothing since. */
	get isWorthRenewing(): boolean {
		return this.freshRefused < MOST_FRESH_REFUSED;
	}

	/**
	 * Replaces a token that the service refused; gives why, when it cannot be replaced. One renewal serves all
	 * requests that wait for it.
	 */
	async renew(rejected: string | undefined): Promise<TokenFailure | undefined> {
		if (this.closed?.lasting) return this.closed;
		if (this.credential.token !== rejected) return undefined;
		this.renewing ??= this.renewOnce(rejected).finally(() => {
			this.renewing = undefined;
		});
		return await this.renewing;
	}

	/**
	 * With no stored token, the first request goes through n8n's own helper, which fetches a token and stores it.
	 * Trap: every request that is sent this way fetches a token of its own, so all others wait for the first.
	 */
	private async sendFirst(options: IHttpRequestOptions): Promise<Attempt> {
		let done: () => void = () => undefined;
		this.closed = undefined;
		this.opening = new Promise((resolve) => {
			done = resolve;
		});
		try {
			if (this.credential.withoutToken) return await this.sendRenewed(options);
			const response = await sendThroughN8n(this.context, this.credentialType, options, this.credential.scheme);
			await this.readAgain();
			return answered(response, this.credential.token);
		} catch (thrown) {
			await this.readAgain();
			// The token is there, so it was the request itself that did not get through.
			if (this.credential.token !== undefined) return { kind: 'lost', trouble: troubleOf(thrown) };
			return this.close(this.credential.withoutToken ? undefined : tokenFailure(thrown, this.credential.issuerUrl));
		} finally {
			this.opening = undefined;
			done();
		}
	}

	/**
	 * Trap: n8n stores whatever the sign-on area answers, and asks for no token again while there is an answer, even
	 * one without a token in it. Only a renewal gets the credential out of that.
	 */
	private async sendRenewed(options: IHttpRequestOptions): Promise<Attempt> {
		const reason = await this.renewOnce(undefined);
		const { token } = this.credential;
		return reason === undefined && token !== undefined ? await this.sendSigned(options, token) : this.close(reason);
	}

	/**
	 * One request tries a renewed token while the others wait, and goes on with the next when that is refused. Trap: if all
	 * went at once, a service that takes tokens back faster than requests are done would refuse every one of them again.
	 */
	private async sendTrial(options: IHttpRequestOptions, first: string): Promise<Attempt> {
		let done: () => void = () => undefined;
		this.trial = new Promise((resolve) => {
			done = resolve;
		});
		try {
			for (let token: string | undefined = first; token !== undefined; token = this.credential.token) {
				const attempt = await this.sendSigned(options, token);
				if (isRefused(attempt)) this.freshRefused++;
				if (!isRefused(attempt) || !this.isWorthRenewing) return attempt;
				const reason = await this.renew(token);
				if (reason !== undefined) return { kind: 'unsigned', reason };
			}
			return this.close();
		} finally {
			this.untried = false;
			this.trial = undefined;
			done();
		}
	}

	private async sendSigned(options: IHttpRequestOptions, token: string): Promise<Attempt> {
		const authorization = this.credential.scheme === 'token' ? token : `Bearer ${token}`;
		try {
			const response = await sendWithToken(this.context, options, authorization);
			const stale = this.renewing !== undefined || this.credential.token !== token;
			const attempt = answered(response, token, stale);
			if (!isRefused(attempt)) this.freshRefused = 0;
			return attempt;
		} catch (thrown) {
			return { kind: 'lost', trouble: troubleOf(thrown) };
		}
	}

	private close(reason = answeredWithoutToken(this.credential.issuerUrl)): Attempt {
		this.closed = reason;
		return { kind: 'unsigned', reason };
	}

	private async renewOnce(rejected: string | undefined): Promise<TokenFailure | undefined> {
		await this.readAgain();
		// Another run renewed it meanwhile: its token is taken over.
		if (this.credential.token !== undefined && this.credential.token !== rejected) {
			this.untried = true;
			return undefined;
		}
		try {
			const token = await renewThroughN8n(this.context, this.credentialType);
			if (token === undefined) await this.readAgain();
			else this.credential = { ...this.credential, token };
			this.untried = true;
			return undefined;
		} catch (thrown) {
			const failure = tokenFailure(thrown, this.credential.issuerUrl);
			// A secret that is refused stays refused: the items to come need not ask for a token again.
			if (failure.lasting) this.closed = failure;
			return failure;
		}
	}

	private async readAgain(): Promise<void> {
		this.credential = await readCredential(this.context, this.credentialType);
	}
}

function answered(response: IN8nHttpFullResponse, token: string | undefined, stale = false): Attempt {
	const { statusCode: status, headers, body } = response;
	// Trap: an answer without a body arrives as undefined, null or empty text, depending on its status.
	return { kind: 'answered', token, stale, reply: { status, headers, text: typeof body === 'string' ? body : '' } };
}

function isRefused(attempt: Attempt): boolean {
	return attempt.kind === 'answered' && attempt.reply.status === 401;
}

async function readCredential(context: Context, credentialType: string): Promise<Credential> {
	const data = await context.getCredentials(credentialType);
	const { oauthTokenData } = data;
	const token = accessTokenOf(oauthTokenData);
	return {
		baseUrl: baseAddress(String(data.baseUrl ?? '')),
		issuerUrl: baseAddress(String(data.issuerUrl ?? '')),
		scheme: data.authorizationScheme === 'token' ? 'token' : 'bearer',
		token,
		withoutToken: token === undefined && typeof oauthTokenData === 'object' && Object.keys(oauthTokenData ?? {}).length > 0,
	};
}

function accessTokenOf(data: unknown): string | undefined {
	const token: unknown = typeof data === 'object' && data !== null && 'access_token' in data ? data.access_token : undefined;
	return typeof token === 'string' && token !== '' ? token : undefined;
}

async function renewThroughN8n(context: Context, credentialType: string): Promise<string | undefined> {
	return accessTokenOf(await context.helpers.refreshOAuth2Token.call(context, credentialType, SIGN_AS_BEARER));
}

async function sendWithToken(
	context: Context,
	options: IHttpRequestOptions,
	authorization: string,
): Promise<IN8nHttpFullResponse> {
	const headers: IDataObject = { ...options.headers, Authorization: authorization };
	return (await context.helpers.httpRequest({ ...options, headers })) as IN8nHttpFullResponse;
}

async function sendThroughN8n(
	context: Context,
	credentialType: string,
	options: IHttpRequestOptions,
	scheme: AuthorizationScheme,
): Promise<IN8nHttpFullResponse> {
	return (await context.helpers.httpRequestWithAuthentication.call(
		context,
		credentialType,
		{ ...options, headers: { ...options.headers } },
		{ oauth2: { ...SIGN_AS_BEARER, keepBearer: scheme === 'bearer' } },
	)) as IN8nHttpFullResponse;
}
