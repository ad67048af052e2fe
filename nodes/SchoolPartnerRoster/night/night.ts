/** A night: acquires the lease, reads the ledger, plans, sends, remembers. */
import type { Ledger } from '../ledger/ledger';
import { beatOf, runIdOf, type LedgerRow } from '../ledger/row';
import { isCut } from '../planning/conditions';
import type { Plan } from '../planning/plan';
import type { Turns } from '../roster/turns';
import { passOver, type LedgerStore } from '../store/store';

import { Accounts } from './accounts';
import { ChangeSender, type Sending, type Sent } from './changeSender';
import { retryStore } from './clock';
import { compactLedger, isWorthCompacting } from './compaction';
import { Journal, readLedger } from './journal';
import { acquireLease, type Acquired } from './acquireLease';
import type { Lease } from './lease';
import { holdRows, runDetail, runRow } from './runRows';
import { RunState } from './runState';

export interface NightInput extends Sending {
	store: LedgerStore;
	/** Random letters and digits that make the id of the run its own. */
	tail: string;
	/** Milliseconds that one request may take. */
	timeoutMs: number;
	/** Throws what n8n is to show when there is no plan. */
	plan: (ledger: Ledger, rowsExpected: number) => Promise<Plan>;
	/** Names of the files of the roster; undefined where the next one may have others. */
	files: readonly string[] | undefined;
	/** The rows by which the ledger remembers what a person is told of this run. @param rows of the ledger */
	tell: (plan: Plan, sent: Sent, ledger: Ledger, rows: number) => Promise<Array<Partial<LedgerRow>>>;
	turns: Turns;
}

export type Night =
	| Exclude<Acquired, { kind: 'acquired' }>
	| { kind: 'done'; runId: string; plan: Plan; sent: Sent; rows: number; isLeaseLost: boolean };

/**
 * Throws only before anything was sent: what fails later is in `sent`.
 * @param isAgain whether the lease was younger than the rows, and has been given a greater beat
 */
export async function runNight(input: NightInput, isAgain = false): Promise<Night> {
	const { store, tail, timeoutMs, turns, clock, cancel } = input;
	const opened = await retryStore(clock, async () => await store.open(true));
	const isMaker = opened === 'made';
	const runId = (beat: number) => runIdOf(beat, clock.wall(), tail);
	const acquired = await acquireLease({ store, isMaker, runId, timeoutMs, clock, turns, cancel });
	if (acquired.kind !== 'acquired') return acquired;
	const { lease } = acquired;
	let lastBeat = 0;
	try {
		const ledger = await readLedger(store, clock, turns);
		({ lastBeat } = ledger);
		// Trap: of a run that has lost its lease meanwhile, the rows are those of the run that took over.
		const isYounger = lastBeat >= beatOf(lease.runId) && lease.isValid();
		if (!isYounger || isAgain) return await underLease(lease, ledger, input);
	} finally {
		// A lease that could not be freed runs out by itself.
		await lease.release(lastBeat).catch(passOver);
	}
	// Trap: beside rows that were put back, nothing counts that is written under the younger lease: it would be sent again each night.
	return await runNight(input, true);
}

async function underLease(lease: Lease, ledger: Ledger, input: NightInput): Promise<Night> {
	const { store, files, clock, cancel, statuses, confirming } = input;
	const run = new RunState(lease, clock, cancel, statuses);
	// A ledger that has lost rows is not to look whole before a person has said so.
	const isWhole = !isCut(ledger, lease.rowsBefore, clock.wall());
	const journal = new Journal(store, lease, clock, isWhole ? ledger.rows : lease.rowsBefore);
	const accounts = confirming && new Accounts(confirming, ledger, run, clock);
	if (isWhole) await settleEarlier(ledger, journal, lease, accounts, input);
	const plan = await input.plan(ledger, lease.rowsBefore);
	const detail = runDetail(plan, ledger, files, lease.runId);
	const begun = plan.isTakeOver ? [runRow(detail, 'under way')] : [];
	await journal.write([...begun, ...holdRows(plan.holds, ledger)]);
	const sent = await new ChangeSender(run, journal, input, detail, ledger, accounts).send(plan);
	const { rows } = journal;
	const told = sent.failure === undefined ? await input.tell(plan, sent, ledger, rows) : [];
	// What could not be noted is told as new once more.
	if (!run.isCancelled && lease.isValid()) await journal.write(told).catch(passOver);
	return { kind: 'done', runId: lease.runId, plan, sent, rows, isLeaseLost: lease.isLost };
}

/** What runs before this one have left: rows that nobody needs, and accounts that were not there yet. */
async function settleEarlier(
	ledger: Ledger,
	journal: Journal,
	lease: Lease,
	accounts: Accounts | undefined,
	{ store, clock }: NightInput,
): Promise<void> {
	if (isWorthCompacting(ledger, clock.wall())) {
		await compactLedger(store, journal, lease, ledger, clock);
		// Of the rows of runs one is left.
		ledger.runBytes = 0;
	}
	await accounts?.confirmEarlier(journal);
}
