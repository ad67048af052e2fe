/** What links a user to a class (the service's document: bond payload; create and delete use the same shape). */
import type { INodeProperties } from 'n8n-workflow';

import type { PanelFields } from '../framework/operation';

import { profileName } from './profile';
import { schoolExternalId } from './school';

const classExternalId: INodeProperties = {
	displayName: 'Class External ID',
	name: 'classExternalId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. class-5a-2026',
	description: 'Your own ID of the class',
};

const userExternalId: INodeProperties = {
	displayName: 'User External ID',
	name: 'userExternalId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. student-1042',
	description: 'Your own ID of the user',
};

export const bondFields: PanelFields = {
	school_external_id: schoolExternalId,
	class_external_id: classExternalId,
	user_external_id: userExternalId,
	profile_name: profileName,
};
