/** "Provisioning resources" of the service's document. */
import * as tables from '../../../sandbox/document/provisioning.mts';
import type { Labels, OperationRow } from './row.mts';

const identity: Labels = {
	birthDate: 'Birth Date',
	documentType: 'Document Type',
	documentValue: 'Document Value',
};
const name: Labels = {
	schoolExternalId: 'School External ID *',
	externalId: 'External ID *',
	firstName: 'First Name *',
	lastName: 'Last Name *',
};
const contact: Labels = { cellPhone: 'Cell Phone', ddi: 'Dialing Code (DDI)', email: 'Email' };

const personValues = (externalId: string) => ({
	schoolExternalId: 'school-001',
	externalId,
	firstName: 'Nina',
	lastName: 'Torres',
	birthDate: '2015-03-09',
	documentType: 'TAX_ID',
	documentValue: '00000000191',
	additionalFields: { cellPhone: '11955550101', ddi: '55', email: 'nina.torres@families.example' },
});
const personSent = (external_id: string) => ({
	school_external_id: 'school-001',
	external_id,
	first_name: 'Nina',
	last_name: 'Torres',
	birth_date: '2015-03-09',
	document_type: 'TAX_ID',
	document_value: '00000000191',
	cell_phone: '11955550101',
	ddi: '55',
	email: 'nina.torres@families.example',
});

const CREATION_OPTIONS = ['existsStatuses', 'retryCreationsOn503', 'whenExists'];

const bondFields: Labels = {
	schoolExternalId: 'School External ID *',
	classExternalId: 'Class External ID *',
	userExternalId: 'User External ID *',
	profileName: 'Profile Name *',
};
function bondRun(
	method: string,
	{ school, class: schoolClass, user }: Record<'school' | 'class' | 'user', string>,
	profile: string,
) {
	return {
		values: {
			schoolExternalId: school,
			classExternalId: schoolClass,
			userExternalId: user,
			profileName: profile,
		},
		sends: [
			[
				`${method} /integration/partner/v1/bond-user-class`,
				{
					school_external_id: school,
					class_external_id: schoolClass,
					user_external_id: user,
					profile_name: profile,
				},
			],
		] as Array<[string, unknown]>,
	};
}

const USER = 'POST /integration/partner/v1/user';

export const provisioning: OperationRow[] = [
	{
		resource: 'profile',
		operation: 'getAll',
		title: 'Profile: Get Many',
		fields: {},
		effect: 'read',
		run: () => ({ values: {}, sends: [['GET /data/v1/profiles', {}]], gives: tables.profileResource }),
	},
	{
		resource: 'educationalStage',
		operation: 'getAll',
		title: 'Educational Stage: Get Many',
		fields: { schoolExternalId: 'School External ID *' },
		effect: 'read',
		run: () => ({
			values: { schoolExternalId: 'school-001' },
			sends: [['GET /data/v1/educational-stages', { school_external_id: 'school-001' }]],
			gives: tables.educationalStageResource,
		}),
	},
	{
		resource: 'class',
		operation: 'create',
		title: 'Class: Create',
		fields: {
			schoolExternalId: 'School External ID *',
			externalId: 'External ID *',
			educationalStage: 'Educational Stage *',
			grade: 'Grade *',
			year: 'Year *',
			code: 'Code *',
			name: 'Name *',
		},
		additionalFields: { course: 'Course', description: 'Description', shift: 'Shift' },
		options: CREATION_OPTIONS,
		effect: 'write',
		run: () => ({
			values: {
				schoolExternalId: 'school-001',
				externalId: 'class-of-the-row',
				educationalStage: 'EF1',
				grade: '5º ano',
				year: '2026',
				code: '5A',
				name: 'Grade 5 A',
				additionalFields: { course: 'MATH-5', description: 'Morning group', shift: 'morning' },
			},
			sends: [
				[
					'POST /integration/partner/v1/class',
					{
						school_external_id: 'school-001',
						external_id: 'class-of-the-row',
						educational_stage: 'EF1',
						grade: '5º ano',
						year: 2026,
						code: '5A',
						name: 'Grade 5 A',
						course: 'MATH-5',
						description: 'Morning group',
						shift: 'morning',
					},
				],
			],
			gives: tables.classCreationResult,
		}),
	},
	{
		resource: 'user',
		operation: 'create',
		title: 'User: Create',
		fields: { ...name, profiles: 'Profile Names or IDs *', ...identity },
		additionalFields: { ...contact, responsibleExternalIds: 'Responsible External IDs' },
		options: CREATION_OPTIONS,
		effect: 'write',
		run: ({ responsibles }) => {
			const { additionalFields, ...person } = personValues('user-of-the-row');
			const profiles = ['student', 'coordinator'];
			return {
				values: {
					...person,
					profiles,
					additionalFields: { ...additionalFields, responsibleExternalIds: responsibles.join(', ') },
				},
				sends: [
					[USER, { ...personSent('user-of-the-row'), profiles, responsible_external_id: responsibles }],
				],
			};
		},
	},
	{
		resource: 'user',
		operation: 'createResponsible',
		title: 'User: Create Responsible',
		fields: { ...name, ...identity },
		additionalFields: contact,
		options: CREATION_OPTIONS,
		effect: 'write',
		run: () => ({
			values: personValues('responsible-of-the-row'),
			sends: [[USER, { ...personSent('responsible-of-the-row'), profiles: ['responsible'] }]],
		}),
	},
	{
		resource: 'user',
		operation: 'createStudent',
		title: 'User: Create Student',
		fields: { ...name, ...identity, responsibleExternalIds: 'Responsible External IDs' },
		additionalFields: { ...contact, otherProfiles: 'Other Profile Names or IDs' },
		options: CREATION_OPTIONS,
		effect: 'write',
		run: ({ responsibles }) => {
			const { additionalFields, ...person } = personValues('student-of-the-row');
			return {
				values: {
					...person,
					responsibleExternalIds: responsibles.join(', '),
					additionalFields: { ...additionalFields, otherProfiles: ['coordinator'] },
				},
				sends: [
					[
						USER,
						{
							...personSent('student-of-the-row'),
							responsible_external_id: responsibles,
							profiles: ['student', 'coordinator'],
						},
					],
				],
			};
		},
	},
	{
		resource: 'bond',
		operation: 'create',
		title: 'Bond: Create',
		fields: bondFields,
		options: CREATION_OPTIONS,
		effect: 'write',
		run: ({ bond }) => bondRun('POST', bond, 'coordinator'),
	},
	{
		resource: 'bond',
		operation: 'delete',
		title: 'Bond: Delete',
		fields: bondFields,
		options: ['whenGone'],
		effect: 'write',
		run: ({ bond }) => ({ ...bondRun('DELETE', bond, 'student'), says: /"deleted":true/ }),
	},
	{
		resource: 'accountCreation',
		operation: 'get',
		title: 'Account Creation: Get',
		fields: { queryParameters: 'Query Parameters' },
		entries: { queryParameters: { parameter: { name: 'Name', value: 'Value' } } },
		effect: 'read',
		run: ({ externalId }) => ({
			values: { queryParameters: { parameter: [{ name: 'external_id', value: externalId }] } },
			sends: [['GET /integration/partner/v1/callback', { external_id: externalId }]],
			gives: tables.callbackResult,
		}),
	},
];
