import * as calls from '../../shared/calls/provisioning';
import { defineOperation, type Resource } from '../framework/operation';

import { school_external_id } from './ids';

export const educationalStage: Resource = {
	name: 'educationalStage',
	label: 'Educational Stage',
	description: 'The segments of a school and their grades',
	credential: 'schoolPartnerOAuth2Api',
	operations: [
		defineOperation({
			...calls.getEducationalStages,
			name: 'getAll',
			label: 'Get Many',
			action: 'Get many educational stages',
			description: 'Get the educational stages of a school, each with its grades',
			fields: { school_external_id },
		}),
	],
};
