/**
 * Discovery document and keys of an issuer (RFC 7517), kept for an hour. jose keeps the keys and sees to it that those who
 * need them at the same time fetch them once. What is ours: HTTP through n8n's helpers only, discovery looked up anew with
 * the keys, since their address may have changed, and how often an unknown key makes us look again.
 */
import * as z from 'zod/v4-mini';
import { createRemoteJWKSet, customFetch, type JWK } from 'jose';
import QuickLRU from 'quick-lru';

import { failed, success } from '../failure';

import { endpointOf } from './addresses';
import { fetchDiscovery, type Discovery, type FetchJson } from './discovery';
import { rejected, type Checked, type SignOnFinding, type SignOnRefusal } from './finding';
import { UNKNOWN_KEY } from './signature';

/** How long discovery and keys are used without looking again. Milliseconds. */
export const KEYS_ARE_FRESH_FOR = 3_600_000;

/** How long must pass before an unknown key makes us look again. Milliseconds. */
export const LOOK_AGAIN_AFTER = 10_000;

/** How long those who need the keys of an issuer wait for them. Milliseconds. */
const LONGEST_FETCH = 10_000;

/** Issuers that are kept at once at least; twice as many at most. */
const MOST_ISSUERS = 50;

/** More keys than any issuer publishes; the rest of a longer list is ignored. */
const MOST_ISSUER_KEYS = 100;

/** Keys to check signatures with. */
export interface KeySet {
	/** Gives the key that a token's header asks for; throws when there is none, or more than one. */
	readonly find: (header: { alg: string; kid?: string }) => ReturnType<RemoteKeys>;
	readonly kids: ReadonlySet<string>;
}

type RemoteKeys = ReturnType<typeof createRemoteJWKSet>;

export interface IssuerKnowledge {
	readonly discovery: Discovery;
	readonly keys: KeySet;
}

const NO_ANSWER: SignOnFinding = {
	code: 'issuer_unreachable',
	message: 'The sign-on does not answer in time',
	next: 'Check Issuer URL in the credential, and that n8n can reach it.',
};
const NO_KEYS: SignOnFinding = {
	code: 'no_keys',
	message: "The issuer's key list holds no public key to check signatures with",
	next: 'Check the Issuer URL of the credential, or ask the operator of the service for its key list.',
};

/** Carries a refusal through jose. */
class NotFetched extends Error {
	constructor(readonly refusal: SignOnRefusal) {
		super('The keys of the issuer could not be fetched');
	}
}

/** True for what became of the one who asked, and says nothing of the issuer: cancelled, the run over, less time than others have. */
function isOfTheAsker({ cause }: SignOnRefusal): boolean {
	return cause !== undefined && (cause.origin === 'n8n' || cause.code === 'timeout');
}

/** One issuer, in the memory of this process. */
class Issuer {
	private readonly remote: RemoteKeys;
	private known: IssuerKnowledge | undefined;
	/** When it was last asked, with or without success. Milliseconds since 1970. */
	private askedAt = -Infinity;

	/** @param fetchJson of whoever asked last */
	constructor(
		private readonly address: string,
		private fetchJson: FetchJson,
		longestFetch: number,
	) {
		this.remote = createRemoteJWKSet(new URL(endpointOf(address, 'discovery')), {
			[customFetch]: async (_, { signal }) => Response.json(await this.fetchKeys(signal)),
			cacheMaxAge: KEYS_ARE_FRESH_FOR,
			timeoutDuration: longestFetch,
			// jose counts from the last success: with an issuer that is down, every forged token would make a request.
			cooldownDuration: Infinity,
		});
	}

	async get(fetchJson: FetchJson): Promise<Checked<IssuerKnowledge>> {
		return this.known !== undefined && this.remote.fresh ? success(this.known) : await this.load(fetchJson);
	}

	/** After a token named an unknown key: newer knowledge; undefined when there is none to be had now. */
	async newerThan(used: IssuerKnowledge, fetchJson: FetchJson): Promise<IssuerKnowledge | undefined> {
		if (this.known !== used) return this.known;
		if (!this.remote.reloading && Date.now() - this.askedAt < LOOK_AGAIN_AFTER) return undefined;
		const loaded = await this.load(fetchJson);
		return loaded.ok ? loaded.value : undefined;
	}

	private async load(fetchJson: FetchJson): Promise<Checked<IssuerKnowledge>> {
		const isOfAnother = this.remote.reloading;
		if (!isOfAnother) {
			this.fetchJson = fetchJson;
			this.askedAt = Date.now();
		}
		try {
			await this.remote.reload();
		} catch (thrown) {
			if (!(thrown instanceof NotFetched)) return rejected(NO_ANSWER);
			// Trap: with the one who asked first everybody else would fail, who waits for the same answer.
			return isOfAnother && isOfTheAsker(thrown.refusal)
				? await this.load(fetchJson)
				: failed(thrown.refusal);
		}
		return this.known === undefined ? rejected(NO_ANSWER) : success(this.known);
	}

	private async fetchKeys(signal: AbortSignal): Promise<{ keys: JWK[] }> {
		const { discovery, keys } = await Promise.race([this.fetchDocuments(), aborted(signal)]);
		const kids = new Set(keys.flatMap(({ kid }) => (kid === undefined ? [] : [kid])));
		this.known = { discovery, keys: { find: this.remote, kids } };
		return { keys };
	}

	private async fetchDocuments(): Promise<{ discovery: Discovery; keys: JWK[] }> {
		const { address, fetchJson } = this;
		const discovery = await fetchDiscovery(address, fetchJson);
		if (!discovery.ok) throw new NotFetched(discovery.failure);
		const answer = await fetchJson(discovery.value.jwks_uri);
		const keys = answer.ok ? readKeys(answer.value) : answer;
		if (!keys.ok) throw new NotFetched(keys.failure);
		return { discovery: discovery.value, keys: keys.value };
	}
}

async function aborted(signal: AbortSignal): Promise<never> {
	return await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
}

const keyShape = z.looseObject({
	kty: z.enum(['RSA', 'EC', 'OKP']),
	kid: z.optional(z.string()),
	use: z.optional(z.literal('sig')),
});

/**
 * Trap: a symmetric key (`oct`) in a published list would let everybody who can read the list sign tokens, so
 * only kinds of keys with a public half are kept, and none that is for encryption.
 */
function readKeys(body: unknown): Checked<JWK[]> {
	const read = z.safeParse(z.object({ keys: z.array(z.unknown()) }), body);
	const listed = read.success ? read.data.keys.slice(0, MOST_ISSUER_KEYS) : [];
	const usable = listed.filter((key): key is JWK => z.safeParse(keyShape, key).success);
	return usable.length === 0 ? rejected(NO_KEYS) : success(usable);
}

/** The issuers that a process talks to. Holds public data only. */
export class IssuerKeys {
	private readonly issuers = new QuickLRU<string, Issuer>({ maxSize: MOST_ISSUERS });

	constructor(private readonly longestFetch = LONGEST_FETCH) {}

	/** What is known of the issuer, fetched when it is not known or not fresh. */
	async get(issuer: string, fetchJson: FetchJson): Promise<Checked<IssuerKnowledge>> {
		return await this.issuer(issuer, fetchJson).get(fetchJson);
	}

	/** Checks a token by the issuer's keys, and once more by newer ones when it names a key that is not among them. */
	async check<T>(
		issuer: string,
		fetchJson: FetchJson,
		checkBy: (known: IssuerKnowledge) => Promise<Checked<T>>,
	): Promise<Checked<T>> {
		const known = await this.get(issuer, fetchJson);
		if (!known.ok) return known;
		const checked = await checkBy(known.value);
		if (checked.ok || !checked.failure.findings.some(({ code }) => code === UNKNOWN_KEY)) return checked;
		const newer = await this.issuer(issuer, fetchJson).newerThan(known.value, fetchJson);
		return newer === undefined ? checked : await checkBy(newer);
	}

	private issuer(address: string, fetchJson: FetchJson): Issuer {
		const issuer = this.issuers.get(address) ?? new Issuer(address, fetchJson, this.longestFetch);
		this.issuers.set(address, issuer);
		return issuer;
	}
}
