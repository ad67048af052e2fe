/** A night: takes the lease, reads the ledger, plans, sends, remembers. Nothing of n8n in here; ROSTER.md section 2 has the rules. */
import { success } from '../../shared/failure';

import type { Ledger } from '../ledger/ledger';
import type { RunDetail } from '../ledger/detail';
import type { LedgerRow } from '../ledger/row';
import { runIdOf } from '../ledger/runId';
import type { Change } from '../planning/change';
import { type Circumstances, isCut } from '../planning/conditions';
import type { GroupCounts } from '../planning/counts';
import type { Hold } from '../planning/holds';
import type { Turns } from '../roster/turns';
import type { LedgerStore, StoreResult } from '../store/store';

import type { Tally } from './accounts';
import { compactLedger, isWorthCompacting } from './compaction';
import { confirmEarlier } from './confirming';
import { holdRows } from './holdRows';
import { Journal } from './journal';
import { acquireLease, type Lease } from './lease';
import { retryStore } from './clock';
import { readLedger } from './reading';
import { NightSending, runRow, type Sending, type Sent } from './sendAll';

/** What a night does is planned when its ledger is known. */
export interface NightPlan {
	changes: Change[];
	holds: Hold[];
	/** Something is wrong with ledger or roster as a whole, and no person has let it go. */
	isDoubted: boolean;
	/** Nothing is sent: the ledger learns what the service has. */
	isTakeOver: boolean;
	circumstances: Circumstances;
	base: GroupCounts;
	salt: string;
	away: ReadonlyMap<string, string>;
}

export interface NightInput<Plan extends NightPlan> {
	store: LedgerStore;
	/** Random letters and digits that make the id of the run its own. */
	tail: string;
	/** Milliseconds that one request may take. */
	timeoutMs: number;
	/** Throws what n8n is to show when there is no plan. */
	plan: (ledger: Ledger, rowsExpected: number) => Promise<Plan>;
	/** Names of the files of the roster. */
	files: readonly string[];
	sending: Sending;
	/** The rows by which the ledger remembers what a person is told of this run. @param rows of the ledger */
	tell: (plan: Plan, sent: Sent, ledger: Ledger, rows: number) => Promise<Array<Partial<LedgerRow>>>;
	turns: Turns;
}

export type Night<Plan extends NightPlan> =
	/** Another run has the lease, and is alive. */
	| { kind: 'busy'; holder: string }
	| { kind: 'cancelled' }
	| { kind: 'done'; runId: string; plan: Plan; sent: Sent; rows: number; isLeaseLost: boolean };

export async function runNight<Plan extends NightPlan>(
	input: NightInput<Plan>,
): Promise<StoreResult<Night<Plan>>> {
	const { store, tail, timeoutMs, sending } = input;
	const { clock, cancel } = sending;
	const opened = await retryStore(clock, async () => await store.open(true));
	if (!opened.ok) return opened;
	const runId = (beat: number) => runIdOf(beat, clock.wall(), tail);
	const isMaker = opened.value === 'made';
	const acquired = await acquireLease({ store, isMaker, runId, timeoutMs, clock, cancel });
	if (!acquired.ok) return acquired;
	if (acquired.value.kind !== 'acquired') return success(acquired.value);
	const { lease } = acquired.value;
	try {
		return await underLease(lease, input);
	} finally {
		// A lease that could not be freed runs out by itself.
		await lease.release();
	}
}

async function underLease<Plan extends NightPlan>(
	lease: Lease,
	input: NightInput<Plan>,
): Promise<StoreResult<Night<Plan>>> {
	const { store, sending, turns } = input;
	const { clock } = sending;
	const read = await readLedger(store, clock, turns);
	if (!read.ok) return read;
	const ledger = read.value;
	const now = clock.wall();
	// A ledger that has lost rows is not to look whole before a person has said so.
	const isWhole = !isCut(ledger, lease.rowsBefore, now);
	const journal = new Journal(store, lease, clock, isWhole ? ledger.rows : lease.rowsBefore);
	if (isWhole && isWorthCompacting(ledger)) {
		const compacted = await compactLedger(store, journal, lease, ledger, clock);
		if (!compacted.ok) return compacted;
	}
	const isAllowed = () => sending.cancel?.aborted !== true && lease.isValid();
	const earlier =
		isWhole && sending.confirming !== undefined
			? await confirmEarlier(ledger, journal, sending.confirming, isAllowed, clock)
			: success(NOBODY_ASKED);
	if (!earlier.ok) return earlier;
	const plan = await input.plan(ledger, lease.rowsBefore);
	const detail = runDetail(plan, ledger, input.files, lease.runId);
	const begun = plan.isTakeOver ? [runRow(detail, 'under way')] : [];
	const reported = await journal.write([...begun, ...holdRows(plan.holds, ledger)]);
	if (!reported.ok) return reported;
	// Those who are left over of many say nothing of how it stands.
	const asked = detail.asksFew === true ? earlier.value : NOBODY_ASKED;
	const nightSending = new NightSending(lease, journal, sending, detail, { ...asked });
	const sent = await nightSending.send(plan.changes);
	const { rowCount: rows } = journal;
	const telling = sent.failure === undefined ? await input.tell(plan, sent, ledger, rows) : [];
	// What could not be noted is told as new once more.
	if (isAllowed()) await journal.write(telling);
	return success({ kind: 'done', runId: lease.runId, plan, sent, rows, isLeaseLost: lease.isLost });
}

const NOBODY_ASKED: Tally = { asked: 0, confirmed: 0 };

const NOTHING_BELIEVED = { service: '', client: '', ids: '', files: [] };

/** So many rosters are known again. */
const ROSTERS_KNOWN = 60;

/** What the next night needs to know of this one. What is not believed yet is not noted: marks and files stay as they were. */
function runDetail(
	{ changes, holds, isDoubted, isTakeOver, circumstances: { marks, roster }, base, salt, away }: NightPlan,
	{ lastRun }: Ledger,
	files: readonly string[],
	runId: string,
): RunDetail {
	const before = lastRun?.detail;
	const believed = isDoubted ? (before ?? NOTHING_BELIEVED) : { ...marks, files: [...files] };
	const markOf = (name: 'service' | 'client' | 'ids') => believed[name] || (before?.[name] ?? '');
	const unfinished = isDoubted ? (before?.takesOver ?? []) : [];
	return {
		...{ service: markOf('service'), client: markOf('client'), ids: markOf('ids'), files: believed.files },
		// Trap: noted although it is held, an older roster would be the last one, and go unseen the next time.
		rosters: [...(before?.rosters ?? []), ...(isDoubted ? [] : [roster])].slice(-ROSTERS_KNOWN),
		salt,
		holds: holds.map(({ hold_id }) => hold_id),
		changes: changes.length,
		sent: 0,
		takesOver: isTakeOver ? [...unfinished, runId] : unfinished,
		base: isDoubted && !isTakeOver ? (before?.base ?? []) : base.entries(),
		recent: before?.recent ?? [],
		away: isDoubted ? (before?.away ?? []) : [...away],
		...(before?.asksFew === true && { asksFew: true }),
	};
}
