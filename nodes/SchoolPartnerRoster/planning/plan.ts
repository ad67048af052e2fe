/** Tonight's plan: what is different between the roster and the ledger, what of it goes, and what is held. Nothing of n8n in here. */
import type { Finding, FindingType } from '../roster/finding';
import type { Host } from '../roster/turns';

import { nextBaseline } from './baseline';
import type { Change } from './change';
import type { Circumstances, LedgerMarks } from './conditions';
import type { GroupCounts } from './counts';
import { rosterDigest, type DesiredRecord } from './desiredState';
import { difference, type RosterDifference } from './difference';
import { holdsOf, type Hold } from './holds';
import type { CheckWithService } from './options';
import { orderedChanges, withNeedsMet } from './order';
import { leaveOut, planContext, type PlanContext, type PlanSubject } from './planContext';
import { planErrors } from './recordFindings';
import { withoutRefused } from './refused';

export interface PlanInput extends PlanSubject {
	marks: LedgerMarks;
	/** Rows of runs that there must be, by the lease. */
	rowsExpected: number;
	/** Undefined where the service is not asked. */
	check: CheckWithService | undefined;
	host: Host;
}

export interface Plan
	extends Pick<PlanContext, 'classes' | 'counts' | 'salt' | 'waitsFor'>,
		Pick<RosterDifference, 'left' | 'unconfirmed' | 'unseen'> {
	/** What goes, in order; notes too. */
	changes: Change[];
	holds: Hold[];
	/** Something is wrong with ledger or roster as a whole, and no person has let it go. */
	isDoubted: boolean;
	/** Nothing is sent: the ledger learns what the service has. */
	isTakeOver: boolean;
	findings: Finding[];
	circumstances: Circumstances;
	/** Schools that have nothing in the export, and since which day. */
	away: ReadonlyMap<string, string>;
	/** What each school has when nothing of it is held: what the next night is measured against. */
	base: GroupCounts;
}

export async function planNight(input: PlanInput): Promise<Plan> {
	const { options, marks, rowsExpected, check, host } = input;
	const context = await planContext(input, host);
	const { desired, findings, turns } = context;
	const found = await difference(context);
	const due = await changesToSend(found, check, context);
	const circumstances = { marks, rowsExpected, roster: await rosterDigest(desired, turns) };
	const { holds, isDoubted } = await holdsOf(due, circumstances, found.doubtfulIds, context);
	const open = due.filter(({ state }) => state !== 'held');
	const changes = await withNeedsMet(open, context);
	for (const school of options.onlySchools) if (!desired.schools.has(school)) findings.add(nothingOf(school));
	const { unconfirmed, left, unseen } = found;
	const ofNight = { changes, holds, isDoubted, isTakeOver: false, circumstances };
	const heldIn = holds.flatMap((hold) => hold.changes.map((change) => change.school_external_id));
	return { ...ofNight, unconfirmed, left, unseen, ...(await planned(new Set(heldIn), context)) };
}

/** What a plan says beside its changes. @param unmeasured schools that stay measured against what they were */
export async function planned(unmeasured: ReadonlySet<string>, context: PlanContext) {
	const { classes, counts, desired, findings, roster, salt, waitsFor } = context;
	return {
		...{ classes, counts, salt, waitsFor, away: desired.away },
		findings: [...roster.findings, ...findings.list()],
		base: await nextBaseline(unmeasured, context),
	};
}

/** Everything that could be done, in order. */
async function changesToSend(
	found: RosterDifference,
	check: CheckWithService | undefined,
	context: PlanContext,
): Promise<Change[]> {
	const { ordered, circular } = await orderedChanges(found, context);
	for (const change of circular) leaveOut(change, 'error', planErrors.responsibleCircle, context);
	const tried = await withoutRefused(ordered, context);
	return await withNeedsMet(await withoutNotOffered(tried, check, context), context);
}

/** Without what the service would not take. */
async function withoutNotOffered(
	changes: readonly Change[],
	check: CheckWithService | undefined,
	context: PlanContext,
): Promise<Change[]> {
	const recordOf = ({ key }: Change) => (context.desired.records.get(key) as DesiredRecord).record;
	const creations = changes.filter(({ action }) => action === 'create');
	const refusalOf = creations.length === 0 ? undefined : await check?.(creations.map(recordOf));
	return changes.filter((change) => {
		const refusal = change.action === 'create' ? refusalOf?.(recordOf(change)) : undefined;
		if (refusal !== undefined)
			leaveOut(change, 'error', { severity: 'error', kind: change.kind, ...refusal }, context);
		return refusal === undefined;
	});
}

const nothingOf = (school: string): FindingType => ({
	severity: 'warning',
	code: 'schoolEmpty',
	message: `The roster has no class, no user and no bond of school ${school}`,
	what_to_do: 'Nothing of this school is planned. Look whether Only Schools names it as the export does.',
});
