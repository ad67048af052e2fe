import { textFields } from '../../shared/actions/properties';
import * as calls from '../../shared/calls/events';
import { defineOperation, defineResource } from '../framework/operation';

export const event = defineResource({
	name: 'event',
	description: 'Access events that the service has delivered',
	operations: [
		defineOperation({
			...calls.getStoredEvent,
			name: 'get',
			action: 'Get stored record of delivered event',
			description:
				'Get the record that the service keeps of a delivered event: what was sent, when, and what was answered',
			fields: textFields({
				request_id: {
					placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
					description: 'The request ID in the header of the delivered event',
				},
			}),
		}),
	],
});
