/** What nobody can name: a run that was interrupted left nothing but digests of it. */
import { shortDigestOf } from '../ledger/digest';
import type { Ledger } from '../ledger/ledger';
import type { Cause } from '../roster/findings';
import { KINDS } from '../roster/record';
import type { Roster } from '../roster/roster';

import type { Said, Wanted } from './desired';

/** What an interrupted run may have created, and neither the export nor a row of the ledger names: nothing but a digest of it is known. */
export async function sayWhatIsNameless(
	ledger: Ledger,
	wanted: Wanted,
	{ completeness }: Roster,
	{ findings, turns }: Said,
): Promise<void> {
	if (ledger.nameless.size === 0 || KINDS.some((kind) => completeness[kind] !== 'whole')) return;
	const nameless = new Set(ledger.nameless);
	for (const keys of [wanted.records.keys(), wanted.faulty]) {
		for (const key of keys) {
			if (turns.areDue()) await turns.give();
			nameless.delete(shortDigestOf(key));
		}
	}
	nameless.forEach(() => findings.add(NAMELESS));
}

const NAMELESS: Cause = {
	severity: 'warning',
	code: 'uncertainLeft',
	message: 'The run that was interrupted may have created records that are not in the export any more',
	what_to_do:
		'Look for them in the service, and remove by hand what should not stay. Which they are, the execution of that run says in n8n: its output Changes. It is said until a later run has written its rows.',
};
