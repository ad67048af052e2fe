/**
 * The token of one run. The credential is read once per run, not once per request: each reading costs n8n a
 * look into its database, a decryption and an expression sandbox. Nothing of it outlives the run.
 *
 * Fetching, storing and renewing tokens stays with n8n, under its own lock. Nobody waits for that beyond a deadline of his own; it
 * goes on for those who still wait.
 */
import { isRefused, type Attempt } from './attempt';
import { readCredential, type Context, type Credential } from './credential';
import type { Deadline } from './deadline';
import type { Signature, Signer } from './signer';
import {
	answeredWithoutToken,
	CREDENTIAL_CHANGED,
	CREDENTIAL_NOT_READ,
	noTokenInTime,
	tokenFailure,
	type TokenFailure,
} from './tokenFailure';
import { fetchFirst, replaceStored } from './tokenFetch';

/** So many fresh tokens refused in a row, with nothing accepted between them: the service takes none, and no more are fetched. */
const MOST_FRESH_REFUSED = 2;

/**
 * A renewed token is tried by one request while the others wait. Trap: if all went at once, a service that takes tokens back faster than
 * requests are done would refuse every one of them again.
 */
interface Trial {
	/** Set once a request tries it. */
	isUnderWay: boolean;
	done: Promise<void>;
	end: () => void;
}

export class Session implements Signer {
	/** Tokens and secrets of the run, those that were replaced too. */
	readonly secrets = new Set<string>();

	/** Set while a token is fetched or renewed: once for all who wait for it. */
	private renewing: Promise<TokenFailure | undefined> | undefined;

	private trial: Trial | undefined;

	/** The token that the service refused last. */
	private refusedToken: string | undefined;

	private freshRefused = 0;

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

	async sign(deadline: Deadline, asBearer = false): ReturnType<Signer['sign']> {
		try {
			const ready = await this.tokenToSend(deadline);
			if ('failure' in ready) return { kind: 'unsigned', reason: ready };
			const isBare = this.credential.isTokenBare && !asBearer;
			return { ...ready, kind: 'signed', authorization: isBare ? ready.token : `Bearer ${ready.token}` };
		} catch {
			// Only the deadline throws.
			return { kind: 'unsigned', reason: noTokenInTime(this.credential.issuerUrl) };
		}
	}

	/** Waits until there is a token that may be sent, or has to be tried. Throws when the deadline is over. */
	private async tokenToSend(deadline: Deadline): Promise<{ token: string; isTrial: boolean } | TokenFailure> {
		for (;;) {
			const { closed, trial } = this;
			const { token } = this.credential;
			if (closed !== undefined) return closed;
			if (token === undefined || (token === this.refusedToken && this.isWorthRenewing)) {
				const failure = await deadline.within(this.renew(token));
				if (failure !== undefined) return failure;
			} else if (trial?.isUnderWay) {
				// Trap: of the deadline the renewal may have left hardly anything. The request of the trial has one of its own.
				await trial.done;
			} else {
				if (trial !== undefined) trial.isUnderWay = true;
				return { token, isTrial: trial !== undefined };
			}
		}
	}

	settle({ token, isTrial }: Signature, attempt: Attempt): 'settled' | 'refused' | 'replaced' {
		const isCurrent = this.renewing === undefined && this.credential.token === token;
		if (isTrial && isRefused(attempt)) this.freshRefused++;
		if (attempt.kind === 'answered' && !isRefused(attempt)) {
			this.freshRefused = 0;
			// Trap: one record that is always refused must not cost the others a token that is taken.
			if (isCurrent) this.refusedToken = undefined;
		}
		if (isRefused(attempt) && isCurrent && this.isWorthRenewing) this.refusedToken = token;
		if (isTrial) {
			this.trial?.end();
			this.trial = undefined;
		}
		if (!isRefused(attempt) || !this.isWorthRenewing) return 'settled';
		// A token that was replaced while the request was on its way says nothing about the new one.
		return isCurrent ? 'refused' : 'replaced';
	}

	/** False when the service has refused fresh tokens too, and has accepted nothing since. */
	private get isWorthRenewing(): boolean {
		return this.freshRefused < MOST_FRESH_REFUSED;
	}

	/**
	 * Gets another token than the one that was refused, or the first; gives why, when there is none to be had. One renewal
	 * serves all requests that wait for it.
	 */
	private async renew(rejected: string | undefined): Promise<TokenFailure | undefined> {
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
			if (reason === undefined && rejected !== undefined) this.beginTrial();
			if (reason === undefined) this.refusedToken = undefined;
			// A secret that is refused stays refused: the items to come need not ask for a token again.
			if (reason?.lasting) this.closed = reason;
			return reason;
		} catch {
			return CREDENTIAL_NOT_READ;
		}
	}

	/** Trap: whoever waits for the trial before this one would wait for ever. */
	private beginTrial(): void {
		this.trial?.end();
		this.trial = newTrial();
	}

	/** Gives why there is no token, when there is none. */
	private async fetch(): Promise<TokenFailure | undefined> {
		const { token, withoutToken, issuerUrl } = this.credential;
		// Trap: n8n stores whatever the sign-on area answers, and fetches no first token while there is an answer, even one
		// without a token in it. Only a renewal gets the credential out of that.
		const isFirst = token === undefined && !withoutToken;
		const { context, credentialType, baseUrl } = this;
		const { renewed, thrown } = isFirst
			? await fetchFirst(context, credentialType, baseUrl)
			: await replaceStored(context, credentialType);
		if (thrown !== undefined && !isFirst) return this.failureOf(thrown);
		if (renewed === undefined) await this.readAgain();
		else {
			this.credential = { ...this.credential, token: renewed };
			this.secrets.add(renewed);
		}
		if (this.closed !== undefined) return this.closed;
		if (this.credential.token !== undefined) return undefined;
		return thrown === undefined || this.credential.withoutToken
			? answeredWithoutToken(issuerUrl)
			: this.failureOf(thrown);
	}

	private failureOf(thrown: unknown): TokenFailure {
		const isConnected = this.credentialType !== 'schoolPartnerOAuth2Api';
		return tokenFailure(thrown, this.credential.issuerUrl, { isConnected, secrets: this.secrets });
	}

	/** Trap: whoever edits the credential in the middle of a run would send the rest of it to another service, or as another client. */
	private async readAgain(): Promise<void> {
		const before = this.credential;
		this.credential = await readCredential(this.context, this.credentialType);
		this.credential.secrets.forEach((secret) => this.secrets.add(secret));
		if (recipient(this.credential) !== recipient(before)) this.closed = CREDENTIAL_CHANGED;
	}
}

/** Where requests go, and as which client. Who signs in has no other address than that of the issuer. */
function recipient({ baseUrl, issuerUrl, clientId }: Credential): string {
	return JSON.stringify([baseUrl || issuerUrl, clientId]);
}

function newTrial(): Trial {
	let end: () => void = () => undefined;
	const done = new Promise<void>((resolve) => {
		end = resolve;
	});
	return { isUnderWay: false, done, end };
}
