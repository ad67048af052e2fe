/**
 * A ledger in memory with the troubles of a real one. `SimulatedTable` is the table in the database; each process has its own
 * `SimulatedStore` on it. A call takes its time, its effect happens at one moment within it, and
 * - it may fail before its effect, after it (the answer was lost), or before it while the effect comes later all the same;
 * - rows of an insert have their ids at once and become visible later, so a row may appear below one that was seen before;
 * - two that open a ledger that is not there may both be told that they made it.
 */
import { failed, success, type Outcome } from '../../../../nodes/shared/failure.ts';
import { LEASE, type LedgerRow, type StoredRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import {
	MAX_INSERT_ROWS,
	StoreError,
	type LedgerStore,
	type StoreFailure,
} from '../../../../nodes/SchoolPartnerRoster/store/store.ts';
import type { VirtualProcess } from './virtualClock.mts';

/** A number from 0 to 1, evenly. */
export type Random = () => number;

/** Numbers that look random, and are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): Random {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	};
}

/** How bad things are. */
export interface Troubles {
	/** Share of calls that fail. */
	failures: number;
	/** A usual call takes up to this long on each way, in milliseconds. */
	usualMs: number;
	/** Share of calls that take up to `slowMs` on a way instead. */
	slow: number;
	slowMs: number;
	/** Rows become visible up to so many milliseconds after they have their ids. */
	invisibleMs: number;
}

export const NO_TROUBLES: Troubles = { failures: 0, usualMs: 200, slow: 0, slowMs: 0, invisibleMs: 0 };

const FAILURE: StoreFailure = {
	origin: 'n8n',
	effect: 'unknown',
	isPassing: true,
	message: 'The simulated store failed',
	next: 'Try again.',
};

/** What a call of a store, or what calls it, gives or throws. */
export type StoreResult<T> = Outcome<T, StoreFailure>;

export class SimulatedTable {
	exists = false;

	/** Holders whose lease another run took over, in order. */
	readonly overtaken: string[] = [];

	/** In the order of their ids. */
	private rows: StoredRow[] = [];

	private lastId = 0;

	/** @param troubles may be changed while time passes */
	constructor(
		readonly random: Random,
		public troubles: Troubles = NO_TROUBLES,
	) {}

	/** What somebody who looks now sees. */
	visible(): readonly StoredRow[] {
		return this.rows;
	}

	/** Ids for rows that are not visible yet. */
	number(rows: readonly LedgerRow[]): StoredRow[] {
		return rows.map((row) => ({ ...row, id: ++this.lastId }));
	}

	/** Other ledgers of the same database get so many ids. */
	skipIds(count: number): void {
		this.lastId += count;
	}

	show(rows: readonly StoredRow[]): void {
		this.rows = [...this.rows, ...rows].sort((one, other) => one.id - other.id);
	}

	replace(before: StoredRow, after: LedgerRow): boolean {
		const index = this.rows.findIndex(
			({ id, kind, run_id, sequence }) =>
				id === before.id && kind === LEASE && run_id === before.run_id && sequence === before.sequence,
		);
		if (index < 0) return false;
		this.rows[index] = { ...after, id: before.id };
		if (before.run_id !== '' && after.run_id !== '' && after.run_id !== before.run_id)
			this.overtaken.push(before.run_id);
		return true;
	}

	remove(isRemoved: (row: StoredRow) => boolean): void {
		this.rows = this.rows.filter((row) => !isRemoved(row));
	}
}

/** How one call goes. */
interface Course {
	fails: boolean;
	/** When its effect happens; never: undefined. */
	effectAt: number | undefined;
	/** Rows of an insert are visible from then on. */
	visibleAt: number;
	answerAt: number;
}

export class SimulatedStore implements LedgerStore {
	readonly name = 'Simulated';

	constructor(
		private readonly table: SimulatedTable,
		private readonly process: VirtualProcess,
	) {}

	async open(make: boolean): Promise<'found' | 'made' | 'absent'> {
		const isFound = await this.call(() => this.table.exists);
		if (isFound || !make) return isFound ? 'found' : 'absent';
		await this.call(() => (this.table.exists = true));
		return 'made';
	}

	async rowsAfter(after: number, limit: number): Promise<StoredRow[]> {
		return await this.call(() => copies(this.table.visible().filter(({ id }) => id > after)).slice(0, limit));
	}

	async leaseRows(): Promise<StoredRow[]> {
		return await this.call(() => copies(this.table.visible().filter(({ kind }) => kind === LEASE)));
	}

	async append(rows: readonly LedgerRow[]): Promise<void> {
		if (rows.length > MAX_INSERT_ROWS) throw new Error(`${rows.length} rows in one insert`);
		const given = rows.map((row) => ({ ...row }));
		return await this.call((visibleAt) => {
			const numbered = this.table.number(given);
			if (visibleAt <= this.process.time.now) this.table.show(numbered);
			else this.process.time.at(visibleAt, () => this.table.show(numbered));
		});
	}

	async replaceLease(before: StoredRow, after: LedgerRow): Promise<boolean> {
		const [was, becomes] = [{ ...before }, { ...after }];
		return await this.call(() => this.table.replace(was, becomes));
	}

	async removeRange(from: number, to: number): Promise<void> {
		return await this.call(() =>
			this.table.remove(({ id, kind }) => id >= from && id <= to && kind !== LEASE),
		);
	}

	async removeLease(lease: number): Promise<void> {
		return await this.call(() => this.table.remove(({ id, kind }) => id === lease && kind === LEASE));
	}

	/** The effect happens whatever becomes of the process. */
	private async call<T>(effect: (visibleAt: number) => T): Promise<T> {
		const { time } = this.process;
		const course = this.course(time.now);
		let answer: StoreResult<T> = failed(FAILURE);
		if (course.effectAt !== undefined)
			time.at(course.effectAt, () => {
				const value = effect(course.visibleAt);
				if (!course.fails) answer = success(value);
			});
		const given = await this.process.answer(course.answerAt, () => answer);
		if (!given.ok) throw new StoreError(given.failure);
		return given.value;
	}

	private course(now: number): Course {
		const { troubles, random } = this.table;
		const way = () => random() * (random() < troubles.slow ? troubles.slowMs : troubles.usualMs);
		const effectAt = now + way();
		const visibleAt = effectAt + random() * troubles.invisibleMs;
		const isCutOff = now < this.process.cutOffUntil;
		if (!isCutOff && random() >= troubles.failures)
			return { fails: false, effectAt, visibleAt, answerAt: visibleAt + way() };
		const kind = isCutOff ? 0 : random();
		const answerAt = now + way();
		// Before its effect, after it, or before an effect that comes all the same.
		if (kind < 0.4) return { fails: true, effectAt: undefined, visibleAt, answerAt };
		if (kind < 0.7) return { fails: true, effectAt, visibleAt, answerAt: effectAt + way() };
		const late = random() * 100_000;
		return { fails: true, effectAt: effectAt + late, visibleAt: visibleAt + late, answerAt };
	}
}

function copies(rows: readonly StoredRow[]): StoredRow[] {
	return rows.map((row) => ({ ...row }));
}
