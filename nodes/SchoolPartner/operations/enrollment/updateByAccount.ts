import { statusUpdateOfAccount } from '../../../shared/contract/enrollment';
import { path } from '../../../shared/contract/path';
import { accountId } from '../../fields/account';
import { statusUpdateAdditionalFields, statusUpdateFields } from '../../fields/enrollment';
import { defineOperation } from '../../framework/operation';

import { statusUpdates } from './statusUpdates';

export const updateByAccount = defineOperation({
	name: 'updateByAccount',
	label: 'Update by Account',
	action: 'Update enrollment status by account',
	description: 'Set the enrollment status of a course of an account. Items for the same account travel in one request.',
	effect: 'write',
	fields: { account_id: accountId, ...statusUpdateFields },
	additionalFields: statusUpdateAdditionalFields,
	pathFields: ['account_id'],
	contract: statusUpdateOfAccount,
	work: {
		kind: 'merged',
		key: ({ account_id }) => account_id,
		request: (updates) => ({
			method: 'PUT',
			path: path`/enrollment/v1/accounts/${updates[0].account_id}`,
			body: statusUpdates(updates),
		}),
		answer: { shape: 'anything' },
	},
});
