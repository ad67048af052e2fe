import type { Resource } from '../../framework/operation';

import { getAll } from './getAll';

export const educationalStage: Resource = {
	name: 'educationalStage',
	label: 'Educational Stage',
	description: 'The segments of a school and their grades',
	credential: 'schoolPartnerOAuth2Api',
	operations: [getAll],
};
