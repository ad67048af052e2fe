/** What every user creation asks for (the service's document: user creation payload). */
import type { INodeProperties } from 'n8n-workflow';

import type { PanelFields } from '../framework/operation';

import { schoolExternalId } from './school';

const externalId = (example: string): INodeProperties => ({
	displayName: 'External ID',
	name: 'externalId',
	type: 'string',
	required: true,
	default: '',
	placeholder: `e.g. ${example}`,
	description: 'Your own ID of the user. Bonds and students refer to the user by it.',
});

const firstName: INodeProperties = {
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Nathan',
};

const lastName: INodeProperties = {
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Smith',
};

const birthDate: INodeProperties = {
	displayName: 'Birth Date',
	name: 'birthDate',
	type: 'string',
	default: '',
	placeholder: 'e.g. 2010-12-31',
	description: 'The day of birth as YYYY-MM-DD. Left out when empty.',
};

const documentType: INodeProperties = {
	displayName: 'Document Type',
	name: 'documentType',
	type: 'string',
	default: '',
	placeholder: 'e.g. TAX_ID',
	description:
		'The type of the identity document, as the service calls it; for a CPF, its type for tax IDs. Left out when empty.',
};

const documentValue: INodeProperties = {
	displayName: 'Document Value',
	name: 'documentValue',
	type: 'string',
	default: '',
	placeholder: 'e.g. 00000000191',
	description: 'The number of the identity document. Left out when empty.',
};

/**
 * The parameters of every user creation, in the order in which they are filled in.
 * @param exampleId an external id of the kind of person that is created
 */
export const personFields = (exampleId: string): PanelFields => ({
	school_external_id: schoolExternalId,
	external_id: externalId(exampleId),
	first_name: firstName,
	last_name: lastName,
	birth_date: birthDate,
	document_type: documentType,
	document_value: documentValue,
});

const cellPhone: INodeProperties = {
	displayName: 'Cell Phone',
	name: 'cellPhone',
	type: 'string',
	default: '',
	placeholder: 'e.g. 11955550123',
	description: 'The mobile number without the international dialing code',
};

const ddi: INodeProperties = {
	displayName: 'Dialing Code (DDI)',
	name: 'ddi',
	type: 'string',
	default: '',
	placeholder: 'e.g. 55',
	description: 'The international dialing code. A plus sign in front of it is left out.',
};

const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	default: '',
	placeholder: 'e.g. name@email.com',
};

export const responsibleExternalIds: INodeProperties = {
	displayName: 'Responsible External IDs',
	name: 'responsibleExternalIds',
	type: 'string',
	default: '',
	placeholder: 'e.g. responsible-77, responsible-78',
	description:
		'Your own IDs of the responsible users of the student, with commas between them, or an expression that gives a list. They must have been created before.',
};

/** What "Additional Fields" of every user creation offers. */
export const personAdditionalFields: PanelFields = { cell_phone: cellPhone, ddi, email };
