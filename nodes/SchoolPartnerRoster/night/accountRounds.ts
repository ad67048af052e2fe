/** Asking for accounts round by round, for at most ten minutes, and whom an answer confirms. */
import type { LedgerMarks } from '../planning/conditions';
import { DAY_MS } from '../planning/days';
import { ASKED_EACH_NIGHT } from '../planning/unconfirmed';

import { RETRY_EVERY_MS, type Clock } from './clock';
import type { RunState } from './runState';

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

/** How accounts are asked for; a run without it believes the answer to a creation. */
export interface Confirming {
	/** @param mayAsk asked right before each request leaves */
	asker: (mayAsk: () => boolean) => AskAccounts;
	/** Another service, or other ids, would say something of other people. */
	marks: LedgerMarks;
}

/** By the user id that the service gave, the key of whose it is; '' of an id that was given for two. */
export type UserIdOwners = Map<string, string>;

/** So long accounts are asked for. Milliseconds. */
const ASK_FOR_MS = 10 * 60_000;
const FIRST_ROUND_PAUSE_MS = 2_000;
const LONGEST_ROUND_PAUSE_MS = 60_000;

/** Asked for in one go: between two, the time is looked at. */
const ASKED_AT_ONCE = 200;

/** Whose a user id is that was given for two. */
const OF_NOBODY = '';

/** Asks for accounts round by round, for at most ten minutes. */
export class AccountRounds {
	/** Keys of those who were asked for. */
	readonly asked = new Set<string>();
	private readonly ask: AskAccounts;
	private readonly until: number;
	/** Others are asked for first each time, or a few that never come would hide all that have come. */
	private turn: number;

	/** @param asksFew whether nobody's account was there the last time */
	constructor(
		{ asker }: Confirming,
		private readonly run: RunState,
		private readonly clock: Clock,
		private asksFew: boolean,
		private readonly owners: UserIdOwners,
	) {
		this.ask = asker(() => this.mayAsk());
		this.until = clock.steady() + ASK_FOR_MS;
		this.turn = Math.floor(clock.wall() / DAY_MS);
	}

	/** Asks for each once, or for a few where these show that the others are in vain. Gives the accounts that are there, by key. */
	async once(users: readonly AskedUser[]): Promise<Map<string, Account>> {
		const start = users.length === 0 ? 0 : (this.turn++ * ASKED_EACH_NIGHT) % users.length;
		const turned = [...users.slice(start), ...users.slice(0, start)];
		const accounts = new Map<string, Account>();
		for (let next = 0; next < turned.length && this.mayAsk(); ) {
			const slice = turned.slice(next, next + (next === 0 ? ASKED_EACH_NIGHT : ASKED_AT_ONCE));
			next += slice.length;
			for (const { key } of slice) this.asked.add(key);
			this.take(slice, await this.ask(slice), accounts);
			if (this.asksFew && accounts.size === 0) break;
		}
		this.asksFew = accounts.size === 0;
		return accounts;
	}

	/** Asks again, with growing pauses, until all accounts are there or the time is over. Gives those that are there, by key. */
	async untilSeen(users: readonly AskedUser[]): Promise<Map<string, Account>> {
		const { clock, run, until } = this;
		const seen = new Map<string, Account>();
		for (let pauseMs = FIRST_ROUND_PAUSE_MS; !run.isOver; ) {
			const open = users.filter(({ key }) => !seen.has(key));
			for (const [key, account] of await this.once(open)) seen.set(key, account);
			const end = Math.min(clock.steady() + pauseMs, until);
			if (seen.size === users.length || clock.steady() >= until) break;
			while (clock.steady() < end && !run.isOver)
				await clock.sleep(Math.min(RETRY_EVERY_MS, end - clock.steady()));
			pauseMs = Math.min(pauseMs * 2, LONGEST_ROUND_PAUSE_MS);
		}
		return seen;
	}

	private mayAsk(): boolean {
		return this.run.maySend() && this.clock.steady() <= this.until;
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
			const owner = this.owners.get(account.userId) ?? key;
			if (account.userId !== '') this.owners.set(account.userId, owner === key ? key : OF_NOBODY);
			if (owner === key) accounts.set(key, account);
			else accounts.delete(owner);
		}
	}
}
