import { educationalStage, educationalStageQuery } from '../../../shared/contract/provisioning';
import { schoolExternalId } from '../../fields/school';
import { defineOperation } from '../../framework/operation';

export const getAll = defineOperation({
	name: 'getAll',
	label: 'Get Many',
	action: 'Get many educational stages',
	description: 'Get the educational stages of a school, each with its grades',
	effect: 'read',
	fields: { school_external_id: schoolExternalId },
	contract: educationalStageQuery,
	work: {
		kind: 'request',
		request: (query) => ({ method: 'GET', path: '/data/v1/educational-stages', query }),
		answer: { shape: 'list', within: 'data', schema: educationalStage },
	},
});
