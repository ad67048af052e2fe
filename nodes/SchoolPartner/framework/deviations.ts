/**
 * Where answers differ from the service's document: they are passed on, and told in n8n's log, which shows it where it is set to
 * `debug`. Only the places are told, never what stands there: it is about people.
 */
import * as z from 'zod/v4-mini';

import type { Found } from '../../shared/calls/answer';
import { jsonPath } from '../../shared/contract/jsonPath';

/** How many places a line of the log holds. */
const MOST_TOLD = 20;

/** How many entries of a run are looked at: enough to see what a service does. One that is as it should be costs microseconds. */
const MOST_LOOKED_AT = 10_000;

/** How many deviating entries end the looking. Trap: each costs a third of a millisecond, for zod makes an error of it. */
const MOST_DEVIATING = 50;

export class Deviations {
	/** No more than the message has fields. */
	private readonly paths = new Set<string>();

	private lookedAt = 0;

	private deviating = 0;

	/** @param message what each entry should be; undefined where the document does not show it */
	constructor(private readonly message: z.ZodMiniType | undefined) {}

	/** Looks at what was found for an item. */
	note(found: Found): void {
		if (this.message === undefined) return;
		for (const entry of found) {
			if (this.lookedAt === MOST_LOOKED_AT || this.deviating === MOST_DEVIATING) return;
			// What the node says itself, and no answer.
			if ('already_there' in entry || 'already_gone' in entry) continue;
			this.lookedAt++;
			const { error } = z.safeParse(this.message, entry);
			if (error === undefined) continue;
			this.deviating++;
			for (const { path } of error.issues) this.paths.add(jsonPath(path).replace(/\[\d+\]/g, '[]'));
		}
	}

	/** The places to tell, and how many more there are; undefined when there are none. */
	get told(): { paths: string[]; more: number } | undefined {
		const paths = [...this.paths];
		return paths.length === 0
			? undefined
			: { paths: paths.slice(0, MOST_TOLD), more: Math.max(0, paths.length - MOST_TOLD) };
	}
}
