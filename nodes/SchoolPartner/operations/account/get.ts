import { accountQuery } from '../../../shared/contract/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

import { accountAnswer } from './answers';
import { accountRequest } from './requests';

export const get = defineOperation({
	name: 'get',
	label: 'Get',
	action: 'Get account',
	description: 'Get a person by account',
	effect: 'read',
	fields: accountFields,
	contract: accountQuery,
	work: { kind: 'request', request: accountRequest, answer: accountAnswer },
});
