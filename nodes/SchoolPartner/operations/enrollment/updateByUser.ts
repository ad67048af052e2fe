import type { INodeProperties } from 'n8n-workflow';

import { statusUpdateOfUser } from '../../../shared/contract/enrollment';
import { path } from '../../../shared/contract/path';
import { statusUpdateAdditionalFields, statusUpdateFields } from '../../fields/enrollment';
import { defineOperation } from '../../framework/operation';

import { statusUpdates } from './statusUpdates';

const userId: INodeProperties = {
	displayName: 'User ID',
	name: 'userId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 0c7d9a10-0000-4000-8000-0000000000b3',
	description: 'The ID of the user within the school, as access events and Get Account return it',
};

export const updateByUser = defineOperation({
	name: 'updateByUser',
	label: 'Update by User',
	action: 'Update enrollment status by user',
	description: 'Set the enrollment status of a course of a user. Items for the same user travel in one request.',
	effect: 'write',
	fields: { user_id: userId, ...statusUpdateFields },
	additionalFields: statusUpdateAdditionalFields,
	pathFields: ['user_id'],
	contract: statusUpdateOfUser,
	work: {
		kind: 'merged',
		key: ({ user_id }) => user_id,
		request: (updates) => ({
			method: 'PUT',
			path: path`/enrollment/v1/user/${updates[0].user_id}`,
			body: statusUpdates(updates),
		}),
		answer: { shape: 'anything' },
	},
});
