/**
 * What the model answers for each operation, and what has to arrive at the service for it: written from the service's
 * document, not derived from the package.
 */
import type { IDataObject } from 'n8n-workflow';

const TENANT = '3f2504e0-4f89-41d3-9a0c-0305e82c3301';
const ACCOUNT = '6f1c2d3e-0000-4000-8000-0000000000a1';
const SCHOOL = '9b2e1f00-0000-4000-8000-00000000005c';
const USER = '0c7d9a10-0000-4000-8000-0000000000b3';
const REQUEST = '1c7d9a10-0000-4000-8000-0000000000e1';
const BACK = 'https://app.example/callback';
const TIME = '2026-03-09T12:30:00Z';

/** One operation. */
export interface Row {
	/** What the model answers: argument and value. The arguments are the labels of the parameters. */
	args: IDataObject;
	/** What the service must receive for it: method and path, and the query or the body. */
	sends: Array<[string, unknown?]>;
	/** For what does not call the service: what stands in the result. */
	gives?: RegExp;
}

const account = { Account_ID: ACCOUNT, Tenant_ID: TENANT };
const ofTenant = { tenant_id: TENANT };

const person = {
	School_External_ID: 'school-001',
	External_ID: 'person-from-the-model',
	First_Name: 'Nina',
	Last_Name: 'Torres',
	Birth_Date: '2015-03-09',
	Document_Type: 'TAX_ID',
	Document_Value: '00000000191',
	Cell_Phone: '11955550101',
	Dialing_Code__DDI_: '55',
	Email: 'nina.torres@families.example',
};
const personSent = {
	school_external_id: 'school-001',
	external_id: 'person-from-the-model',
	first_name: 'Nina',
	last_name: 'Torres',
	birth_date: '2015-03-09',
	document_type: 'TAX_ID',
	document_value: '00000000191',
	cell_phone: '11955550101',
	ddi: '55',
	email: 'nina.torres@families.example',
};

const bond = {
	School_External_ID: 'school-001',
	Class_External_ID: 'class-5a',
	User_External_ID: 'student-1042',
	Profile_Name: 'student',
};
const bondSent = {
	school_external_id: 'school-001',
	class_external_id: 'class-5a',
	user_external_id: 'student-1042',
	profile_name: 'student',
};

const update = { School_ID: SCHOOL, Course_Code: 'MATH-5', Status: 'cancelled' };
const updateMore = { Notes: 'Moved away', Operator: 'Front office', Payer_ID: ACCOUNT, Updated_At: TIME };
const updateSent = {
	data: [
		{
			school_id: SCHOOL,
			course_code: 'MATH-5',
			status: 'cancelled',
			payer_id: ACCOUNT,
			operator: 'Front office',
			notes: 'Moved away',
			updated_at: TIME,
		},
	],
};

const student = {
	Date_of_Birth: '2015-03-09',
	Document: '00000000191',
	Document_Type: 'TAX_ID',
	Email: 'nina.torres@families.example',
	External_ID: 'student-1042',
	Name: 'Nina Torres',
	Phone: '11955550101',
};
const studentSent = {
	date_of_birth: '2015-03-09',
	document: '00000000191',
	document_type: 'TAX_ID',
	email: 'nina.torres@families.example',
	external_id: 'student-1042',
	name: 'Nina Torres',
	phone: '11955550101',
};
const asResponsible = Object.fromEntries(
	Object.entries({ ...student, User_ID: USER }).map(([name, value]) => [`responsible0_${name}`, value]),
);

/** By resource and operation. */
export const rows: Record<string, Record<string, Row>> = {
	profile: { getAll: { args: {}, sends: [['GET /data/v1/profiles', {}]] } },
	educationalStage: {
		getAll: {
			args: { School_External_ID: 'school-001' },
			sends: [['GET /data/v1/educational-stages', { school_external_id: 'school-001' }]],
		},
	},
	class: {
		create: {
			args: {
				School_External_ID: 'school-001',
				External_ID: 'class-from-the-model',
				Educational_Stage: 'EF1',
				Grade: '5º ano',
				Year: '2026',
				Code: '5A',
				Name: 'Grade 5 A',
				Course: 'MATH-5',
				Description: 'Morning group',
				Shift: 'morning',
			},
			sends: [
				[
					'POST /integration/partner/v1/class',
					{
						school_external_id: 'school-001',
						external_id: 'class-from-the-model',
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
		},
	},
	user: {
		create: {
			args: { ...person, Profile_Names_or_IDs: 'educator, coordinator' },
			sends: [
				['POST /integration/partner/v1/user', { ...personSent, profiles: ['educator', 'coordinator'] }],
			],
		},
		createResponsible: {
			args: person,
			sends: [['POST /integration/partner/v1/user', { ...personSent, profiles: ['responsible'] }]],
		},
		createStudent: {
			args: { ...person, Responsible_External_IDs: 'responsible-77, responsible-78' },
			sends: [
				[
					'POST /integration/partner/v1/user',
					{
						...personSent,
						responsible_external_id: ['responsible-77', 'responsible-78'],
						profiles: ['student'],
					},
				],
			],
		},
	},
	bond: {
		create: { args: bond, sends: [['POST /integration/partner/v1/bond-user-class', bondSent]] },
		delete: { args: bond, sends: [['DELETE /integration/partner/v1/bond-user-class', bondSent]] },
	},
	accountCreation: {
		get: {
			args: { parameter0_Name: 'external_id', parameter0_Value: 'student-1042' },
			sends: [['GET /integration/partner/v1/callback', { external_id: 'student-1042' }]],
		},
	},
	account: {
		get: { args: account, sends: [[`GET /sync/v1/accounts/${ACCOUNT}`, ofTenant]] },
		getSponsors: { args: account, sends: [[`GET /sync/v1/accounts/${ACCOUNT}/sponsors`, ofTenant]] },
		getDependents: { args: account, sends: [[`GET /sync/v1/accounts/${ACCOUNT}/dependents`, ofTenant]] },
		getSchools: { args: account, sends: [[`GET /sync/v1/schools/${ACCOUNT}`, ofTenant]] },
		getClasses: { args: account, sends: [[`GET /sync/v1/accounts/${ACCOUNT}/classes`, ofTenant]] },
		getSnapshot: {
			args: account,
			sends: [
				[`GET /sync/v1/accounts/${ACCOUNT}`, ofTenant],
				[`GET /sync/v1/accounts/${ACCOUNT}/classes`, ofTenant],
				[`GET /sync/v1/accounts/${ACCOUNT}/dependents`, ofTenant],
				[`GET /sync/v1/accounts/${ACCOUNT}/sponsors`, ofTenant],
				[`GET /sync/v1/schools/${ACCOUNT}`, ofTenant],
				[`GET /sync/v1/tenants/${TENANT}`, {}],
			],
		},
	},
	tenant: { get: { args: { Tenant_ID: TENANT }, sends: [[`GET /sync/v1/tenants/${TENANT}`, {}]] } },
	enrollment: {
		getCourses: {
			args: { Account_ID: ACCOUNT },
			sends: [[`GET /enrollment/v1/accounts/${ACCOUNT}/courses`, {}]],
		},
		updateByAccount: {
			args: { Account_ID: ACCOUNT, ...update, ...updateMore },
			sends: [[`PUT /enrollment/v1/accounts/${ACCOUNT}`, updateSent]],
		},
		updateByUser: {
			args: { User_ID: USER, ...update, ...updateMore },
			sends: [[`PUT /enrollment/v1/user/${USER}`, updateSent]],
		},
		postCourseStatus: {
			args: { ...update, User_ID: USER, ...student, Updated_At: TIME, ...asResponsible },
			sends: [
				[
					`POST /enrollment/v1/schools/${SCHOOL}/courses/MATH-5/status`,
					{
						data: {
							school_id: SCHOOL,
							course_code: 'MATH-5',
							user_id: USER,
							status: 'cancelled',
							...studentSent,
							updated_at: TIME,
							responsible: [{ ...studentSent, user_id: USER }],
						},
					},
				],
			],
		},
	},
	event: {
		get: { args: { Request_ID: REQUEST }, sends: [[`GET /webhook/v1/webhooks/callback/${REQUEST}`, {}]] },
	},
	signOn: {
		getAuthorizationUrl: {
			args: { Redirect_URI: BACK },
			sends: [],
			gives: /redirect_uri=https%3A%2F%2Fapp\.example%2Fcallback/,
		},
		exchangeCode: {
			args: {
				Code: 'code-of-the-model',
				Redirect_URI: BACK,
				State: '',
				Browser_Binding: '',
				Code_Verifier: 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk',
			},
			sends: [
				[
					'POST /connect/token',
					{ grant_type: 'authorization_code', code: 'code-of-the-model', redirect_uri: BACK },
				],
			],
		},
		refreshToken: {
			args: { Refresh_Token: 'no-such-token' },
			sends: [['POST /connect/token', { grant_type: 'refresh_token' }]],
		},
		getMachineToken: { args: {}, sends: [['POST /connect/token', { grant_type: 'client_credentials' }]] },
		getUserInfo: { args: { Access_Token: 'no-such-token' }, sends: [['GET /connect/userinfo', {}]] },
		getLogoutUrl: {
			args: {
				Logout_From: 'full',
				ID_Token_Hint: 'a.b.c',
				Post_Logout_Redirect_URI: 'https://app.example/bye',
			},
			sends: [],
			// The message shows that the hint has arrived: a real one is the ID token of somebody who has logged in.
			gives: /ID Token Hint is not an ID token/,
		},
		getDiscovery: { args: {}, sends: [], gives: /authorization_endpoint/ },
		validateToken: {
			args: { Token: 'a.b.c', Token_Use: 'idToken', Audience: '' },
			sends: [],
			gives: /"valid":false/,
		},
	},
	clientRegistration: {
		validate: {
			args: {
				Application_Name: 'Reading Club',
				Application_Description: 'Books for every class',
				SVG_Logo_Field: 'logoSvg',
				PNG_Logo_Field: 'logoPng',
				Main_Color: '#1A73E8',
				Access_Profiles: 'student, educator',
				Redirect_URIs: BACK,
				Default_Redirect_URI: BACK,
				Post_Logout_Redirect_URIs: '',
				Logout_URI: 'https://flows.example/webhook/6b0c/logout',
				Logout_Channel: 'back',
				Public_Key_Exchanged: true,
			},
			sends: [],
			gives: /"findings":\[.*logo/i,
		},
	},
};
