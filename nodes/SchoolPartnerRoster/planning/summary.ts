/** The one item that says what the plan is. */
import type { Ledger } from '../ledger/ledger';
import type { FileRead } from '../roster/roster';

import type { Candidate } from './change';
import type { Counts, Numbers } from './counts';
import type { HoldReason } from './hold';
import type { PlanMeans, PlanOptions } from './options';
import type { PlanIds } from './planId';

export interface HeldBecause {
	/** In words. */
	reason: string;
	/** '' when everything is held. */
	school_external_id: string;
	/** The id that lifts it: of the school's part, or of the whole plan. */
	plan_id: string;
	what_to_do: string;
}

export interface Summary {
	plan_id: string;
	run_id: string;
	held: boolean;
	held_because: HeldBecause[];
	first_run: boolean;
	/** YYYY-MM-DD */
	as_of: string;
	counts: Numbers;
	schools: Array<{ school_external_id: string; plan_id: string; held: boolean; counts: Numbers }>;
	/** Changes that are left to the next run. */
	left: number;
	ledger_rows: number;
	batches: number;
	files: FileRead[];
	took_ms: number;
}

interface Given {
	ids: PlanIds;
	runId: string;
	held: readonly Candidate[];
	unapproved: readonly HoldReason[];
	counts: Counts;
	options: PlanOptions;
	means: PlanMeans;
	left: number;
	ledger: Ledger;
	batches: number;
	files: FileRead[];
	began: number;
}

export function summaryOf({
	ids,
	runId,
	held,
	unapproved,
	counts,
	options,
	means,
	left,
	ledger,
	batches,
	files,
	began,
}: Given): Summary {
	const heldSchools = new Set(held.map(({ school_external_id: school }) => school));
	return {
		plan_id: ids.whole,
		run_id: runId,
		held: held.length > 0,
		// Without a change there is nothing to hold, whatever is wrong.
		held_because: unapproved
			.filter(({ school }) => (school === '' ? held.length > 0 : heldSchools.has(school)))
			.map((reason) => heldBecause(reason, ids)),
		first_run: options.firstRun,
		as_of: means.asOf,
		counts: counts.all(),
		schools: counts.schools().map((school) => ({
			school_external_id: school,
			plan_id: ids.ofSchool(school),
			held: heldSchools.has(school),
			counts: counts.of(school),
		})),
		left,
		ledger_rows: ledger.rows,
		batches,
		files,
		took_ms: means.now() - began,
	};
}

function heldBecause({ school, reason, otherwise }: HoldReason, ids: PlanIds): HeldBecause {
	const planId = school === '' ? ids.whole : ids.ofSchool(school);
	return {
		reason,
		school_external_id: school,
		plan_id: planId,
		what_to_do: `If it is right, put ${planId} into the option Approved Plan and start again with the same files. ${otherwise}`,
	};
}
