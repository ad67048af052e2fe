import { accountQuery } from '../../../shared/contract/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

import { classesAnswer } from './answers';
import { classesRequest } from './requests';

export const getClasses = defineOperation({
	name: 'getClasses',
	label: 'Get Classes',
	action: 'Get classes of account',
	description: 'Get the classes of an account, one item for each',
	effect: 'read',
	fields: accountFields,
	contract: accountQuery,
	work: { kind: 'request', request: classesRequest, answer: classesAnswer },
});
