/** How many records of each school and kind are new, the same, gone, … Each record is counted once. */
import { compared } from '../ledger/row';
import type { Kind } from '../roster/record';

import type { ChangeState } from './change';

/**
 * The states of changes, and of what is no change: `same`, there as it is; `changed`, there with other values; `left`, a class or user that left and
 * cannot be removed; `error`, in the roster and cannot be sent.
 */
export type Counted = ChangeState | 'same' | 'changed' | 'left' | 'error';

export type Numbers = Record<Kind, Partial<Record<Counted, number>>>;

export class Counts {
	private readonly sum = none();
	private readonly bySchool = new Map<string, Numbers>();

	add(school: string, kind: Kind, counted: Counted): void {
		const ofSchool = this.bySchool.get(school) ?? none();
		this.bySchool.set(school, ofSchool);
		for (const numbers of [ofSchool, this.sum]) numbers[kind][counted] = (numbers[kind][counted] ?? 0) + 1;
	}

	bySchools(): Array<{ school_external_id: string; counts: Numbers }> {
		const schools = [...this.bySchool].sort(([one], [other]) => compared(one, other));
		return schools.map(([school, counts]) => ({ school_external_id: school, counts }));
	}

	all(): Numbers {
		return this.sum;
	}
}

const none = (): Numbers => ({ class: {}, user: {}, bond: {} });
