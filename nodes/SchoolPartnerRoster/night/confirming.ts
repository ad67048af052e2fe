/** Done means seen: users count as there when the service shows their accounts (ROSTER.md section 3, rule 9). */
import { success } from '../../shared/failure';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';
import { isMoved, type LedgerMarks } from '../planning/conditions';
import type { StoreResult } from '../store/store';

import {
	AccountRounds,
	askedUser,
	type Account,
	type AskAccounts,
	type AskedUser,
	type Tally,
} from './accounts';
import { RETRY_EVERY_MS, type Clock } from './clock';
import type { Journal } from './journal';

/** How accounts are asked for; a run without it believes the answer to a creation. */
export interface Confirming {
	/** @param mayAsk asked right before each request leaves */
	asker: (mayAsk: () => boolean) => AskAccounts;
	/** Another service, or other ids, would say something of other people. */
	marks: LedgerMarks;
}

/** So long accounts are asked for. Milliseconds. */
export const ASKED_FOR_MS = 10 * 60_000;

const FIRST_PAUSE_MS = 2_000;
const LONGEST_PAUSE_MS = 60_000;

/** Asks for the accounts of earlier runs, of those that were answered and of those of which nobody knows; the ledger learns which are there. */
export async function confirmEarlier(
	ledger: Ledger,
	journal: Journal,
	{ asker, marks }: Confirming,
	mayGoOn: () => boolean,
	clock: Clock,
): Promise<StoreResult<Tally>> {
	const open = [...ledger.entries.values()].filter(isOpen);
	if (open.length === 0 || isMoved(ledger, marks, clock.wall())) return success({ asked: 0, confirmed: 0 });
	const until = clock.steady() + ASKED_FOR_MS;
	const mayAsk = () => mayGoOn() && clock.steady() <= until;
	const rounds = new AccountRounds(asker(mayAsk), mayAsk, ledger.lastRun?.detail.asksFew === true, clock);
	for (const { kind, key, row } of ledger.entries.values())
		if (kind === 'user') rounds.know(row.service_id, key);
	const accounts = await rounds.round(open.map(askedUser));
	const rows = open.flatMap((entry) => {
		const account = accounts.get(entry.key);
		return account === undefined ? [] : [confirm(ledger, entry, account)];
	});
	const written = await journal.write(rows);
	return written.ok ? success({ asked: rounds.asked.size, confirmed: accounts.size }) : written;
}

function isOpen({ kind, there, action }: LedgerEntry): boolean {
	return kind === 'user' && (there === 'unconfirmed' || (there === 'maybe' && action === 'create'));
}

/** What the ledger knows from now on. Of whom nobody knew, tonight's values are taken for those that were sent. */
function confirm(ledger: Ledger, entry: LedgerEntry, { accountId, userId }: Account): Partial<LedgerRow> {
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

/** What waiting for accounts needs. */
export interface Waiting {
	rounds: AccountRounds;
	clock: Clock;
	/** Until then, by the steady clock. */
	until: number;
	/** False at the end of a run. */
	mayGoOn: () => boolean;
}

/** Asks again, with growing pauses, until all accounts are there or the time is over. Gives those that are there, by key. */
export async function awaitAccounts(
	users: readonly AskedUser[],
	{ rounds, clock, until, mayGoOn }: Waiting,
): Promise<Map<string, Account>> {
	const seen = new Map<string, Account>();
	for (let pauseMs = FIRST_PAUSE_MS; mayGoOn(); pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
		const open = users.filter(({ key }) => !seen.has(key));
		for (const [key, account] of await rounds.round(open)) seen.set(key, account);
		const end = Math.min(clock.steady() + pauseMs, until);
		if (seen.size === users.length || clock.steady() >= until) break;
		while (clock.steady() < end && mayGoOn())
			await clock.sleep(Math.min(RETRY_EVERY_MS, end - clock.steady()));
	}
	return seen;
}
