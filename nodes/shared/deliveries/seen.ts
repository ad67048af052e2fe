/**
 * Which deliveries were taken already, by their `request_id`: in the memory of this process, and as one text
 * that n8n keeps with the workflow, so that it outlives a restart.
 *
 * Only digests are kept, each cut to what tells a few thousand apart: of the id 72 bits, of the body 24 (they
 * only answer "was it the same body?"). One text of fixed-width records is the cheapest thing to keep
 * with a workflow: n8n loads it with every delivery and wraps every object it finds in it.
 */
import { hash, randomBytes } from 'node:crypto';

/** Deliveries that a process remembers at most per trigger; the oldest are forgotten first. */
export const MOST_REMEMBERED = 2_000;

/**
 * Deliveries that are kept with the workflow at most. Trap: n8n writes what is kept with a workflow into every
 * execution of it as well, so that each record costs its width with every event.
 */
export const MOST_KEPT = 500;

const ID_WIDTH = 12;
const BODY_WIDTH = 4;
const TIME_WIDTH = 6;
const RECORD_WIDTH = ID_WIDTH + BODY_WIDTH + TIME_WIDTH;

/** Says how the records after it are written, for a version that writes them otherwise. */
const FORMAT = '1';

/** Characters that say which process wrote a text. */
const WRITER_WIDTH = 8;

const HEAD_WIDTH = FORMAT.length + WRITER_WIDTH;

const RECORD = /^[\w-]{16}[0-9a-z]{6}$/;

/** Times are seconds since this moment, so that six characters do until 2089. */
const FIRST_TIME = Date.UTC(2020, 0, 1);

interface Taken {
	body: string;
	/** Seconds since {@link FIRST_TIME}. */
	at: number;
}

/** The digest by which a delivery is known. */
export function idDigest(requestId: string): string {
	// JSON keeps lone surrogates apart, which all become the same character when text is written as UTF-8.
	return hash('sha256', JSON.stringify(requestId), 'base64url').slice(0, ID_WIDTH);
}

function bodyDigest(sha256: string): string {
	return Buffer.from(sha256, 'hex').toString('base64url').slice(0, BODY_WIDTH);
}

export class SeenDeliveries {
	private taken = new Map<string, Taken>();

	private readonly head = FORMAT + randomBytes(6).toString('base64url');

	/**
	 * Takes over what was kept with the workflow: by an earlier process, or by another one beside this. What
	 * this one wrote it still remembers, and a text in no known format is ignored.
	 */
	merge(text: unknown): void {
		if (typeof text !== 'string' || !text.startsWith(FORMAT) || text.startsWith(this.head)) return;
		for (let at = HEAD_WIDTH; at < text.length; at += RECORD_WIDTH) {
			const record = text.slice(at, at + RECORD_WIDTH);
			if (RECORD.test(record)) this.mergeRecord(record);
		}
		this.forgetOldest();
	}

	private mergeRecord(record: string): void {
		const id = record.slice(0, ID_WIDTH);
		if (this.taken.has(id)) return;
		const body = record.slice(ID_WIDTH, ID_WIDTH + BODY_WIDTH);
		this.taken.set(id, { body, at: parseInt(record.slice(ID_WIDTH + BODY_WIDTH), 36) });
	}

	/** True when a delivery with this id was taken. */
	has(id: string): boolean {
		return this.taken.has(id);
	}

	/** True when the delivery that was taken under this id had the body with this SHA-256 (hexadecimal). */
	hadBody(id: string, sha256: string): boolean {
		return this.taken.get(id)?.body === bodyDigest(sha256);
	}

	/** Counts a delivery as taken. `now` in milliseconds. */
	add(id: string, sha256: string, now: number): void {
		const at = Math.max(0, Math.floor((now - FIRST_TIME) / 1000));
		this.taken.set(id, { body: bodyDigest(sha256), at });
		this.forgetOldest();
	}

	/** The newest that are remembered, as the text to keep with the workflow. */
	toText(): string {
		const records = this.inOrder(MOST_KEPT).map(
			([id, { body, at }]) => id + body + at.toString(36).padStart(TIME_WIDTH, '0'),
		);
		return this.head + records.join('');
	}

	/** Oldest first, the newest `most` only. */
	private inOrder(most: number): Array<[string, Taken]> {
		return [...this.taken].sort(([, one], [, other]) => one.at - other.at).slice(-most);
	}

	/** Sorting for every delivery would cost more than holding a few more of them for a while. */
	private forgetOldest(): void {
		if (this.taken.size > 2 * MOST_REMEMBERED) this.taken = new Map(this.inOrder(MOST_REMEMBERED));
	}
}
