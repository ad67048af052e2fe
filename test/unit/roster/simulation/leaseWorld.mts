/** Runs that race for one lease and send while they hold it, in a world that goes wrong as it was planned. */
import { acquireLease, type Acquired } from '../../../../nodes/SchoolPartnerRoster/night/acquireLease.ts';
import { type Lease } from '../../../../nodes/SchoolPartnerRoster/night/lease.ts';
import { Turns } from '../../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import { storeResult } from '../../../../nodes/SchoolPartnerRoster/store/store.ts';
import {
	NO_TROUBLES,
	seededRandom,
	SimulatedStore,
	SimulatedTable,
	type Random,
	type Troubles,
} from './simulatedStore.mts';
import { VirtualProcess, VirtualTime, type Trouble } from './virtualClock.mts';

/** Everything ends within an hour. */
const LONGEST_MS = 3_600_000;

export interface RunPlan {
	startsAt: number;
	timeoutMs: number;
	wallSkew: number;
	/** How many requests it would send. */
	requests: number;
	/** By the number of the step before which they come. */
	troubles: Array<[step: number, trouble: Trouble]>;
}

export interface WorldPlan {
	seed: number;
	store: Troubles;
	runs: RunPlan[];
}

/** What became of a run; `stuck`: the store failed for too long. A run that was killed has none. */
export type Ended = Acquired['kind'] | 'stuck';

export interface WorldRun {
	name: string;
	process: VirtualProcess;
	ended?: Ended;
	lease?: Lease;
}

export class LeaseWorld {
	readonly time = new VirtualTime();

	readonly runs: WorldRun[] = [];

	/** What must never be; empty when all is well. */
	readonly violations: string[] = [];

	/** How often what was seen, so that a test can see that the world is wild enough. */
	readonly seen: Record<string, number> = {};

	readonly table: SimulatedTable;

	private readonly random: Random;

	/** Until when requests are under way, by run. */
	private readonly busyUntil = new Map<string, number>();

	private mostCounted = 0;

	private lastValidId = '';

	constructor(seed: number, troubles: Troubles) {
		this.random = seededRandom(seed);
		this.table = new SimulatedTable(this.random, troubles);
	}

	/** A world in which all planned runs have ended. */
	static async after({ seed, store, runs }: WorldPlan): Promise<LeaseWorld> {
		const world = new LeaseWorld(seed, store);
		for (const plan of runs) world.start(plan);
		await world.time.run(LONGEST_MS);
		return world;
	}

	start(plan: RunPlan): WorldRun {
		const process = new VirtualProcess(this.time, plan.wallSkew, new Map(plan.troubles));
		const run: WorldRun = { name: `run${this.runs.length}`, process };
		this.runs.push(run);
		void this.live(run, plan).catch((error: unknown) => this.violations.push(String(error)));
		return run;
	}

	/** A run that starts when all others have ended and nothing fails any more. */
	async startLast(): Promise<WorldRun> {
		this.table.troubles = NO_TROUBLES;
		const run = this.start({ startsAt: 0, timeoutMs: 30_000, wallSkew: 0, requests: 3, troubles: [] });
		await this.time.run(this.time.now + LONGEST_MS);
		return run;
	}

	note(what: string): void {
		this.seen[what] = (this.seen[what] ?? 0) + 1;
	}

	private async live(run: WorldRun, plan: RunPlan): Promise<void> {
		const { clock } = run.process;
		await clock.sleep(plan.startsAt);
		const store = new SimulatedStore(this.table, run.process);
		let opened = await storeResult(store.open(true));
		for (; !opened.ok; opened = await storeResult(store.open(true))) await clock.sleep(1_000);
		const acquiring = acquireLease({
			store,
			isMaker: opened.value === 'made',
			runId: (beat) => `${String(beat).padStart(6, '0')}-${run.name}`,
			timeoutMs: plan.timeoutMs,
			clock,
			turns: new Turns({ pause: async () => {}, clock: () => 0 }),
		});
		const acquired = await storeResult(acquiring);
		run.ended = acquired.ok ? acquired.value.kind : 'stuck';
		this.note(run.ended);
		if (!acquired.ok || acquired.value.kind !== 'acquired') return;
		run.lease = acquired.value.lease;
		this.checkTaken(run.lease);
		await this.send(run, run.lease, plan);
		const released = await storeResult(run.lease.release());
		this.note(released.ok ? 'released' : 'release failed');
	}

	private checkTaken(lease: Lease): void {
		if (this.table.overtaken.length > 0) this.note('taken over');
		if (this.table.visible().filter(({ kind }) => kind === 'lease').length > 1) this.note('several rows');
		if (lease.rowsBefore > this.mostCounted)
			this.violations.push(`${lease.runId}: ${lease.rowsBefore} rows, of ${this.mostCounted} counted`);
		if (lease.rowsBefore < this.mostCounted) this.note('fewer rows than were counted');
		// Who was frozen while it took the lease may come to know it after the next one: it does not send any more.
		if (!lease.isValid()) return this.note('taken too late');
		if (lease.runId <= this.lastValidId)
			this.violations.push(`${lease.runId} holds the lease after ${this.lastValidId}`);
		this.lastValidId = lease.runId;
	}

	private async send(run: WorldRun, lease: Lease, plan: RunPlan): Promise<void> {
		let rows = lease.rowsBefore;
		for (let left = plan.requests; left > 0 && !lease.isLost; left--) {
			if (lease.isValid()) this.request(run.name, plan.timeoutMs * Math.min(1, 2 * this.random()));
			else this.note('fenced');
			rows += 1;
			this.mostCounted = Math.max(this.mostCounted, rows);
			lease.countRows(rows);
			if (this.random() < 0.02) rows = await this.compact(lease, rows);
			await run.process.clock.sleep(this.random() * 4_000);
		}
		if (lease.isLost) this.note('lost');
		await run.process.answer(this.busyUntil.get(run.name) ?? 0, () => undefined);
	}

	/** Once the lease row has the smaller count, rows may go: no later run may be told that there were more. */
	private async compact(lease: Lease, rows: number): Promise<number> {
		const fewer = Math.ceil(rows / 2);
		lease.countRows(fewer);
		const counted = await storeResult(lease.renewNow());
		// Who is not the last to hold it any more removes nothing.
		if (!counted.ok || !lease.isValid() || lease.runId !== this.lastValidId) return rows;
		this.note('compacted');
		this.mostCounted = fewer;
		return fewer;
	}

	private request(name: string, ms: number): void {
		this.note('requests');
		for (const [other, until] of this.busyUntil)
			if (other !== name && until > this.time.now)
				this.violations.push(`${name} sends at ${this.time.now}, ${other} until ${until}`);
		this.busyUntil.set(name, Math.max(this.busyUntil.get(name) ?? 0, this.time.now + ms));
	}
}
