/** Bonds to classes of earlier years, where they are to stay (the option Keep Past Years). */
import { bondOf, classOfBond } from '../ledger/key';

import type { PlanContext } from './context';
import type { DesiredState } from './desired';
import { schoolYears } from './schoolYears';

/** Whether a bond is left alone: its class is of an earlier year than the classes of its school tonight, and is not among them. */
export type IsOfPastYear = (bond: string) => boolean;

export async function pastYears(desired: DesiredState, context: PlanContext): Promise<IsOfPastYear> {
	if (!context.options.keepPastYears) return () => false;
	const { latest, ofKey } = await schoolYears(desired, context);
	const { records, faulty } = desired;
	return (bond) => {
		const key = classOfBond(bond);
		const [year, now] = [ofKey(key), latest.get(String(bondOf(bond).school_external_id))];
		const isGone = !records.has(key) && !faulty.has(key);
		return isGone && year !== undefined && now !== undefined && year < now;
	};
}
