/** How many records of each school and kind are new, the same, gone, … Each record is counted once. */
import { KINDS, type Kind } from '../roster/record';

export const COUNTED = [
	'create',
	'remove',
	'same',
	'changed',
	'missing',
	'uncertain',
	'orphan',
	'error',
	'waiting',
] as const;

/**
 * `create`, new; `remove`, a bond to be removed; `same`, there as it is; `changed`, there otherwise; `missing`, a bond that is not in the
 * export and stays for now; `uncertain`, sent before and nobody knows what came of it; `orphan`, a class or user that left and
 * cannot be removed; `error`, cannot be sent; `waiting`, needs something that is held or has an error.
 */
export type Counted = (typeof COUNTED)[number];

export type Numbers = Record<Kind, Record<Counted, number>>;

export class Counts {
	private readonly bySchool = new Map<string, Numbers>();

	add(school: string, kind: Kind, counted: Counted, count = 1): void {
		let numbers = this.bySchool.get(school);
		if (numbers === undefined) this.bySchool.set(school, (numbers = none()));
		numbers[kind][counted] += count;
	}

	schools(): string[] {
		return [...this.bySchool.keys()].sort();
	}

	of(school: string): Numbers {
		return this.bySchool.get(school) ?? none();
	}

	all(): Numbers {
		const sum = none();
		for (const numbers of this.bySchool.values()) {
			for (const kind of KINDS) for (const counted of COUNTED) sum[kind][counted] += numbers[kind][counted];
		}
		return sum;
	}
}

function none(): Numbers {
	const zeros = () => Object.fromEntries(COUNTED.map((counted) => [counted, 0])) as Record<Counted, number>;
	return { class: zeros(), user: zeros(), bond: zeros() };
}
