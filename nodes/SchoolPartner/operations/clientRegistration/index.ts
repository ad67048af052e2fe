import type { Resource } from '../../framework/operation';

import { validate } from './validate';

export const clientRegistration: Resource = {
	name: 'clientRegistration',
	label: 'Client Registration',
	description: 'The registration of an application for sign-on',
	credential: undefined,
	operations: [validate],
};
