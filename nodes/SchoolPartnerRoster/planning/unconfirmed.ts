/** What is said of users whose creation was answered, and whose accounts were not seen yet. */
import { findingTypes, type Finding, type FindingType } from '../roster/finding';
import { Findings } from '../roster/findings';
import type { Place } from '../roster/record';

import { DAY_MS } from './days';

export interface UnconfirmedUser {
	key: string;
	source: Place | null;
	/** When the creation was answered, milliseconds since 1970. */
	since: number;
}

/** After so many nights somebody has to look. */
const MOST_NIGHTS = 3;

/** So many are asked for before all, where nobody's account was there the last time. */
export const ASKED_EACH_NIGHT = 50;

/**
 * One finding for each; or a single one where hardly anybody's account was found, since that is no matter of single people.
 * Trap: where all others were seen, two that never come are most of those that are asked for. Few are told one by one when they are overdue.
 * @param isOfMost whether more than half of the accounts that were asked for were not found
 * @param now milliseconds since 1970
 */
export function unconfirmedFindings(
	users: readonly UnconfirmedUser[],
	isOfMost: boolean,
	now: number,
): Finding[] {
	const findings = new Findings();
	const nightsOf = ({ since }: UnconfirmedUser) => Math.round((now - since) / DAY_MS);
	const isOverdue = (user: UnconfirmedUser) => nightsOf(user) >= MOST_NIGHTS;
	const areFew = users.length <= ASKED_EACH_NIGHT;
	const severity = !areFew && users.some(isOverdue) ? 'error' : 'warning';
	const ofMost: FindingType = { ...unconfirmedWarnings.mostUnconfirmed, severity };
	for (const user of users) {
		const isOfOne = !isOfMost || (areFew && isOverdue(user));
		const ofOne = isOverdue(user) ? overdue.unconfirmed : unconfirmedWarnings.unconfirmed;
		findings.add(isOfOne ? ofOne : ofMost, user.source, user.key);
	}
	return findings.list();
}

const unconfirmedWarnings = findingTypes('warning', 'user', {
	unconfirmed: {
		isOfOne: true,
		message: 'A user was created, and its account was not seen yet',
		what_to_do: 'Nothing for now: its bonds wait, and each run asks for the account again.',
	},
	mostUnconfirmed: {
		message:
			'Of the users that were created, more than half of the accounts that were asked for were not seen yet',
		what_to_do:
			'Look whether the option Confirmation Query names its parameters as your service wants them, and Confirmed Statuses the status of an account that is there. If they are right, the service is late: ask its operator. Their bonds wait. Each run asks for 50 of them, and for all as soon as one is seen.',
	},
});

const overdue = findingTypes('error', 'user', {
	unconfirmed: {
		message: 'A user was created three nights ago or longer, and its account was not seen yet',
		what_to_do:
			'If others are told so too, look first whether Confirmation Query is right. Look into the service, or ask its operator. Then run the operation Resolve with its key and "inService", or "notInService" to create it again. Until then its bonds wait, and each run asks again.',
	},
});
