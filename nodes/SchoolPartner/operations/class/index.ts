import type { Resource } from '../../framework/operation';

import { create } from './create';

export const schoolClass: Resource = {
	name: 'class',
	label: 'Class',
	description: 'The classes of a school',
	credential: 'schoolPartnerOAuth2Api',
	operations: [create],
};
