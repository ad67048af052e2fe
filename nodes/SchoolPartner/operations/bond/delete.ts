import { bond } from '../../../shared/contract/provisioning';
import { bondFields } from '../../fields/bond';
import { defineOperation } from '../../framework/operation';

import { BOND_PATH } from './bondPath';

/** The DELETE carries the bond as JSON in its body: the document shows no address for a single bond. */
export const deleteBond = defineOperation({
	name: 'delete',
	label: 'Delete',
	action: 'Delete bond of user with class',
	description: 'Unlink a user with a profile from a class',
	effect: 'write',
	fields: bondFields,
	contract: bond,
	work: {
		kind: 'request',
		request: (body) => ({ method: 'DELETE', path: BOND_PATH, body }),
		answer: { shape: 'anything', adds: { deleted: true } },
	},
});
