/**
 * Discovery document and keys of an issuer, kept for a while. A token that names a key we do not know makes us
 * look again (the issuer may have changed its keys), but not more often than the bound allows: otherwise anybody
 * could make us call the issuer with every forged token.
 */
import { endpointOf } from './addresses';
import { readDiscovery, type Discovery } from './discovery';
import type { Refusal } from './finding';
import { readKeySet, type KeySet } from './keySet';

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

async function lookUp(issuer: string, fetchJson: FetchJson, now: number): Promise<IssuerKnowledge | Refusal> {
	const found = await lookUpDiscovery(issuer, fetchJson);
	if (!found.valid) return found;
	const answer = await fetchJson(found.discovery.jwks_uri);
	if (!answer.valid) return answer;
	const read = readKeySet(answer.body);
	return read.valid ? { valid: true, discovery: found.discovery, keys: read.keys, fetchedAt: now } : read;
}

/** The discovery document alone, fresh from the issuer. */
export async function lookUpDiscovery(
	issuer: string,
	fetchJson: FetchJson,
): Promise<{ valid: true; discovery: Discovery } | Refusal> {
	const answer = await fetchJson(endpointOf(issuer, 'discovery'));
	return answer.valid ? readDiscovery(answer.body, issuer) : answer;
}

/** The memory of one process, for all issuers it talks to. Holds public data only. */
export class IssuerKeys {
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
		const isFresh = known !== undefined && now - known.fetchedAt < KEYS_ARE_FRESH_FOR;
		return isFresh ? known : await this.fetch(issuer, fetchJson, now);
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
		this.askedAt.set(issuer, now);
		const started = lookUp(issuer, fetchJson, now).finally(() => this.underWay.delete(issuer));
		this.underWay.set(issuer, started);
		const found = await started;
		if (found.valid) this.keep(issuer, found);
		return found;
	}

	private keep(issuer: string, found: IssuerKnowledge): void {
		this.known.delete(issuer);
		this.known.set(issuer, found);
		const [oldest] = this.known.keys();
		if (this.known.size <= MOST_ISSUERS || oldest === undefined) return;
		this.known.delete(oldest);
		this.askedAt.delete(oldest);
	}
}
