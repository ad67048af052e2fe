/** Tonight's plan: what is different between the roster and the ledger, what of it goes, and what is held. Nothing of n8n in here. */
import type { Finding } from '../roster/finding';
import type { Cause } from '../roster/findings';
import type { Host } from '../roster/turns';

import { baseOf, baseOfTomorrow } from './base';
import type { Change } from './change';
import { difference, type Difference } from './compare';
import type { Circumstances, LedgerMarks } from './conditions';
import { planContext, type PlanContext, type PlanSubject } from './context';
import type { Counts } from './counts';
import { desiredState, rosterDigest, type DesiredRecord, type DesiredState } from './desired';
import type { GroupCounts } from './groups';
import { holdsOf, type Hold } from './holds';
import type { LeftRecord } from './left';
import type { CheckWithService } from './options';
import { inOrder } from './order';
import { withoutRefused } from './refused';
import type { UnconfirmedUser } from './unconfirmed';
import { withNeedsMet } from './waiting';

export interface PlanInput extends PlanSubject {
	marks: LedgerMarks;
	/** Rows of runs that there must be, by the lease. */
	rowsExpected: number;
	/** Undefined where the service is not asked. */
	check: CheckWithService | undefined;
	host: Host;
}

export interface Plan {
	/** What goes, in order; notes too. */
	changes: Change[];
	holds: Hold[];
	/** Something is wrong with ledger or roster as a whole, and no person has let it go. */
	isDoubted: boolean;
	/** Nothing is sent: the ledger learns what the service has. */
	isTakeOver: boolean;
	/** Of every record that is no change. */
	counts: Counts;
	findings: Finding[];
	/** By the key of what waits, the key of what it waits for. */
	waitsFor: ReadonlyMap<string, string>;
	/** Users of earlier runs whose accounts were not seen yet: they are told when the run is over. */
	unconfirmed: UnconfirmedUser[];
	/** Classes and users that are gone, and that the service cannot remove. */
	left: LeftRecord[];
	/** Classes and users of which the export says nothing tonight: who has left is no news when it does again. */
	unseen: LeftRecord[];
	circumstances: Circumstances;
	/** Of the digests in the ledger. */
	salt: string;
	/** Schools that have nothing in the export, and since which day. */
	away: ReadonlyMap<string, string>;
	/** What each school has when nothing of it is held: what the next night is measured against. */
	base: GroupCounts;
}

export async function planNight(input: PlanInput): Promise<Plan> {
	const { roster, options, marks, rowsExpected, check, host } = input;
	const context = planContext(input, host);
	const { counts, findings, turns } = context;
	const desired = await desiredState(context);
	const circumstances = { marks, rowsExpected, roster: await rosterDigest(desired, turns) };
	const { candidates, absent, unconfirmed, left, unseen, doubtfulIds } = await changesToSend(
		desired,
		check,
		context,
	);
	const measure = { base: await baseOf(context), doubtfulIds };
	const { holds, isDoubted } = await holdsOf(candidates, circumstances, measure, desired, context);
	const held = holds.flatMap((hold) => hold.changes);
	for (const { key } of held) absent.add(key);
	const free = candidates.filter(({ state }) => state !== 'held');
	const changes = await withNeedsMet(free, absent, desired, context);
	for (const school of options.onlySchools) {
		if (!desired.schools.has(school)) findings.add(nothingOf(school));
	}
	const told = [...roster.findings, ...findings.list()];
	const heldSchools = new Set(held.map(({ school_external_id: school }) => school));
	const tomorrow = await baseOfTomorrow(measure.base, desired, heldSchools, context);
	const found = {
		counts,
		findings: told,
		waitsFor: context.waitsFor,
		unconfirmed,
		left,
		unseen,
		circumstances,
		base: tomorrow,
		salt: context.salt,
		away: desired.away,
	};
	return { changes, holds, isDoubted, isTakeOver: false, ...found };
}

/** Everything that could be done, in order; and the keys of what will not be there. */
async function changesToSend(
	desired: DesiredState,
	check: CheckWithService | undefined,
	context: PlanContext,
): Promise<
	Pick<Difference, 'unconfirmed' | 'left' | 'unseen' | 'doubtfulIds'> & {
		candidates: Change[];
		absent: Set<string>;
	}
> {
	const found = await difference(desired, context);
	const { ordered, circular } = await inOrder(found, context.turns);
	const absent = new Set([...desired.faulty, ...found.doubtful]);
	const tried = await withoutRefused(ordered, absent, context);
	const toCreate = tried.filter(({ action }) => action === 'create');
	const recordOf = ({ key }: Change) => (desired.records.get(key) as DesiredRecord).record;
	const refusalOf = toCreate.length === 0 ? undefined : await check?.(toCreate.map(recordOf));
	const leaveOut = ({ kind, key, school_external_id: school, source }: Change, cause: Cause) => {
		context.findings.add(cause, source, key);
		context.counts.add(school, kind, 'error');
		absent.add(key);
	};
	for (const change of circular) leaveOut(change, CIRCULAR);
	const accepted = tried.filter((change) => {
		const refusal = change.action === 'create' ? refusalOf?.(recordOf(change)) : undefined;
		if (refusal !== undefined) leaveOut(change, { severity: 'error', kind: change.kind, ...refusal });
		return refusal === undefined;
	});
	const candidates = await withNeedsMet(accepted, absent, desired, context);
	const { unconfirmed, left, unseen, doubtfulIds } = found;
	return { candidates, absent, unconfirmed, left, unseen, doubtfulIds };
}

const nothingOf = (school: string): Cause => ({
	severity: 'warning',
	code: 'schoolEmpty',
	message: `The roster has no class, no user and no bond of school ${school}`,
	what_to_do: 'Nothing of this school is planned. Look whether Only Schools names it as the export does.',
});

const CIRCULAR: Cause = {
	severity: 'error',
	code: 'responsibleCircle',
	message:
		'Users need one another as responsible persons in a circle, so that none of them can be created first',
	what_to_do: 'Take one of them out of the circle in the export. They are left out until then.',
	kind: 'user',
};
