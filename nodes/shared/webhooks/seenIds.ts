/**
 * What a trigger has taken already: in the memory of this process, and as one text that n8n keeps with the workflow,
 * so that it outlives a restart.
 *
 * Only digests are kept, cut to what tells a few thousand apart, each with a short note. One text of fixed-width
 * records is the cheapest thing to keep with a workflow: n8n loads it with every request, wraps every object that it
 * finds in it, and saves it with every request that is taken.
 */
import { hash, randomBytes } from 'node:crypto';

import QuickLRU from 'quick-lru';

/** What a process remembers at least per trigger; twice as many at most. The oldest are forgotten first. */
export const MOST_REMEMBERED = 2_000;

/**
 * What is kept with the workflow at most. Trap: n8n writes what is kept with a workflow into every execution of it as
 * well, so that each record costs its width with every run.
 */
export const MOST_KEPT = 500;

const ID_WIDTH = 12;

/** Characters of a note, of those that base64url and base 36 are written with. */
export const NOTE_WIDTH = 6;

const RECORD_WIDTH = ID_WIDTH + NOTE_WIDTH;

/** Says how the records after it are written, for a version that writes them otherwise. */
const FORMAT = '2';

/** Characters that say which process wrote a text. */
const WRITER_WIDTH = 8;

const HEAD_WIDTH = FORMAT.length + WRITER_WIDTH;

const RECORD = /^[\w-]{18}$/;

/** The digest by which something is known that came in. */
export function idDigest(id: string | readonly string[]): string {
	// JSON keeps lone surrogates apart, which all become the same character when text is written as UTF-8.
	return hash('sha256', JSON.stringify(id), 'base64url').slice(0, ID_WIDTH);
}

export class SeenIds {
	private readonly notes = new QuickLRU<string, string>({ maxSize: MOST_REMEMBERED });

	private readonly head = FORMAT + randomBytes(6).toString('base64url');

	/**
	 * Takes over what was kept with the workflow: by an earlier process, or by another one beside this. What this one
	 * wrote it still remembers, and a text in no known format is ignored.
	 */
	merge(text: unknown): void {
		if (typeof text !== 'string' || !text.startsWith(FORMAT) || text.startsWith(this.head)) return;
		for (let at = HEAD_WIDTH; at < text.length; at += RECORD_WIDTH) {
			const record = text.slice(at, at + RECORD_WIDTH);
			const digest = record.slice(0, ID_WIDTH);
			if (RECORD.test(record) && !this.notes.has(digest)) this.notes.set(digest, record.slice(ID_WIDTH));
		}
	}

	/** The note of what was taken under this digest; undefined when nothing was. */
	noteOf(digest: string): string | undefined {
		return this.notes.peek(digest);
	}

	/** Counts something as taken. */
	add(digest: string, note: string): void {
		this.notes.set(digest, note);
	}

	/**
	 * The newest that are remembered, as the text to keep with the workflow.
	 * @param worthFrom notes that sort before this one are no longer worth keeping
	 */
	toText(worthFrom = ''): string {
		const newest: string[] = [];
		for (const [digest, note] of this.notes.entriesDescending()) {
			if (newest.length === MOST_KEPT) break;
			if (note >= worthFrom) newest.push(digest + note);
		}
		return this.head + newest.reverse().join('');
	}
}
