/** Who only moves: somebody who keeps a bond of the same profile in the school. */
import { bondOf } from '../ledger/key';

import type { Change } from './change';
import type { PlanContext } from './context';
import type { DesiredState } from './desired';
import { pastYears } from './pastYears';
import { schoolYears } from './schoolYears';

/** Of a bond: whose it is, in which school, with which profile. */
const roleOf = (key: string) => {
	const { school_external_id: school, user_external_id: user, profile_name: profile } = bondOf(key);
	return JSON.stringify([school, user, profile]);
};

/** Marks the removals of people who keep a bond of the same profile in the school: they only move. */
export async function markMoves(
	changes: readonly Change[],
	desired: DesiredState,
	context: PlanContext,
): Promise<void> {
	const { records, faulty } = desired;
	const { ledger, turns } = context;
	const removals = new Map(changes.filter(({ action }) => action === 'remove').map((one) => [one.key, one]));
	if (removals.size === 0) return;
	const people = new Set([...removals.keys()].map(roleOf));
	const { ofKey, isOver } = await schoolYears(desired, context);
	/** The years of the bonds that people keep; '' where a year is not known. */
	const staying = new Map<string, Set<string>>();
	const note = (key: string) => {
		const person = roleOf(key);
		if (!people.has(person) || removals.has(key)) return;
		staying.set(person, (staying.get(person) ?? new Set()).add(ofKey(key) ?? ''));
	};
	for await (const slice of turns.slices(records.values()))
		for (const { kind, key } of slice) {
			if (kind === 'bond') note(key);
		}
	for (const key of faulty) if (key.startsWith('b:')) note(key);
	// Trap: a bond of an earlier year that is kept would make everybody a mover who was there then.
	const isOfPastYear = await pastYears(desired, context);
	for await (const slice of turns.slices(ledger.entries.values()))
		for (const { kind, key, there } of slice) {
			if (kind === 'bond' && there === 'yes' && !isOfPastYear(key)) note(key);
		}
	for (const [key, removal] of removals) {
		const [year, kept] = [ofKey(key) ?? '', [...(staying.get(roleOf(key)) ?? [])]];
		// Trap: since October nearly everybody has a place in a class of the next year, whatever becomes of this year's.
		const isSure = year === '' || isOver(removal.school_external_id, year);
		removal.isMove = isSure ? kept.length > 0 : kept.some((one) => one === year || one === '');
	}
}
