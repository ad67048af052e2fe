/** Who has an account in the service, and access to the product: what recorded events and the answers to creations say together. Pure. */
import { detailOf, type AccessDetail } from './detail';
import { idsIn, userKey } from './key';
import type { Ledger } from './ledger';
import type { StoredRow } from './row';

export type AccessState = 'granted' | 'revoked';

/** What the last event of a person says. */
export interface PersonAccess {
	/** The ledger's key of the user; of somebody whom the ledger does not know, the key of the event's row. */
	key: string;
	/** Whether the ledger has the user, and the class that the last grant names. */
	isKnown: boolean;
	isClassKnown: boolean;
	state: AccessState;
	/** When, by the service's clock: ISO 8601. */
	since: string;
	/** The request id of the event. */
	lastEvent: string;
	/** The service's own ids; '' where no event says them. */
	accountId: string;
	tenantId: string;
	userId: string;
	/** It was revoked, and never granted as far as events were recorded: a delivery was lost. */
	isGrantMissing: boolean;
}

/** An account of a user; '' for what nothing has named. `tenantId`: of an event of this user, or else of the same school. `since`: of the event. */
export type KnownAccount = Pick<PersonAccess, 'accountId' | 'tenantId' | 'userId' | 'since'>;

/** The key of somebody whose external ids no event says. */
export function accessKey(school: string, user: string, userId: string): string {
	return userKey(school, user, 'school') ?? `a:${userId}`;
}

/** Whether the first of two rows says the later thing: by the time of the event, which may arrive late. */
export function isLaterAccess(one: StoredRow, other: StoredRow): boolean {
	return one.since === other.since ? one.id > other.id : one.since > other.since;
}

/** Every user of the service of whom an event was recorded: revocations name only the service's own ids, by which they are joined with grants. */
export function recordedAccess(ledger: Ledger): PersonAccess[] {
	const users = new Map<string, Events>();
	for (const row of ledger.decisions.access.values()) {
		const id = row.service_id || row.key;
		users.set(id, { ...users.get(id), [row.state]: row });
	}
	const keys = users.size === 0 ? new Map<string, string>() : keysByServiceId(ledger);
	return [...users.values()].map((events) => accessOfPerson(events, ledger, keys));
}

/** The last grant and the last revocation of somebody. */
type Events = Partial<Record<AccessState, StoredRow>>;

function accessOfPerson(
	{ granted, revoked }: Events,
	ledger: Ledger,
	keys: ReadonlyMap<string, string>,
): PersonAccess {
	const isRevoked = revoked !== undefined && (granted === undefined || isLaterAccess(revoked, granted));
	const last = (isRevoked ? revoked : granted) as StoredRow;
	const { class_key: classKey = '', tenant_id: tenantId = '' } = detailOf<AccessDetail>(granted ?? last);
	const known = knownUserKey((granted ?? last).key, ledger) ?? keys.get(last.service_id);
	return {
		key: known ?? (granted ?? last).key,
		isKnown: known !== undefined,
		isClassKnown: ledger.entries.has(classKey),
		state: isRevoked ? 'revoked' : 'granted',
		since: last.since,
		lastEvent: detailOf<AccessDetail>(last).request_id ?? '',
		accountId: (granted ?? last).account_id,
		tenantId,
		userId: last.service_id,
		isGrantMissing: granted === undefined,
	};
}

/** An event names a school and a user; a ledger whose user ids are unique in the network has keys without the school. */
function knownUserKey(key: string, { entries }: Ledger): string | undefined {
	if (entries.has(key)) return key;
	const ofNetwork = userKey(undefined, idsIn(key).external_id, 'network') ?? '';
	return key.startsWith('u:') && entries.has(ofNetwork) ? ofNetwork : undefined;
}

/** The keys of users by the ids that the service gave them when they were created. */
export function keysByServiceId({ entries }: Ledger): Map<string, string> {
	const keys = new Map<string, string>();
	for (const { kind, key, row } of entries.values())
		if (kind === 'user' && row.service_id !== '') keys.set(row.service_id, key);
	return keys;
}

/**
 * The users whose account is known, by their keys in the ledger: from what confirmed or answered their creation, and from events, which also name
 * the accounts of the responsible persons of a student. Who is not in the ledger is not among them.
 * @public
 */
export function knownAccounts(ledger: Ledger): Map<string, KnownAccount> {
	const accounts = new Map<string, KnownAccount>();
	const tenants = tenantsBySchool(ledger);
	for (const { kind, key, school, row } of ledger.entries.values()) {
		const [accountId, userId, tenantId = ''] = [row.account_id, row.service_id, tenants.get(school)];
		if (kind === 'user' && accountId !== '') accounts.set(key, { accountId, userId, tenantId, since: '' });
	}
	addResponsible(accounts, ledger);
	for (const { key, isKnown, accountId, since, userId, ...event } of recordedAccess(ledger)) {
		const before = accounts.get(key);
		const account = accountId || before?.accountId;
		// Who was made anew in the service has another id there.
		if (!isKnown || !account || (before !== undefined && before.since > since)) continue;
		const tenantId = event.tenantId || (before?.tenantId ?? '');
		accounts.set(key, { accountId: account, tenantId, userId, since });
	}
	return accounts;
}

/** People of a student's event beside the student: their accounts are known, and nothing is said of their access. */
function addResponsible(accounts: Map<string, KnownAccount>, ledger: Ledger): void {
	for (const row of ledger.decisions.access.values()) {
		const { tenant_id: tenantId = '', people = [] } = detailOf<AccessDetail>(row);
		for (const { external_id: user, account_id: accountId, user_id: userId } of people) {
			const named = accessKey(row.school_external_id, user, userId);
			const key = knownUserKey(named, ledger);
			if (key !== undefined && accountId !== '')
				accounts.set(key, { accountId, userId, tenantId, since: '' });
		}
	}
}

/** A school belongs to one tenant. */
function tenantsBySchool({ decisions }: Ledger): Map<string, string> {
	const tenants = new Map<string, string>();
	for (const row of decisions.access.values()) {
		const { tenant_id: tenant } = detailOf<AccessDetail>(row);
		if (tenant) tenants.set(row.school_external_id, tenant);
	}
	return tenants;
}
