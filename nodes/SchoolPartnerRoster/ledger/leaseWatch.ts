/** Whether the holder of a lease is alive, as somebody else sees it: by the beats alone, in the time of his own clock. */
import { isHeld, leaseState, watchMs } from './lease';
import type { StoredRow } from './row';

/** How often the lease rows are looked at. */
export const LOOK_MS = 5_000;

/** A process that slept has not watched: from one look to the next no more than this counts. */
const MOST_BETWEEN_LOOKS_MS = 2 * LOOK_MS;

export type Watched =
	/** A held row has changed: its holder, or who took over from it, is alive. */
	| { kind: 'busy'; holder: string }
	/** A row is held, and has not been watched long enough. */
	| { kind: 'watching' }
	/** No row is held by a run that is alive; `interrupted` are those whose holders have not beaten for long enough. */
	| { kind: 'available'; interrupted: StoredRow[] };

export class LeaseWatch {
	private readonly seen = new Map<number, { row: StoredRow; stillMs: number }>();

	private lookedAt: number | undefined;

	/**
	 * @param rows all lease rows
	 * @param steadyNow when the answer with them had come: a beat may have arrived while it was on its way
	 */
	look(rows: readonly StoredRow[], steadyNow: number): Watched {
		const sinceMs = Math.min(steadyNow - (this.lookedAt ?? steadyNow), MOST_BETWEEN_LOOKS_MS);
		this.lookedAt = steadyNow;
		const changed = rows.filter((row) => this.note(row, sinceMs) && isHeld(row));
		if (changed.length > 0) return { kind: 'busy', holder: changed[0].run_id };
		const held = rows.filter(isHeld);
		return held.every((row) => this.isInterrupted(row))
			? { kind: 'available', interrupted: held }
			: { kind: 'watching' };
	}

	/** Whether the row has changed since the last look. */
	private note(row: StoredRow, sinceMs: number): boolean {
		const before = this.seen.get(row.id);
		const isSame = before?.row.sequence === row.sequence && before.row.run_id === row.run_id;
		this.seen.set(row.id, { row, stillMs: isSame ? before.stillMs + sinceMs : 0 });
		return before !== undefined && !isSame;
	}

	private isInterrupted(row: StoredRow): boolean {
		return (this.seen.get(row.id)?.stillMs ?? 0) >= watchMs(leaseState(row));
	}
}
