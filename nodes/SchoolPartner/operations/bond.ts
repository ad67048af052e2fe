import { pickedField, textFields } from '../../shared/actions/properties';
import * as calls from '../../shared/calls/provisioning';
import { defineOperation, defineResource } from '../framework/operation';

import { school_external_id } from './ids';

const fields = {
	school_external_id,
	...textFields({
		class_external_id: { placeholder: 'e.g. class-5a-2026', description: 'Your own ID of the class' },
		user_external_id: { placeholder: 'e.g. student-1042', description: 'Your own ID of the user' },
	}),
	profile_name: pickedField({
		name: 'profileName',
		description: 'The profile of the user in the class, for example student or educator',
		searchListMethod: 'searchProfiles',
		choose: 'Select a profile…',
		example: 'student',
	}),
};

export const bond = defineResource({
	name: 'bond',
	description: 'The links between users and classes',
	operations: [
		defineOperation({
			...calls.createBond,
			name: 'create',
			action: 'Create bond of user with class',
			description: 'Link a user to a class with a profile',
			fields,
		}),
		defineOperation({
			...calls.deleteBond,
			name: 'delete',
			action: 'Delete bond of user with class',
			description: 'Unlink a user with a profile from a class',
			fields,
		}),
	],
});
