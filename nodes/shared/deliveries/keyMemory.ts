/**
 * Remembers the digests of a credential's keys for a few seconds: reading a credential costs n8n a database
 * query, a decryption and an expression sandbox, more than all the rest of a refused delivery.
 *
 * A key that was withdrawn lives on for at most {@link LONGEST_MEMORY}. A new key works at once: a key that
 * does not match makes the credential be read again, at most once per {@link SHORTEST_PAUSE}, so that a
 * flood of wrong keys stays cheap.
 */
import { keyUsed, type KeyDigests, type KeyUsed } from './keyCheck';

/** How long digests are used without reading the credential again, in milliseconds. */
export const LONGEST_MEMORY = 5_000;

/** Between two readings that wrong keys ask for, in milliseconds. */
export const SHORTEST_PAUSE = 1_000;

/** Credentials remembered at most; the one not read for longest is forgotten first. */
const MOST_CREDENTIALS = 1_000;

/** Reads a credential. Gives undefined where it holds no usable key; never throws. */
export type ReadDigests = () => Promise<KeyDigests | undefined>;

interface Remembered {
	digests: KeyDigests | undefined;
	/** When the reading began: what was changed after that is not in the digests. */
	readAt: number;
	/** When a wrong key last made the credential be read again. */
	rereadAt: number;
}

export class KeyMemory {
	private readonly remembered = new Map<string, Remembered>();

	private readonly readings = new Map<string, Promise<Remembered>>();

	/** @param now the clock, in milliseconds */
	constructor(private readonly now: () => number) {}

	/**
	 * Which key a delivery carries, by the credential with this id.
	 * @param read reads that credential; called only when what is remembered does not do
	 */
	async keyUsed(
		credentialId: string,
		sent: readonly string[],
		read: ReadDigests,
	): Promise<KeyUsed | undefined> {
		const known = this.remembered.get(credentialId);
		if (known === undefined || !this.isWithin(LONGEST_MEMORY, known.readAt)) {
			return keyUsed(sent, (await this.readAgain(credentialId, read, known?.rereadAt)).digests);
		}
		const used = keyUsed(sent, known.digests);
		if (used !== undefined || this.isWithin(SHORTEST_PAUSE - 1, known.rereadAt)) return used;
		known.rereadAt = this.now();
		return keyUsed(sent, (await this.readAgain(credentialId, read, known.rereadAt)).digests);
	}

	/** False too when the clock was put back: what lies in the future is too old to trust. */
	private isWithin(milliseconds: number, moment: number): boolean {
		const age = this.now() - moment;
		return age >= 0 && age <= milliseconds;
	}

	/** One reading for all that ask at the same time. */
	private async readAgain(id: string, read: ReadDigests, rereadAt = -Infinity): Promise<Remembered> {
		const running = this.readings.get(id);
		if (running !== undefined) return await running;
		const readAt = this.now();
		const reading = read().then((digests) => {
			const fresh = { digests, readAt, rereadAt };
			this.remember(id, fresh);
			return fresh;
		});
		this.readings.set(id, reading);
		try {
			return await reading;
		} finally {
			this.readings.delete(id);
		}
	}

	private remember(id: string, fresh: Remembered): void {
		this.remembered.delete(id);
		this.remembered.set(id, fresh);
		const [oldest] = this.remembered.keys();
		if (this.remembered.size > MOST_CREDENTIALS && oldest !== undefined) this.remembered.delete(oldest);
	}
}
