import * as calls from '../../../shared/calls/enrollment';
import { accountId } from '../../fields/account';
import { statusUpdateAdditionalFields, statusUpdateFields } from '../../fields/enrollment';
import { defineOperation } from '../../framework/operation';

export const updateByAccount = defineOperation({
	...calls.updateByAccount,
	name: 'updateByAccount',
	label: 'Update by Account',
	action: 'Update enrollment status by account',
	description:
		'Set the enrollment status of a course of an account. Items for the same account travel in one request.',
	fields: { account_id: accountId, ...statusUpdateFields },
	additionalFields: statusUpdateAdditionalFields,
	pathFields: ['account_id'],
});
