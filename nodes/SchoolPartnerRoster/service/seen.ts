/** What the service shows of accounts, asked through the same engine as everything else. */
import type { IDataObject } from 'n8n-workflow';

import type { Found } from '../../shared/calls/answer';
import { getAccount, getClasses } from '../../shared/calls/synchronization';
import { outcomesOf, type Job } from '../../shared/engine/engine';
import { success, type Outcome } from '../../shared/failure';

import type { Means } from './ask';

export interface AskedAccount {
	account_id: string;
	tenant_id: string;
}

/** Whether each account is shown, and the external ids of its classes. No answer, an empty one, an error: it was not seen. */
export async function accountsSeen(means: Means, accounts: readonly AskedAccount[]) {
	const shown = await lookedUp(means, getAccount, accounts);
	const classes = await lookedUp(means, getClasses, accounts);
	return accounts.map((_account, place) => ({
		seen: found(shown[place]).length > 0 && classes[place].ok,
		classes: found(classes[place]).map(({ external_id: id }) => String(id)),
	}));
}

function found(outcome: Outcome<Found>): IDataObject[] {
	return outcome.ok ? [...outcome.value] : [];
}

async function lookedUp(
	means: Means,
	{ contract, work }: typeof getAccount | typeof getClasses,
	accounts: readonly AskedAccount[],
): Promise<Array<Outcome<Found>>> {
	return await outcomesOf({
		...means,
		count: accounts.length,
		inputOf: (item) => success(contract.parse(accounts[item])),
		work: work as Job['work'],
		resultOf: success,
	});
}
