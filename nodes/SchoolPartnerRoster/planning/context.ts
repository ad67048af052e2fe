/** What every step of a plan looks at. */
import type { Ledger } from '../ledger/ledger';
import type { Findings } from '../roster/findings';
import type { Roster } from '../roster/roster';
import type { Turns } from '../roster/turns';

import type { Counts } from './counts';
import type { PlanOptions } from './options';

export interface PlanContext {
	roster: Roster;
	ledger: Ledger;
	options: PlanOptions;
	/** The day for which the roster was read, YYYY-MM-DD. */
	asOf: string;
	/** Milliseconds since 1970. */
	now: number;
	counts: Counts;
	findings: Findings;
	turns: Turns;
}
