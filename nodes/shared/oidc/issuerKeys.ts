/**
 * Discovery document and keys of an issuer (RFC 7517), kept for an hour in the memory of a process. Discovery is looked up anew with the keys,
 * since their address may have changed. Why not `createRemoteJWKSet` of jose: it keeps its fetch hook, and with it the run and the tokens of
 * whoever asked last; an answer that comes late is lost, and everybody fails who waits for a fetch that hangs.
 */
import * as z from 'zod/v4-mini';
import { createLocalJWKSet, type JWK } from 'jose';
import QuickLRU from 'quick-lru';

import { success } from '../failure';

import { fetchDiscovery, type Discovery, type FetchJson } from './discovery';
import { rejected, type Checked, type SignOnFinding, type SignOnRefusal } from './finding';
import { OF_OTHER_KEYS } from './signature';

/** How long discovery and keys are used without looking again. Milliseconds. */
export const KEYS_ARE_FRESH_FOR = 3_600_000;

/**
 * How long must pass before a token that no known key has signed makes us look again. Milliseconds. Trap: counted from the last attempt;
 * counted from the last success, every forged token would make a request while the issuer is down.
 */
export const LOOK_AGAIN_AFTER = 10_000;

/** A fetch without an answer for this long is left to itself, and whoever waits for it begins another. Milliseconds. */
export const HANGS_AFTER = 3_000;

/** How long one who asks waits for the keys, unless told otherwise. Milliseconds. */
const LONGEST_WAIT = 30_000;

/** Issuers that are kept at once at least; twice as many at most. */
const MOST_ISSUERS = 50;

/** More keys than any issuer publishes; the rest of a longer list is ignored. */
const MOST_PUBLISHED_KEYS = 100;

/** Keys to check signatures with. */
export interface KeySet {
	/** Gives the key that a token's header asks for; throws when there is none, or more than one. */
	readonly find: ReturnType<typeof createLocalJWKSet>;
	readonly kids: ReadonlySet<string>;
}

export interface IssuerKnowledge {
	readonly discovery: Discovery;
	readonly keys: KeySet;
}

/** Lets some milliseconds pass. */
type Sleep = (milliseconds: number) => Promise<void>;

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

/** True for what became of the one who asked, and says nothing of the issuer: cancelled, the run over, less time than others have. */
function isOfTheAsker({ cause }: SignOnRefusal): boolean {
	return cause !== undefined && (cause.origin === 'n8n' || cause.code === 'timeout');
}

interface Fetching {
	readonly answer: Promise<Checked<IssuerKnowledge>>;
	/** Comes when the answer should have been there for long. */
	readonly hangs: Promise<'hangs'>;
}

/** Whether a moment lies within the last so many milliseconds. Trap: a clock that was put back leaves it in the future, where it tells nothing. */
function isYoungerThan(span: number, moment: number): boolean {
	const age = Date.now() - moment;
	return age >= 0 && age < span;
}

/** One issuer, in the memory of this process. Keeps nothing of who asked. */
class Issuer {
	private known: IssuerKnowledge | undefined;
	/** When the fetch began that gave it. Milliseconds since 1970. */
	private knownSince = -Infinity;
	/** When it was last asked, with or without success. */
	private askedAt = -Infinity;
	/** Why newer knowledge could not be had when it was last asked. */
	private refusal: Checked<IssuerKnowledge> | undefined;
	/** One fetch for all that ask at the same time. */
	private fetching: Fetching | undefined;

	constructor(
		private readonly address: string,
		private readonly sleep: Sleep,
		private readonly longestWait: number,
	) {}

	async get(fetchJson: FetchJson): Promise<Checked<IssuerKnowledge>> {
		const isFresh = isYoungerThan(KEYS_ARE_FRESH_FOR, this.knownSince);
		return this.known !== undefined && isFresh ? success(this.known) : await this.load(fetchJson);
	}

	/** After a token that no known key has signed: newer knowledge, or why it cannot be had; undefined when it is too early to look again. Trap: too early after a refusal, nobody knows either. */
	async newerThan(
		used: IssuerKnowledge,
		fetchJson: FetchJson,
	): Promise<Checked<IssuerKnowledge> | undefined> {
		if (this.known !== used) return this.known && success(this.known);
		if (this.fetching === undefined && isYoungerThan(LOOK_AGAIN_AFTER, this.askedAt)) return this.refusal;
		return await this.load(fetchJson);
	}

	private async load(fetchJson: FetchJson): Promise<Checked<IssuerKnowledge>> {
		const before = this.known;
		for (let waited = 0; waited < this.longestWait; ) {
			const ofAnother = this.fetching;
			const { answer, hangs } = ofAnother ?? this.begin(fetchJson);
			const found = await Promise.race([answer, hangs]);
			// Trap: with the one who asked first everybody else would fail, who waits for the same answer.
			if (found !== 'hangs' && !found.ok && ofAnother && isOfTheAsker(found.failure)) continue;
			if (found !== 'hangs') return found;
			waited += HANGS_AFTER;
			// A fetch that was left to itself may have come in late.
			if (this.known !== undefined && this.known !== before) return success(this.known);
		}
		return rejected(NO_ANSWER);
	}

	private begin(fetchJson: FetchJson): Fetching {
		const beganAt = (this.askedAt = Date.now());
		// Until there is an answer, and where only the one who asked has left.
		this.refusal = rejected(NO_ANSWER);
		const end = () => {
			if (this.fetching === fetching) this.fetching = undefined;
		};
		const fetched = async () => {
			const found = await fetchKnowledge(this.address, fetchJson);
			if (found.ok) [this.known, this.knownSince, this.refusal] = [found.value, beganAt, undefined];
			else if (!isOfTheAsker(found.failure)) this.refusal = found;
			return found;
		};
		const hung = async (): Promise<'hangs'> => {
			await this.sleep(HANGS_AFTER);
			end();
			return 'hangs';
		};
		const fetching: Fetching = { answer: fetched().finally(end), hangs: hung() };
		this.fetching = fetching;
		return fetching;
	}
}

async function fetchKnowledge(address: string, fetchJson: FetchJson): Promise<Checked<IssuerKnowledge>> {
	const discovery = await fetchDiscovery(address, fetchJson);
	if (!discovery.ok) return discovery;
	const answer = await fetchJson(discovery.value.jwks_uri);
	const keys = answer.ok ? readKeys(answer.value) : answer;
	return keys.ok ? success({ discovery: discovery.value, keys: keys.value }) : keys;
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
function readKeys(body: unknown): Checked<KeySet> {
	const read = z.safeParse(z.object({ keys: z.array(z.unknown()) }), body);
	const listed = read.success ? read.data.keys.slice(0, MOST_PUBLISHED_KEYS) : [];
	const usable = listed.filter((key): key is JWK => z.safeParse(keyShape, key).success);
	if (usable.length === 0) return rejected(NO_KEYS);
	const kids = new Set(usable.flatMap(({ kid }) => (kid === undefined ? [] : [kid])));
	return success({ find: createLocalJWKSet({ keys: usable }), kids });
}

/** The issuers that a process talks to. Holds public data only. */
export class IssuerKeys {
	private readonly issuers = new QuickLRU<string, Issuer>({ maxSize: MOST_ISSUERS });

	/** @param longestWait how long one who asks waits, in milliseconds; rounded up to whole attempts */
	constructor(
		private readonly sleep: Sleep,
		private readonly longestWait = LONGEST_WAIT,
	) {}

	/** What is known of the issuer, fetched when it is not known or not fresh. */
	async get(issuer: string, fetchJson: FetchJson): Promise<Checked<IssuerKnowledge>> {
		return await this.issuer(issuer).get(fetchJson);
	}

	/** Checks a token by the issuer's keys, and once more by newer ones when none of them has signed it. */
	async check<T>(
		issuer: string,
		fetchJson: FetchJson,
		checkBy: (known: IssuerKnowledge) => Promise<Checked<T>>,
	): Promise<Checked<T>> {
		const known = await this.get(issuer, fetchJson);
		if (!known.ok) return known;
		const checked = await checkBy(known.value);
		if (checked.ok || !checked.failure.findings.some(({ code }) => OF_OTHER_KEYS.includes(code)))
			return checked;
		const newer = await this.issuer(issuer).newerThan(known.value, fetchJson);
		if (newer === undefined) return checked;
		// Trap: while the issuer does not answer, nobody knows whether it has a new key: that is no reason not to trust the token.
		return newer.ok ? await checkBy(newer.value) : newer;
	}

	private issuer(address: string): Issuer {
		const issuer = this.issuers.get(address) ?? new Issuer(address, this.sleep, this.longestWait);
		this.issuers.set(address, issuer);
		return issuer;
	}
}
