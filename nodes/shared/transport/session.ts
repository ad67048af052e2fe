/**
 * The token of one run. The credential is read once per run, not once per request: each reading costs n8n a
 * look into its database, a decryption and an expression sandbox. Nothing of it outlives the run.
 *
 * Fetching, storing and renewing tokens stays with n8n (throughN8n.ts). Nobody waits for that beyond the deadline of his own
 * attempt; it goes on for those who still wait.
 */
import { isRefused, type Attempt } from './attempt';
import { readCredential, type AuthorizationScheme, type Context, type Credential } from './credential';
import type { Deadline } from './patience';
import { withoutSecrets } from './secrets';
import type { Signer } from './signer';
import { fetchThroughN8n, renewThroughN8n } from './throughN8n';
import {
	answeredWithoutToken,
	CREDENTIAL_CHANGED,
	CREDENTIAL_NOT_READ,
	noTokenInTime,
	tokenFailure,
	type TokenFailure,
} from './tokenFailure';
import { Trial } from './trial';

/** How often one request may find its token refused: once for its age, once more for one that was withdrawn meanwhile. */
const MOST_RENEWALS = 2;

/** What one sending with a token came to. `stale`: the token had been replaced, or was being replaced, when the answer came. */
interface Signed {
	attempt: Attempt;
	token?: string;
	stale?: boolean;
}

type SendSigned = (token: string) => Promise<Attempt>;

export class Session implements Signer {
	/** Tokens and secrets of the run, those that were replaced too. */
	readonly secrets = new Set<string>();

	/** Set while a token is fetched or renewed: once for all who wait for it. */
	private renewing: Promise<TokenFailure | undefined> | undefined;

	/** Of renewed tokens. */
	private readonly trial = new Trial();

	/** Why there is no token, when asking again would give the same answer. */
	private closed: TokenFailure | undefined;

	private constructor(
		private readonly context: Context,
		private readonly credentialType: string,
		private credential: Credential,
	) {
		credential.secrets.forEach((secret) => this.secrets.add(secret));
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

	get clientId(): string {
		return this.credential.clientId;
	}

	/** Signs with the same token, and as `Bearer` whatever the credential says. */
	get asBearer(): Signer {
		return {
			secrets: this.secrets,
			attempt: async (send, deadline) => await this.attempt(send, deadline, 'bearer'),
		};
	}

	/**
	 * Sends a request with the token of the run, and again with a new one when the service refuses it. `unsigned` when no token
	 * can be had in time: nothing was done then. Never throws.
	 */
	async attempt(
		send: (authorization: string) => Promise<Attempt>,
		deadline: Deadline,
		scheme: AuthorizationScheme = this.credential.scheme,
	): Promise<Attempt> {
		const sendSigned: SendSigned = async (token) =>
			await send(scheme === 'token' ? token : `Bearer ${token}`);
		try {
			for (let renewals = 0; ; ) {
				const { attempt, token, stale } = await this.sendOnce(sendSigned, deadline);
				if (!isRefused(attempt) || !this.trial.isWorthRenewing) return attempt;
				// A token that was replaced while the request was on its way says nothing about the new one.
				if (!stale && ++renewals > MOST_RENEWALS) return attempt;
				const reason = await deadline.within(this.renew(token));
				if (reason !== undefined) return unsigned(reason);
			}
		} catch {
			// Only the deadline throws, and only while a token is waited for.
			if (deadline.trouble === 'cancelled') return { kind: 'lost', trouble: 'cancelled' };
			return unsigned(noTokenInTime(this.credential.issuerUrl));
		}
	}

	private async sendOnce(send: SendSigned, deadline: Deadline): Promise<Signed> {
		for (;;) {
			if (this.closed !== undefined) return { attempt: unsigned(this.closed) };
			const { token, issuerUrl } = this.credential;
			// Trap: what is sent with the rest of the time could be cut off in the middle.
			if (deadline.isHalfOver) return { attempt: unsigned(noTokenInTime(issuerUrl, token !== undefined)) };
			if (token === undefined) {
				const reason = await deadline.within(this.renew(undefined));
				if (reason !== undefined) return { attempt: unsigned(reason) };
			} else if (!this.trial.isDue) {
				return await this.sendSigned(send, token);
			} else if (this.trial.end === undefined) {
				return await this.sendTrial(send, token, deadline);
			} else {
				await deadline.within(this.trial.end);
			}
		}
	}

	private async sendTrial(send: SendSigned, first: string, deadline: Deadline): Promise<Signed> {
		const attempt = await this.trial.run(first, {
			send: async (token) => (await this.sendSigned(send, token)).attempt,
			replace: async (token) =>
				(await deadline.within(this.renew(token))) ??
				this.credential.token ??
				answeredWithoutToken(this.credential.issuerUrl),
		});
		return { attempt };
	}

	private async sendSigned(send: SendSigned, token: string): Promise<Signed> {
		const attempt = await send(token);
		if (attempt.kind === 'answered' && !isRefused(attempt)) this.trial.accept();
		return { attempt, token, stale: this.renewing !== undefined || this.credential.token !== token };
	}

	/**
	 * Gets another token than the one that was refused, or the first; gives why, when there is none to be had. One renewal
	 * serves all requests that wait for it.
	 */
	private async renew(rejected: string | undefined): Promise<TokenFailure | undefined> {
		if (this.closed !== undefined) return this.closed;
		if (this.credential.token !== rejected) return undefined;
		this.renewing ??= this.renewOnce(rejected).finally(() => {
			this.renewing = undefined;
		});
		return await this.renewing;
	}

	/** Never throws: what is waited for together must not be left unhandled when nobody waits any more. */
	private async renewOnce(rejected: string | undefined): Promise<TokenFailure | undefined> {
		try {
			await this.readAgain();
			if (this.closed !== undefined) return this.closed;
			const { token } = this.credential;
			// Another run renewed it meanwhile: its token is taken over.
			const reason = token === undefined || token === rejected ? await this.fetch() : undefined;
			if (reason === undefined && rejected !== undefined) this.trial.announce();
			// A secret that is refused stays refused: the items to come need not ask for a token again.
			if (reason?.lasting) this.closed = reason;
			return reason;
		} catch {
			return CREDENTIAL_NOT_READ;
		}
	}

	/** Gives why there is no token, when there is none. */
	private async fetch(): Promise<TokenFailure | undefined> {
		const { token, withoutToken, issuerUrl } = this.credential;
		// Trap: n8n stores whatever the sign-on area answers, and fetches no first token while there is an answer, even one
		// without a token in it. Only a renewal gets the credential out of that.
		const isFirst = token === undefined && !withoutToken;
		const { renewed, thrown } = isFirst
			? await fetchThroughN8n(this.context, this.credentialType, this.baseUrl)
			: await renewThroughN8n(this.context, this.credentialType);
		if (thrown !== undefined && !isFirst) return this.failureOf(thrown);
		if (renewed === undefined) await this.readAgain();
		else this.take(renewed);
		if (this.closed !== undefined) return this.closed;
		if (this.credential.token !== undefined) return undefined;
		return thrown === undefined || this.credential.withoutToken
			? answeredWithoutToken(issuerUrl)
			: this.failureOf(thrown);
	}

	private take(token: string): void {
		this.credential = { ...this.credential, token };
		this.secrets.add(token);
	}

	private failureOf(thrown: unknown): TokenFailure {
		const { failure, lasting } = tokenFailure(thrown, this.credential.issuerUrl);
		const clean = (text: string) => withoutSecrets(text, this.secrets);
		const { message, code } = failure;
		return { lasting, failure: { ...failure, message: clean(message), ...(code && { code: clean(code) }) } };
	}

	/** Trap: whoever edits the credential in the middle of a run would send the rest of it to another service, or as another client. */
	private async readAgain(): Promise<void> {
		const { baseUrl, clientId } = this;
		this.credential = await readCredential(this.context, this.credentialType);
		this.credential.secrets.forEach((secret) => this.secrets.add(secret));
		if (this.baseUrl !== baseUrl || this.clientId !== clientId) this.closed = CREDENTIAL_CHANGED;
	}
}

function unsigned(reason: TokenFailure): Attempt {
	return { kind: 'unsigned', reason };
}
