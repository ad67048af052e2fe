/** What is kept back until a person has looked at it, and how a person lets it go. */
import { hash } from 'node:crypto';

import { ChangeDigests } from '../ledger/digest';

import type { Change } from './change';
import { conditionsOf, type Circumstances } from './conditions';
import type { PlanContext } from './context';
import { tooMuchIn } from './tooMuch';

export interface Hold {
	/** A digest of what it holds. */
	hold_id: string;
	/** '' for the whole network. */
	school_external_id: string;
	reason: string;
	what_to_do: string;
	/** What an approval lifts beside the changes. */
	conditions: string[];
	changes: Change[];
	/** Of each change. */
	digests: string[];
}

/** Holds what is too much, or all when something is wrong as a whole. Marks held changes, and those that an approval lets go. */
export async function holdsOf(
	changes: readonly Change[],
	circumstances: Circumstances,
	context: PlanContext,
): Promise<{ holds: Hold[]; isDoubted: boolean }> {
	// A note that is nothing new only counts an absence: it does nothing that could be too much, and is lost when it waits.
	const due = changes.filter(({ action, isNew }) => action !== 'note' || isNew);
	const conditions = conditionsOf(due, circumstances, context);
	const isDoubted = conditions.length > 0;
	if (due.length === 0) {
		// A person should know, even when there is nothing to hold.
		for (const { code, reason, otherwise } of conditions) {
			const what_to_do = `Nothing is different tonight, so nothing is held. ${otherwise}`;
			context.findings.add({ severity: 'warning', code, message: reason, what_to_do });
		}
		return { holds: [], isDoubted };
	}
	if (isDoubted) {
		const otherwise = conditions.map((condition) => condition.otherwise).join(' ');
		return { holds: [await holdFrom('', conditions, otherwise, due, context)], isDoubted };
	}
	const open = await withoutApproved(due, context);
	const tooMuch = await tooMuchIn(open, context);
	const holds: Hold[] = [];
	for (const school of new Set(tooMuch.map((each) => each.school))) {
		const reasons = tooMuch.filter((each) => each.school === school);
		const ofSchool = open.filter((change) => change.school_external_id === school);
		holds.push(await holdFrom(school, reasons, reasons[0].otherwise, ofSchool, context));
	}
	return { holds, isDoubted };
}

/** What no approval lets go. */
async function withoutApproved(
	changes: readonly Change[],
	{ ledger, now, turns }: PlanContext,
): Promise<Change[]> {
	const open: Change[] = [];
	for (const change of changes) {
		if (turns.areDue()) await turns.give();
		const { action, key, known } = change;
		const doneIn = known !== undefined && USED_UP.has(known.state) ? known.id : 0;
		const hold = ledger.decisions.approvedHold(action, key, doneIn, now);
		if (hold === undefined) open.push(change);
		else change.hold = hold;
	}
	return open;
}

/** Done once, a change that comes again is another one. */
const USED_UP = new Set(['applied', 'removed', 'exists']);

async function holdFrom(
	school: string,
	reasons: ReadonlyArray<{ reason: string; mark?: string }>,
	otherwise: string,
	changes: Change[],
	{ turns }: PlanContext,
): Promise<Hold> {
	const digests = new ChangeDigests();
	for (const { action, key } of changes) {
		if (turns.areDue()) await turns.give();
		digests.add(action, key);
	}
	const conditions = reasons.flatMap(({ mark }) => mark ?? []);
	// It begins with a letter, or a sheet would take some for numbers.
	const held = JSON.stringify([school, conditions, digests.value()]);
	const id = `hold-${hash('sha256', held, 'hex').slice(0, 12)}`;
	for (const change of changes) Object.assign(change, { state: 'held', hold: id } satisfies Partial<Change>);
	return {
		hold_id: id,
		school_external_id: school,
		reason: reasons.map(({ reason }) => reason).join('. '),
		what_to_do: `If it is right, run the operation Approve with hold_id ${id}, and start Sync again. ${otherwise}`,
		conditions,
		changes,
		digests: digests.each,
	};
}
