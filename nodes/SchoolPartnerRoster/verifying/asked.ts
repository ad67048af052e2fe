/** Whom the service is asked for: the accounts of the users in a ledger, with the bonds that the ledger has of them. Pure. */
import { hash } from 'node:crypto';

import type { KnownAccount } from '../ledger/access';
import { SEEN_TURN } from '../ledger/decisions';
import { endsOfBond } from '../ledger/key';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import { addTo } from '../planning/desiredState';

/** A user of the ledger, and the bonds that it knows of. */
export interface VerifiedUser {
	entry: LedgerEntry;
	/** The service's id of the user within the school; '' where it is not known. */
	userId: string;
	bonds: LedgerEntry[];
}

/** One account: that of a person who is a user in each of several schools is asked for once. */
export interface VerifiedAccount {
	accountId: string;
	tenantId: string;
	users: VerifiedUser[];
}

export interface AccountsToAsk {
	/** Of those whose turn it is. */
	accounts: VerifiedAccount[];
	/** Users that the service has of ours, as far as the ledger knows. */
	people: number;
	withAccount: number;
	/** Whose account is known, and not the tenant, without which nothing can be asked. */
	withoutTenant: number;
}

/** The share that comes next. */
export function nextTurn({ decisions }: Ledger, share: number): number {
	return (Number(decisions.seen.get(SEEN_TURN)?.state ?? -1) + 1) % share;
}

/**
 * @param usualTenant the tenant of those of whom nothing says it
 * @param share one account in so many is asked for in a run; `turn`: which of them, from 0
 */
export function accountsToAsk(
	{ entries }: Ledger,
	known: ReadonlyMap<string, Pick<KnownAccount, 'accountId' | 'tenantId' | 'userId'>>,
	usualTenant: string,
	{ share, turn }: { share: number; turn: number },
): AccountsToAsk {
	const bonds = bondsByUser(entries);
	const accounts = new Map<string, VerifiedAccount>();
	const counts = { people: 0, withAccount: 0, withoutTenant: 0 };
	for (const entry of entries.values()) {
		// What exists may be somebody else's: what it shows is not to be corrected.
		if (entry.kind !== 'user' || ['no', 'exists'].includes(entry.there)) continue;
		counts.people += 1;
		const { accountId = '', tenantId = '', userId = '' } = known.get(entry.key) ?? {};
		if (accountId === '') continue;
		counts.withAccount += 1;
		const tenant = tenantId || usualTenant;
		if (tenant === '') counts.withoutTenant += 1;
		if (tenant === '' || turnOf(accountId, share) !== turn) continue;
		const account = accounts.get(accountId) ?? { accountId, tenantId: tenant, users: [] };
		account.users.push({ entry, userId, bonds: bonds.get(entry.key) ?? [] });
		accounts.set(accountId, account);
	}
	return { accounts: [...accounts.values()], ...counts };
}

/** An account keeps its turn, whatever else comes into the ledger. */
function turnOf(accountId: string, share: number): number {
	return hash('sha256', accountId, 'buffer').readUInt32BE(0) % share;
}

/** @param entries with keys of users with their school, or without it: of a bond, whichever is there */
export function bondsByUser(entries: Ledger['entries']): Map<string, LedgerEntry[]> {
	const bonds = new Map<string, LedgerEntry[]>();
	for (const entry of entries.values()) {
		if (entry.kind !== 'bond') continue;
		const [, ...users] = endsOfBond(entry.key);
		const user = users.find((key) => entries.has(key));
		if (user !== undefined) addTo(bonds, user, entry);
	}
	return bonds;
}
