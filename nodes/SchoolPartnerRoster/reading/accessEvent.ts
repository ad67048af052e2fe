/** What an access event says of a user, as the trigger gives it or as the service has kept it. No names, no documents, no dates of birth. */
import { isUtcTimestamp, timeOfUtc } from '../../shared/contract/blocks';
import { eventOfAction } from '../../shared/contract/events/kinds';
import { isJsonObject, type JsonObject } from '../../shared/contract/json';
import { accessKey } from '../ledger/access';
import type { AccessDetail } from '../ledger/detail';
import { keyOf } from '../ledger/key';
import { ledgerRow, type LedgerRow } from '../ledger/row';

/** The user of an event, by the ids of both sides; '' for those that the event does not say. `since`: by the service's clock, ISO 8601. */
export type RecordedAccess = NonNullable<ReturnType<typeof accessEventIn>>;

const STATES = { userAccess: 'granted', userAccessRevocation: 'revoked' } as const;

/** @param now ISO 8601, for an event that does not say when it was. Undefined: it is no access event, or it names nobody. */
export function accessEventIn(item: JsonObject, now: string) {
	// A stored event has it in a field of its own.
	const { header, payload } = objectIn(isJsonObject(item.event) ? item.event : item);
	const event = eventOfAction(textIn(header, 'action'));
	if (event === undefined) return undefined;
	const { tenant, school, class: ofClass } = objectIn(objectIn(payload).structure_school);
	const { people, bond, user } = usersIn(objectIn(payload));
	const userId = textIn(bond, 'user_id') || textIn(user, 'id');
	const [schoolId, externalId] = [textIn(school, 'external_id'), textIn(user, 'external_id')];
	if (userId === '' && (schoolId === '' || externalId === '')) return undefined;
	const classId = textIn(ofClass, 'external_id');
	return {
		state: STATES[event.value],
		key: accessKey(schoolId, externalId, userId),
		...{ school_external_id: schoolId, external_id: externalId, class_external_id: classId },
		...{ user_id: userId, account_id: textIn(user, 'account_id') },
		since: timeOf(textIn(header, 'created_at')) ?? now,
		detail: {
			request_id: textIn(header, 'request_id'),
			class_key: keyOf('class', { school_external_id: schoolId, external_id: classId }, 'school') ?? '',
			class_id: textIn(bond, 'class_id') || textIn(ofClass, 'id'),
			...{ school_id: textIn(school, 'id'), tenant_id: textIn(tenant, 'id') },
			people: people.filter((one) => one !== user).map(idsOf),
		} satisfies AccessDetail,
	};
}

/** The people of an event, and which of them it is about: the one that the bond names. */
function usersIn(payload: JsonObject) {
	const { users, bond = payload.bond } = objectIn(payload.structure_users);
	const people: unknown[] = Array.isArray(users) ? users : [];
	const named = textIn(bond, 'user_id');
	const user = people.find((one) => textIn(one, 'id') === named) ?? (people.length === 1 ? people[0] : {});
	return { people, bond, user };
}

/** @param at when it is recorded, ISO 8601 */
export function accessRow(event: RecordedAccess, at: string): LedgerRow {
	const { state, key, school_external_id, user_id, account_id, since, detail } = event;
	const ids = { service_id: user_id, account_id };
	return ledgerRow({
		...{ kind: 'access', key, school_external_id, state, ...ids, since, at },
		detail: JSON.stringify(detail),
	});
}

function idsOf(person: unknown) {
	return {
		external_id: textIn(person, 'external_id'),
		account_id: textIn(person, 'account_id'),
		user_id: textIn(person, 'id'),
	};
}

function objectIn(value: unknown): JsonObject {
	return isJsonObject(value) ? value : {};
}

/** '' for what is not there, or is no text. */
function textIn(holder: unknown, name: string): string {
	const value = objectIn(holder)[name];
	return typeof value === 'string' || typeof value === 'number' ? String(value).trim() : '';
}

function timeOf(text: string): string | undefined {
	const time = isUtcTimestamp(text) ? timeOfUtc(text) : Date.parse(text);
	return Number.isNaN(time) ? undefined : new Date(time).toISOString();
}
