/** What people have decided: holds that were reported, approvals of them, and what was found out about single records. */
import { isLaterAccess } from './access';
import { pairDigest } from './digest';
import { detailOf, type HoldDetail, type RunDetail, type SeenDetail } from './detail';
import { endsOfBond } from './key';
import type { StoredRow } from './row';

export const RESOLUTIONS = ['inService', 'notInService'] as const;

export type Resolution = (typeof RESOLUTIONS)[number];

export interface ReportedHold {
	school: string;
	reason: string;
	conditions: readonly string[];
	changes: Set<string>;
	/** When runs have reported it, milliseconds since 1970, in any order. */
	reports: Set<number>;
	rows: StoredRow[];
}

/** So long an approval holds after its hold was reported last. */
const APPROVAL_LASTS_MS = 7 * 24 * 3_600_000;

/** Two hosts may be apart by so much. Trap: what a clock that was ahead has reported would hold for years. */
const AHEAD_MS = 24 * 3_600_000;

/** When runs have reported it, in their order. @param now milliseconds since 1970 */
function reportsOf({ reports }: ReportedHold, now: number): number[] {
	return [...reports].filter((at) => at <= now + AHEAD_MS).sort((one, other) => one - other);
}

/** When a run has reported it last, milliseconds since 1970; 0 for never. @param now milliseconds since 1970 */
export function lastReport(hold: ReportedHold, now: number): number {
	return reportsOf(hold, now).at(-1) ?? 0;
}

/** Whether no approval of it holds any more. @param now milliseconds since 1970 */
export function hasEnded(hold: ReportedHold, now: number): boolean {
	return now - lastReport(hold, now) > APPROVAL_LASTS_MS;
}

/** Until when an approval holds. Trap: one that has ended must not come back when the same mistake is reported again. */
function approvedUntil(hold: ReportedHold, { at }: StoredRow, now: number): number {
	const [first = 0, ...others] = reportsOf(hold, now);
	let until = first + APPROVAL_LASTS_MS;
	for (const report of others) {
		if (report > until && report > Date.parse(at)) break;
		until = report + APPROVAL_LASTS_MS;
	}
	return until;
}

export class Decisions {
	readonly holds = new Map<string, ReportedHold>();
	/** By hold id, the decision that was written last. */
	readonly approvals = new Map<string, StoredRow>();
	readonly resolutions = new Map<string, StoredRow>();
	/** What recorded events say: the last grant and the last revocation of each user of the service, by state and id. */
	readonly access = new Map<string, StoredRow>();

	/** What Verify saw last of records that differed, by key, and whose turn it was. */
	readonly seen = new Map<string, StoredRow>();

	/** By hold id, until when its approval holds: asked for of each of a hundred thousand changes, in a run that has one now. */
	private readonly ends = new Map<string, number>();

	take(row: StoredRow): void {
		this.ends.clear();
		if (row.kind === 'hold') this.takeHold(row);
		else if (row.kind === 'run') for (const id of detailOf<RunDetail>(row).holds ?? []) this.report(id, row);
		else if (row.kind === 'approve') keepLater(this.approvals, row);
		else if (row.kind === 'resolve') keepLater(this.resolutions, row);
		else if (row.kind === 'access') this.takeAccess(row);
		else if (row.kind === 'seen') keepLater(this.seen, row);
	}

	/** What a person has said of a record since this row of it was written. Without its class or its user there is no bond. */
	resolution(row: StoredRow): Resolution | undefined {
		if (this.resolutions.size === 0) return undefined;
		const own = this.resolutionOf(row.key, row);
		if (row.kind !== 'bond') return own?.state;
		// Trap: a bond that was looked up earlier went with its class or its user.
		const isWithout = endsOfBond(row.key).some((key) => {
			const end = this.resolutionOf(key, row);
			return end?.state === 'notInService' && end.id > (own?.id ?? 0);
		});
		return isWithout ? 'notInService' : own?.state;
	}

	/** Digests of what the service showed of a record since this row of it was written. */
	seenOf({ key, id }: StoredRow): SeenDetail['seen'] | undefined {
		const row = this.seen.get(key);
		return row !== undefined && row.id > id ? detailOf<SeenDetail>(row).seen : undefined;
	}

	private resolutionOf(key: string, { id }: StoredRow): { id: number; state: Resolution } | undefined {
		const resolved = this.resolutions.get(key);
		if (resolved === undefined || resolved.id <= id) return undefined;
		return { id: resolved.id, state: resolved.state as Resolution };
	}

	/** The hold whose approval lets this change go. @param doneIn id of the row by which it was done since, 0 when it was not */
	approvedHold(action: string, key: string, doneIn: number, now: number): string | undefined {
		if (this.approvals.size === 0) return undefined;
		const digest = pairDigest(action, key);
		for (const [id, approval] of this.approvals) {
			if (doneIn < approval.id && this.isApproved(id, now) && this.holds.get(id)?.changes.has(digest))
				return id;
		}
		return undefined;
	}

	/** Whether a person has approved this hold, and the approval holds still. */
	isApproved(id: string, now: number): boolean {
		const [hold, approval] = [this.holds.get(id), this.approvals.get(id)];
		if (hold === undefined || approval?.state !== 'approved') return false;
		const end = this.ends.get(id) ?? approvedUntil(hold, approval, now);
		this.ends.set(id, end);
		return now <= end;
	}

	/** Whether a person has approved a hold for this condition. */
	isLifted(condition: string, now: number): boolean {
		return [...this.holds].some(
			([id, hold]) => hold.conditions.includes(condition) && this.isApproved(id, now),
		);
	}

	/** Whether a person has ever approved a hold for this condition, however long ago. */
	wasLifted(condition: string): boolean {
		return [...this.holds].some(
			([id, hold]) => hold.conditions.includes(condition) && this.approvals.get(id)?.state === 'approved',
		);
	}

	private takeAccess(row: StoredRow): void {
		const id = `${row.state} ${row.service_id || row.key}`;
		const known = this.access.get(id);
		if (known === undefined || isLaterAccess(row, known)) this.access.set(id, row);
	}

	private takeHold(row: StoredRow): void {
		const { school = '', reason = '', conditions = [], changes = [] } = detailOf<HoldDetail>(row);
		const hold = this.report(row.key.slice(0, row.key.lastIndexOf(':')), row);
		Object.assign(hold, { school, reason, conditions });
		for (const change of changes) hold.changes.add(change);
		hold.rows.push(row);
	}

	private report(id: string, { at }: StoredRow): ReportedHold {
		const hold = this.holds.get(id) ?? {
			...{ school: '', reason: '', conditions: [], rows: [] },
			...{ changes: new Set<string>(), reports: new Set<number>() },
		};
		this.holds.set(id, hold);
		hold.reports.add(Date.parse(at) || 0);
		return hold;
	}
}

/** The key of the row that says whose turn it was. */
export const SEEN_TURN = 'turn';

/** The key of the n-th row of a hold, from 1. */
export function holdKey(id: string, part: number): string {
	return `${id}:${part}`;
}

/** Trap: a row whose answer was lost is written twice, and the second may come when a run has long acted on the first. */
function keepLater(rows: Map<string, StoredRow>, row: StoredRow): void {
	const known = rows.get(row.key);
	const isRepeated = (['at', 'state', 'detail'] as const).every((column) => row[column] === known?.[column]);
	if (known === undefined || (isRepeated ? row.id <= known.id : row.id >= known.id)) rows.set(row.key, row);
}
