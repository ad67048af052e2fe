/** A night: plan, write the plan's rows, apply batch by batch, write what came of each. As the workflow does it, without n8n. */
import { applyBatch, type SendStep } from '../../../nodes/SchoolPartnerRoster/applying/apply.ts';
import { batchOf } from '../../../nodes/SchoolPartnerRoster/applying/batch.ts';
import type { Limits, Progress, Result } from '../../../nodes/SchoolPartnerRoster/applying/progress.ts';
import type { LedgerRow } from '../../../nodes/SchoolPartnerRoster/ledger/row.ts';
import type { Change } from '../../../nodes/SchoolPartnerRoster/planning/change.ts';
import {
	PLAN_DEFAULTS,
	type PlanMeans,
	type PlanOptions,
} from '../../../nodes/SchoolPartnerRoster/planning/options.ts';
import { plan, type Plan } from '../../../nodes/SchoolPartnerRoster/planning/plan.ts';
import { Collector } from '../../../nodes/SchoolPartnerRoster/reading/collector.ts';
import { Findings } from '../../../nodes/SchoolPartnerRoster/roster/findings.ts';
import { Turns } from '../../../nodes/SchoolPartnerRoster/roster/turns.ts';
import type { Roster } from '../../../nodes/SchoolPartnerRoster/roster/roster.ts';
import type { Failure, Outcome } from '../../../nodes/shared/failure.ts';

import type { Service } from './service.mts';

export const EVENING = Date.parse('2026-03-02T02:00:00.000Z');
const DAY = 24 * 3_600_000;

/** 02:00 of the so many-th night. */
export function nightOf(number: number): number {
	return EVENING + number * DAY;
}

export function meansAt(now: number, more: Partial<PlanMeans> = {}): PlanMeans {
	return {
		service: 'https://service.example',
		client: 'client-1',
		identity: { classIdFrom: 'sourcedId', userIdFrom: 'sourcedId' },
		asOf: new Date(now).toISOString().slice(0, 10),
		now: () => now,
		tail: 'tail',
		pause: async () => {},
		...more,
	};
}

/** Each of these schools with a journal of its own. */
export const ofSchools = (...schools: string[]) => ({ onlySchools: schools, userKeys: 'school' as const });

/** A roster as reading gives it: its records checked, each once. */
async function asRead(roster: Roster, { userKeys }: PlanOptions, { pause, now }: PlanMeans): Promise<Roster> {
	const findings = new Findings();
	const collector = new Collector(findings, userKeys, () => 'Correct it.');
	for (const { kind, fields, source } of roster.records) collector.add(kind, fields, source);
	const records = await collector.records(new Turns({ pause, clock: now }));
	return {
		...roster,
		records,
		faulty: [...roster.faulty, ...collector.faulty],
		findings: [...roster.findings, ...findings.list()],
	};
}

export async function planAt(
	now: number,
	roster: Roster,
	ledger: readonly unknown[],
	some: Partial<PlanOptions> = {},
	more: Partial<PlanMeans> = {},
): Promise<Outcome<Plan>> {
	const [options, means] = [{ ...PLAN_DEFAULTS, ...some }, meansAt(now, more)];
	return await plan(await asRead(roster, options, means), ledger, options, means);
}

/** The plan; a stop fails the test with its words. */
export async function planned(...given: Parameters<typeof planAt>): Promise<Plan> {
	const outcome = await planAt(...given);
	if (!outcome.ok) throw new Error(`stopped: ${outcome.failure.message}`);
	return outcome.value;
}

/** Why nothing came out. */
export async function stopOf(...given: Parameters<typeof planAt>): Promise<Failure> {
	const outcome = await planAt(...given);
	if (outcome.ok) throw new Error('nothing stopped');
	return outcome.failure;
}

export const LIMITS: Limits = { existsStatuses: [409], stopAfterTroubles: 100 };

export function batchesOf(changes: readonly Change[]): Change[][] {
	const batches = new Map<number, Change[]>();
	for (const change of changes) batches.set(change.batch, [...(batches.get(change.batch) ?? []), change]);
	return [...batches.values()];
}

function failureOf(status: number): Failure {
	return {
		origin: 'service',
		effect: status >= 500 ? 'unknown' : 'none',
		status,
		message: `HTTP ${status}`,
		next: '',
	};
}

function came(change: Change, service: Service): Result {
	const body = change.send as Record<string, unknown>;
	const { status } = change.action === 'remove' ? service.remove(body) : service.create(change.kind, body);
	return status === 200 ? { kind: 'done' } : { kind: 'failed', failure: failureOf(status) };
}

/** Sends one change after another. */
export function sendTo(service: Service): SendStep {
	return async (changes, fuse) =>
		changes.map((change) => {
			if (!fuse.isWhole()) return { kind: 'notTried' };
			const result = came(change, service);
			fuse.tell(result);
			return result;
		});
}

/**
 * Applies changes; gives the rows of each batch.
 * @param crash after so many batches whose rows are written, and with a batch sent whose rows are not
 */
export async function applied(
	changes: readonly Change[],
	service: Service,
	now: number,
	crash = Infinity,
	limits: Limits = LIMITS,
): Promise<LedgerRow[]> {
	const rows: LedgerRow[] = [];
	let kept: Progress | undefined;
	for (const [index, items] of batchesOf(changes).entries()) {
		const batch = batchOf(items);
		if (!batch.ok) throw new Error(batch.failure.message);
		const { applied: done, progress } = await applyBatch(
			batch.value,
			kept,
			sendTo(service),
			limits,
			() => now,
		);
		// As n8n keeps it with the execution.
		kept = JSON.parse(JSON.stringify(progress)) as Progress;
		if (index >= crash) break;
		rows.push(...done.map(({ row }) => row));
	}
	return rows;
}

/** A whole night: the plan, and the ledger after it. */
export async function night(
	now: number,
	roster: Roster,
	ledger: LedgerRow[],
	service: Service,
	options: Partial<PlanOptions> = {},
	crash = Infinity,
): Promise<{ plan: Plan; ledger: LedgerRow[] }> {
	const made = await planned(now, roster, ledger, options);
	return {
		plan: made,
		ledger: [...ledger, ...made.ledgerRows, ...(await applied(made.changes, service, now, crash))],
	};
}

/** The first run ever, everything in it. */
export async function firstNight(
	roster: Roster,
	service: Service,
	options: Partial<PlanOptions> = {},
): Promise<LedgerRow[]> {
	return (await night(nightOf(0), roster, [], service, { firstRun: true, ...options })).ledger;
}

/** What a plan would do, in the words of its keys. */
export function actionsOf({ changes }: Pick<Plan, 'changes'>): string[] {
	return changes.map(({ action, key }) => `${action} ${key}`);
}
