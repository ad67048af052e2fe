/** The findings about a roster: one for each type, however many rows have it, or one for each record. Bounded: a file of nonsense has one in each row. */
import type { Finding, FindingType } from './finding';
import type { Place } from './record';

export const MOST_PLACES = 1_000;
/** Different messages of one code. */
const MOST_TYPES_OF_A_CODE = 50;
const MOST_RECORDS_OF_A_CODE = 1_000;
const SEVERITIES = ['error', 'warning', 'information'];

export class Findings {
	private readonly all = new Map<string, Finding>();
	/** How many types each code has. */
	private readonly typesOfCode = new Map<string, number>();
	/** Ids in `all` of the findings of one record each, by code. */
	private readonly recordsOfCode = new Map<string, Set<string>>();

	/**
	 * One row more that has this. A finding about a whole file or roster has no place.
	 * @param key of the record, as in the ledger, where it is about one
	 */
	add(type: FindingType, place?: Place | null, key?: string): void {
		const id = `${type.code} ${type.kind ?? ''} ${type.message} ${type.isOfOne ? (key ?? '') : ''}`;
		const finding = this.all.get(id) ?? this.begin(id, type);
		const isFirst = finding.count++ === 0;
		if (isFirst || finding.file === undefined) takeSmallerKey(finding, key, isFirst);
		if (!place || finding.places.length >= MOST_PLACES) return;
		if (finding.places.length === 0) Object.assign(finding, place);
		finding.places.push(place);
		const records = this.recordsOfCode.get(type.code);
		if (records !== undefined && records.size > 2 * MOST_RECORDS_OF_A_CODE) this.foldRecords(records);
	}

	/** Errors first, then warnings; within them as they were found. */
	list(): Finding[] {
		for (const records of this.recordsOfCode.values()) this.foldRecords(records);
		return [...this.all.values()].sort(
			(one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity),
		);
	}

	private begin(id: string, type: FindingType): Finding {
		const { code } = type;
		if (type.isOfOne) {
			const records = this.recordsOfCode.get(code) ?? new Set();
			this.recordsOfCode.set(code, records.add(id));
			return this.keep(id, type);
		}
		const count = this.typesOfCode.get(code) ?? 0;
		if (count >= MOST_TYPES_OF_A_CODE) return this.rest(type);
		this.typesOfCode.set(code, count + 1);
		return this.keep(id, type);
	}

	private keep(id: string, type: FindingType): Finding {
		const { severity, code, message, what_to_do, ...more } = type;
		// In the order in which n8n shows them.
		const finding: Finding = { severity, code, message, what_to_do, ...more, count: 0, places: [] };
		this.all.set(id, finding);
		return finding;
	}

	/** The finding of all that are not listed. Trap: of one code, others have another advice. */
	private rest(type: FindingType): Finding {
		const { severity, code, kind = '', action = '' } = type;
		const id = `${[code, severity, kind, action].join(' ')} …`;
		const more = { ...type, ...type.ofSeveral, isOfOne: undefined };
		more.message = moreOf(type);
		return this.all.get(id) ?? this.keep(id, more);
	}

	/** Leaves the records with the smallest keys, so that the order in which an export gives its rows makes nothing new. */
	private foldRecords(ids: Set<string>): void {
		if (ids.size <= MOST_RECORDS_OF_A_CODE) return;
		const keyOfId = (id: string) => this.all.get(id)?.key ?? '';
		const inOrder = [...ids].sort((one, other) => (keyOfId(one) < keyOfId(other) ? -1 : 1));
		for (const id of inOrder.slice(MOST_RECORDS_OF_A_CODE)) {
			const finding = this.all.get(id) as Finding;
			const rest = this.rest(finding);
			const { key, file, line } = finding;
			if (rest.key === undefined || (key ?? '') < rest.key) {
				rest.message = moreOf(finding);
				if (key !== undefined) Object.assign(rest, { key, file, line });
			}
			rest.count += finding.count;
			rest.places.push(...finding.places.slice(0, MOST_PLACES - rest.places.length));
			this.all.delete(id);
			ids.delete(id);
		}
	}
}

const moreOf = ({ message, ofSeveral }: FindingType): string =>
	`More of the same kind: ${ofSeveral?.message ?? message}`;

/** The first key counts; without a place the smallest, so that the order in which a table gives its rows means nothing. */
function takeSmallerKey(finding: Finding, key: string | undefined, isFirst: boolean): void {
	if (key !== undefined && (isFirst || finding.key === undefined || key < finding.key)) finding.key = key;
}
