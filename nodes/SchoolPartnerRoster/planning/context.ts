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
	/** Random letters and digits: the salt of a ledger that has none yet. */
	newSalt: string;
}

export interface PlanContext extends PlanSubject {
	/** Milliseconds since 1970. */
	now: number;
	/** Of the digests in the ledger. */
	salt: string;
	counts: Counts;
	/** By the key of what waits, the key of what it waits for. */
	waitsFor: Map<string, string>;
	findings: Findings;
	turns: Turns;
}

export function planContext(
	{ roster, ledger, options, asOf, newSalt }: PlanSubject,
	host: Host,
): PlanContext {
	const salt = ledger.lastRun?.detail.salt || newSalt;
	const found = { counts: new Counts(), findings: new Findings(), waitsFor: new Map<string, string>() };
	const given = { roster, ledger, options, asOf, newSalt };
	return { ...given, now: host.clock(), salt, ...found, turns: new Turns(host) };
}
