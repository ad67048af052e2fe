import type { Resource } from '../../framework/operation';

import { get } from './get';

export const event: Resource = {
	name: 'event',
	label: 'Event',
	description: 'Access events that the service has delivered',
	credential: 'schoolPartnerOAuth2Api',
	operations: [get],
};
