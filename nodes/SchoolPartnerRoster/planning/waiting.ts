/** What can go: everything that a change needs is there, or goes before it. */
import { kindOfKey } from '../ledger/key';
import type { Cause } from '../roster/findings';

import type { Change } from './change';
import type { PlanContext } from './context';
import type { DesiredState } from './desired';

/**
 * The changes whose needs are met, in their order. The others are counted, and told with what they wait for.
 * @param ordered what something needs stands before it
 * @param absent keys of what will not be there: with an error, doubtful, or held. Those that wait are added.
 */
export async function withNeedsMet(
	ordered: readonly Change[],
	absent: Set<string>,
	desired: DesiredState,
	context: PlanContext,
): Promise<Change[]> {
	const { counts, findings, turns, waitsFor } = context;
	const ready: Change[] = [];
	for await (const slice of turns.slices(ordered))
		for (const change of slice) {
			const met = change.needs.filter((key) => willBeThere(key, change, absent, desired, context));
			const lacking = change.needs.find((key) => !met.includes(key));
			// Of the bonds that a removal needs, one is enough: it goes behind those that come.
			if (lacking === undefined || (change.action === 'remove' && met.length > 0)) {
				change.needs = met;
				ready.push(change);
				continue;
			}
			const { kind, key, school_external_id: school, source } = change;
			absent.add(key);
			const isKnown = absent.has(lacking) || desired.faulty.has(lacking) || isDoubtful(lacking, context);
			counts.add(school, kind, isKnown ? 'waiting' : 'error');
			if (isKnown) waitsFor.set(key, lacking);
			else findings.add(nowhere(change, lacking), source, key);
		}
	return ready;
}

/** Whether what a change needs is there, or goes before it. */
function willBeThere(
	key: string,
	{ action, kind }: Change,
	absent: ReadonlySet<string>,
	{ records, others }: DesiredState,
	{ ledger, options }: PlanContext,
): boolean {
	// Never is a bond made to a record that may be somebody else's.
	if (others.has(key)) return false;
	const there = ledger.entries.get(key)?.there ?? 'no';
	if (there === 'yes' || (there === 'unconfirmed' && options.confirmation === 'answer')) return true;
	// A link to a responsible person cannot be made later, and nothing is removed for what may not be there.
	if (there === 'maybe' && kind === 'bond' && action === 'create') return true;
	return !absent.has(key) && records.has(key);
}

/** Whether it may still turn out to be there. Trap: what was refused and has left the export never comes. */
/** Nobody knows whether it is there, or whose it is. */
function isDoubtful(key: string, { ledger }: PlanContext): boolean {
	return ['maybe', 'exists', 'unconfirmed'].includes(ledger.entries.get(key)?.there ?? 'no');
}

function nowhere({ kind }: Change, lacking: string): Cause {
	const who = lacking.startsWith('u:') && kind === 'user' ? 'responsible person' : kindOfKey(lacking);
	// Where users are told apart by school, the same id in another school is somebody else.
	const needed = lacking.startsWith('u:') && lacking.includes('|') ? `${who} of its school` : who;
	return {
		severity: 'error',
		code: 'needsUnknown',
		message: `A ${kind} names a ${needed} that is neither in the export nor in the ledger`,
		what_to_do: `Add the ${needed} to the export, or take it out of the ${kind}. The ${kind} is left out until then.`,
		...{ kind, isOfOne: true },
	};
}
