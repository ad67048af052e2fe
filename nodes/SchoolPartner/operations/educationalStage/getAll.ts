import * as calls from '../../../shared/calls/provisioning';
import { schoolExternalId } from '../../fields/school';
import { defineOperation } from '../../framework/operation';

export const getAll = defineOperation({
	...calls.getEducationalStages,
	name: 'getAll',
	label: 'Get Many',
	action: 'Get many educational stages',
	description: 'Get the educational stages of a school, each with its grades',
	fields: { school_external_id: schoolExternalId },
});
