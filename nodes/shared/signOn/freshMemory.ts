/** What was fetched and is used for a while: at most one fetch under way for each key, however many ask. */
import type { Refusal } from './finding';

interface Dated<T> {
	readonly found: T;
	/** Milliseconds since 1970. */
	readonly fetchedAt: number;
}

/** Remembers what was found; a refusal is passed on and forgotten. */
export class FreshMemory<T extends { valid: true }> {
	private readonly known = new Map<string, Dated<T>>();
	/** When each key was last asked for, with or without success. */
	private readonly askedAt = new Map<string, number>();
	private readonly underWay = new Map<string, Promise<T | Refusal>>();

	/**
	 * @param freshFor how long something is used without fetching it again, in milliseconds
	 * @param most keys that are remembered at once
	 */
	constructor(
		private readonly freshFor: number,
		private readonly most: number,
	) {}

	/** What is known and fresh, else what the fetch gives. */
	async get(key: string, now: number, fetch: () => Promise<T | Refusal>): Promise<T | Refusal> {
		const known = this.known.get(key);
		const isFresh = known !== undefined && now - known.fetchedAt < this.freshFor;
		return isFresh ? known.found : await this.renew(key, now, fetch);
	}

	/** What a fetch gives, or one that is under way already. */
	async renew(key: string, now: number, fetch: () => Promise<T | Refusal>): Promise<T | Refusal> {
		const underWay = this.underWay.get(key);
		if (underWay !== undefined) return await underWay;
		this.keep(this.askedAt, key, now);
		const started = fetch().finally(() => this.underWay.delete(key));
		this.underWay.set(key, started);
		const found = await started;
		if (found.valid) this.keep(this.known, key, { found, fetchedAt: now });
		return found;
	}

	/** What is known, fresh or not. */
	peek(key: string): T | undefined {
		return this.known.get(key)?.found;
	}

	/** Milliseconds since something was last fetched under this key. */
	quietFor(key: string, now: number): number {
		return now - (this.askedAt.get(key) ?? -Infinity);
	}

	/** Puts a value in, and the one that was put in first out, when there are too many. */
	private keep<V>(memory: Map<string, V>, key: string, value: V): void {
		memory.delete(key);
		memory.set(key, value);
		const [oldest] = memory.keys();
		if (memory.size > this.most && oldest !== undefined) memory.delete(oldest);
	}
}
