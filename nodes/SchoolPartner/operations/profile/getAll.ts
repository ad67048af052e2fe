import * as z from 'zod/v4-mini';

import { profile } from '../../../shared/contract/provisioning';
import { defineOperation } from '../../framework/operation';

export const getAll = defineOperation({
	name: 'getAll',
	label: 'Get Many',
	action: 'Get many profiles',
	description: 'Get the profiles (roles) that users can have, such as student or responsible',
	effect: 'read',
	fields: {},
	contract: z.object({}),
	work: {
		kind: 'request',
		request: () => ({ method: 'GET', path: '/data/v1/profiles' }),
		answer: { shape: 'list', within: 'data', schema: profile },
	},
});
