/**
 * Remembers the digests of a credential's keys for a few seconds: reading a credential costs n8n a database
 * query, a decryption and an expression sandbox, more than all the rest of a refused delivery.
 *
 * A key that was withdrawn lives on for at most {@link LONGEST_MEMORY}. A new key works at once: a key that
 * does not match makes the credential be read again, {@link FREE_READINGS} times in a row. While more wrong keys
 * pour in, it is read again once in {@link LONGEST_MEMORY}, no more often than for right keys.
 */
import QuickLRU from 'quick-lru';

import { keyUsed, type KeyDigests, type KeyUsed } from './keys';

/** How long digests are used without reading the credential again, in milliseconds. */
export const LONGEST_MEMORY = 5_000;

/** So many readings wrong keys get at once; after that, one for each {@link LONGEST_MEMORY} that passes. */
export const FREE_READINGS = 5;

/** Credentials remembered at least; those not used for longest are forgotten first. */
const MOST_CREDENTIALS = 1_000;

/** Reads a credential. Gives undefined where it holds no usable key; throws where it cannot be read. */
export type ReadDigests = () => Promise<KeyDigests | undefined>;

interface Remembered {
	readonly digests: KeyDigests | undefined;
	/** When the reading began: what was changed after that is not in the digests. */
	readonly readAt: number;
	/** The moment at which the readings that wrong keys asked for are all paid for. */
	paidAt: number;
}

export class KeyMemory {
	private readonly remembered = new QuickLRU<string, Remembered>({ maxSize: MOST_CREDENTIALS });

	private readonly readings = new Map<string, Promise<Remembered>>();

	/** @param now the clock, in milliseconds */
	constructor(private readonly now: () => number) {}

	/**
	 * Which key a delivery carries, by the credential with this id. Throws when it had to be read and could not be.
	 * @param readDigests reads that credential; called only when what is remembered does not do
	 */
	async keyUsed(
		credentialId: string,
		sent: readonly string[],
		readDigests: ReadDigests,
	): Promise<KeyUsed | undefined> {
		const known = this.remembered.get(credentialId);
		if (known !== undefined && this.isFresh(known)) {
			const used = keyUsed(sent, known.digests);
			if (used !== undefined) return used;
			if (!this.readings.has(credentialId) && !this.paysForReading(known)) return undefined;
		}
		const read = this.readings.get(credentialId) ?? this.begin(credentialId, readDigests, known?.paidAt);
		return keyUsed(sent, (await read).digests);
	}

	/** False too when the clock was put back: what lies in the future is too old to trust. */
	private isFresh({ readAt }: Remembered): boolean {
		const age = this.now() - readAt;
		return age >= 0 && age <= LONGEST_MEMORY;
	}

	/** Whether a wrong key may make the credential be read again. */
	private paysForReading(known: Remembered): boolean {
		const now = this.now();
		// At most so much is owed, wherever the clock was put.
		const owed = Math.min(Math.max(known.paidAt - now, 0), FREE_READINGS * LONGEST_MEMORY);
		if (owed > (FREE_READINGS - 1) * LONGEST_MEMORY) return false;
		known.paidAt = now + owed + LONGEST_MEMORY;
		return true;
	}

	/** One reading for all that ask at the same time. One that fails is not remembered. */
	private begin(id: string, readDigests: ReadDigests, paidAt = 0): Promise<Remembered> {
		const readAt = this.now();
		const reading = readDigests()
			.then((digests) => {
				const fresh = { digests, readAt, paidAt };
				this.remembered.set(id, fresh);
				return fresh;
			})
			.finally(() => this.readings.delete(id));
		this.readings.set(id, reading);
		return reading;
	}
}
