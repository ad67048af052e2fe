/** What is too much to do unseen: how much of a school is new or gone tonight. */
import { KINDS, type Kind } from '../roster/record';

import type { Action, Change } from './change';
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
	const present = new Tally();
	for (const { there, school, kind } of ledger.entries.values()) {
		if (turns.areDue()) await turns.give();
		if (there === 'yes') present.add(school, kind, 'there');
	}
	const fresh = new Tally();
	const schools = new Set<string>();
	for (const { isNew, school_external_id: school, kind, action } of changes) {
		if (turns.areDue()) await turns.give();
		if (!isNew || action === 'note') continue;
		schools.add(school);
		fresh.add(school, kind, action);
	}
	return [...schools].sort().flatMap((school) =>
		KINDS.flatMap((kind) =>
			(['create', 'remove'] as const).flatMap((action) => {
				const [count, there] = [fresh.of(school, kind, action), present.of(school, kind, 'there')];
				return isTooMuch(action, count, there, options)
					? { school, ...wordsFor(action, kind, school, count, there, options) }
					: [];
			}),
		),
	);
}

function limitsOf(action: Action, options: PlanOptions): { percent: number; from: number } {
	return action === 'remove'
		? { percent: options.holdRemovalsPercent, from: options.holdRemovalsFrom }
		: { percent: options.holdCreationsPercent, from: options.holdCreationsFrom };
}

function isTooMuch(action: Action, count: number, there: number, options: PlanOptions): boolean {
	const { percent, from } = limitsOf(action, options);
	return percent < 100 && count >= from && count > 0 && count * 100 > there * percent;
}

const PLURALS: Record<Kind, string> = { class: 'classes', user: 'users', bond: 'bonds' };
const OTHERWISE = {
	create: 'If it is not right, look whether the export or the ids in it are others than before',
	remove: 'If it is not right, look why the export lacks them',
} as const;

function wordsFor(
	action: 'create' | 'remove',
	kind: Kind,
	school: string,
	count: number,
	there: number,
	options: PlanOptions,
): Pick<TooMuch, 'reason' | 'otherwise'> {
	const { percent } = limitsOf(action, options);
	const share =
		there === 0
			? 'the ledger has none yet'
			: `that is ${Math.round((count * 1000) / there) / 10} % of the ${there} that are there, and more than ${percent} % is held`;
	const done = action === 'create' ? 'created' : 'removed';
	return {
		reason: `${count} ${PLURALS[kind]} of school ${school} would be ${done}: ${share}`,
		otherwise: `${OTHERWISE[action]}; nothing of this school is done until then.`,
	};
}
