import type { INodeProperties } from 'n8n-workflow';

import * as calls from '../../../shared/calls/enrollment';
import { statusUpdateAdditionalFields, statusUpdateFields } from '../../fields/enrollment';
import { defineOperation } from '../../framework/operation';

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
	...calls.updateByUser,
	name: 'updateByUser',
	label: 'Update by User',
	action: 'Update enrollment status by user',
	description:
		'Set the enrollment status of a course of a user. Items for the same user travel in one request.',
	fields: { user_id: userId, ...statusUpdateFields },
	additionalFields: statusUpdateAdditionalFields,
	pathFields: ['user_id'],
});
