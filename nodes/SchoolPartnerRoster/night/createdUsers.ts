/** The users that a run has created, until their accounts are seen. */
import type { Done } from '../sending/batch';

import { AccountRounds, askedUserOf, type Account, type Tally } from './accounts';
import type { Batch } from './batches';
import type { Clock } from './clock';
import { ASKED_FOR_MS, awaitAccounts, type Confirming } from './confirming';

/** What asking has to go by. */
export interface AskingRules {
	clock: Clock;
	/** Asked right before each request leaves. */
	maySend: () => boolean;
	/** False at the end of a run. */
	mayGoOn: () => boolean;
}

export class CreatedUsers {
	/** Whose creation was answered, and whose accounts were not asked for yet. */
	private unseen: Done[] = [];

	/**
	 * @param tally of accounts of earlier runs, as far as they say how it stands
	 * @param wasMost whether more than half of them were not there in the last run that asked
	 */
	constructor(
		private readonly confirming: Confirming | undefined,
		private readonly tally: Tally,
		private readonly wasMost: boolean,
	) {}

	add(done: Done): void {
		if (done.state === 'unconfirmed') this.unseen.push(done);
	}

	/** Whether accounts are to be seen before this batch, or before the end. */
	areDueBefore(batch: Batch | undefined): boolean {
		return this.unseen.length > 0 && batch?.changes[0].kind !== 'user';
	}

	/** Waits for the accounts of all of them. Gives those that are there, with the ids that the service gave. */
	async confirmed({ clock, maySend, mayGoOn }: AskingRules): Promise<Done[]> {
		const users = this.unseen;
		this.unseen = [];
		if (this.confirming === undefined) return [];
		const until = clock.steady() + ASKED_FOR_MS;
		const mayAsk = () => maySend() && clock.steady() <= until;
		const rounds = new AccountRounds(this.confirming.asker(mayAsk), mayAsk, this.wasMost, clock);
		const accounts = await awaitAccounts(users.map(askedUserOf), { rounds, clock, until, mayGoOn });
		if (mayGoOn()) {
			this.tally.asked += rounds.asked.size;
			this.tally.confirmed += accounts.size;
		}
		return users.filter((done) => learn(done, accounts.get(done.change.key)));
	}

	/** More than half of the accounts that were asked for were not there. One that is missing is a matter of that one. */
	get areMostUnconfirmed(): boolean {
		const { asked, confirmed } = this.tally;
		return asked === 0 ? this.wasMost : asked > 1 && asked - confirmed > asked / 2;
	}
}

/** Whether the account is there: it becomes what came of the creation. */
function learn(done: Done, account: Account | undefined): boolean {
	if (account === undefined) return false;
	const { serviceId, accountId } = done.result.kind === 'done' ? done.result : {};
	done.state = 'applied';
	done.result = {
		...{ kind: 'done', serviceId: account.userId || serviceId },
		accountId: account.accountId || accountId,
	};
	return true;
}
