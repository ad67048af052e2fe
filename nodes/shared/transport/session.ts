/**
 * The token of one run. The credential is read once per run, not once per request: each reading costs n8n a
 * look into its database, a decryption and an expression sandbox. Nothing of it outlives the run.
 *
 * Fetching, storing and renewing tokens stays with n8n: its OAuth2 helpers do it under n8n's own lock.
 */
import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { isRefused, type Attempt } from './attempt';
import { readCredential, type Context, type Credential } from './credential';
import { renewThroughN8n, sendThroughN8n, sendWithToken } from './throughN8n';
import { answeredWithoutToken, tokenFailure, type TokenFailure } from './tokenFailure';
import { Trial } from './trial';
import { troubleOf } from './trouble';

export class Session {
	/** Set while the first request of a run without a stored token is on its way. */
	private opening: Promise<void> | undefined;

	private renewing: Promise<TokenFailure | undefined> | undefined;

	/** Of renewed tokens. */
	private readonly trial = new Trial();

	/** Why there is no token, when the last try to get one came to nothing. */
	private closed: TokenFailure | undefined;

	private constructor(
		private readonly context: Context,
		private readonly credentialType: string,
		private credential: Credential,
	) {
		const { unusable } = credential;
		if (unusable !== undefined) this.closed = { lasting: true, failure: unusable };
	}

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
		if (this.closed?.lasting) return unsigned(this.closed);
		for (;;) {
			const { token } = this.credential;
			if (token === undefined) {
				if (this.opening === undefined) return await this.sendFirst(options);
				await this.opening;
				if (this.closed !== undefined) return unsigned(this.closed);
			} else if (!this.trial.isDue) {
				return await this.sendSigned(options, token);
			} else if (this.trial.end === undefined) {
				return await this.sendTrial(options, token);
			} else {
				await this.trial.end;
			}
		}
	}

	/** False when the service has refused fresh tokens too, and has accepted nothing since. */
	get isWorthRenewing(): boolean {
		return this.trial.isWorthRenewing;
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
			return unsigned(this.close(this.credential.withoutToken ? undefined : tokenFailure(thrown, this.credential.issuerUrl)));
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
		return reason === undefined && token !== undefined ? await this.sendSigned(options, token) : unsigned(this.close(reason));
	}

	private async sendTrial(options: IHttpRequestOptions, first: string): Promise<Attempt> {
		return await this.trial.run(first, {
			send: async (token) => await this.sendSigned(options, token),
			replace: async (token) => (await this.renew(token)) ?? this.credential.token ?? this.close(),
		});
	}

	private async sendSigned(options: IHttpRequestOptions, token: string): Promise<Attempt> {
		const authorization = this.credential.scheme === 'token' ? token : `Bearer ${token}`;
		try {
			const response = await sendWithToken(this.context, options, authorization);
			const stale = this.renewing !== undefined || this.credential.token !== token;
			const attempt = answered(response, token, stale);
			if (!isRefused(attempt)) this.trial.accept();
			return attempt;
		} catch (thrown) {
			return { kind: 'lost', trouble: troubleOf(thrown) };
		}
	}

	private close(reason = answeredWithoutToken(this.credential.issuerUrl)): TokenFailure {
		this.closed = reason;
		return reason;
	}

	private async renewOnce(rejected: string | undefined): Promise<TokenFailure | undefined> {
		await this.readAgain();
		// Another run renewed it meanwhile: its token is taken over.
		if (this.credential.token !== undefined && this.credential.token !== rejected) {
			this.trial.announce();
			return undefined;
		}
		try {
			const token = await renewThroughN8n(this.context, this.credentialType);
			if (token === undefined) await this.readAgain();
			else this.credential = { ...this.credential, token };
			this.trial.announce();
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

function unsigned(reason: TokenFailure): Attempt {
	return { kind: 'unsigned', reason };
}
