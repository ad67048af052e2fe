/** What is too much to do unseen: how much of a school is new or gone tonight. */
import { KINDS, type Kind } from '../roster/record';

import type { Change } from './change';
import type { PlanContext } from './context';
import type { PlanOptions } from './options';

/** A school of which too much would change. */
export interface TooMuch {
	school: string;
	reason: string;
	/** What to do but approving. */
	otherwise: string;
}

/** How many of each, under names like "user create school-1". Trap: behind the other words no name of a school is one of JavaScript's. */
class Tally {
	private readonly counts = new Map<string, number>();

	add(school: string, kind: Kind, action: string): void {
		const name = `${kind} ${action} ${school}`;
		this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
	}

	of(school: string, kind: Kind, action: string): number {
		return this.counts.get(`${kind} ${action} ${school}`) ?? 0;
	}
}

/** @param changes what no person has approved */
export async function tooMuchIn(changes: readonly Change[], context: PlanContext): Promise<TooMuch[]> {
	const { ledger, options, turns } = context;
	const tally = new Tally();
	for (const { there, school, kind } of ledger.entries.values()) {
		if (turns.areDue()) await turns.give();
		if (there === 'yes') tally.add(school, kind, 'there');
	}
	const schools = new Set<string>();
	for (const { isNew, school_external_id: school, kind, action } of changes) {
		if (turns.areDue()) await turns.give();
		if (!isNew || action === 'note') continue;
		schools.add(school);
		tally.add(school, kind, action);
	}
	const found: TooMuch[] = [];
	for (const school of [...schools].sort()) {
		for (const kind of KINDS) {
			const there = tally.of(school, kind, 'there');
			for (const direction of directionsOf(options)) {
				const { action, done, percent, from, otherwise } = direction;
				const count = tally.of(school, kind, action);
				const isTooMuch = percent < 100 && count >= from && count > 0 && count * 100 > there * percent;
				if (!isTooMuch) continue;
				const what = `${count} ${PLURALS[kind]} of school ${school} would be ${done}`;
				const reason = `${what}: ${shareIn(count, there, percent)}`;
				found.push({ school, reason, otherwise: `${otherwise}; nothing of this school is done until then.` });
			}
		}
	}
	return found;
}

const directionsOf = (options: PlanOptions) => [
	{
		action: 'create',
		done: 'created',
		percent: options.holdCreationsPercent,
		from: options.holdCreationsFrom,
		otherwise: 'If it is not right, look whether the export or the ids in it are others than before',
	},
	{
		action: 'remove',
		done: 'removed',
		percent: options.holdRemovalsPercent,
		from: options.holdRemovalsFrom,
		otherwise: 'If it is not right, look why the export lacks them',
	},
];

const PLURALS: Record<Kind, string> = { class: 'classes', user: 'users', bond: 'bonds' };

function shareIn(count: number, there: number, percent: number): string {
	if (there === 0) return 'the ledger has none yet';
	const share = Math.round((count * 1000) / there) / 10;
	return `that is ${share} % of the ${there} that are there, and more than ${percent} % is held`;
}
