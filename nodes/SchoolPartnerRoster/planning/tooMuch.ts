/** What is too much to do unseen: how much of a school is new or gone tonight. */
import { KINDS, type Kind } from '../roster/record';

import type { Change } from './change';
import type { PlanContext } from './context';
import type { PlanOptions } from './options';

export interface TooMuch {
	school: string;
	reason: string;
	/** What to do but approving. */
	otherwise: string;
}

/** @param changes what no person has approved */
export async function tooMuchIn(changes: readonly Change[], context: PlanContext): Promise<TooMuch[]> {
	const { ledger, options, turns } = context;
	const counts = new Map<string, number>();
	const add = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1);
	for (const { there, school, kind } of ledger.entries.values()) {
		if (turns.areDue()) await turns.give();
		if (there === 'yes') add(`${kind} there ${school}`);
	}
	const schools = new Set<string>();
	for (const { isNew, school_external_id: school, kind, action } of changes) {
		if (turns.areDue()) await turns.give();
		if (!isNew || action === 'note') continue;
		schools.add(school);
		add(`${kind} ${action} ${school}`);
	}
	const found: TooMuch[] = [];
	for (const school of [...schools].sort()) {
		for (const kind of KINDS) {
			const there = counts.get(`${kind} there ${school}`) ?? 0;
			for (const direction of directionsOf(options)) {
				const { action, done, percent, from, otherwise } = direction;
				const count = counts.get(`${kind} ${action} ${school}`) ?? 0;
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
