/** Parameters for ids that several resources ask for. */
import { textFields } from '../../shared/actions/properties';

export const { school_external_id, account_id, tenant_id } = textFields({
	school_external_id: {
		placeholder: 'e.g. school-001',
		description: 'Your own ID of the school, as the operator of the service registered it',
	},
	account_id: {
		placeholder: 'e.g. 6f1c2d3e-0000-4000-8000-0000000000a1',
		description: 'The account of the person, as access events and account creations name it',
	},
	tenant_id: {
		placeholder: 'e.g. 3f2504e0-4f89-41d3-9a0c-0305e82c3301',
		description: 'The GUID of the economic group that owns the schools',
	},
});
