/** What is said about a roster: one finding for each cause, however many rows have it; or one for each record, where a person settles each by itself. */
import type { Finding } from './finding';
import type { Place } from './record';

/** A cause. Two rows have the same one when code, message and kind are the same, and it is not of one record alone. */
export type Cause = Pick<
	Finding,
	'severity' | 'code' | 'message' | 'what_to_do' | 'kind' | 'fields' | 'isOfOne'
>;

export const MOST_PLACES = 1_000;
/** Different messages of one code. A file of nonsense would otherwise give a finding for each of its rows. */
const MOST_OF_A_CODE = 50;
const MOST_RECORDS_OF_A_CODE = 1_000;
const SEVERITIES = ['error', 'warning', 'information'];

export class Findings {
	private readonly byCause = new Map<string, Finding>();
	private readonly causesOf = new Map<string, number>();

	/**
	 * One row more that has this cause. A finding about a whole file or roster has no place.
	 * @param key of the record, as in the ledger, where it is about one
	 */
	add(cause: Cause, place?: Place | null, key?: string): void {
		const own = `${cause.code} ${cause.kind ?? ''} ${cause.message} ${cause.isOfOne ? (key ?? '') : ''}`;
		const finding = this.byCause.get(own) ?? this.begin(own, cause);
		const isFirst = finding.count++ === 0;
		// Without a place the smallest, so that the order in which a table gives its rows means nothing.
		const isBefore =
			isFirst || (finding.file === undefined && (finding.key === undefined || (key ?? '') < finding.key));
		if (key !== undefined && isBefore) finding.key = key;
		if (!place || finding.places.length >= MOST_PLACES) return;
		if (finding.places.length === 0) Object.assign(finding, place);
		finding.places.push({ ...place });
	}

	private begin(own: string, cause: Cause): Finding {
		const before = this.causesOf.get(cause.code) ?? 0;
		if (before < (cause.isOfOne ? MOST_RECORDS_OF_A_CODE : MOST_OF_A_CODE)) {
			this.causesOf.set(cause.code, before + 1);
			return this.keep(own, cause);
		}
		const rest = `${cause.code} …`;
		const more = { ...cause, message: `More of the same kind: ${cause.message}`, isOfOne: undefined };
		return this.byCause.get(rest) ?? this.keep(rest, more);
	}

	private keep(own: string, cause: Cause): Finding {
		const { severity, code, message, what_to_do, kind, fields, isOfOne } = cause;
		const about = {
			...(kind !== undefined && { kind }),
			...(fields !== undefined && { fields }),
			...(isOfOne && { isOfOne }),
		};
		const words = { severity, code, message, what_to_do, ...about };
		const finding: Finding = { ...words, count: 0, places: [] };
		this.byCause.set(own, finding);
		return finding;
	}

	/** Errors first, then warnings; within them as they were found. */
	list(): Finding[] {
		return [...this.byCause.values()].sort(
			(one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
		);
	}
}
