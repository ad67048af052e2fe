import { accountQuery } from '../../../shared/contract/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

import { accountAnswer, classesAnswer, dependentsAnswer, schoolsAnswer, sponsorsAnswer, tenantAnswer } from './answers';
import {
	accountRequest,
	classesRequest,
	dependentsRequest,
	schoolsRequest,
	sponsorsRequest,
	tenantRequest,
} from './requests';

/** Six requests side by side; a part for which the service finds nothing is null, or an empty list. All six: nothing found. */
export const getSnapshot = defineOperation({
	name: 'getSnapshot',
	label: 'Get Snapshot',
	action: 'Get snapshot of everything about account',
	description: 'Get everything about an account at once: tenant, account, sponsors, dependents, schools and classes, as one item',
	effect: 'read',
	fields: accountFields,
	contract: accountQuery,
	work: {
		kind: 'parts',
		parts: (query) => ({
			tenant: { request: tenantRequest(query), answer: tenantAnswer },
			account: { request: accountRequest(query), answer: accountAnswer },
			sponsors: { request: sponsorsRequest(query), answer: sponsorsAnswer },
			dependents: { request: dependentsRequest(query), answer: dependentsAnswer },
			schools: { request: schoolsRequest(query), answer: schoolsAnswer },
			classes: { request: classesRequest(query), answer: classesAnswer },
		}),
	},
});
