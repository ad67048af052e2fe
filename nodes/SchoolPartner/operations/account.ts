import * as calls from '../../shared/calls/synchronization';
import { defineOperation, defineResource } from '../framework/operation';

import { account_id, tenant_id } from './ids';

/** What every lookup about an account asks for. */
const fields = { account_id, tenant_id };

export const account = defineResource({
	name: 'account',
	description: 'Persons, with their families, schools and classes',
	operations: [
		defineOperation({
			...calls.getSnapshot,
			name: 'getSnapshot',
			action: 'Get snapshot of everything about account',
			description:
				'Get everything about an account at once: tenant, account, sponsors, dependents, schools and classes, as one item',
			fields,
		}),
		defineOperation({
			...calls.getAccount,
			name: 'get',
			action: 'Get account',
			description: 'Get a person by account',
			fields,
		}),
		defineOperation({
			...calls.getSponsors,
			name: 'getSponsors',
			action: 'Get sponsors of account',
			description: 'Get the responsible persons of an account, one item for each',
			fields,
		}),
		defineOperation({
			...calls.getDependents,
			name: 'getDependents',
			action: 'Get dependents of account',
			description: 'Get the persons that an account is responsible for, one item for each',
			fields,
		}),
		defineOperation({
			...calls.getSchools,
			name: 'getSchools',
			action: 'Get schools of account',
			description: 'Get the schools of an account, one item for each',
			fields,
		}),
		defineOperation({
			...calls.getClasses,
			name: 'getClasses',
			action: 'Get classes of account',
			description: 'Get the classes of an account, one item for each',
			fields,
		}),
	],
});
