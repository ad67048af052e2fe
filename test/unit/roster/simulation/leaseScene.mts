/** Runs that come to the lease of one ledger, in time that is only counted. */
import { acquireLease, type Acquired } from '../../../../nodes/SchoolPartnerRoster/night/acquireLease.ts';
import type { Lease } from '../../../../nodes/SchoolPartnerRoster/night/lease.ts';
import type { StoredRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import { Turns } from '../../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import {
	storeResult,
	StoreError,
	type StoreFailure,
} from '../../../../nodes/SchoolPartnerRoster/store/store.ts';
import { seededRandom, SimulatedStore, SimulatedTable, type StoreResult } from './simulatedStore.mts';
import { VirtualProcess, VirtualTime, type Trouble } from './virtualClock.mts';

const HOUR = 3_600_000;
export const ANSWER_LOST: StoreFailure = {
	origin: 'n8n',
	effect: 'unknown',
	isPassing: true,
	message: 'The answer was lost',
	next: '',
};

/** Calls take some milliseconds, so that what is said of seconds can be read from the clock. */
export const QUICK = { failures: 0, usualMs: 10, slow: 0, slowMs: 0, invisibleMs: 0 };

export let time: VirtualTime;
export let table: SimulatedTable;
/** Who looks on: nothing befalls this process. */
export let sleep: (milliseconds: number) => Promise<void>;

/** Before each test everything is new. */
export function newScene(): void {
	time = new VirtualTime();
	table = new SimulatedTable(seededRandom(1), { ...QUICK });
	const onlooker = new VirtualProcess(time);
	sleep = async (milliseconds) => await onlooker.clock.sleep(milliseconds);
}

export class Run {
	readonly process: VirtualProcess;
	readonly store: SimulatedStore;

	constructor(
		readonly name: string,
		troubles: Array<[number, Trouble]> = [],
		private readonly timeoutMs = 30_000,
	) {
		this.process = new VirtualProcess(time, 0, new Map(troubles));
		this.store = new SimulatedStore(table, this.process);
	}

	async try(isMaker = false, cancel?: AbortSignal): Promise<StoreResult<Acquired>> {
		const { store, timeoutMs } = this;
		const { clock } = this.process;
		const runId = (beat: number) => `${beat}-${this.name}`;
		const turns = new Turns({ pause: async () => {}, clock: () => 0 });
		return await storeResult(acquireLease({ store, isMaker, runId, timeoutMs, clock, turns, cancel }));
	}

	async take(isMaker = false): Promise<Lease> {
		const taken = await this.try(isMaker);
		if (!taken.ok || taken.value.kind !== 'acquired') throw new Error(JSON.stringify(taken));
		return taken.value.lease;
	}

	/** The next conditional updates arrive, and it is not told. */
	loseAnswers(count: number): void {
		const replaceLease = this.store.replaceLease.bind(this.store);
		this.store.replaceLease = async (before, after) => {
			const answer = await replaceLease(before, after);
			if (count-- > 0) throw new StoreError(ANSWER_LOST);
			return answer;
		};
	}
}

/** Something that is over when nothing goes on any more. */
export async function play(scene: () => Promise<void>): Promise<void> {
	const played = scene();
	played.catch(() => undefined);
	const isOver = time.run(HOUR).then(async () => await played);
	await Promise.race([isOver, played.then(async () => await isOver)]);
}

export function leaseRows(): StoredRow[] {
	return table.visible().filter(({ kind }) => kind === 'lease');
}
