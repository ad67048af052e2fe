/** Whole nights that race on one ledger, in a world that goes wrong as it was planned, and what must never come of it. */
import { runNight } from '../../../../nodes/SchoolPartnerRoster/night/night.ts';
import { readLedger } from '../../../../nodes/SchoolPartnerRoster/night/journal.ts';
import type { Ledger } from '../../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import { ledgerRow } from '../../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import type { Change } from '../../../../nodes/SchoolPartnerRoster/planning/change.ts';
import { DAY_MS } from '../../../../nodes/SchoolPartnerRoster/planning/days.ts';
import { PLAN_DEFAULTS } from '../../../../nodes/SchoolPartnerRoster/planning/options.ts';
import { planNight, type Plan } from '../../../../nodes/SchoolPartnerRoster/planning/plan.ts';
import type { Roster } from '../../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { Turns } from '../../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import type { ChangeResult } from '../../../../nodes/SchoolPartnerRoster/sending/result.ts';

import { asRead, senderOver } from '../night.mts';
import { Service } from '../service.mts';
import { aBond, aClass, aStudent, aUser, rosterOf } from '../world.mts';
import { storeResult } from '../../../../nodes/SchoolPartnerRoster/store/store.ts';
import {
	NO_TROUBLES,
	seededRandom,
	SimulatedStore,
	SimulatedTable,
	type Troubles,
} from './simulatedStore.mts';
import { VirtualProcess, VirtualTime, type Trouble } from './virtualClock.mts';

export interface RosterPlan {
	/** Who is in which class. */
	seed: number;
	students: number;
}

export interface RunPlan {
	startsAt: number;
	timeoutMs: number;
	wallSkew: number;
	/** Which of the rosters. */
	roster: number;
	troubles: Array<[step: number, trouble: Trouble]>;
}

export interface NightWorldPlan {
	seed: number;
	store: Troubles;
	/** What the service does with what it has already; adopted is only what it refuses. */
	service: 'accepts' | 'refuses' | 'refuses, and is adopted';
	/** Share of requests whose answer is lost, that never arrive, or that are refused. */
	faults: number;
	requestMs: number;
	/** The ledger has so many old rows that the first run makes it small. */
	isLong: boolean;
	rosters: RosterPlan[];
	runs: RunPlan[];
}

const LONGEST_MS = 6 * 3_600_000;
const PATIENT = { pause: async () => {}, clock: () => 0 };
const MARKS = { service: 'hs', client: 'hc', ids: 'hi' };
const CALM: RunPlan = { startsAt: 0, timeoutMs: 30_000, wallSkew: 0, roster: 0, troubles: [] };

/** A school whose students have a responsible person for every two of them, and change their classes from roster to roster. */
export function schoolOf({ seed, students }: RosterPlan): Roster {
	const random = seededRandom(seed);
	const classes = ['c1', 'c2', 'c3'];
	const records = [...classes.map((id) => aClass(id)), aUser('t1', 'educator')];
	for (const id of classes) if (random() < 0.7) records.push(aBond('t1', id, 'educator'));
	for (let number = 1; number <= students; number++) {
		if (random() < 0.15) continue;
		const responsible = `r${Math.ceil(number / 2)}`;
		if (!records.some(({ fields }) => fields.external_id === responsible))
			records.push(aUser(responsible, 'responsible'));
		records.push(aStudent(`s${number}`, [responsible]));
		for (const id of classes) if (random() < 0.4) records.push(aBond(`s${number}`, id));
	}
	return rosterOf(records);
}

export class NightWorld {
	readonly time = new VirtualTime();

	readonly table: SimulatedTable;

	readonly service: Service;

	/** What must never be; empty when all is well. */
	readonly violations: string[] = [];

	/** How often what was seen, so that a test can see that the world is wild enough. */
	readonly seen: Record<string, number> = {};

	private readonly random;

	private rosters: Roster[] = [];

	private runs = 0;

	/** Until when requests are under way, by run. */
	private readonly busyUntil = new Map<number, number>();

	/** What is known of the creation of a key that was sent last. */
	private readonly sent = new Map<string, 'unknown' | 'done' | 'refused'>();

	/** Bonds that a run was about to remove. */
	private readonly leaving = new Set<string>();

	private isCalm = true;

	constructor(private readonly plan: NightWorldPlan) {
		this.random = seededRandom(plan.seed);
		this.table = new SimulatedTable(this.random, NO_TROUBLES);
		this.service = new Service(plan.service === 'accepts' ? 'accepts' : 'refuses');
	}

	/** A world in which all planned runs have ended, and quiet ones have come to their end behind them. */
	static async after(plan: NightWorldPlan): Promise<NightWorld> {
		const world = new NightWorld(plan);
		world.rosters = await Promise.all(plan.rosters.map(async (one) => await asRead(schoolOf(one), 'school')));
		await world.begin();
		await world.goWrong();
		await world.settle();
		return world;
	}

	private daysLater = 0;

	note(what: string): void {
		this.seen[what] = (this.seen[what] ?? 0) + 1;
	}

	/** A person approves the first night. */
	private async begin(): Promise<void> {
		const plan = await this.calmRun(0);
		const approvals = (plan?.holds ?? []).map(({ hold_id: key }) =>
			ledgerRow({ kind: 'approve', key, state: 'approved' }),
		);
		const old = Array.from({ length: this.plan.isLong ? 6_000 : 0 }, (_, place) =>
			ledgerRow({ kind: 'run', key: 'run', run_id: 'r0-old', sequence: String(place) }),
		);
		this.table.show(this.table.number([...old, ...approvals]));
	}

	private async goWrong(): Promise<void> {
		this.isCalm = false;
		this.table.troubles = this.plan.store;
		for (const run of this.plan.runs) void this.live({ ...run, startsAt: this.time.now + run.startsAt });
		await this.time.run(this.time.now + LONGEST_MS);
		this.isCalm = true;
		this.table.troubles = NO_TROUBLES;
	}

	/** Quiet runs, and a person who looks into the service, until there is nothing left to do. */
	private async settle(): Promise<void> {
		// What was refused is not tried again on the same day.
		this.daysLater = 3;
		for (let round = 0; round < 5; round++) {
			const plan = await this.calmRun(this.rosters.length - 1, round);
			if (plan === undefined) return;
			if (plan.holds.length > 0) this.violations.push(`held: ${plan.holds[0].reason}`);
			const resolved = await this.resolveAll();
			if (plan.changes.length === 0 && resolved === 0) return await this.checkEnd();
		}
		this.violations.push('no end of changes');
	}

	private async resolveAll(): Promise<number> {
		const { entries } = await this.ledger();
		const open = [...entries.values()].filter(({ there, key }) => there === 'maybe' && this.isWanted(key));
		const rows = open.map(({ key }) => {
			const isThere = this.service.there.has(key);
			if (!isThere) this.sent.delete(key);
			return ledgerRow({ kind: 'resolve', key, state: isThere ? 'inService' : 'notInService' });
		});
		if (rows.length > 0) this.note('resolved');
		this.table.show(this.table.number(rows));
		return rows.length;
	}

	private wantedKeys(): Set<string> {
		const { records } = this.rosters[this.rosters.length - 1];
		return new Set(
			records.map(({ kind, fields: of }) =>
				kind === 'bond'
					? `b:school-1|${String(of.class_external_id)}|${String(of.user_external_id)}|${String(of.profile_name)}`
					: `${kind[0]}:school-1|${String(of.external_id)}`,
			),
		);
	}

	private isWanted(key: string): boolean {
		return this.wantedKeys().has(key);
	}

	/** Nothing is lost, nothing is there twice, and the ledger says what is so. */
	private async checkEnd(): Promise<void> {
		const { there } = this.service;
		const wanted = this.wantedKeys();
		for (const key of wanted)
			if (there.get(key) !== 1) this.violations.push(`${key} is there ${there.get(key) ?? 0} times`);
		for (const [key, count] of there) {
			if (count !== 1) this.violations.push(`${key} is there ${count} times`);
			if (key.startsWith('b:') && !wanted.has(key)) this.violations.push(`${key} is there still`);
		}
		for (const { key, there: known } of (await this.ledger()).entries.values())
			if (known !== 'maybe' && (known === 'yes') !== there.has(key))
				this.violations.push(`${key}: the ledger says ${known}`);
	}

	private async ledger(): Promise<Ledger> {
		const process = new VirtualProcess(this.time);
		const read = readLedger(new SimulatedStore(this.table, process), process.clock, new Turns(PATIENT));
		await this.time.run(this.time.now + LONGEST_MS);
		return await read;
	}

	/** @param day a removal that may have been answered by a gateway counts when it is answered so on another day */
	private async calmRun(roster: number, day = 0): Promise<Plan | undefined> {
		const run = this.live({ ...CALM, wallSkew: day * DAY_MS, roster, startsAt: this.time.now });
		await this.time.run(this.time.now + LONGEST_MS);
		const plan = await run;
		if (plan === undefined) this.violations.push('a quiet run did not come to its end');
		return plan;
	}

	/** Never throws; a run that is killed never ends. */
	private async live({
		startsAt,
		timeoutMs,
		wallSkew,
		roster,
		troubles,
	}: RunPlan): Promise<Plan | undefined> {
		const number = this.runs++;
		const process = new VirtualProcess(this.time, wallSkew, new Map(troubles));
		await process.clock.sleep(startsAt - this.time.now);
		try {
			const isAdopting = this.plan.service === 'refuses, and is adopted';
			const running = runNight({
				store: new SimulatedStore(this.table, process),
				...{ tail: `run${number}`, timeoutMs, files: [], turns: new Turns(PATIENT) },
				tell: async () => await Promise.resolve([]),
				plan: async (ledger, rowsExpected) => await this.planOf(number, roster, ledger, rowsExpected),
				sender: senderOver(async (change) => await this.request(number, process, change, timeoutMs, roster)),
				statuses: {
					existsStatuses: this.plan.service === 'accepts' ? [] : [409],
					existing: isAdopting ? 'adopt' : 'report',
					goneStatuses: [404],
					confirmation: 'answer',
				},
				confirming: undefined,
				...{ clock: process.clock, cancel: undefined, onProgress: () => {} },
			});
			const night = await storeResult(running);
			if (!night.ok) this.note('failed');
			else this.note(night.value.kind);
			if (!night.ok || night.value.kind !== 'done') return undefined;
			if (night.value.sent.failure !== undefined) this.note('not written');
			if (night.value.isLeaseLost) this.note('lost');
			return night.value.plan;
		} catch (error) {
			this.violations.push(String(error));
			return undefined;
		}
	}

	private async planOf(number: number, roster: number, ledger: Ledger, rowsExpected: number): Promise<Plan> {
		const plan = await planNight({
			...{ roster: this.rosters[roster], ledger, rowsExpected, marks: MARKS, check: undefined },
			options: {
				...PLAN_DEFAULTS,
				...{
					holdCreationsPercent: 100,
					holdRemovalsPercent: 100,
					holdCreationsFrom: 1e6,
					holdRemovalsFrom: 1e6,
				},
				existing: this.plan.service === 'refuses, and is adopted' ? 'adopt' : 'report',
			},
			newSalt: 'salt',
			asOf: '2027-01-15',
			today: '2027-01-15',
			// One moment for all: whose clock is wrong is for the lease.
			host: { pause: async () => {}, clock: () => 1_800_000_000_000 + this.daysLater * DAY_MS },
		});
		if (ledger.rows < rowsExpected)
			this.violations.push(`run ${number} sees ${ledger.rows} rows, of ${rowsExpected} that were counted`);
		const uncertain = [...ledger.entries.values()].filter(({ there }) => there === 'maybe');
		if (uncertain.length > 0) this.note('uncertain');
		// Whether its removal arrived nobody knows, not even that it was sent: it may be created again.
		for (const { key, action } of uncertain)
			if (action === 'remove' && this.leaving.has(key)) this.sent.delete(key);
		for (const { key, action } of plan.changes) if (action === 'remove') this.leaving.add(key);
		return plan;
	}

	private async request(
		run: number,
		process: VirtualProcess,
		change: Change,
		timeoutMs: number,
		roster: number,
	): Promise<ChangeResult> {
		const { now } = this.time;
		this.note('requests');
		this.checkAlone(run);
		this.checkMove(change, roster);
		const { faults, requestMs } = this.plan;
		const isFaulty = !this.isCalm && this.random() < faults;
		const kind = this.random();
		const arrives = now + Math.min(this.random() * requestMs, timeoutMs / 2);
		const isLost = isFaulty && kind < 0.6;
		const answered = isLost
			? now + timeoutMs
			: Math.min(arrives + this.random() * requestMs, now + timeoutMs);
		this.busyUntil.set(run, Math.max(this.busyUntil.get(run) ?? 0, answered));
		this.checkCreation(change);
		let result: ChangeResult | undefined;
		this.time.at(isLost ? now + this.random() * timeoutMs : arrives, () => {
			this.service.fault = () =>
				!isFaulty ? undefined : kind < 0.3 ? 'answer lost' : kind < 0.6 ? 'never arrives' : 422;
			result = this.service.take(change);
		});
		return await process.answer(answered, () => {
			this.learn(change, result as ChangeResult);
			return result as ChangeResult;
		});
	}

	private checkAlone(run: number): void {
		for (const [other, until] of this.busyUntil)
			if (other !== run && until > this.time.now)
				this.violations.push(`run ${run} sends at ${this.time.now}, run ${other} until ${until}`);
	}

	/** Nothing is created again while nobody knows what came of it, or when it is there. */
	private checkCreation({ action, key }: Change): void {
		if (action === 'remove') this.sent.delete(key);
		if (action !== 'create') return;
		const before = this.sent.get(key);
		const isAdopting = this.plan.service === 'refuses, and is adopted';
		if (!isAdopting && (before === 'unknown' || before === 'done'))
			this.violations.push(`${key} is created again, and before: ${before}`);
		if (before === 'unknown') this.note('created again');
		this.sent.set(key, 'unknown');
	}

	private learn({ action, key }: Change, result: ChangeResult): void {
		if (action !== 'create' || this.sent.get(key) === undefined) return;
		if (result.kind === 'done') this.sent.set(key, 'done');
		else if (result.kind === 'failed' && result.failure.effect === 'none') this.sent.set(key, 'refused');
	}

	/** Who has a bond in the roster never loses one while none of these is there. */
	private checkMove({ action, key, send }: Change, roster: number): void {
		if (action !== 'remove') return;
		const person = (send as Record<string, unknown>).user_external_id;
		const given = this.rosters[roster].records.filter(
			({ kind, fields }) => kind === 'bond' && fields.user_external_id === person,
		);
		const names = given.map(
			({ fields }) =>
				`b:school-1|${String(fields.class_external_id)}|${String(person)}|${String(fields.profile_name)}`,
		);
		if (names.length > 0 && !names.some((name) => this.service.there.has(name)))
			this.violations.push(`${key} goes, and none of ${names.join(', ')} is there`);
	}
}
