import * as calls from '../../../shared/calls/synchronization';
import { accountFields } from '../../fields/account';
import { defineOperation } from '../../framework/operation';

export const getSponsors = defineOperation({
	...calls.getSponsors,
	name: 'getSponsors',
	label: 'Get Sponsors',
	action: 'Get sponsors of account',
	description: 'Get the responsible persons of an account, one item for each',
	fields: accountFields,
});
