/**
 * Discovery document and keys of an issuer, kept for a while. A token that names a key we do not know makes us
 * look again (the issuer may have changed its keys), but not more often than the bound allows: otherwise anybody
 * could make us call the issuer with every forged token.
 */
import { success } from '../failure';

import { endpointOf } from './addresses';
import { readDiscovery, type Discovery } from './discovery';
import { FreshMemory, type Wait } from './freshMemory';
import { readKeySet, type KeySet } from './keySet';
import type { Checked } from './finding';
import { UNKNOWN_KEY } from './signature';

/** How long discovery and keys are used without looking again. Milliseconds. */
export const KEYS_ARE_FRESH_FOR = 3_600_000;

/** How long must pass before an unknown key makes us look again. Milliseconds. */
export const LOOK_AGAIN_AFTER = 10_000;

/** How long whoever does not say waits for the issuer. Milliseconds. */
const PATIENCE = 30_000;

/** Issuers that are kept at once at least. */
const MOST_ISSUERS = 50;

/** Gets the JSON behind an address, or says why it cannot. */
export type FetchJson = (address: string) => Promise<Checked<unknown>>;

/** What is known of an issuer. */
export interface IssuerKnowledge {
	readonly discovery: Discovery;
	readonly keys: KeySet;
}

/** The memory of one process, for all issuers it talks to. Holds public data only. */
export class IssuerKeys {
	/** For those who want the document alone: an issuer whose keys cannot be had gives it all the same. */
	private readonly documents: FreshMemory<Discovery, FetchJson>;
	private readonly known: FreshMemory<IssuerKnowledge, FetchJson>;

	constructor(wait: Wait) {
		this.documents = new FreshMemory(lookUpDiscovery, KEYS_ARE_FRESH_FOR, MOST_ISSUERS, wait);
		// Together with its keys, the document is always looked up anew: the keys may have moved.
		const lookUp = async (issuer: string, fetchJson: FetchJson, now: number) => {
			const found = await lookUpDiscovery(issuer, fetchJson);
			if (!found.ok) return found;
			this.documents.put(issuer, now, found.value);
			return await lookUpKeys(found.value, fetchJson);
		};
		this.known = new FreshMemory(lookUp, KEYS_ARE_FRESH_FOR, MOST_ISSUERS, wait);
	}

	/**
	 * What is known of the issuer, fetched when it is not known or not fresh.
	 * @param now milliseconds since 1970
	 * @param patience how long to wait for it, in milliseconds
	 */
	async of(
		issuer: string,
		fetchJson: FetchJson,
		now: number,
		patience = PATIENCE,
	): Promise<Checked<IssuerKnowledge>> {
		return await this.known.get(issuer, fetchJson, now, patience);
	}

	/** The discovery document of the issuer, without its keys. */
	async discoveryOf(issuer: string, fetchJson: FetchJson, now: number): Promise<Checked<Discovery>> {
		return await this.documents.get(issuer, fetchJson, now, PATIENCE);
	}

	/**
	 * Holds something against the issuer's keys, and once more against newer ones when it names a key that is
	 * not among them.
	 */
	async check<T>(
		issuer: string,
		fetchJson: FetchJson,
		clock: () => number,
		against: (knowledge: IssuerKnowledge) => Promise<Checked<T>>,
		patience = PATIENCE,
	): Promise<Checked<T>> {
		const knowledge = await this.of(issuer, fetchJson, clock(), patience);
		if (!knowledge.ok) return knowledge;
		const checked = await against(knowledge.value);
		if (checked.ok || !checked.failure.findings.some(({ code }) => code === UNKNOWN_KEY)) return checked;
		const newer = await this.newerThan(knowledge.value, issuer, fetchJson, clock(), patience);
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
		patience = PATIENCE,
	): Promise<IssuerKnowledge | undefined> {
		const known = this.known.peek(issuer);
		if (known !== undefined && known !== used) return known;
		if (!this.known.isUnderWay(issuer) && this.known.quietFor(issuer, now) < LOOK_AGAIN_AFTER)
			return undefined;
		const found = await this.known.renew(issuer, fetchJson, now, patience);
		return found.ok ? found.value : undefined;
	}
}

async function lookUpDiscovery(issuer: string, fetchJson: FetchJson): Promise<Checked<Discovery>> {
	const answer = await fetchJson(endpointOf(issuer, 'discovery'));
	return answer.ok ? readDiscovery(answer.value, issuer) : answer;
}

async function lookUpKeys(discovery: Discovery, fetchJson: FetchJson): Promise<Checked<IssuerKnowledge>> {
	const answer = await fetchJson(discovery.jwks_uri);
	const keys = answer.ok ? readKeySet(answer.value) : answer;
	return keys.ok ? success({ discovery, keys: keys.value }) : keys;
}
