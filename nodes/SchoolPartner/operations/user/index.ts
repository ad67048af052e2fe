import type { Resource } from '../../framework/operation';

import { create } from './create';
import { createResponsible } from './createResponsible';
import { createStudent } from './createStudent';

export const user: Resource = {
	name: 'user',
	label: 'User',
	description: 'Students, responsible persons and staff of a school',
	credential: 'schoolPartnerOAuth2Api',
	operations: [create, createResponsible, createStudent],
};
