/** Bonds to classes of earlier years, where they are to stay (the option Keep Past Years). */
import { bondOf, classOfBond } from '../ledger/key';

import type { PlanContext } from './context';
import type { DesiredState } from './desired';
import { schoolYears } from './schoolYears';

/** Whether a bond is left alone: its class is of an earlier year than the classes of its school tonight, and is not among them. */
export type IsOfPastYear = (bond: string) => boolean;

export async function pastYears(desired: DesiredState, context: PlanContext): Promise<IsOfPastYear> {
	if (!context.options.keepPastYears) return () => false;
	const { latest, ofKey, isOver } = await schoolYears(desired, context);
	const { records, faulty } = desired;
	const staying = new Set<string>();
	const inYear = (bond: string, year: string) => {
		const { school_external_id: school, user_external_id: user } = bondOf(bond);
		return JSON.stringify([school, user, year]);
	};
	for await (const slice of context.turns.slices(records.values()))
		for (const { kind, key } of slice) {
			if (kind === 'bond') staying.add(inYear(key, ofKey(key) ?? ''));
		}
	return (bond) => {
		const key = classOfBond(bond);
		const [year, now] = [ofKey(key), latest.get(String(bondOf(bond).school_external_id))];
		const isGone = !records.has(key) && !faulty.has(key);
		if (!isGone || year === undefined || now === undefined || year >= now) return false;
		// Trap: with next year's classes beside this year's, one of this year that is closed is of no past year.
		const school = String(bondOf(bond).school_external_id);
		return isOver(school, year) || (staying.has(inYear(bond, now)) && !staying.has(inYear(bond, year)));
	};
}
