/** In which order changes are made: what something needs comes before it, and a student never loses a class before having the new one. */
import { kindOfKey } from '../ledger/key';

import type { Change } from './change';
import { usersWait } from './classesInDoubt';
import { addTo } from './desiredState';
import type { RosterDifference } from './difference';
import { leaveOut, type PlanContext } from './planContext';
import { planErrors, planWarnings } from './recordFindings';

/**
 * Everything in order: classes, responsible persons (and whoever is one's responsible), other users, bonds (last those whose class or user may not be
 * there), removals, notes. And the users that need one another in a circle.
 */
export async function orderedChanges(
	{ creations, removals, notes }: RosterDifference,
	{ ledger, turns }: PlanContext,
): Promise<{ ordered: Change[]; circular: Change[] }> {
	const neededBy = new Map<string, string[]>();
	await turns.forEach(creations.user, ({ key, needs }) => {
		for (const need of needs) addTo(neededBy, need, key);
	});
	const users = await orderedBy(creations.user, ({ needs }) => needs, turns);
	// Whom nobody in a circle needs is in none, and only waits for it.
	const stuck = await orderedBy(users.left, ({ key }) => neededBy.get(key) ?? [], turns);
	const isResponsible = (user: Change) => neededBy.has(user.key) || isResponsiblePerson(user);
	const responsible = users.ordered.filter(isResponsible);
	const others = users.ordered.filter((user) => !isResponsible(user));
	// Trap: when a run was killed, the bonds of its last users may all be refused. As the first of their kind they would stop the others.
	const isUncertain = ({ needs }: Change) => needs.some((key) => ledger.entries.get(key)?.there === 'maybe');
	const uncertain = creations.bond.filter(isUncertain);
	const sure = creations.bond.filter((bond) => !isUncertain(bond));
	const waiting = stuck.ordered.reverse();
	// Trap: spreading a hundred thousand changes into push() overflows the stack.
	const ordered = creations.class.concat(responsible, others, waiting, sure, uncertain, removals, notes);
	return { ordered, circular: stuck.left };
}

/** Users in order, each behind those among them that `keysBefore` names; `left`: those in a circle, or behind one. */
async function orderedBy(
	users: readonly Change[],
	keysBefore: (user: Change) => readonly string[],
	turns: PlanContext['turns'],
): Promise<{ ordered: Change[]; left: Change[] }> {
	/** By key of each user: how many of those before it are still to come, and who comes behind it. */
	const lacking = new Map(users.map(({ key }) => [key, 0]));
	const behind = new Map<string, Change[]>();
	await turns.forEach(users, (user) => {
		const before = new Set(keysBefore(user).filter((key) => lacking.has(key)));
		lacking.set(user.key, before.size);
		for (const key of before) addTo(behind, key, user);
	});
	// It grows while it is gone through.
	const ordered = users.filter(({ key }) => lacking.get(key) === 0);
	await turns.forEach(ordered, ({ key: done }) => {
		for (const user of behind.get(done) ?? []) {
			const count = (lacking.get(user.key) ?? 0) - 1;
			lacking.set(user.key, count);
			if (count === 0) ordered.push(user);
		}
	});
	return { ordered, left: users.filter(({ key }) => lacking.get(key) !== 0) };
}

function isResponsiblePerson({ send }: Change): boolean {
	return Array.isArray(send?.profiles) && send.profiles.includes('responsible');
}

/**
 * The changes whose needs are there, or go before them, in their order. The others are counted, and told with what they wait for.
 * @param ordered what something needs stands before it
 */
export async function withNeedsMet(ordered: readonly Change[], context: PlanContext): Promise<Change[]> {
	const ready: Change[] = [];
	await context.turns.forEach(ordered, (change) => {
		const met = change.needs.filter((key) => willBeThere(key, change, context));
		const lacking = change.needs.find((key) => !met.includes(key));
		// Of the bonds that a removal needs, one is enough: it goes behind those that come.
		if (lacking === undefined || (change.action === 'remove' && met.length > 0)) {
			change.needs = met;
			ready.push(change);
		} else leaveWaiting(change, lacking, context);
	});
	return ready;
}

function leaveWaiting(change: Change, lacking: string, context: PlanContext): void {
	const { absent, counts, findings, ledger, waitsFor } = context;
	const { kind, key, school_external_id: school } = change;
	const there = ledger.entries.get(lacking)?.there ?? 'no';
	// A user needs a class only while it is in doubt whether the service has it: a person can always end that.
	const isOfDoubt = kind === 'user' && kindOfKey(lacking) === 'class';
	// Trap: what was refused and has left the export never comes.
	const mayCome = isOfDoubt || absent.has(lacking) || ['maybe', 'exists', 'unconfirmed'].includes(there);
	if (!mayCome) return leaveOut(change, 'error', planErrors.needsUnknown(kind, lacking), context);
	tellOnlyKnown(lacking, context);
	counts.add(school, kind, 'waiting');
	absent.add(key);
	waitsFor.set(key, lacking);
	if (isOfDoubt) findings.add(usersWait(school));
}

/** Trap: of what only the ledger has, nothing else says tonight why it is not there. Accounts that are not seen yet come by themselves. */
function tellOnlyKnown(key: string, { absent, findings, ledger, named }: PlanContext): void {
	const { kind, there } = ledger.entries.get(key) ?? {};
	if (kind === undefined || absent.has(key) || named.has(key)) return;
	named.add(key);
	if (there === 'exists') findings.add(planWarnings.exists(kind), null, key);
	if (there === 'maybe') findings.add(planWarnings.uncertain(kind), null, key);
}

/** Whether what a change needs is there, or goes before it. */
export function willBeThere(
	key: string,
	{ action, kind }: Change,
	{ absent, desired, ledger, options }: PlanContext,
): boolean {
	// Never is a bond made to a record that may be somebody else's.
	if (desired.others.has(key)) return false;
	const there = ledger.entries.get(key)?.there ?? 'no';
	if (there === 'yes' || (there === 'unconfirmed' && options.confirmation === 'answer')) return true;
	// A link to a responsible person cannot be made later, and nothing is removed for what may not be there.
	if (there === 'maybe' && kind === 'bond' && action === 'create') return true;
	return !absent.has(key) && desired.records.has(key);
}
