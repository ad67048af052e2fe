/** Asks the service which of the users that were created have their accounts. */
import { idsIn } from '../ledger/key';
import type { LedgerEntry } from '../ledger/ledger';
import { DAY_MS } from '../planning/days';
import type { Done } from '../sending/batch';

import type { Clock } from './clock';

/** A user whose account is asked for. */
export interface AskedUser {
	key: string;
	school_external_id: string;
	external_id: string;
	/** As the answer to the creation gave it; '' when it gave none. */
	service_id: string;
}

/** The ids of an account that is there; '' for what the service does not give. */
export interface Account {
	accountId: string;
	userId: string;
}

/** Asks for each of them once, side by side; undefined for whose account is not there, or could not be asked for. */
export type AskAccounts = (users: readonly AskedUser[]) => Promise<Array<Account | undefined>>;

/** How many were asked for, and how many of them are there. */
export interface Tally {
	asked: number;
	confirmed: number;
}

/** So many are asked for before all, where nobody's account was there the last time. */
const FEW = 50;

/** Asked for in one go: between two, the time is looked at. */
const SLICE = 200;

/** Whose a user id is that was given for two. */
const OF_NOBODY = '';

export class AccountRounds {
	/** Keys of those who were asked for. */
	readonly asked = new Set<string>();
	/** By the user id that the service gave, the key of whose it is. */
	private readonly userIds = new Map<string, string>();
	/** Others are asked for first each time, or a few that never come would hide all that have come. */
	private turn: number;

	/** @param asksFew whether nobody's account was there the last time */
	constructor(
		private readonly ask: AskAccounts,
		private readonly mayAsk: () => boolean,
		private asksFew: boolean,
		clock: Clock,
	) {
		this.turn = Math.floor(clock.wall() / DAY_MS);
	}

	/** Takes note of whose a user id is. */
	know(userId: string, key: string): void {
		if (userId !== '') this.userIds.set(userId, key);
	}

	/** Asks for each once, or for a few where these show that the others are in vain. Gives the accounts that are there, by key. */
	async round(users: readonly AskedUser[]): Promise<Map<string, Account>> {
		const start = users.length === 0 ? 0 : (this.turn++ * FEW) % users.length;
		const turned = [...users.slice(start), ...users.slice(0, start)];
		const accounts = new Map<string, Account>();
		for (let next = 0; next < turned.length && this.mayAsk(); ) {
			const slice = turned.slice(next, next + (next === 0 ? FEW : SLICE));
			next += slice.length;
			for (const { key } of slice) this.asked.add(key);
			this.take(slice, await this.ask(slice), accounts);
			if (this.asksFew && accounts.size === 0) break;
		}
		this.asksFew = accounts.size === 0;
		return accounts;
	}

	/** Trap: a service that does not know the parameter may answer with the newest account, whoever is asked for. An id that stands for two confirms nobody. */
	private take(
		users: readonly AskedUser[],
		answers: ReadonlyArray<Account | undefined>,
		accounts: Map<string, Account>,
	): void {
		for (const [place, { key }] of users.entries()) {
			const account = answers[place];
			if (account === undefined) continue;
			const { userId } = account;
			const owner = userId === '' ? key : (this.userIds.get(userId) ?? key);
			this.know(userId, owner === key ? key : OF_NOBODY);
			if (owner === key) accounts.set(key, account);
			else accounts.delete(owner);
		}
	}
}

export function askedUser({ key, school, row }: LedgerEntry): AskedUser {
	return { key, school_external_id: school, service_id: row.service_id, external_id: idsIn(key).external_id };
}

export function askedUserOf({ change, result }: Done): AskedUser {
	const { key, school_external_id } = change;
	const service_id = (result.kind === 'done' && result.serviceId) || '';
	return { key, school_external_id, service_id, external_id: idsIn(key).external_id };
}
