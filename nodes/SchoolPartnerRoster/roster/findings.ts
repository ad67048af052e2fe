/** What is said about a roster: one finding for each cause, however many rows have it; or one for each record, where a person settles each by itself. */
import type { Finding } from './finding';
import type { Place } from './record';

const byText = (one: string, other: string) => (one < other ? -1 : Number(one > other));

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
	/** Of each code, the findings of one record each. */
	private readonly ofOne = new Map<string, Map<string, Finding>>();

	/**
	 * One row more that has this cause. A finding about a whole file or roster has no place.
	 * @param key of the record, as in the ledger, where it is about one
	 */
	add(cause: Cause, place?: Place | null, key?: string): void {
		const own = `${cause.code} ${cause.kind ?? ''} ${cause.message} ${cause.isOfOne ? (key ?? '') : ''}`;
		const finding = this.byCause.get(own) ?? this.begin(own, cause);
		const ofCode = cause.isOfOne ? this.ofOne.get(cause.code) : undefined;
		// Folded now and then: a file of nonsense has a finding for each row.
		const isMuch = ofCode !== undefined && ofCode.size > 2 * MOST_RECORDS_OF_A_CODE;
		const isFirst = finding.count++ === 0;
		// Without a place the smallest, so that the order in which a table gives its rows means nothing.
		const isBefore =
			isFirst || (finding.file === undefined && (finding.key === undefined || (key ?? '') < finding.key));
		if (key !== undefined && isBefore) finding.key = key;
		if (!place || finding.places.length >= MOST_PLACES) return;
		if (finding.places.length === 0) Object.assign(finding, place);
		finding.places.push({ ...place });
		if (isMuch) this.foldBeyondMost(ofCode);
	}

	private begin(own: string, cause: Cause): Finding {
		if (cause.isOfOne) {
			const ofCode = this.ofOne.get(cause.code) ?? new Map<string, Finding>();
			this.ofOne.set(cause.code, ofCode);
			const finding = this.keep(own, cause);
			ofCode.set(own, finding);
			return finding;
		}
		const before = this.causesOf.get(cause.code) ?? 0;
		if (before < MOST_OF_A_CODE) {
			this.causesOf.set(cause.code, before + 1);
			return this.keep(own, cause);
		}
		return this.restOf(cause);
	}

	/** The finding of all that are not listed. */
	private restOf(cause: Cause): Finding {
		const rest = `${cause.code} …`;
		const more = { ...cause, message: `More of the same kind: ${cause.message}`, isOfOne: undefined };
		return this.byCause.get(rest) ?? this.keep(rest, more);
	}

	/** Leaves the records with the smallest keys, so that the order in which an export gives its rows makes nothing new. */
	private foldBeyondMost(ofCode: Map<string, Finding>): void {
		const inOrder = [...ofCode].sort(([, one], [, other]) => byText(one.key ?? '', other.key ?? ''));
		for (const [own, finding] of inOrder.slice(MOST_RECORDS_OF_A_CODE)) {
			const rest = this.restOf(finding);
			if (rest.key === undefined || (finding.key ?? '') < rest.key)
				Object.assign(rest, {
					message: `More of the same kind: ${finding.message}`,
					...(finding.key !== undefined && { key: finding.key, file: finding.file, line: finding.line }),
				});
			rest.count += finding.count;
			rest.places.push(...finding.places.slice(0, MOST_PLACES - rest.places.length));
			this.byCause.delete(own);
			ofCode.delete(own);
		}
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
		for (const ofCode of this.ofOne.values()) this.foldBeyondMost(ofCode);
		return [...this.byCause.values()].sort(
			(one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
		);
	}
}
