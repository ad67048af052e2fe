import { accountQuery } from '../../../shared/contract/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

import { dependentsAnswer } from './answers';
import { dependentsRequest } from './requests';

export const getDependents = defineOperation({
	name: 'getDependents',
	label: 'Get Dependents',
	action: 'Get dependents of account',
	description: 'Get the persons that an account is responsible for, one item for each',
	effect: 'read',
	fields: accountFields,
	contract: accountQuery,
	work: { kind: 'request', request: dependentsRequest, answer: dependentsAnswer },
});
