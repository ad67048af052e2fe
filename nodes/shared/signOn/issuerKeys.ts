/**
 * Discovery document and keys of an issuer, kept for a while. A token that names a key we do not know makes us
 * look again (the issuer may have changed its keys), but not more often than the bound allows: otherwise anybody
 * could make us call the issuer with every forged token.
 */
import { endpointOf } from './addresses';
import { readDiscovery, type Discovery } from './discovery';
import type { Refusal } from './finding';
import { readKeySet, type KeySet } from './keySet';
import { UNKNOWN_KEY } from './signature';

/** How long discovery and keys are used without looking again. Milliseconds. */
export const KEYS_ARE_FRESH_FOR = 3_600_000;

/** How long must pass before an unknown key makes us look again. Milliseconds. */
export const LOOK_AGAIN_AFTER = 10_000;

/** Most issuers that are kept at once. */
const MOST_ISSUERS = 50;

/** Gets the JSON behind an address, or says why it cannot. */
export type FetchJson = (address: string) => Promise<{ valid: true; body: unknown } | Refusal>;

/** What is known of an issuer. */
export interface IssuerKnowledge {
	readonly valid: true;
	readonly discovery: Discovery;
	readonly keys: KeySet;
	/** Milliseconds since 1970. */
	readonly fetchedAt: number;
}

/** A discovery document and when it was fetched (milliseconds since 1970). */
interface Dated {
	readonly discovery: Discovery;
	readonly fetchedAt: number;
}

function isFresh(known: { fetchedAt: number } | undefined, now: number): boolean {
	return known !== undefined && now - known.fetchedAt < KEYS_ARE_FRESH_FOR;
}

/** The memory of one process, for all issuers it talks to. Holds public data only. */
export class IssuerKeys {
	private readonly documents = new Map<string, Dated>();
	private readonly known = new Map<string, IssuerKnowledge>();
	/** When the issuer was last asked, with or without success. */
	private readonly askedAt = new Map<string, number>();
	private readonly underWay = new Map<string, Promise<IssuerKnowledge | Refusal>>();

	/**
	 * What is known of the issuer, fetched when it is not known or not fresh.
	 * @param now milliseconds since 1970
	 */
	async of(issuer: string, fetchJson: FetchJson, now: number): Promise<IssuerKnowledge | Refusal> {
		const known = this.known.get(issuer);
		return known !== undefined && isFresh(known, now) ? known : await this.fetch(issuer, fetchJson, now);
	}

	/** The discovery document of the issuer, without its keys. */
	async discoveryOf(
		issuer: string,
		fetchJson: FetchJson,
		now: number,
	): Promise<{ valid: true; discovery: Discovery } | Refusal> {
		const known = this.documents.get(issuer);
		if (known !== undefined && isFresh(known, now)) return { valid: true, discovery: known.discovery };
		const answer = await fetchJson(endpointOf(issuer, 'discovery'));
		const read = answer.valid ? readDiscovery(answer.body, issuer) : answer;
		if (read.valid) keep(this.documents, issuer, { discovery: read.discovery, fetchedAt: now });
		return read;
	}

	/**
	 * Holds something against the issuer's keys, and once more against newer ones when it names a key that is
	 * not among them.
	 */
	async check<T extends { valid: true }>(
		issuer: string,
		fetchJson: FetchJson,
		clock: () => number,
		against: (knowledge: IssuerKnowledge) => Promise<T | Refusal>,
	): Promise<T | Refusal> {
		const knowledge = await this.of(issuer, fetchJson, clock());
		if (!knowledge.valid) return knowledge;
		const checked = await against(knowledge);
		if (checked.valid || !checked.reasons.some(({ code }) => code === UNKNOWN_KEY)) return checked;
		const newer = await this.newerThan(knowledge, issuer, fetchJson, clock());
		return newer === undefined ? checked : await against(newer);
	}

	/**
	 * After a token named an unknown key: newer knowledge, or nothing when there is none to be had now.
	 * @param used the knowledge that did not have the key
	 */
	async newerThan(
		used: IssuerKnowledge,
		issuer: string,
		fetchJson: FetchJson,
		now: number,
	): Promise<IssuerKnowledge | undefined> {
		const known = this.known.get(issuer);
		if (known !== undefined && known !== used) return known;
		if (now - (this.askedAt.get(issuer) ?? 0) < LOOK_AGAIN_AFTER) return undefined;
		const found = await this.fetch(issuer, fetchJson, now);
		return found.valid ? found : undefined;
	}

	/** One look-up serves everybody who asks meanwhile. */
	private async fetch(issuer: string, fetchJson: FetchJson, now: number): Promise<IssuerKnowledge | Refusal> {
		const underWay = this.underWay.get(issuer);
		if (underWay !== undefined) return await underWay;
		keep(this.askedAt, issuer, now);
		const started = this.lookUp(issuer, fetchJson, now).finally(() => this.underWay.delete(issuer));
		this.underWay.set(issuer, started);
		const found = await started;
		if (found.valid) keep(this.known, issuer, found);
		return found;
	}

	private async lookUp(
		issuer: string,
		fetchJson: FetchJson,
		now: number,
	): Promise<IssuerKnowledge | Refusal> {
		// Together with its keys, the document is always looked up anew: the keys may have moved.
		this.documents.delete(issuer);
		const found = await this.discoveryOf(issuer, fetchJson, now);
		if (!found.valid) return found;
		const answer = await fetchJson(found.discovery.jwks_uri);
		if (!answer.valid) return answer;
		const read = readKeySet(answer.body);
		return read.valid ? { valid: true, discovery: found.discovery, keys: read.keys, fetchedAt: now } : read;
	}
}

/** Puts a value in, and the one that was put in first out, when there are too many. */
function keep<T>(memory: Map<string, T>, issuer: string, value: T): void {
	memory.delete(issuer);
	memory.set(issuer, value);
	const [oldest] = memory.keys();
	if (memory.size > MOST_ISSUERS && oldest !== undefined) memory.delete(oldest);
}
