/** An invented responsible person, with every field of the user creation payload. */
export const person = {
	external_id: 'responsible-e2e',
	first_name: 'Marina',
	last_name: 'Torres',
	birth_date: '1984-02-11',
	document_type: 'TAX_ID',
	document_value: '00000000191',
	ddi: '55',
	cell_phone: '11955550101',
	email: 'marina.torres@families.example',
	school_external_id: 'school-001',
};

/** What dragging those fields into the node makes. */
export const personParameters = {
	schoolExternalId: '={{ $json.school_external_id }}',
	externalId: '={{ $json.external_id }}',
	firstName: '={{ $json.first_name }}',
	lastName: '={{ $json.last_name }}',
	birthDate: '={{ $json.birth_date }}',
	documentType: '={{ $json.document_type }}',
	documentValue: '={{ $json.document_value }}',
	additionalFields: {
		cellPhone: '={{ $json.cell_phone }}',
		ddi: '={{ $json.ddi }}',
		email: '={{ $json.email }}',
	},
};
