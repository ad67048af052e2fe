/** Whom to ask the service for: the accounts of the users in a ledger, and what the ledger says each of them has. Pure. */
import { hash } from 'node:crypto';

import { classOfBond, endsOfBond } from '../ledger/key';
import type { Ledger, LedgerEntry } from '../ledger/ledger';

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

/** What is known of the account of a user; '' for what is not. */
interface Account {
	accountId: string;
	tenantId: string;
	userId: string;
}

export interface People {
	/** Of those whose turn it is. */
	accounts: VerifiedAccount[];
	/** Users that the service has, as far as the ledger knows. */
	people: number;
	withAccount: number;
	/** Whose account is known, and not the tenant, without which nothing can be asked. */
	withoutTenant: number;
}

export interface Choice {
	/** The tenant of those of whom nothing says it. */
	tenantId: string;
	/** One in so many is asked for, and which of them. */
	share: number;
	turn: number;
}

export function peopleToAsk(
	{ entries }: Ledger,
	known: ReadonlyMap<string, Account>,
	{ tenantId: usualTenant, share, turn }: Choice,
): People {
	const bonds = bondsByUser(entries);
	const accounts = new Map<string, VerifiedAccount>();
	const people: People = { accounts: [], people: 0, withAccount: 0, withoutTenant: 0 };
	for (const entry of entries.values()) {
		if (entry.kind !== 'user' || entry.there === 'no') continue;
		people.people += 1;
		const { accountId = '', tenantId = '', userId = '' } = known.get(entry.key) ?? {};
		if (accountId === '') continue;
		people.withAccount += 1;
		const tenant = tenantId || usualTenant;
		if (tenant === '') people.withoutTenant += 1;
		else if (turnOf(accountId, share) === turn) {
			const account = accounts.get(accountId) ?? { accountId, tenantId: tenant, users: [] };
			account.users.push({ entry, userId, bonds: bonds.get(entry.key) ?? [] });
			accounts.set(accountId, account);
		}
	}
	people.accounts = [...accounts.values()];
	return people;
}

/** Each account has its turn, whatever else is in the ledger. */
function turnOf(accountId: string, share: number): number {
	return hash('sha256', accountId, 'buffer').readUInt32BE(0) % share;
}

/** @param entries with keys of users with their school, or without it: of a bond, whichever is there */
function bondsByUser(entries: Ledger['entries']): Map<string, LedgerEntry[]> {
	const bonds = new Map<string, LedgerEntry[]>();
	for (const entry of entries.values()) {
		if (entry.kind !== 'bond') continue;
		const [, ...users] = endsOfBond(entry.key);
		const user = users.find((key) => entries.has(key));
		if (user === undefined) continue;
		const known = bonds.get(user);
		if (known === undefined) bonds.set(user, [entry]);
		else known.push(entry);
	}
	return bonds;
}

/** The classes of a ledger by the ids that the service gave them; without ids that were given for two. */
export function classesByServiceId({ entries }: Ledger): Map<string, LedgerEntry> {
	const classes = new Map<string, LedgerEntry>();
	const twice = new Set<string>();
	for (const entry of entries.values()) {
		const { service_id: id } = entry.row;
		if (entry.kind !== 'class' || id === '') continue;
		if (classes.has(id)) twice.add(id);
		classes.set(id, entry);
	}
	for (const id of twice) classes.delete(id);
	return classes;
}

/** How many classes the bonds of a user are to. */
export function classCount(bonds: readonly LedgerEntry[]): number {
	return new Set(bonds.map(({ key }) => classOfBond(key))).size;
}
