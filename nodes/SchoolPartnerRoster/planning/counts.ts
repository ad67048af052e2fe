/** How many records of each school and kind are new, the same, gone, … Each record is counted once. */
import { KINDS, type Kind } from '../roster/record';

import type { ChangeState } from './change';

/**
 * The states of changes, and of what is no change: `same`, there as it is; `changed`, there with other values; `left`, a class or user that left and
 * cannot be removed; `error`, in the roster and cannot be sent.
 */
export type Counted = ChangeState | 'same' | 'changed' | 'left' | 'error';

export type Numbers = Record<Kind, Partial<Record<Counted, number>>>;

export class Counts {
	private readonly bySchool = new Map<string, Numbers>();

	add(school: string, kind: Kind, counted: Counted, count = 1): void {
		let numbers = this.bySchool.get(school);
		if (numbers === undefined) this.bySchool.set(school, (numbers = none()));
		numbers[kind][counted] = (numbers[kind][counted] ?? 0) + count;
	}

	bySchools(): Array<{ school_external_id: string; counts: Numbers }> {
		const schools = [...this.bySchool].sort(([one], [other]) => (one < other ? -1 : 1));
		return schools.map(([school, counts]) => ({ school_external_id: school, counts }));
	}

	all(): Numbers {
		const sum = none();
		for (const numbers of this.bySchool.values()) {
			for (const kind of KINDS) {
				for (const [counted, count] of Object.entries(numbers[kind])) {
					sum[kind][counted as Counted] = (sum[kind][counted as Counted] ?? 0) + count;
				}
			}
		}
		return sum;
	}
}

function none(): Numbers {
	return { class: {}, user: {}, bond: {} };
}
