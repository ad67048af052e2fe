import { accountQuery } from '../../../shared/contract/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

import { schoolsAnswer } from './answers';
import { schoolsRequest } from './requests';

export const getSchools = defineOperation({
	name: 'getSchools',
	label: 'Get Schools',
	action: 'Get schools of account',
	description: 'Get the schools of an account, one item for each',
	effect: 'read',
	fields: accountFields,
	contract: accountQuery,
	work: { kind: 'request', request: schoolsRequest, answer: schoolsAnswer },
});
