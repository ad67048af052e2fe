import { accountQuery } from '../../../shared/contract/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

import { sponsorsAnswer } from './answers';
import { sponsorsRequest } from './requests';

export const getSponsors = defineOperation({
	name: 'getSponsors',
	label: 'Get Sponsors',
	action: 'Get sponsors of account',
	description: 'Get the responsible persons of an account, one item for each',
	effect: 'read',
	fields: accountFields,
	contract: accountQuery,
	work: { kind: 'request', request: sponsorsRequest, answer: sponsorsAnswer },
});
