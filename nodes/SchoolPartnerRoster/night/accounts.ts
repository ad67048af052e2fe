/** Done means seen: with confirmation by callback, a user who was created counts as there when the service shows the account. */
import { success } from '../../shared/failure';
import { idsIn } from '../ledger/key';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';
import { isMoved, type LedgerMarks } from '../planning/conditions';
import { DAY_MS } from '../planning/days';
import type { Done } from '../sending/batch';
import type { StoreResult } from '../store/store';

import { RETRY_EVERY_MS, type Clock } from './clock';
import type { Journal } from './journal';
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

/** How many accounts were asked for, and how many of them are there. */
export interface AccountCounts {
	asked: number;
	confirmed: number;
}

export const NOBODY_ASKED: AccountCounts = { asked: 0, confirmed: 0 };

/** So long accounts are asked for. Milliseconds. */
const ASK_FOR_MS = 10 * 60_000;
const FIRST_ROUND_PAUSE_MS = 2_000;
const LONGEST_ROUND_PAUSE_MS = 60_000;

/** So many are asked for before all, where nobody's account was there the last time. */
const SAMPLE = 50;

/** Asked for in one go: between two, the time is looked at. */
const ASKED_AT_ONCE = 200;

/** Whose a user id is that was given for two. */
const OF_NOBODY = '';

/** Asks for accounts round by round, for at most ten minutes. */
class AccountRounds {
	/** Keys of those who were asked for. */
	readonly asked = new Set<string>();
	private readonly ask: AskAccounts;
	private readonly until: number;
	/** By the user id that the service gave, the key of whose it is. */
	private readonly owners = new Map<string, string>();
	/** Others are asked for first each time, or a few that never come would hide all that have come. */
	private turn: number;

	/** @param asksFew whether nobody's account was there the last time */
	constructor(
		{ asker }: Confirming,
		private readonly run: RunState,
		private readonly clock: Clock,
		private asksFew: boolean,
	) {
		this.ask = asker(() => this.mayAsk());
		this.until = clock.steady() + ASK_FOR_MS;
		this.turn = Math.floor(clock.wall() / DAY_MS);
	}

	/** Takes note of whose a user id is. */
	know(userId: string, key: string): void {
		if (userId !== '') this.owners.set(userId, key);
	}

	/** Asks for each once, or for a few where these show that the others are in vain. Gives the accounts that are there, by key. */
	async once(users: readonly AskedUser[]): Promise<Map<string, Account>> {
		const start = users.length === 0 ? 0 : (this.turn++ * SAMPLE) % users.length;
		const turned = [...users.slice(start), ...users.slice(0, start)];
		const accounts = new Map<string, Account>();
		for (let next = 0; next < turned.length && this.mayAsk(); ) {
			const slice = turned.slice(next, next + (next === 0 ? SAMPLE : ASKED_AT_ONCE));
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
			this.know(account.userId, owner === key ? key : OF_NOBODY);
			if (owner === key) accounts.set(key, account);
			else accounts.delete(owner);
		}
	}
}

function askedUser(key: string, school: string, serviceId: string): AskedUser {
	return { key, school_external_id: school, service_id: serviceId, external_id: idsIn(key).external_id };
}

/** Asks for the accounts of earlier runs, of those that were answered and of those of which nobody knows; the ledger learns which are there. */
export async function confirmEarlier(
	ledger: Ledger,
	journal: Journal,
	confirming: Confirming,
	run: RunState,
	clock: Clock,
): Promise<StoreResult<AccountCounts>> {
	const users = [...ledger.entries.values()].filter(({ kind }) => kind === 'user');
	const open = users.filter(
		({ there, action }) => there === 'unconfirmed' || (there === 'maybe' && action === 'create'),
	);
	if (open.length === 0 || isMoved(ledger, confirming.marks, clock.wall())) return success(NOBODY_ASKED);
	const rounds = new AccountRounds(confirming, run, clock, ledger.lastRun?.detail.asksFew === true);
	for (const { key, row } of users) rounds.know(row.service_id, key);
	const accounts = await rounds.once(
		open.map(({ key, school, row }) => askedUser(key, school, row.service_id)),
	);
	const rows = open.flatMap((entry) => {
		const account = accounts.get(entry.key);
		return account === undefined ? [] : [confirmEntry(ledger, entry, account)];
	});
	const written = await journal.write(rows);
	return written.ok ? success({ asked: rounds.asked.size, confirmed: accounts.size }) : written;
}

/** What the ledger knows from now on. Of whom nobody knew, tonight's values are taken for those that were sent. */
function confirmEntry(
	ledger: Ledger,
	entry: LedgerEntry,
	{ accountId, userId }: Account,
): Partial<LedgerRow> {
	const { kind, key, fields, row } = entry;
	const learned = {
		state: 'applied',
		service_id: userId || row.service_id,
		account_id: accountId || row.account_id,
		since: '',
		detail: '',
	};
	const isAccepted = entry.isAccepted || fields === '';
	ledger.entries.set(key, { ...entry, there: 'yes', isAccepted, row: { ...row, ...learned } });
	return { kind, key, school_external_id: row.school_external_id, fields, ...learned };
}

/** The users that a run has created, until their accounts are seen. */
export class CreatedUsers {
	/** Whose creation was answered, and whose accounts were not asked for yet. */
	private unseen: Done[] = [];
	private readonly counts: AccountCounts;

	/**
	 * @param earlier accounts of earlier runs, as far as they say how it stands
	 * @param wasMost whether more than half of them were not there in the last run that asked
	 */
	constructor(
		private readonly confirming: Confirming | undefined,
		earlier: AccountCounts,
		private readonly wasMost: boolean,
	) {
		this.counts = { ...earlier };
	}

	add(done: Done): void {
		if (done.state === 'unconfirmed') this.unseen.push(done);
	}

	/** Whether there is somebody to ask for. */
	get areOpen(): boolean {
		return this.unseen.length > 0;
	}

	/** Waits for the accounts of all of them. Gives those that are there, with the ids that the service gave. */
	async confirmed(run: RunState, clock: Clock): Promise<Done[]> {
		const users = this.unseen;
		this.unseen = [];
		if (this.confirming === undefined) return [];
		const rounds = new AccountRounds(this.confirming, run, clock, this.wasMost);
		const accounts = await rounds.untilSeen(
			users.map(({ change: { key, school_external_id: school }, result }) =>
				askedUser(key, school, (result.kind === 'done' && result.serviceId) || ''),
			),
		);
		if (!run.isOver) {
			this.counts.asked += rounds.asked.size;
			this.counts.confirmed += accounts.size;
		}
		return users.filter((done) => confirmCreation(done, accounts.get(done.change.key)));
	}

	/** More than half of the accounts that were asked for were not there. One that is missing is a matter of that one. */
	get areMostUnconfirmed(): boolean {
		const { asked, confirmed } = this.counts;
		return asked === 0 ? this.wasMost : asked > 1 && asked - confirmed > asked / 2;
	}
}

/** Whether the account is there: it becomes what came of the creation. */
function confirmCreation(done: Done, account: Account | undefined): boolean {
	if (account === undefined) return false;
	const { serviceId, accountId } = done.result.kind === 'done' ? done.result : {};
	done.state = 'applied';
	done.result = {
		kind: 'done',
		serviceId: account.userId || serviceId,
		accountId: account.accountId || accountId,
	};
	return true;
}
