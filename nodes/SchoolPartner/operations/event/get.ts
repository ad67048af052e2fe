import type { INodeProperties } from 'n8n-workflow';

import * as calls from '../../../shared/calls/events';
import { defineOperation } from '../../framework/operation';

const requestId: INodeProperties = {
	displayName: 'Request ID',
	name: 'requestId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
	description: 'The request ID in the header of the delivered event',
};

export const get = defineOperation({
	...calls.getStoredEvent,
	name: 'get',
	label: 'Get',
	action: 'Get stored record of delivered event',
	description:
		'Get the record that the service keeps of a delivered event: what was sent, when, and what was answered',
	fields: { request_id: requestId },
});
