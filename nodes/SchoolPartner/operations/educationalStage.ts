import * as calls from '../../shared/calls/provisioning';
import { defineOperation, defineResource } from '../framework/operation';

import { school_external_id } from './ids';

export const educationalStage = defineResource({
	name: 'educationalStage',
	description: 'The segments of a school and their grades',
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
});
