/**
 * Sends what a plan lets go, batch by batch: what is about to be sent is written before, what came of it after. The next batch is
 * announced while one is being sent, and begins behind it, so that the service never waits for the ledger.
 */
import { success } from '../../shared/failure';
import type { RunDetail } from '../ledger/detail';
import type { LedgerRow } from '../ledger/row';
import type { Change } from '../planning/change';
import { dayOf } from '../planning/days';
import { RecentChanges } from '../planning/baseline';
import { sendBatch, type BatchContext, type Done, type SendStep } from '../sending/batch';
import {
	FirstCreations,
	Obstacles,
	Troubles,
	type RefusedAlike,
	type Result,
	type StatusOptions,
} from '../sending/result';
import { intentRow, outcomeRow } from '../sending/rows';
import type { StoreResult, StoreFailure } from '../store/store';

import type { Tally } from './accounts';
import { Batches, type Batch } from './batches';
import type { Clock } from './clock';
import type { Confirming } from './confirming';
import { CreatedUsers } from './createdUsers';
import type { Journal } from './journal';
import type { Lease } from './lease';

export interface Sending {
	/** @param maySend asked right before each request leaves */
	sender: (maySend: () => boolean) => SendStep;
	statuses: StatusOptions;
	/** Undefined where the answer to a creation counts. */
	confirming: Confirming | undefined;
	clock: Clock;
	cancel: AbortSignal | undefined;
	/** Told now and then how far it is. */
	onProgress: (sent: number, of: number) => void;
}

export interface Sent {
	done: Done[];
	/** Why no more was sent, or written, than that. */
	failure: StoreFailure | undefined;
	/** Of these the ledger could not be told what came of them. */
	unwritten: Done[];
	/** Why nothing more was sent, when the first of a kind were refused alike. */
	refusedAlike?: RefusedAlike;
	/** More than half of the accounts that were asked for were not there. */
	isMostUnconfirmed: boolean;
}

/** So often the ledger and n8n's log are told how far a run is. Milliseconds. */
const TOLD_EVERY_MS = 60_000;

/** So long a run waits until its lease is valid again, when the ledger could not be reached. */
const WAIT_FOR_LEASE_MS = 5 * 60_000;

export class NightSending {
	private readonly done: Done[] = [];
	private readonly context: BatchContext;
	/** Outcomes that are written with the intent of the next batch but one. */
	private pending: Done[] = [];
	private readonly sendOnce: SendStep;
	/** False when the service would refuse what comes next, too. */
	private readonly takesMore: () => boolean;
	/** Asked right before each request leaves. */
	private readonly maySend: () => boolean;
	private toldAt: number;
	private readonly created: CreatedUsers;

	/** @param accounts of earlier runs, as far as they say how it stands */
	constructor(
		private readonly lease: Lease,
		private readonly journal: Journal,
		private readonly sending: Sending,
		private readonly runDetail: RunDetail,
		accounts: Tally,
	) {
		const [troubles, first] = [new Troubles(), new FirstCreations()];
		this.takesMore = () => !troubles.areTooMany && first.refusedAlike === undefined;
		this.maySend = () => this.isAllowed() && this.takesMore();
		this.created = new CreatedUsers(sending.confirming, accounts, runDetail.asksFew === true);
		this.context = {
			...{ obstacles: new Obstacles(), troubles, first, statuses: sending.statuses },
			today: dayOf(sending.clock.wall()),
			send: async (changes, onResult) => await this.sendStep(changes, onResult),
		};
		this.sendOnce = sending.sender(this.maySend);
		this.toldAt = sending.clock.steady();
	}

	async send(changes: readonly Change[]): Promise<Sent> {
		const batches = new Batches(changes, this.sending.clock);
		let underWay = Promise.resolve();
		for (let batch = batches.take(); batch !== undefined; batch = batches.take()) {
			if (batch.beginsStep) await underWay;
			const seen = await this.confirmBefore(batch, changes.length);
			if (!seen.ok) return await this.ended(seen.failure, []);
			if (!(await this.isReady())) break;
			const written = await this.write(batch.changes, changes.length);
			if (!written.ok) {
				await underWay;
				return await this.ended(written.failure, batch.changes);
			}
			const before = underWay;
			underWay = this.sendOne(batch, batches);
			await before;
		}
		await underWay;
		const seen = await this.confirmBefore(undefined, changes.length);
		return seen.ok ? await this.finish() : await this.ended(seen.failure, []);
	}

	/** Waits for the accounts of the users that were created before anything else follows. */
	private async confirmBefore(batch: Batch | undefined, of: number): Promise<StoreResult<void>> {
		if (!this.created.areDueBefore(batch)) return success(undefined);
		// Waiting takes minutes: a crash meanwhile must not make anybody uncertain.
		const written = await this.write([], of);
		if (!written.ok) return written;
		const { clock, cancel } = this.sending;
		const mayGoOn = () => !cancel?.aborted && !this.lease.isLost && this.takesMore();
		for (const done of await this.created.confirmed({ clock, maySend: this.maySend, mayGoOn })) {
			this.context.obstacles.confirm(done.change.key);
			this.pending.push(done);
		}
		return success(undefined);
	}

	private async sendOne(batch: Batch, batches: Batches): Promise<void> {
		const began = this.sending.clock.steady();
		for (const one of await sendBatch(batch.changes, this.context)) {
			this.pending.push(one);
			this.done.push(one);
			this.created.add(one);
		}
		batches.finish(batch, began);
	}

	/** What was not begun, because the ledger could not be reached for a while, is begun when it can be. */
	private async sendStep(changes: readonly Change[], onResult: (result: Result) => void): Promise<Result[]> {
		const results: Result[] = changes.map(() => NOT_BEGUN_YET);
		for (;;) {
			const places = [...results.keys()].filter((place) => results[place].kind === 'notTried');
			if (places.length === 0 || !(await this.isReady())) return results;
			const sent = await this.sendOnce(
				places.map((place) => changes[place]),
				onResult,
			);
			for (const [index, place] of places.entries()) results[place] = sent[index];
		}
	}

	/** Nothing more leaves when the run is cancelled, or somebody else may have the lease. */
	private isAllowed(): boolean {
		return this.sending.cancel?.aborted !== true && this.lease.isValid();
	}

	/** Waits while the ledger cannot be reached, since a request may not leave then. False at the end of a run. */
	private async isReady(): Promise<boolean> {
		const { clock, cancel } = this.sending;
		const until = clock.steady() + WAIT_FOR_LEASE_MS;
		while (!this.lease.isValid() && !this.lease.isLost && !cancel?.aborted && clock.steady() < until) {
			await clock.sleep(1_000);
		}
		return this.maySend();
	}

	private async write(batch: readonly Change[], of: number) {
		// Trap: what comes back while the rows are being written is for the next write.
		const ended = this.pending;
		this.pending = [];
		const rows: Array<Partial<LedgerRow>> = rowsOf(ended);
		// What it needs has been sent before: whether that is there is known.
		const intent = intentRow(
			batch.filter((change) => this.context.obstacles.resultFor(change) === undefined),
		);
		if (intent !== undefined) rows.push(intent);
		const now = this.sending.clock.steady();
		if (now - this.toldAt >= TOLD_EVERY_MS) {
			this.toldAt = now;
			this.sending.onProgress(this.done.length, of);
			rows.push(runRow({ ...this.runDetail, sent: this.done.length }, 'under way'));
		}
		const written = await this.journal.write(rows);
		if (!written.ok) this.pending = ended.concat(this.pending);
		return written;
	}

	private async finish(): Promise<Sent> {
		const written = await this.journal.write([...rowsOf(this.pending), this.lastRow()]);
		if (!written.ok) return await this.ended(written.failure, []);
		return this.sent(undefined, []);
	}

	private lastRow(): Partial<LedgerRow> {
		const { changes, takesOver } = this.runDetail;
		const sent = this.done.length;
		// What was to be taken over is, or the next run must know.
		const left = takesOver.includes(this.lease.runId) && sent === changes ? [] : takesOver;
		const recent = new RecentChanges(this.runDetail.recent, this.sending.clock.wall());
		const done = this.done.filter(({ state }) => DONE.has(state));
		const counted = recent.with(done.map(({ change }) => change));
		const asksFew = this.created.areMostUnconfirmed ? true : undefined;
		return runRow({ ...this.runDetail, sent, takesOver: left, recent: counted, asksFew }, 'ended');
	}

	/**
	 * Trap: at n8n's time limit the run counts as cancelled, and every write that is waited for fails.
	 * @param batch that was about to be sent: its intent may have arrived
	 */
	private async ended(failure: StoreFailure, batch: readonly Change[]): Promise<Sent> {
		if (this.sending.cancel?.aborted) {
			const unsent = batch
				.filter(({ action }) => action !== 'note')
				.map((change): Done => ({ change, result: NOT_BEGUN_YET, state: 'not tried' }));
			await this.journal.handOver([...rowsOf(this.pending), ...rowsOf(unsent), this.lastRow()]);
		}
		return this.sent(failure, this.pending);
	}

	private sent(failure: StoreFailure | undefined, unwritten: Done[]): Sent {
		const { refusedAlike } = this.context.first;
		const isMostUnconfirmed = this.created.areMostUnconfirmed;
		return { done: this.done, failure, unwritten, refusedAlike, isMostUnconfirmed };
	}
}

const NOT_BEGUN_YET: Result = { kind: 'notTried' };

const DONE = new Set<Done['state']>(['applied', 'unconfirmed', 'removed']);

/** What is blocked as it was before is nothing new. */
function rowsOf(done: readonly Done[]): Array<Partial<LedgerRow>> {
	const changed = done.filter(({ change, state }) => state !== 'blocked' || change.known?.state !== state);
	return changed.map(({ change, result, state }) => outcomeRow(change, result, state));
}

export function runRow(detail: RunDetail, state: 'under way' | 'ended'): Partial<LedgerRow> {
	return { kind: 'run', key: 'run', state, detail: JSON.stringify(detail) };
}
