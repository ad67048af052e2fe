/**
 * The public interface of the action node, as the design fixes it: saved workflows depend on these names. Written
 * down here by hand and never derived from the code.
 */
export interface OperationInterface {
	resource: string;
	operation: string;
	/** Parameters that every user of the operation sees, in any order. */
	parameters: string[];
	additionalFields?: string[];
	/** Members of the collection "Options" beyond those that the kind of operation brings. */
	options?: string[];
	/** Groups of entries: `queryParameters.parameter[]` of `name`, `value`. */
	entries?: Record<string, Record<string, string[]>>;
	/** `read` may find nothing; `write` can take its data from the item; `local` does not call the service. */
	effect: 'read' | 'write' | 'local';
	/** The answer is an entity, or a list of them: it can be simplified. */
	simplify?: true;
	/** Parameters that stay when the data comes from the item. */
	inPath?: string[];
	/** The node keeps the order of updates: they are merged. */
	merged?: true;
}

const person = [
	'schoolExternalId',
	'externalId',
	'firstName',
	'lastName',
	'birthDate',
	'documentType',
	'documentValue',
];
const contact = ['cellPhone', 'ddi', 'email'];
const bond = ['schoolExternalId', 'classExternalId', 'userExternalId', 'profileName'];
const account = ['accountId', 'tenantId'];
const update = ['schoolId', 'courseCode', 'status'];
const updateFields = ['notes', 'operator', 'payerId', 'updatedAt'];
const personFields = ['dateOfBirth', 'document', 'documentType', 'email', 'externalId', 'name', 'phone'];

export const operations: OperationInterface[] = [
	{ resource: 'profile', operation: 'getAll', parameters: [], effect: 'read', simplify: true },
	{
		resource: 'educationalStage',
		operation: 'getAll',
		parameters: ['schoolExternalId'],
		effect: 'read',
		simplify: true,
	},
	{
		resource: 'class',
		operation: 'create',
		parameters: ['schoolExternalId', 'externalId', 'educationalStage', 'grade', 'year', 'code', 'name'],
		additionalFields: ['course', 'description', 'shift'],
		effect: 'write',
		simplify: true,
	},
	{
		resource: 'user',
		operation: 'create',
		parameters: [...person, 'profiles'],
		additionalFields: contact,
		effect: 'write',
	},
	{
		resource: 'user',
		operation: 'createResponsible',
		parameters: person,
		additionalFields: contact,
		effect: 'write',
	},
	{
		resource: 'user',
		operation: 'createStudent',
		parameters: [...person, 'responsibleExternalIds'],
		additionalFields: contact,
		effect: 'write',
	},
	{ resource: 'bond', operation: 'create', parameters: bond, effect: 'write' },
	{ resource: 'bond', operation: 'delete', parameters: bond, effect: 'write' },
	{
		resource: 'accountCreation',
		operation: 'get',
		parameters: ['queryParameters'],
		entries: { queryParameters: { parameter: ['name', 'value'] } },
		effect: 'read',
		simplify: true,
	},
	...['get', 'getSponsors', 'getDependents', 'getSchools', 'getClasses', 'getSnapshot'].map(
		(operation): OperationInterface => ({
			resource: 'account',
			operation,
			parameters: account,
			effect: 'read',
			simplify: true,
		}),
	),
	{ resource: 'tenant', operation: 'get', parameters: ['tenantId'], effect: 'read', simplify: true },
	{
		resource: 'enrollment',
		operation: 'getCourses',
		parameters: ['accountId'],
		effect: 'read',
		simplify: true,
	},
	{
		resource: 'enrollment',
		operation: 'updateByAccount',
		parameters: ['accountId', ...update],
		additionalFields: updateFields,
		effect: 'write',
		inPath: ['accountId'],
		merged: true,
	},
	{
		resource: 'enrollment',
		operation: 'updateByUser',
		parameters: ['userId', ...update],
		additionalFields: updateFields,
		effect: 'write',
		inPath: ['userId'],
		merged: true,
	},
	{
		resource: 'enrollment',
		operation: 'postCourseStatus',
		parameters: ['schoolId', 'courseCode', 'userId', 'status', 'responsibles'],
		additionalFields: [...personFields, 'updatedAt'],
		entries: { responsibles: { responsible: [...personFields, 'userId'] } },
		effect: 'write',
	},
	{ resource: 'event', operation: 'get', parameters: ['requestId'], effect: 'read', simplify: true },
];

/** Operations that are not requests with an item for an answer: their options are their own. */
export const ownOperations: OperationInterface[] = [
	{
		resource: 'signOn',
		operation: 'getAuthorizationUrl',
		parameters: ['redirectUri'],
		options: ['scope', 'prompt', 'additionalState'],
		effect: 'local',
	},
	{
		resource: 'signOn',
		operation: 'exchangeCode',
		parameters: ['code', 'redirectUri', 'state', 'browserBinding', 'codeVerifier'],
		options: ['nonce'],
		effect: 'local',
	},
	{ resource: 'signOn', operation: 'refreshToken', parameters: ['refreshToken'], effect: 'local' },
	{ resource: 'signOn', operation: 'getMachineToken', parameters: [], options: ['scope'], effect: 'local' },
	{ resource: 'signOn', operation: 'getUserInfo', parameters: ['accessToken'], effect: 'local' },
	{
		resource: 'signOn',
		operation: 'getLogoutUrl',
		parameters: ['logoutFrom', 'idTokenHint', 'postLogoutRedirectUri'],
		effect: 'local',
	},
	{ resource: 'signOn', operation: 'getDiscovery', parameters: [], effect: 'local' },
	{
		resource: 'signOn',
		operation: 'validateToken',
		parameters: ['token', 'tokenUse', 'audience'],
		options: ['nonce', 'clockTolerance'],
		effect: 'local',
	},
	{
		resource: 'clientRegistration',
		operation: 'validate',
		parameters: [
			'applicationName',
			'applicationDescription',
			'mainColor',
			'accessProfiles',
			'redirectUris',
			'defaultRedirectUri',
			'postLogoutRedirectUris',
			'logoutUri',
			'logoutChannel',
			'logoSvgField',
			'logoPngField',
			'publicKeyExchanged',
		],
		effect: 'local',
	},
];
