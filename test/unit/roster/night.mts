/** Nights without n8n: runs on a simulated ledger, in time that is only counted, against a pretend service. */
import type {
	Account,
	AskAccounts,
	AskedUser,
} from '../../../nodes/SchoolPartnerRoster/night/accountRounds.ts';
import { readLedger } from '../../../nodes/SchoolPartnerRoster/night/journal.ts';
import type { Sent } from '../../../nodes/SchoolPartnerRoster/night/changeSender.ts';
import { runNight, type Night } from '../../../nodes/SchoolPartnerRoster/night/night.ts';
import type { Clock } from '../../../nodes/SchoolPartnerRoster/night/clock.ts';
import { storeResult } from '../../../nodes/SchoolPartnerRoster/store/store.ts';
import { LEASE, ledgerRow, type StoredRow } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import type { Ledger } from '../../../nodes/SchoolPartnerRoster/ledger/ledger.ts';
import type { Resolution } from '../../../nodes/SchoolPartnerRoster/ledger/decisions.ts';
import type { Change } from '../../../nodes/SchoolPartnerRoster/planning/change.ts';
import type { LedgerMarks } from '../../../nodes/SchoolPartnerRoster/planning/conditions.ts';
import {
	PLAN_DEFAULTS,
	type CheckWithService,
	type PlanOptions,
} from '../../../nodes/SchoolPartnerRoster/planning/options.ts';
import { planNight, type Plan } from '../../../nodes/SchoolPartnerRoster/planning/plan.ts';
import { takeOver } from '../../../nodes/SchoolPartnerRoster/planning/takeOver.ts';
import { Collector } from '../../../nodes/SchoolPartnerRoster/reading/collector.ts';
import { Findings } from '../../../nodes/SchoolPartnerRoster/roster/findings.ts';
import type { RosterRecord } from '../../../nodes/SchoolPartnerRoster/roster/record.ts';
import type { Roster } from '../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import { Turns, type Host } from '../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import { unconfirmedUsers } from '../../../nodes/SchoolPartnerRoster/run/runFindings.ts';
import { attentionReport, type AttentionReport } from '../../../nodes/SchoolPartnerRoster/run/attention.ts';
import type { Done, SendStep } from '../../../nodes/SchoolPartnerRoster/sending/batch.ts';
import type { ChangeResult, StatusOptions } from '../../../nodes/SchoolPartnerRoster/sending/result.ts';

import { Service } from './service.mts';
import {
	seededRandom,
	SimulatedStore,
	SimulatedTable,
	type StoreResult,
} from './simulation/simulatedStore.mts';
import { VirtualProcess, VirtualTime, type Trouble } from './simulation/virtualClock.mts';
import { rosterOf } from './world.mts';

export const DAY = 24 * 3_600_000;

/** Of what a run may be made. */
export interface RunInput extends Partial<PlanOptions> {
	statuses?: Partial<StatusOptions>;
	marks?: Partial<LedgerMarks>;
	check?: CheckWithService;
	/** The day for which the roster is read, where that is not today. */
	asOf?: string;
	/** The day that the clock of a computer says which is wrong. */
	today?: string;
	/** By the number of the step before which they come. */
	troubles?: Array<[step: number, trouble: Trouble]>;
	cancel?: AbortSignal;
}

const STATUSES: StatusOptions = {
	existsStatuses: [409],
	existing: 'report',
	goneStatuses: [404],
	confirmation: 'answer',
};
const MARKS: LedgerMarks = { service: 'hservice', client: 'hclient', ids: 'hids' };

/** As many requests of a run are under way at once. */
const SIDE_BY_SIDE = 20;

/** A roster as reading gives it: its records checked, each once. */
export async function asRead(roster: Roster, userKeys: PlanOptions['userIdsUniqueWithin']): Promise<Roster> {
	const findings = new Findings();
	const collector = new Collector(findings, userKeys, () => 'Correct it.');
	for (const record of roster.records) collector.add(record);
	const { records, faulty } = await collector.roster(roster.completeness, new Turns(PATIENT));
	return {
		...roster,
		records,
		faulty: [...roster.faulty, ...faulty],
		findings: [...roster.findings, ...findings.list()],
	};
}

const PATIENT: Host = { pause: async () => {}, clock: () => 0 };

/** How a request travels: `leave` is told of each, and gives what its sender gets to know. */
export type Travel = (change: Change) => Promise<ChangeResult>;

/** Sends side by side, as the engine does. */
export function senderOver(travel: Travel): (maySend: () => boolean) => SendStep {
	return (maySend) => async (changes, onResult) => {
		const results: ChangeResult[] = changes.map(() => ({ kind: 'notTried' }));
		let next = 0;
		const one = async () => {
			for (let place = next++; place < changes.length; place = next++) {
				if (!maySend()) continue;
				results[place] = await travel(changes[place]);
				onResult(changes[place], results[place]);
			}
		};
		await Promise.all(Array.from({ length: Math.min(SIDE_BY_SIDE, changes.length) }, one));
		return results;
	};
}

/** Asks for accounts side by side. */
export function askerOver(
	travel: (user: AskedUser) => Promise<Account | undefined>,
): (mayAsk: () => boolean) => AskAccounts {
	return (mayAsk) => async (users) =>
		await Promise.all(users.map(async (user) => (mayAsk() ? await travel(user) : undefined)));
}

type NightDone = Extract<Night, { kind: 'done' }>;

/** A run that came to its end. */
export interface Ended extends NightDone {
	/** What was done, in words such as "create c:school-1|c1 applied". */
	told: string[];
}

/** A plan, with everything that its holds keep back. */
type PreviewedPlan = Plan & { held: Change[] };

/** One ledger, one service, and the nights that pass over them. */
export class Nights {
	readonly time = new VirtualTime();

	readonly table = new SimulatedTable(seededRandom(2026));

	newSalt = 'salt';

	/** What a person was told of the last run. */
	telling: AttentionReport | undefined;

	constructor(
		readonly service = new Service(),
		readonly options: RunInput = {},
	) {
		this.service.now = () => this.time.now;
	}

	/** Nights behind the first, which a person has approved: its roster is there. */
	static async after(
		records: readonly RosterRecord[] | Roster,
		options: RunInput = {},
		service?: Service,
	): Promise<Nights> {
		const nights = new Nights(service, options);
		const roster = Array.isArray(records) ? rosterOf(records) : (records as Roster);
		await nights.approveAll(await nights.sync(roster));
		await nights.sync(roster);
		nights.pass();
		return nights;
	}

	/** Days go by. */
	pass(days = 1): void {
		this.time.now += days * DAY;
	}

	/** A run that must come to its end. */
	async sync(roster: Roster | readonly RosterRecord[], input: RunInput = {}): Promise<Ended> {
		const night = await this.run(roster, input);
		if (night === undefined) throw new Error('The run was killed');
		if (!night.ok) throw new Error(night.failure.message);
		if (night.value.kind !== 'done') throw new Error(night.value.kind);
		return { ...night.value, told: toldOf(night.value.sent.done) };
	}

	/** A run, whatever becomes of it; undefined when it was killed. */
	async run(
		records: Roster | readonly RosterRecord[],
		input: RunInput = {},
		plan: typeof planNight = planNight,
	): Promise<StoreResult<Night> | undefined> {
		const process = new VirtualProcess(this.time, 0, new Map(input.troubles));
		let ended: StoreResult<Night> | undefined;
		let broken: unknown;
		storeResult(this.start(process, records, input, plan)).then(
			(value) => (ended = value),
			(error: unknown) => (broken = error),
		);
		await this.time.run(this.time.now + DAY / 2);
		if (broken !== undefined) throw broken as Error;
		return ended;
	}

	/** A run of another process begins so many milliseconds from now, beside the next one. */
	beside(ms: number, records: readonly RosterRecord[]): void {
		const begin = () => void this.start(new VirtualProcess(this.time), records, {}, planNight);
		this.time.at(this.time.now + ms, begin, true);
	}

	/** The ledger learns that the service has all this. */
	async takeOver(records: Roster | readonly RosterRecord[]): Promise<Plan> {
		const night = await this.run(records, {}, takeOver);
		if (night?.ok !== true || night.value.kind !== 'done') throw new Error('Not taken over');
		return night.value.plan;
	}

	/** Tonight's plan; nothing is sent, nothing is written. */
	async preview(records: Roster | readonly RosterRecord[], input: RunInput = {}): Promise<PreviewedPlan> {
		const lease = this.table.visible().find(({ kind }) => kind === LEASE);
		const { rows = 0 } = JSON.parse(lease?.detail ?? '{}') as { rows?: number };
		const plan = await this.plan(records, { ...this.options, ...input }, await this.ledger(), rows);
		return { ...plan, held: plan.holds.flatMap(({ changes }) => changes) };
	}

	async approve(id: string): Promise<void> {
		await this.add({ kind: 'approve', key: id, state: 'approved', detail: '{"by":"Rosa"}' });
	}

	async approveAll({ plan }: { plan: Plan }): Promise<void> {
		for (const { hold_id: id } of plan.holds) await this.approve(id);
	}

	async resolve(key: string, is: Resolution): Promise<void> {
		await this.add({ kind: 'resolve', key, state: is, detail: '{"by":"Rosa"}' });
	}

	/** A row that a person, or a crash, leaves. */
	async add(...rows: Array<Parameters<typeof ledgerRow>[0]>): Promise<void> {
		const at = new Date(this.clock().wall()).toISOString();
		this.table.show(this.table.number(rows.map((row) => ledgerRow({ at, ...row }))));
	}

	/** Rows but for the lease. */
	rows(kind?: string): StoredRow[] {
		const ofKind = (row: StoredRow) => (kind === undefined ? row.kind !== LEASE : row.kind === kind);
		return this.table.visible().filter(ofKind);
	}

	/** What the ledger says. */
	async ledger(): Promise<Ledger> {
		const process = new VirtualProcess(this.time);
		let ledger: Ledger | undefined;
		void readLedger(new SimulatedStore(this.table, process), process.clock, new Turns(PATIENT)).then(
			(value) => (ledger = value),
		);
		await this.time.run(this.time.now + DAY / 2);
		if (ledger === undefined) throw new Error('The ledger was not read');
		return ledger;
	}

	/** YYYY-MM-DD. */
	today(): string {
		return new Date(this.clock().wall()).toISOString().slice(0, 10);
	}

	/** Items of Needs Attention of the last run that have this code. */
	attention(code: string): AttentionReport['attention'] {
		return (this.telling?.attention ?? []).filter((item) => item.code === code);
	}

	private clock(): Clock {
		return new VirtualProcess(this.time).clock;
	}

	private async plan(
		records: Roster | readonly RosterRecord[],
		{ marks, check, today = this.today(), asOf = today, statuses: _statuses, ...some }: RunInput,
		ledger: Ledger,
		rowsExpected: number,
		make: typeof planNight = planNight,
	): Promise<Plan> {
		const options = { ...PLAN_DEFAULTS, ...some };
		const roster = Array.isArray(records) ? rosterOf(records) : (records as Roster);
		const now = this.clock().wall();
		return await make({
			roster: await asRead(roster, options.userIdsUniqueWithin),
			...{ ledger, options, rowsExpected, check, marks: { ...MARKS, ...marks } },
			newSalt: this.newSalt,
			...{ asOf, today },
			host: { pause: async () => {}, clock: () => now },
		});
	}

	private async tell(
		plan: Plan,
		sent: Sent,
		{ told }: Ledger,
		roster: Roster,
		input: RunInput,
	): Promise<AttentionReport['rows']> {
		const today = this.today();
		const findings = [...unconfirmedUsers(plan, sent, this.clock().wall()), ...plan.findings];
		const options = { ...PLAN_DEFAULTS, ...input };
		const given = { plan, done: sent.done, findings, isPreview: false, told, roster, today, options };
		this.telling = await attentionReport({ ...given, turns: new Turns(PATIENT) });
		return this.telling.rows;
	}

	private async start(
		process: VirtualProcess,
		records: Roster | readonly RosterRecord[],
		more: RunInput,
		make: typeof planNight,
	): Promise<Night> {
		const input = { ...this.options, ...more };
		const { confirmation = 'answer' } = input;
		const roster = Array.isArray(records) ? rosterOf(records) : (records as Roster);
		const travel: Travel = async (change) =>
			await process.answer(this.time.now + 100, () => this.service.take(change));
		const asker = askerOver(
			async (user) => await process.answer(this.time.now + 100, () => this.service.account(user)),
		);
		return await runNight({
			store: new SimulatedStore(this.table, process),
			...{
				tail: 'tail',
				timeoutMs: 30_000,
				files: roster.files.length === 0 ? undefined : roster.files.map(({ name }) => name),
			},
			plan: async (ledger, rowsExpected) => await this.plan(roster, input, ledger, rowsExpected, make),
			tell: async (plan, sent, ledger) => await this.tell(plan, sent, ledger, roster, input),
			...{ sender: senderOver(travel), statuses: { ...STATUSES, ...input.statuses, confirmation } },
			confirming: confirmation === 'callback' ? { asker, marks: { ...MARKS, ...input.marks } } : undefined,
			...{ clock: process.clock, cancel: input.cancel, onProgress: () => {} },
			turns: new Turns(PATIENT),
		});
	}
}

export function toldOf(done: readonly Done[]): string[] {
	return done.map(({ change, state }) => `${change.action} ${change.key} ${state}`);
}

/** What a plan would do, in the words of its keys. */
export function actionsOf({ changes }: { changes: readonly Change[] }): string[] {
	return changes.map(({ action, key }) => `${action} ${key}`);
}
