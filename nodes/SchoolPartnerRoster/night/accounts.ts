/** Done means seen: with confirmation by callback, a user who was created counts as there when the service shows the account. */
import { keysByServiceId } from '../ledger/access';
import { idsIn } from '../ledger/key';
import type { Ledger, LedgerEntry } from '../ledger/ledger';
import type { LedgerRow } from '../ledger/row';
import { openMoves } from '../planning/conditions';
import type { Done } from '../sending/batch';

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

/** The accounts that a run has to see: of users of earlier runs, and of those that it creates. */
export class Accounts {
	/** Whether more than half were not there in the last run that asked. */
	private readonly wasMost: boolean;
	/** Trap: an account that somebody has in the ledger already confirms nobody else. Undefined until the accounts of created users are waited for. */
	private owners: UserIdOwners | undefined;
	/** Users whose creation was answered, and whose accounts were not asked for yet. */
	private unseen: Done[] = [];
	private asked = 0;
	private confirmed = 0;

	constructor(
		private readonly confirming: Confirming,
		private readonly ledger: Ledger,
		private readonly run: RunState,
		private readonly clock: Clock,
	) {
		this.wasMost = ledger.lastDetail.asksFew === true;
	}

	/** Asks for the accounts of earlier runs, of those that were answered and of those of which nobody knows; the ledger learns which are there. */
	async confirmEarlier(journal: Journal): Promise<void> {
		const { ledger, confirming, clock } = this;
		const open = [...ledger.entries.values()].filter(isOpen);
		const isMoved = openMoves(ledger, confirming.marks, clock.wall()).length > 0;
		if (open.length === 0 || isMoved) return;
		// Trap: not kept. Who is confirmed may get another id, and the one of before may then be somebody else's.
		const rounds = this.rounds(keysByServiceId(ledger));
		const accounts = await rounds.once(
			open.map(({ key, school, row }) => askedUser(key, school, row.service_id)),
		);
		// Those who are left over of many say nothing of how it stands.
		if (this.wasMost) this.count(rounds, accounts);
		const rows = open.flatMap((entry) => {
			const account = accounts.get(entry.key);
			return account === undefined ? [] : [confirmEntry(ledger, entry, account)];
		});
		await journal.write(rows);
	}

	add(done: Done): void {
		if (done.state === 'unconfirmed') this.unseen.push(done);
	}

	/** Whether there are created users whose accounts were not asked for yet. */
	get hasUnseen(): boolean {
		return this.unseen.length > 0;
	}

	/** Waits for the accounts of all whom this run has created. Gives those that are there, with the ids that the service gave. */
	async waitForCreated(): Promise<Done[]> {
		const users = this.unseen;
		this.unseen = [];
		this.owners ??= keysByServiceId(this.ledger);
		const rounds = this.rounds(this.owners);
		const accounts = await rounds.untilSeen(
			users.map(({ change: { key, school_external_id: school }, result }) =>
				askedUser(key, school, (result.kind === 'done' && result.serviceId) || ''),
			),
		);
		if (!this.run.isOver) this.count(rounds, accounts);
		return users.filter((done) => confirmCreation(done, accounts.get(done.change.key)));
	}

	/** More than half of the accounts that were asked for were not there. One that is missing is a matter of that one. */
	get areMostUnconfirmed(): boolean {
		const { asked, confirmed } = this;
		return asked === 0 ? this.wasMost : asked > 1 && asked - confirmed > asked / 2;
	}

	private rounds(owners: UserIdOwners): AccountRounds {
		return new AccountRounds(this.confirming, this.run, this.clock, this.wasMost, owners);
	}

	private count({ asked }: AccountRounds, accounts: ReadonlyMap<string, Account>): void {
		this.asked += asked.size;
		this.confirmed += accounts.size;
	}
}

function isOpen({ kind, there, action }: LedgerEntry): boolean {
	return kind === 'user' && (there === 'unconfirmed' || (there === 'maybe' && action === 'create'));
}

function askedUser(key: string, school: string, serviceId: string): AskedUser {
	return { key, school_external_id: school, service_id: serviceId, external_id: idsIn(key).external_id };
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
