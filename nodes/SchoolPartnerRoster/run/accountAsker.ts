/** Asks the service for the accounts of users, through the same engine and at the same pace as everything else. */
import type { Found } from '../../shared/calls/answer';
import { getAccountCreation } from '../../shared/calls/provisioning';
import { outcomesOf, type Job } from '../../shared/engine/engine';
import { success, type Outcome } from '../../shared/failure';
import { steadyNow } from '../../shared/pace/clock';
import type { Account, AskAccounts } from '../night/accounts';
import { filledQuery, isConfirmed, type QueryParameter } from '../service/accountQuery';

import { idOf, type Sending } from './sending';

export interface AccountQuery {
	parameters: readonly QueryParameter[];
	confirmedStatuses: readonly string[];
}

/** @param mayAsk asked before each request leaves, retries included */
export function accountAsker(
	{ means, gate, fence }: Sending,
	{ parameters, confirmedStatuses }: AccountQuery,
	mayAsk: () => boolean,
): AskAccounts {
	return async (users) => {
		const queries = users.map((user) => filledQuery(parameters, user));
		const places = [...users.keys()].filter((place) => queries[place] !== undefined);
		const { maySend } = fence;
		const { mayLetOut } = gate;
		fence.maySend = mayAsk;
		gate.mayLetOut = mayAsk;
		gate.pace.beginAnew(steadyNow());
		const outcomes = await outcomesOf({
			...means,
			count: places.length,
			inputOf: (item) => success({ parameter: queries[places[item]] }),
			work: getAccountCreation.work as Job['work'],
			resultOf: success,
		});
		fence.maySend = maySend;
		gate.mayLetOut = mayLetOut;
		const accounts: Array<Account | undefined> = users.map(() => undefined);
		for (const [item, place] of places.entries())
			accounts[place] = accountIn(outcomes[item], confirmedStatuses);
		return accounts;
	};
}

/** What cannot be asked for was not seen: no failure of it is worth more than that. */
function accountIn(outcome: Outcome<Found>, confirmedStatuses: readonly string[]): Account | undefined {
	const [result] = outcome.ok ? outcome.value : [];
	if (result === undefined || !isConfirmed(result, confirmedStatuses)) return undefined;
	return { accountId: idOf(result.account_id) ?? '', userId: idOf(result.user_id) ?? '' };
}
