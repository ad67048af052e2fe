/** What can go: everything that a change needs is there, or goes before it. */
import { isThere, type Ledger } from '../ledger/ledger';

import type { Candidate } from './change';
import type { Said, Wanted } from './desired';
import type { Cause } from '../roster/findings';

/**
 * The changes whose needs are met, in their order; the others are counted and said.
 * @param ordered what something needs stands before it
 * @param cannot keys of what will not be there: with an error, or held
 * @param isHeld whether it is for a hold that something waits
 */
export async function settle(
	ordered: readonly Candidate[],
	cannot: Set<string>,
	isHeld: boolean,
	ledger: Ledger,
	wanted: Wanted,
	said: Said,
): Promise<Candidate[]> {
	const going: Candidate[] = [];
	for (const candidate of ordered) {
		if (said.turns.areDue()) await said.turns.give();
		// Nothing is removed for what may not be there.
		const isMet = (key: string) =>
			candidate.action === 'remove' ? ledger.entries.get(key)?.there === 'yes' : isThere(ledger, key);
		const lacking = candidate.needs.find(
			(key) => !isMet(key) && (cannot.has(key) || !wanted.records.has(key)),
		);
		if (lacking === undefined) {
			going.push(candidate);
			continue;
		}
		const { kind, key, school_external_id: school, source } = candidate;
		const isKnown = cannot.has(lacking) || wanted.faulty.has(lacking);
		cannot.add(key);
		said.counts.add(school, kind, isKnown ? 'waiting' : 'error');
		const why = isHeld ? 'held' : isThere(ledger, lacking) ? 'uncertain' : 'faulty';
		said.findings.add(isKnown ? waits(candidate, why) : nowhere(candidate, lacking), source, key);
	}
	return going;
}

const NAMES = { c: 'class', u: 'user', b: 'bond' } as const;

const HOW = { held: 'is held', uncertain: 'is uncertain', faulty: 'has an error' } as const;

function waits({ kind, action }: Candidate, why: keyof typeof HOW): Cause {
	const [what, needed] =
		action === 'remove' ? ['The removal of a bond', 'another bond of its user'] : [`A ${kind}`, 'something'];
	return {
		severity: 'warning',
		code: why === 'held' ? 'waitsForHeld' : why === 'uncertain' ? 'waitsForUncertain' : 'waitsForFaulty',
		message: `${what} needs ${needed} that ${HOW[why]}, and waits for it`,
		what_to_do:
			why === 'held'
				? 'It comes by itself in the run after the other was approved.'
				: why === 'uncertain'
					? 'It comes by itself in the run after the other was settled: see the finding about that one.'
					: 'It comes by itself in the run after the other was corrected.',
		kind,
	};
}

function nowhere({ kind }: Candidate, lacking: string): Cause {
	const who =
		lacking.startsWith('u:') && kind === 'user'
			? 'responsible person'
			: NAMES[lacking[0] as keyof typeof NAMES];
	// Where users are told apart by school, the same id in another school is somebody else.
	const needed = lacking.startsWith('u:') && lacking.includes('|') ? `${who} of its school` : who;
	return {
		severity: 'error',
		code: 'needsUnknown',
		message: `A ${kind} names a ${needed} that is neither in the export nor in the ledger`,
		what_to_do: `Add the ${needed} to the export, or take it out of the ${kind}. The ${kind} is left out until then.`,
		kind,
	};
}
