import type { INodeProperties } from 'n8n-workflow';

import { textFields } from '../../shared/actions/properties';
import * as calls from '../../shared/calls/provisioning';
import { userCreation } from '../../shared/contract/provisioning';
import { defineOperation, defineResource } from '../framework/operation';

import { school_external_id } from './ids';

/** @param example external id of the kind of person that is created */
const personFields = (example: string) => ({
	school_external_id,
	...textFields({
		external_id: {
			placeholder: `e.g. ${example}`,
			description: 'Your own ID of the user. Bonds and students refer to the user by it.',
		},
		first_name: { placeholder: 'e.g. Nathan' },
		last_name: { placeholder: 'e.g. Smith' },
		birth_date: {
			placeholder: 'e.g. 2010-12-31',
			description: 'The day of birth as YYYY-MM-DD. Left out when empty.',
		},
		document_type: {
			placeholder: 'e.g. TAX_ID',
			description:
				'The type of the identity document, as the service calls it; for a CPF, its type for tax IDs. Left out when empty.',
		},
		document_value: {
			placeholder: 'e.g. 00000000191',
			description: 'The number of the identity document. Left out when empty.',
		},
	}),
});

const additionalFields = textFields({
	cell_phone: {
		placeholder: 'e.g. 11955550123',
		description: 'The mobile number without the international dialing code',
	},
	ddi: {
		displayName: 'Dialing Code (DDI)',
		placeholder: 'e.g. 55',
		description: 'The international dialing code. A plus sign in front of it is left out.',
	},
	email: { placeholder: 'e.g. name@email.com' },
});

const { responsible_external_id } = textFields({
	responsible_external_id: {
		displayName: 'Responsible External IDs',
		name: 'responsibleExternalIds',
		placeholder: 'e.g. responsible-77, responsible-78',
		description:
			'Your own IDs of the responsible users of the student, with commas between them, or an expression that gives a list. They must have been created before.',
	},
});

const pickedProfiles = (
	own: Pick<INodeProperties, 'displayName' | 'name'>,
	which: string,
): INodeProperties => ({
	...own,
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getProfiles' },
	default: [],
	description: `${which}. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.`,
});

const profiles = pickedProfiles(
	{ displayName: 'Profile Names or IDs', name: 'profiles' },
	'The profiles of the user',
);

const other_profiles = pickedProfiles(
	{ displayName: 'Other Profile Names or IDs', name: 'otherProfiles' },
	'The profiles that the user has beside the one it is created with',
);

/** An item that sends its own fields may have all that the service's table names, whatever the panel asks for. */
const itemFields = Object.keys(userCreation.shape);

const { birth_date, document_type, document_value, ...needed } = personFields('educator-12');

export const user = defineResource({
	name: 'user',
	description: 'Students, responsible persons and staff of a school',
	operations: [
		defineOperation({
			...calls.createUser,
			name: 'create',
			action: 'Create user',
			description: 'Create a user with any profiles, such as an educator or a coordinator',
			// What has to be filled in comes first.
			fields: { ...needed, profiles, birth_date, document_type, document_value },
			additionalFields: { ...additionalFields, responsible_external_id },
			itemFields,
		}),
		defineOperation({
			...calls.createResponsible,
			name: 'createResponsible',
			action: 'Create responsible person',
			description:
				'Create a responsible person (parent or guardian). Create responsibles before their students.',
			fields: personFields('responsible-77'),
			additionalFields,
			itemFields,
		}),
		defineOperation({
			...calls.createStudent,
			name: 'createStudent',
			action: 'Create student',
			description: 'Create a student and link it to its responsible persons, which must exist already',
			fields: { ...personFields('student-1042'), responsible_external_id },
			additionalFields: { ...additionalFields, other_profiles },
			itemFields,
		}),
	],
});
