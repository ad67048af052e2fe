/** Findings of one cause are one, with the first ten places. */
import type { Finding } from '../roster/finding';
import type { Kind, Place } from '../roster/record';

const MOST_PLACES = 10;

/** What is said of all records of one cause. */
export type Cause = Pick<Finding, 'severity' | 'code' | 'message' | 'what_to_do'> & { kind?: Kind };

export class Findings {
	private readonly byCause = new Map<string, Finding>();

	/** Says it of one more record. */
	add(cause: Cause, key?: string, source?: Place | null): void {
		const id = JSON.stringify([cause.code, cause.kind, cause.message]);
		let finding = this.byCause.get(id);
		if (finding === undefined) this.byCause.set(id, (finding = { ...cause, count: 0, places: [] }));
		finding.count += 1;
		// The smallest, so that the order in which a table gives its rows means nothing.
		if (key !== undefined && (finding.key === undefined || (finding.file === undefined && key < finding.key))) finding.key = key;
		if (!source) return;
		finding.file ??= source.file;
		finding.line ??= source.line;
		if (finding.places.length < MOST_PLACES) finding.places.push({ ...source });
	}

	all(): Finding[] {
		return [...this.byCause.values()];
	}
}
