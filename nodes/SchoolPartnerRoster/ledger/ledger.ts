/** What the rows of a ledger say together: what the service has, what the last run knew, what is held and approved. */
import type { Kind } from '../roster/record';
import type { Turns } from '../roster/turns';

import {
	cameOn,
	detailOf,
	unanswered,
	type BatchDetail,
	type Presence,
	type RecordDetail,
	type RunDetail,
} from './detail';
import { Decisions } from './decisions';
import { idsIn, kindOfKey } from './key';
import { beatOf, isOfRecord, isOfRun, LEASE, ledgerRow, type StoredRow } from './row';
import { toldBy, type Told } from './told';

/** A record, and what is known of its content. */
export interface RecordState {
	kind: Kind;
	key: string;
	school: string;
	/** A digest of its fields; '' when they are not known. */
	fields: string;
}

export interface LedgerEntry extends RecordState {
	there: Presence;
	/** What made it uncertain where `there` is `maybe`. */
	action: 'create' | 'remove';
	/** The service has it with the values of tonight: a person has said so, or it was uncertain and then confirmed. */
	isAccepted: boolean;
	/** Since when the export lacks it, YYYY-MM-DD; '' while it does not. */
	missingSince: string;
	/** True when what was tried last was not done, so that trying it again is nothing new. */
	isUnfinished: boolean;
	/** The row that counts, with the ids that the service gave. */
	row: StoredRow;
}

export interface Ledger {
	entries: Map<string, LedgerEntry>;
	/** How many rows runs have written. */
	rows: number;
	/** How many people, events and Verify have added beside them. */
	notes: number;
	/** What the details of its rows of kind `run` take, in bytes: each names every school. */
	runBytes: number;
	/** Of the run that came last; undefined when there was none. */
	lastRun: StoredRow | undefined;
	/** What that run knew; of a ledger without runs, nothing. */
	lastDetail: RunDetail;
	decisions: Decisions;
	/** What people have been told so far. */
	told: Told;
	/** Of all rows that were read. */
	ids: ReadonlySet<number>;
	/** The greatest of them, 0 when there are none. */
	lastId: number;
	/** The greatest beat of its runs. */
	lastBeat: number;
}

const NOTHING_KNOWN: RunDetail = {
	...{ service: '', client: '', ids: '', salt: '', files: [], rosters: [], holds: [] },
	...{ changes: 0, sent: 0, takesOver: [], base: [], recent: [], away: [] },
};

export const emptyLedger = (): Ledger => ({
	...{ entries: new Map(), rows: 0, notes: 0, runBytes: 0, lastRun: undefined, lastDetail: NOTHING_KNOWN },
	...{ decisions: new Decisions(), told: new Map(), ids: new Set(), lastId: 0, lastBeat: 0 },
});

/** Takes rows in any order, and says what they say together: of each record the row counts that was written last. */
export class LedgerReader {
	private readonly found = { ...emptyLedger(), ids: new Set<number>() };
	private readonly rowOf = new Map<string, StoredRow>();
	private readonly batches: StoredRow[] = [];
	private readonly toldRows: StoredRow[] = [];

	take(stored: StoredRow): void {
		const { found } = this;
		found.ids.add(stored.id);
		found.lastId = Math.max(found.lastId, stored.id);
		if (stored.kind === LEASE) return;
		found.lastBeat = Math.max(found.lastBeat, beatOf(stored.run_id));
		if (isOfRun(stored)) found.rows += 1;
		else found.notes += 1;
		if (stored.kind === 'run') found.runBytes += stored.detail.length;
		const row = asOriginal(stored);
		if (row.kind === 'batch') this.batches.push(row);
		else if (row.kind === 'told') this.toldRows.push(row);
		else if (!isOfRecord(row)) found.decisions.take(row);
		else if (isLater(row, this.rowOf.get(row.key))) this.rowOf.set(row.key, row);
		if (row.kind === 'run' && isLater(row, found.lastRun)) found.lastRun = row;
	}

	/** What all rows that were taken say. */
	async ledger(turns: Turns): Promise<Ledger> {
		const { found, rowOf } = this;
		await this.addUncertain(turns);
		await turns.forEach(rowOf, ([key, row]) => {
			found.entries.set(key, entryOf(row, found.decisions));
		});
		if (found.lastRun) found.lastDetail = { ...NOTHING_KNOWN, ...detailOf<RunDetail>(found.lastRun) };
		found.told = toldBy(this.toldRows.sort(byRunOrder));
		return found;
	}

	/** What a batch was about to send, and of which no later row says what came of it, may have been sent. */
	private async addUncertain(turns: Turns): Promise<void> {
		this.batches.sort(byRunOrder);
		for (const batch of this.batches) {
			await turns.yieldIfDue();
			const intents = detailOf<BatchDetail>(batch);
			for (const action of ['create', 'remove'] as const) {
				for (const key of intents[action] ?? []) this.addIntent(batch, action, key, intents.schools?.[key]);
			}
		}
	}

	private addIntent(batch: StoredRow, action: 'create' | 'remove', key: string, school?: string): void {
		const known = this.rowOf.get(key);
		if (!isLater(batch, known)) return;
		const isSaidGone = known !== undefined && this.found.decisions.resolution(known) === 'notInService';
		this.rowOf.set(key, uncertainRow(batch, action, key, { known, isSaidGone, school }));
	}
}

function uncertainRow(
	{ id, run_id, sequence, at }: StoredRow,
	action: 'create' | 'remove',
	key: string,
	{ known, isSaidGone, school }: { known?: StoredRow; isSaidGone: boolean; school?: string },
): StoredRow {
	// What is sent once more as a change of what is there leaves it there.
	const isThere = action === 'create' && known !== undefined && presenceOf(known) === 'yes' && !isSaidGone;
	const { school_external_id = school ?? '' } = idsIn(key);
	const base = known ?? ledgerRow({ kind: kindOfKey(key), key, school_external_id });
	// Trap: by the day of the intent, no bond that came that night would have come after the one that was to be removed.
	const came = action === 'remove' && known !== undefined ? cameOn(known).slice(0, 10) : undefined;
	const { refused } = detailOf<RecordDetail>(base);
	const detail = JSON.stringify({
		action,
		...(came && { came }),
		...unanswered(refused),
	} satisfies RecordDetail);
	// Of a creation nobody knows with which values it was sent, and which ids it got: those of an earlier one say nothing.
	const unknown = action === 'create' && !isThere ? { fields: '', service_id: '', account_id: '' } : {};
	const outcome = isThere ? { state: 'applied', detail: '' } : { state: 'uncertain', detail, ...unknown };
	// Trap: without the row of before, the intent alone would say less. So the copy has to be there before either goes.
	const storedId = known === undefined ? id : Math.min(id, known.storedId ?? known.id);
	return { ...base, id, storedId, run_id, sequence, at, ...outcome };
}

/** A copy that a compaction made counts as what it is a copy of. */
function asOriginal(row: StoredRow): StoredRow {
	if (!row.detail.includes('"of":')) return row;
	const { of, ...rest } = detailOf<RecordDetail>(row);
	// Trap: in a table that was filled from another one, rows have new ids, and originals are none of them.
	if (of === undefined || of >= row.id) return row;
	return {
		...row,
		id: of,
		storedId: row.id,
		detail: Object.keys(rest).length === 0 ? '' : JSON.stringify(rest),
	};
}

/**
 * Whether the first of two rows of runs says the later thing: of the run that took the lease later, then by the place in its run, then by id. Trap: an
 * insert whose answer was lost may reach the table after the one that repeats it, or when another run has taken over long since.
 */
function isLater(one: StoredRow, other: StoredRow | undefined): boolean {
	if (other === undefined) return true;
	const order = beatOf(one.run_id) - beatOf(other.run_id) || Number(one.sequence) - Number(other.sequence);
	return order === 0 ? one.id >= other.id : order > 0;
}

const byRunOrder = (one: StoredRow, other: StoredRow) => (isLater(one, other) ? 1 : -1);

const PRESENCE: Readonly<Partial<Record<string, Presence>>> = {
	applied: 'yes',
	missing: 'yes',
	uncertain: 'maybe',
	unconfirmed: 'unconfirmed',
	exists: 'exists',
	removed: 'no',
};

/** What was not done leaves what the service has. */
function presenceOf(row: StoredRow): Presence {
	return PRESENCE[row.state] ?? detailOf<RecordDetail>(row).there ?? 'no';
}

const NOT_DONE = new Set(['failed', 'blocked', 'waiting', 'not tried']);

function entryOf(row: StoredRow, decisions: Decisions): LedgerEntry {
	const resolved = decisions.resolution(row);
	return {
		kind: row.kind as Kind,
		key: row.key,
		school: row.school_external_id,
		there: resolved === undefined ? presenceOf(row) : resolved === 'inService' ? 'yes' : 'no',
		action: detailOf<RecordDetail>(row).action ?? 'create',
		fields: row.fields,
		isAccepted: resolved === 'inService' || isConfirmedOnly(row),
		missingSince: row.since,
		isUnfinished: resolved === undefined && NOT_DONE.has(row.state),
		row,
	};
}

/** Of a user who was uncertain nobody noted with which values it was sent. */
function isConfirmedOnly({ kind, state, fields }: StoredRow): boolean {
	return kind === 'user' && state === 'applied' && fields === '';
}
