import { bond } from '../../../shared/contract/provisioning';
import { bondFields } from '../../fields/bond';
import { defineOperation } from '../../framework/operation';

import { BOND_PATH } from './bondPath';

export const create = defineOperation({
	name: 'create',
	label: 'Create',
	action: 'Create bond of user with class',
	description: 'Link a user to a class with a profile',
	effect: 'write',
	fields: bondFields,
	contract: bond,
	work: {
		kind: 'request',
		request: (body) => ({ method: 'POST', path: BOND_PATH, body }),
		answer: { shape: 'anything' },
	},
});
