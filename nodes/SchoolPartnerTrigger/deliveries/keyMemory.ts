/**
 * Remembers the digests of a credential's keys for a few seconds: reading a credential costs n8n a database
 * query, a decryption and an expression sandbox, more than all the rest of a refused delivery.
 */
import QuickLRU from 'quick-lru';

import { keyUsed, type KeyDigests, type KeyUsed } from './keys';

/** How long digests are used without reading the credential again: so long a key lives that was withdrawn. Milliseconds. */
export const LONGEST_MEMORY = 5_000;

/** A key that does not match makes the credential be read again, once in so long: a new key works soon, a flood costs little. Milliseconds. */
export const SHORTEST_MEMORY = 1_000;

/** Credentials remembered at least; those not used for longest are forgotten first. */
const MOST_CREDENTIALS = 1_000;

interface Remembered {
	/** Rejects where the credential cannot be read. */
	readonly digests: Promise<KeyDigests | undefined>;
	/** When it began: what was changed after that is not in the digests. */
	readonly readAt: number;
}

export class KeyMemory {
	private readonly readings = new QuickLRU<string, Remembered>({ maxSize: MOST_CREDENTIALS });

	/** @param now the clock, in milliseconds */
	constructor(private readonly now: () => number) {}

	/**
	 * Which key a delivery carries, by the credential with this id. Throws when it had to be read and could not be.
	 * @param readDigests reads that credential; called only when what is remembered does not do
	 */
	async keyUsed(
		credentialId: string,
		sent: readonly string[],
		readDigests: () => Promise<KeyDigests | undefined>,
	): Promise<KeyUsed | undefined> {
		for (;;) {
			const known = this.readings.get(credentialId);
			if (known === undefined || !this.isYoungerThan(LONGEST_MEMORY, known)) break;
			const used = keyUsed(sent, await known.digests);
			if (used !== undefined || this.isYoungerThan(SHORTEST_MEMORY, known)) return used;
			if (this.readings.get(credentialId) === known) break;
		}
		const digests = readDigests();
		this.readings.set(credentialId, { digests, readAt: this.now() });
		digests.catch(() => this.readings.delete(credentialId));
		return keyUsed(sent, await digests);
	}

	/** False too when the clock was put back: what lies in the future is too old to trust. */
	private isYoungerThan(span: number, { readAt }: Remembered): boolean {
		const age = this.now() - readAt;
		return age >= 0 && age <= span;
	}
}
