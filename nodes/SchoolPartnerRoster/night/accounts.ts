/** Done means seen: with confirmation by callback, a user who was created counts as there when the service shows the account. */
import { success } from '../../shared/failure';
import { keysByServiceId } from '../ledger/access';
import { idsIn } from '../ledger/key';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';
import { openMoves } from '../planning/conditions';
import type { Done } from '../sending/batch';
import type { StoreResult } from '../store/store';

import {
	AccountRounds,
	type Account,
	type AskedUser,
	type Confirming,
	type UserIdOwners,
} from './accountRounds';
import type { Clock } from './clock';
import type { Journal } from './journal';
import type { RunState } from './runState';

/** How many accounts were asked for, and how many of them are there. */
export interface AccountCounts {
	asked: number;
	confirmed: number;
}

export const NOBODY_ASKED: AccountCounts = { asked: 0, confirmed: 0 };

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
	const open = [...ledger.entries.values()].filter(
		({ kind, there, action }) =>
			kind === 'user' && (there === 'unconfirmed' || (there === 'maybe' && action === 'create')),
	);
	const isMoved = openMoves(ledger, confirming.marks, clock.wall()).length > 0;
	if (open.length === 0 || isMoved) return success(NOBODY_ASKED);
	const asksFew = ledger.lastRun?.detail.asksFew === true;
	const rounds = new AccountRounds(confirming, run, clock, asksFew, keysByServiceId(ledger));
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
	 * @param owners trap: an account that somebody has in the ledger already confirms nobody else
	 */
	constructor(
		private readonly confirming: Confirming | undefined,
		earlier: AccountCounts,
		private readonly wasMost: boolean,
		private readonly owners: UserIdOwners,
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
		const rounds = new AccountRounds(this.confirming, run, clock, this.wasMost, this.owners);
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
