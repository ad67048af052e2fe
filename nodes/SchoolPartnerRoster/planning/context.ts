/** What every step of a plan looks at. */
import type { Ledger } from '../ledger/ledger';
import { Findings } from '../roster/findings';
import type { Roster } from '../roster/roster';
import { Turns, type Host } from '../roster/turns';

import { Counts } from './counts';
import type { PlanOptions } from './options';

export interface PlanSubject {
	roster: Roster;
	ledger: Ledger;
	options: PlanOptions;
	/** The day for which the roster was read, YYYY-MM-DD. */
	asOf: string;
}

export interface PlanContext extends PlanSubject {
	/** Milliseconds since 1970. */
	now: number;
	counts: Counts;
	findings: Findings;
	turns: Turns;
}

export function planContext({ roster, ledger, options, asOf }: PlanSubject, host: Host): PlanContext {
	const found = { counts: new Counts(), findings: new Findings() };
	return { roster, ledger, options, asOf, now: host.clock(), ...found, turns: new Turns(host) };
}
