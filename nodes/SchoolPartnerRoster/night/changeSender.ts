/**
 * Sends what a plan lets go, batch by batch: what is about to be sent is written before (the intent), what came of it after (the outcomes). The
 * intent of the next batch is written while one is being sent, so that the service never waits for the ledger.
 */
import type { RunDetail } from '../ledger/detail';
import { kindOfKey } from '../ledger/key';
import type { Ledger } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';
import { isUpdate, type Change } from '../planning/change';
import type { ClassesInDoubt } from '../planning/classesInDoubt';
import { utcDay } from '../planning/days';
import type { Plan } from '../planning/plan';
import { RecentChanges } from '../planning/baseline';
import { sendBatch, type BatchContext, type Done, type SendStep } from '../sending/batch';
import { Blockers } from '../sending/blockers';
import { isForbiddenBy, isTrouble, type RefusedAlike } from '../sending/circuitBreaker';
import type { ChangeResult, StatusOptions } from '../sending/result';
import { intentRow, outcomeRow } from '../sending/rows';
import { storeResult, StoreError, type StoreFailure } from '../store/store';

import type { Confirming } from './accountRounds';
import type { Accounts } from './accounts';
import { Batches, type Batch } from './batches';
import type { Clock } from './clock';
import type { Journal } from './journal';
import { otherTakeOvers, runRow } from './runRows';
import type { RunState } from './runState';

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
	/** Kinds of which the first were refused alike, so that no others were sent. */
	refusedAlike: RefusedAlike[];
	/** Users who were not sent since most classes of their schools were refused, or are said to exist. */
	waiting: Change[];
	/** More than half of the accounts that were asked for were not there. */
	isMostUnconfirmed: boolean;
}

/** So often n8n's log is told how far a run is; the ledger learns the first time that it has begun. Milliseconds. */
const PROGRESS_EVERY_MS = 60_000;

export class ChangeSender {
	private readonly done: Done[] = [];
	/** Outcomes that no row has yet: the next write takes them. */
	private unwritten: Done[] = [];
	/** A batch whose intent is being written: it may have arrived. */
	private announced: readonly Change[] = [];
	private readonly waiting: Change[] = [];
	private readonly blockers = new Blockers();
	private readonly sendStep: SendStep;
	private progressAt: number;
	/** Whether a row says that the run has begun: of one that is killed, it is all that the next one has. */
	private isBegun: boolean;
	/** The day of the night, YYYY-MM-DD. */
	private readonly today: string;

	/** @param accounts undefined where the answer to a creation counts */
	constructor(
		private readonly run: RunState,
		private readonly journal: Journal,
		private readonly sending: Sending,
		private readonly detail: RunDetail,
		private readonly ledger: Ledger,
		private readonly accounts: Accounts | undefined,
	) {
		this.sendStep = sending.sender(() => run.maySend());
		this.progressAt = sending.clock.steady();
		// A take over says so before its first note.
		this.isBegun = detail.takesOver.includes(run.lease.runId);
		this.today = utcDay(sending.clock.wall());
	}

	/** What fails is in what it gives. */
	async send({ changes, classes }: Pick<Plan, 'changes' | 'classes'>): Promise<Sent> {
		const ended = await storeResult(this.sendAll(changes, classes));
		if (ended.ok) return this.sent();
		// Trap: at n8n's time limit the run counts as cancelled, and every write that is waited for fails.
		if (this.run.isCancelled) await this.handOver();
		return this.sent(ended.failure);
	}

	private async sendAll(changes: readonly Change[], classes: ClassesInDoubt): Promise<void> {
		await this.sendBatches(changes, classes);
		await this.confirmUsers();
		await this.journal.write([...outcomeRows(this.unwritten), this.endRow()]);
		this.unwritten = [];
	}

	private async sendBatches(changes: readonly Change[], classes: ClassesInDoubt): Promise<void> {
		const batches = new Batches(changes, this.sending.clock);
		let underWay = Promise.resolve();
		const nextBatch = async () => {
			// What comes of them decides how many follow.
			if (batches.looksAtFirst) await underWay;
			return batches.next();
		};
		try {
			for (let next = await nextBatch(); next !== undefined; next = await nextBatch()) {
				if (next.beginsStep) await underWay;
				const batch = { ...next, changes: this.withoutRefused(next.changes, batches, classes) };
				if (batch.changes.length === 0) continue;
				await this.confirmUsers(batch);
				if (!(await this.run.isReady())) break;
				await this.write(batch.changes);
				// Two batches are on their way at most.
				const before = underWay;
				underWay = this.sendOne(batch, batches, classes);
				await before;
			}
		} finally {
			await underWay;
		}
	}

	/**
	 * Without those of which the first were refused alike, and what needs them. They get no row, as whatever a run does not come to: a first load
	 * would write one for each of its bonds.
	 */
	private withoutRefused(changes: readonly Change[], batches: Batches, classes: ClassesInDoubt): Change[] {
		return changes.filter((change) => {
			if (change.action === 'note') return true;
			if (isNewUser(change)) this.askForDoubt(change, classes);
			const result = this.blockers.resultFor(change);
			const waits = result?.kind === 'notTried';
			if (this.run.breaker.forbids(change)) change.forbiddenIn = change.school_external_id;
			else if (waits) change.forbiddenIn = this.blockers.forbiddenNeed(change);
			const isLeftOut = waits || change.forbiddenIn !== undefined || this.run.breaker.refuses(change);
			if (isLeftOut) this.blockers.leaveOut(change);
			if (isLeftOut || result !== undefined) batches.leaveOut(change);
			return !isLeftOut;
		});
	}

	/** Which class a new user waits for, beside whatever else it needs: by what is answered tonight, another than in the plan, or none. */
	private askForDoubt(change: Change, classes: ClassesInDoubt): void {
		const awaited = classes.awaitedIn(change.school_external_id);
		const needs = change.needs.filter((key) => kindOfKey(key) !== 'class');
		change.needs = awaited === undefined ? needs : [...needs, awaited];
		if (awaited !== undefined) this.waiting.push(change);
	}

	/** Waits for the accounts of the users that were created before anything else follows. */
	private async confirmUsers(before?: Batch): Promise<void> {
		const { accounts } = this;
		if (!accounts?.hasUnseen || before?.changes[0].kind === 'user') return;
		// Waiting takes minutes: a crash meanwhile must not make anybody uncertain.
		await this.write([]);
		for (const done of await accounts.waitForCreated()) {
			this.blockers.confirm(done.change.key);
			this.unwritten.push({ ...done, isAskedLater: true });
		}
	}

	/** One insert: the outcomes so far, and the intent of the next batch. */
	private async write(next: readonly Change[]): Promise<void> {
		// Trap: what comes back while the rows are being written is for the next write.
		const outcomes = this.unwritten;
		this.unwritten = [];
		const rows: Array<Partial<LedgerRow>> = outcomeRows(outcomes);
		// What it needs has been sent before: whether that is there is known.
		const intent = intentRow(next.filter((change) => this.blockers.resultFor(change) === undefined));
		if (intent !== undefined) rows.push(intent);
		if (this.isProgressDue() && !this.isBegun) {
			this.isBegun = true;
			// Trap: what is not sent yet is nothing to measure the next night against.
			rows.push(runRow({ ...this.detail, base: this.ledger.lastDetail.base }, 'under way'));
		}
		this.announced = next;
		const written = await storeResult(this.journal.write(rows));
		if (!written.ok) {
			this.unwritten = outcomes.concat(this.unwritten);
			throw new StoreError(written.failure);
		}
		this.announced = [];
	}

	private isProgressDue(): boolean {
		const now = this.sending.clock.steady();
		if (now - this.progressAt < PROGRESS_EVERY_MS) return false;
		this.progressAt = now;
		this.sending.onProgress(this.done.length, this.detail.changes);
		return true;
	}

	private async sendOne(batch: Batch, batches: Batches, classes: ClassesInDoubt): Promise<void> {
		const { clock, statuses } = this.sending;
		const began = clock.steady();
		const context: BatchContext = {
			...{ blockers: this.blockers, breaker: this.run.breaker, statuses, today: this.today },
			send: async (changes, onResult) => await this.sendAllBegun(changes, onResult),
		};
		for (const one of await sendBatch(batch.changes, context)) {
			this.unwritten.push(one);
			this.done.push(one);
			this.accounts?.add(one);
			noteClass(one, classes);
			// The others of the kind are looked at without it.
			if (isForbiddenBy(one.result)) batches.leaveOut(one.change);
		}
		batches.finish(batch, began);
	}

	/** What was not begun, because the ledger could not be reached for a while, is begun when it can be. */
	private async sendAllBegun(
		changes: readonly Change[],
		onResult: (change: Change, result: ChangeResult) => void,
	): Promise<ChangeResult[]> {
		const results: ChangeResult[] = changes.map(() => NOT_TRIED_YET);
		for (;;) {
			const places = [...results.keys()].filter((place) => results[place].kind === 'notTried');
			if (places.length === 0 || !(await this.run.isReady())) return results;
			const sent = await this.sendStep(
				places.map((place) => changes[place]),
				onResult,
			);
			for (const [index, place] of places.entries()) results[place] = sent[index];
		}
	}

	/** What the next run needs to know of this one. */
	private endRow(): Partial<LedgerRow> {
		const { changes, takesOver, recent } = this.detail;
		const sent = this.done.length;
		// What was to be taken over is, or the next run must know.
		const isTakenOver = takesOver.includes(this.run.lease.runId) && sent === changes;
		const done = this.done.filter(({ state }) => DONE_STATES.has(state)).map(({ change }) => change);
		return runRow(
			{
				...this.detail,
				sent,
				takesOver: isTakenOver ? otherTakeOvers(this.done, this.ledger) : takesOver,
				recent: new RecentChanges(recent, this.sending.clock.wall()).with(done),
				asksFew: this.isMostUnconfirmed ? true : undefined,
			},
			'ended',
		);
	}

	/** A run that asks nobody leaves it as the last one that asked has found it. */
	private get isMostUnconfirmed(): boolean {
		return this.accounts?.areMostUnconfirmed ?? this.detail.asksFew === true;
	}

	/** The outcomes so far; and of what was announced, that it was not sent. */
	private async handOver(): Promise<void> {
		const notTried = this.announced
			.filter(({ action }) => action !== 'note')
			.map((change): Done => ({ change, result: NOT_TRIED_YET, state: 'not tried' }));
		await this.journal.handOver([...outcomeRows([...this.unwritten, ...notTried]), this.endRow()]);
	}

	private sent(failure?: StoreFailure): Sent {
		const { done, unwritten, waiting, isMostUnconfirmed } = this;
		const { refusedAlike } = this.run.breaker;
		return { done, failure, unwritten, refusedAlike, waiting, isMostUnconfirmed };
	}
}

function isNewUser(change: Change): boolean {
	return change.action === 'create' && change.kind === 'user' && !isUpdate(change);
}

/** What the service says tonight of a class. Trouble says nothing. */
function noteClass({ change, result, state }: Done, classes: ClassesInDoubt): void {
	if (change.kind !== 'class' || change.action !== 'create' || isUpdate(change)) return;
	const isRefused = result.kind === 'failed' && !isTrouble(result.failure) && state !== 'uncertain';
	if (state === 'applied' || isRefused)
		classes.note(change.school_external_id, change.key, state === 'applied' ? 'there' : 'doubtful');
}

const NOT_TRIED_YET: ChangeResult = { kind: 'notTried' };

const DONE_STATES = new Set<Done['state']>(['applied', 'unconfirmed', 'removed']);

/** What is blocked as it was before is nothing new. */
function outcomeRows(done: readonly Done[]): Array<Partial<LedgerRow>> {
	const changed = done.filter(({ change, state }) => state !== 'blocked' || change.known?.state !== state);
	return changed.map(({ change, result, state }) => outcomeRow(change, result, state));
}
