/** Nodes as users set them up, each with a value of the item where an attack puts its own. */
import type { INodeParameters } from 'n8n-workflow';

export const GUID = '4a1c2f3e-5b6d-4e7f-8a9b-0c1d2e3f4a5b';
const ODD = '={{ $json.odd }}';

export interface Call {
	name: string;
	/** @param options of the node */
	parameters: (options?: object) => INodeParameters;
	/** A write gives exactly one item for each item. */
	writes: boolean;
}

const call = (resource: string, operation: string, writes: boolean, values: object): Call => ({
	name: `${resource}.${operation}`,
	writes,
	parameters: (options = {}) =>
		({
			resource,
			operation,
			...values,
			options: { maxRetries: 0, timeout: 5_000, ...options },
		}) as INodeParameters,
});

export const GET_ACCOUNT = call('account', 'get', false, { accountId: ODD, tenantId: GUID });
export const CREATE_BOND = call('bond', 'create', true, {
	schoolExternalId: 'school-001',
	classExternalId: 'class-1',
	userExternalId: ODD,
	profileName: 'student',
});
export const DELETE_BOND: Call = {
	...CREATE_BOND,
	name: 'bond.delete',
	parameters: (options) => ({ ...CREATE_BOND.parameters(options), operation: 'delete' }),
};
export const UPDATE_ACCOUNT = call('enrollment', 'updateByAccount', true, {
	accountId: ODD,
	schoolId: GUID,
	courseCode: 'EF5',
	status: 'active',
});
const POST_STATUS = call('enrollment', 'postCourseStatus', true, {
	schoolId: GUID,
	courseCode: ODD,
	userId: GUID,
	status: 'active',
});
const CREATE_CLASS = call('class', 'create', true, {
	schoolExternalId: 'school-001',
	externalId: ODD,
	educationalStage: 'EF1',
	grade: '5º ano',
	year: 2026,
	code: '5A',
	name: 'Grade 5 A',
});
const GET_STAGES = call('educationalStage', 'getAll', false, { schoolExternalId: ODD });
const GET_COURSES = call('enrollment', 'getCourses', false, { accountId: ODD });
const GET_SNAPSHOT = call('account', 'getSnapshot', false, { accountId: ODD, tenantId: GUID });
const MAPPED_BOND = call('bond', 'create', true, { dataMode: 'autoMapInputData' });

/** One of every kind of work, with the value in the path, in the query and in the body. */
export const CALLS: readonly Call[] = [
	GET_ACCOUNT,
	GET_STAGES,
	GET_COURSES,
	GET_SNAPSHOT,
	UPDATE_ACCOUNT,
	POST_STATUS,
	CREATE_BOND,
	DELETE_BOND,
	CREATE_CLASS,
	{ ...MAPPED_BOND, name: 'bond.create, mapped' },
];

/** An item with an odd value, under the name that `CALLS` read and, for the mapped one, under the service's. */
export const rowOf = (odd: unknown, n: number): object => ({
	n,
	odd,
	school_external_id: 'school-001',
	class_external_id: 'class-1',
	user_external_id: odd,
	profile_name: 'student',
});
