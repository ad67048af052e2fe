/**
 * Remembers the digests of a credential's keys for a few seconds: reading a credential costs n8n a database
 * query, a decryption and an expression sandbox, more than all the rest of a refused delivery.
 *
 * A key that was withdrawn lives on for at most {@link LONGEST_MEMORY}. A new key works at once: a key that
 * does not match makes the credential be read again. While wrong keys pour in, the pause between two such
 * readings grows from {@link SHORTEST_PAUSE} to {@link LONGEST_MEMORY}, so that a flood of them costs no more
 * readings than right keys do.
 */
import { keyUsed, type KeyDigests, type KeyUsed } from './keyCheck';

/** How long digests are used without reading the credential again, in milliseconds. */
export const LONGEST_MEMORY = 5_000;

/** Between the first two readings that wrong keys ask for, in milliseconds. */
export const SHORTEST_PAUSE = 1_000;

/** Credentials remembered at most; the one not read for longest is forgotten first. */
const MOST_CREDENTIALS = 1_000;

/** Reads a credential. Gives undefined where it holds no usable key; never throws. */
export type ReadDigests = () => Promise<KeyDigests | undefined>;

/** When wrong keys last made the credential be read, and how long they have to wait until they do again. */
interface WrongKeys {
	readAt: number;
	pause: number;
}

const NO_WRONG_KEYS: WrongKeys = { readAt: -Infinity, pause: 0 };

interface Remembered {
	digests: KeyDigests | undefined;
	/** When the reading began: what was changed after that is not in the digests. */
	readAt: number;
	wrongKeys: WrongKeys;
}

export class KeyMemory {
	private readonly remembered = new Map<string, Remembered>();

	private readonly readings = new Map<string, Promise<Remembered>>();

	/** @param now the clock, in milliseconds */
	constructor(private readonly now: () => number) {}

	/**
	 * Which key a delivery carries, by the credential with this id.
	 * @param readDigests reads that credential; called only when what is remembered does not do
	 */
	async keyUsed(
		credentialId: string,
		sent: readonly string[],
		readDigests: ReadDigests,
	): Promise<KeyUsed | undefined> {
		const known = this.remembered.get(credentialId);
		const isFresh = known !== undefined && this.isWithin(LONGEST_MEMORY, known.readAt);
		if (isFresh) {
			const used = keyUsed(sent, known.digests);
			const { readAt, pause } = known.wrongKeys;
			if (used !== undefined || this.isWithin(pause - 1, readAt)) return used;
		}
		const read = await this.readAgain(credentialId, readDigests, known?.wrongKeys);
		const used = keyUsed(sent, read.digests);
		if (used === undefined) read.wrongKeys = this.afterWrongKey(read);
		return used;
	}

	private afterWrongKey({ readAt, wrongKeys }: Remembered): WrongKeys {
		// Of those that waited for the same reading, the first has said it.
		if (wrongKeys.readAt === readAt) return wrongKeys;
		const stillPourIn = readAt - wrongKeys.readAt <= 2 * wrongKeys.pause;
		const pause = stillPourIn ? Math.min(2 * wrongKeys.pause, LONGEST_MEMORY) : SHORTEST_PAUSE;
		return { readAt, pause };
	}

	/** False too when the clock was put back: what lies in the future is too old to trust. */
	private isWithin(milliseconds: number, moment: number): boolean {
		const age = this.now() - moment;
		return age >= 0 && age <= milliseconds;
	}

	/** One reading for all that ask at the same time. */
	private async readAgain(
		id: string,
		readDigests: ReadDigests,
		wrongKeys = NO_WRONG_KEYS,
	): Promise<Remembered> {
		const running = this.readings.get(id);
		if (running !== undefined) return await running;
		const readAt = this.now();
		const reading = readDigests().then((digests) => {
			const fresh = { digests, readAt, wrongKeys };
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
