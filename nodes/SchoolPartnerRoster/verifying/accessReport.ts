/** Access as events have told it, against what the ledger has: it reports, and never acts. Pure. */
import { recordedAccess, type PersonAccess } from '../ledger/access';
import { cameOn } from '../ledger/detail';
import { idsIn } from '../ledger/key';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import { DAY_MS } from '../planning/days';
import { findingTypes, type FindingType } from '../roster/finding';

import { bondsByUser } from './asked';

/** Somebody whose access is not as the roster says. */
export interface AccessItem extends FindingType {
	key: string;
	external_id?: string;
	school_external_id?: string;
	/** Since when it is so, ISO 8601. */
	since: string;
	/** The service's id of the user; '' where nothing has named it. */
	user_id: string;
	/** Of the last event; '' where there was none. */
	request_id: string;
}

export interface AccessReport {
	counts: {
		/** Of the people in the ledger: with access, without it any more, and of no event at all. */
		granted: number;
		revoked: number;
		never: number;
		/** Of whom events were recorded, and who, or whose class, is not in the ledger. */
		unknown_people: number;
		unknown_classes: number;
	};
	items: AccessItem[];
}

/**
 * Whom the roster has in a class for long and who never had access; who has access and is not in the ledger, or was taken out of all classes;
 * whose access was revoked without a grant. Who is in no class, such as a responsible person, is not expected to have access.
 * @param noAccessAfterDays days after which access is missed @param now milliseconds since 1970
 * @public
 */
export function accessReport(ledger: Ledger, noAccessAfterDays: number, now: number): AccessReport {
	const events = recordedAccess(ledger).filter(ofSchoolsIn(ledger));
	const known = new Map(events.filter(({ isKnown }) => isKnown).map((one) => [one.key, one.state]));
	const bonds = bondsByUser(ledger.entries);
	const items = events.flatMap((one) => itemOf(one, bonds.get(one.key)) ?? []);
	const counts = { granted: 0, revoked: 0, never: 0, unknown_people: 0, unknown_classes: 0 };
	for (const { kind, key, there, row } of ledger.entries.values()) {
		if (kind !== 'user' || (there !== 'yes' && there !== 'unconfirmed')) continue;
		const state = known.get(key) ?? 'never';
		counts[state] += 1;
		const since = inClassSince(bonds.get(key));
		if (state === 'never' && since !== undefined && now - Date.parse(since) > noAccessAfterDays * DAY_MS)
			items.push({ ...notes.neverAccessed(noAccessAfterDays), ...ofPerson(key, since, row.service_id, '') });
	}
	for (const { isKnown, isClassKnown, isGrantMissing } of events) {
		if (!isKnown) counts.unknown_people += 1;
		else if (!isClassKnown && !isGrantMissing) counts.unknown_classes += 1;
	}
	return { counts, items };
}

/** Events come of all schools of the service: of those that a ledger has nothing of, such as in a pilot or in another part, it misses nobody. */
function ofSchoolsIn({ entries }: Ledger): (event: PersonAccess) => boolean {
	const schools = new Set([...entries.values()].map(({ school }) => school));
	const isElsewhere = (school = '') => schools.size > 0 && school !== '' && !schools.has(school);
	return ({ isKnown, key }) =>
		isKnown || !key.startsWith('u:') || !isElsewhere(idsIn(key).school_external_id);
}

/** Since when one of these bonds is there, ISO 8601; undefined where none is. Trap: the row of one that was missing is younger. */
function inClassSince(bonds: readonly LedgerEntry[] = []): string | undefined {
	return bonds.flatMap(({ there, row }) => (there === 'no' ? [] : cameOn(row))).sort()[0];
}

/** @param bonds of the person */
function itemOf(event: PersonAccess, bonds: readonly LedgerEntry[] = []): AccessItem | undefined {
	const { key, isKnown, state, isGrantMissing } = event;
	const person = ofPerson(key, event.since, event.userId, event.lastEvent);
	if (isGrantMissing) return { ...notes.grantLost, ...person };
	if (state !== 'granted') return undefined;
	if (!isKnown) return { ...accessWarnings.accessUnknown, ...person };
	const wasRemoved = bonds.some(({ row }) => row.state === 'removed');
	return wasRemoved && inClassSince(bonds) === undefined
		? { ...accessWarnings.notRevoked, ...person }
		: undefined;
}

function ofPerson(key: string, since: string, user_id: string, request_id: string) {
	// Of an event without external ids, its key has none.
	return { key, ...(key.startsWith('u:') && idsIn(key)), since, user_id, request_id };
}

const notes = findingTypes('information', 'user', {
	neverAccessed: (days: number) => ({
		message: `A user is in a class since more than ${days} days, and no access was recorded`,
		what_to_do:
			'Look in the service whether the product is given to this class. Events are recorded from the day on which Record Access runs: those before it are not here.',
	}),
	grantLost: {
		message:
			'An access was revoked that was never granted, as far as events were recorded: it is older than Record Access, or a delivery was lost',
		what_to_do:
			'Older than Record Access: nothing. Else look in n8n for executions of the workflow of School Partner Trigger that have failed, and start them again. Where there is none, ask the operator of the service for the request_id of the delivery: Event: Get reads it, and Record Access takes it.',
	},
});

const accessWarnings = findingTypes('warning', 'user', {
	accessUnknown: {
		message: 'Somebody has access who is not in the ledger',
		what_to_do:
			'Look whether the school system lacks this person, or the service has another external id for it. If nobody knows who it is, have the access taken away in the service.',
	},
	notRevoked: {
		message: 'A user was taken out of all classes, and the access was not revoked',
		what_to_do:
			'Look in the service, and have the access taken away there. A revocation whose delivery was lost is not here: the service keeps what it has sent.',
	},
});
