import type { Resource } from '../../framework/operation';

import { create } from './create';
import { deleteBond } from './delete';

export const bond: Resource = {
	name: 'bond',
	label: 'Bond',
	description: 'The links between users and classes',
	credential: 'schoolPartnerOAuth2Api',
	operations: [create, deleteBond],
};
