/** What every status update asks for (the service's document: status update item). */
import type { INodeProperties } from 'n8n-workflow';

import type { PanelFields } from '../framework/operation';

export const schoolId: INodeProperties = {
	displayName: 'School ID',
	name: 'schoolId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 9b2e1f00-0000-4000-8000-00000000005c',
	description:
		'The GUID that the service gives the school, not your own ID: Get Schools and Get Courses return it',
};

export const courseCode: INodeProperties = {
	displayName: 'Course Code',
	name: 'courseCode',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. MATH-5',
	description: 'The code of the course, as Get Courses returns it',
};

export const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. cancelled',
	description:
		'The new enrollment status. The service does not show which values it allows: ask its operator.',
};

export const updatedAt: INodeProperties = {
	displayName: 'Updated At',
	name: 'updatedAt',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2026-03-09T12:30:00Z',
	description: 'When the status changed, in UTC. Now when empty.',
};

const notes: INodeProperties = {
	displayName: 'Notes',
	name: 'notes',
	type: 'string',
	typeOptions: { rows: 3 },
	default: '',
	placeholder: 'e.g. Moved to another city',
	description: 'At most 512 characters',
};

const operator: INodeProperties = {
	displayName: 'Operator',
	name: 'operator',
	type: 'string',
	default: '',
	placeholder: 'e.g. Front office',
	description: 'The name of the person who changes the status',
};

const payerId: INodeProperties = {
	displayName: 'Payer ID',
	name: 'payerId',
	type: 'string',
	default: '',
	placeholder: 'e.g. 6f1c2d3e-0000-4000-8000-0000000000a2',
	description: 'The account ID of the payer',
};

export const statusUpdateFields: PanelFields = { school_id: schoolId, course_code: courseCode, status };

export const statusUpdateAdditionalFields: PanelFields = {
	notes,
	operator,
	payer_id: payerId,
	updated_at: updatedAt,
};
