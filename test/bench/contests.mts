/** The pairs that are measured beside each other, with what must be reached (ratios of throughput). */
import type { INodeParameters } from 'n8n-workflow';

import type { WorkflowInput } from '../../playground/n8n-client.mts';

import { pupilsAsCode, type Hall } from './hall.mts';
import { OURS, ourWorkflow, plainWorkflow, rowsAsCode, type PlainRequest } from './workflows.mts';

export interface Side {
	workflow: WorkflowInput;
	/** The nodes whose time counts. */
	nodes: string[];
	/** Items that must leave the last of them, and requests that must have arrived at the service. */
	items: number;
	requests: number;
}

export interface Contest {
	id: string;
	what: string;
	against: string;
	/** The least ratio of throughputs. */
	target: number;
	/** The service answers this late, in ms, and so much later on a new connection. */
	latencyMs: number;
	connectionLatencyMs?: number;
	/** What our side may have in flight, where that is to be held. */
	atMostInFlight?: number;
	ours: Side;
	theirs: Side;
}

/** Every field of a pupil, mapped the way dragging it in the editor does. */
export const DRAGGED: INodeParameters = {
	resource: 'user',
	operation: 'createStudent',
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
	responsibleExternalIds: '={{ $json.responsible_external_id }}',
};

const PUPIL_BODY =
	"={{ JSON.stringify({ ...$json, responsible_external_id: [$json.responsible_external_id], profiles: ['student'] }) }}";

/** Every contest on 2,000 items, and the snapshot of 50 accounts. */
export function contestsOf(hall: Hall, count = 2_000): Contest[] {
	return [...creations(hall, count), ...lookups(hall, count), updates(hall, count), ...snapshots(hall, 50)];
}

/** Creations as both sides come, but for the options of ours. */
export function farCreations(
	hall: Hall,
	count: number,
	options: INodeParameters = {},
): Pick<Contest, 'against' | 'ours' | 'theirs'> {
	return { against: 'HTTP Request node', ...creationSides(hall, count, { ...DRAGGED, options }) };
}

function creationSides(
	hall: Hall,
	count: number,
	parameters: INodeParameters,
): Pick<Contest, 'ours' | 'theirs'> {
	const rows = pupilsAsCode(hall.facts, count);
	const request: PlainRequest = {
		name: 'Create Student',
		method: 'POST',
		url: `${hall.sandbox.baseUrl}/integration/partner/v1/user`,
		body: PUPIL_BODY,
	};
	return {
		ours: side(ourWorkflow(rows, parameters, hall.credential), [OURS], count, count),
		theirs: side(plainWorkflow(rows, [request], hall.plain), [request.name], count, count),
	};
}

function creations(hall: Hall, count: number): Contest[] {
	const contest = (id: string, how: string, parameters: INodeParameters): Contest => ({
		id,
		what: `${format(count)} user.createStudent, ${how}`,
		against: 'HTTP Request node, one expression for the whole JSON body',
		target: 4,
		latencyMs: 0,
		...creationSides(hall, count, parameters),
	});
	return [
		contest('create-dragged', 'every field mapped by dragging', DRAGGED),
		contest('create-mapped', 'Map Automatically', {
			resource: 'user',
			operation: 'createStudent',
			dataMode: 'autoMapInputData',
		}),
	];
}

function lookups(hall: Hall, count: number): Contest[] {
	const contest = (id: string, which: string, accounts: number, target: number): Contest => ({
		id,
		what: `${format(count)} account.get, ${which}`,
		against: 'HTTP Request node',
		target,
		latencyMs: 0,
		...lookupSides(hall, count, accounts),
	});
	return [
		contest('get-different', 'all different', count, 4),
		contest('get-repeated', 'over 100 accounts', 100, 20),
	];
}

/** `count` lookups that go through so many accounts again and again. */
export function lookupSides(hall: Hall, count: number, accounts: number): Pick<Contest, 'ours' | 'theirs'> {
	const { tenantId } = hall.facts;
	const known = JSON.stringify(hall.accountIds.slice(0, accounts));
	const rows = `const ids = ${known};\nreturn Array.from({ length: ${count} }, (_, row) => ({ account_id: ids[row % ids.length] }))`;
	const parameters = {
		resource: 'account',
		operation: 'get',
		accountId: '={{ $json.account_id }}',
		tenantId,
	};
	const request: PlainRequest = {
		name: 'Get Account',
		method: 'GET',
		url: `=${hall.sandbox.baseUrl}/sync/v1/accounts/{{ $json.account_id }}?tenant_id=${tenantId}`,
	};
	return {
		ours: side(ourWorkflow(rows, parameters, hall.credential), [OURS], count, accounts),
		theirs: side(plainWorkflow(rows, [request], hall.plain), [request.name], count, count),
	};
}

function updates(hall: Hall, count: number): Contest {
	const accounts = 40;
	const courses = hall.courses
		.slice(0, accounts)
		.map(({ account_id, school_id, code }) => ({ account_id, school_id, course_code: code }));
	const rows = `const courses = ${JSON.stringify(courses)};\nreturn Array.from({ length: ${count} }, (_, row) => ({ ...courses[row % ${accounts}], status: 'status-' + row, updated_at: '2026-03-09T12:30:00Z' }))`;
	const request: PlainRequest = {
		name: 'Update Enrollment',
		method: 'PUT',
		url: `=${hall.sandbox.baseUrl}/enrollment/v1/accounts/{{ $json.account_id }}`,
		body: '={{ JSON.stringify({ data: [{ school_id: $json.school_id, course_code: $json.course_code, status: $json.status, updated_at: $json.updated_at }] }) }}',
	};
	const parameters = {
		resource: 'enrollment',
		operation: 'updateByAccount',
		accountId: '={{ $json.account_id }}',
		schoolId: '={{ $json.school_id }}',
		courseCode: '={{ $json.course_code }}',
		status: '={{ $json.status }}',
		additionalFields: { updatedAt: '={{ $json.updated_at }}' },
	};
	return {
		id: 'update-merged',
		what: `${format(count)} enrollment.updateByAccount over ${accounts} accounts`,
		against: 'HTTP Request node, one PUT each',
		target: 20,
		latencyMs: 0,
		ours: side(ourWorkflow(rows, parameters, hall.credential), [OURS], count, accounts),
		theirs: side(plainWorkflow(rows, [request], hall.plain), [request.name], count, count),
	};
}

function snapshots(hall: Hall, accounts: number): Contest[] {
	const { tenantId } = hall.facts;
	const rows = rowsAsCode(hall.accountIds.slice(0, accounts).map((account_id) => ({ account_id })));
	const account = "{{ $('Rows').item.json.account_id }}";
	const get = (name: string, path: string): PlainRequest => ({
		name,
		method: 'GET',
		url: `=${hall.sandbox.baseUrl}/sync/v1/${path}`,
		fullResponse: true,
	});
	const requests = [
		get('Tenant', `tenants/${tenantId}`),
		get('Account', `accounts/${account}?tenant_id=${tenantId}`),
		get('Sponsors', `accounts/${account}/sponsors?tenant_id=${tenantId}`),
		get('Dependents', `accounts/${account}/dependents?tenant_id=${tenantId}`),
		get('Schools', `schools/${account}?tenant_id=${tenantId}`),
		get('Classes', `accounts/${account}/classes?tenant_id=${tenantId}`),
	];
	const parameters = {
		resource: 'account',
		operation: 'getSnapshot',
		accountId: '={{ $json.account_id }}',
		tenantId,
	};
	const contest = (id: string, how: string, target: number, options: INodeParameters): Contest => ({
		id,
		what: `account.getSnapshot of ${accounts} accounts, 20 ms of service latency, ${how}`,
		against: 'six HTTP Request nodes in a row',
		target,
		latencyMs: 20,
		// The tenant is the same for all.
		ours: side(
			ourWorkflow(rows, { ...parameters, options }, hall.credential),
			[OURS],
			accounts,
			accounts * 5 + 1,
		),
		theirs: side(
			plainWorkflow(rows, requests, hall.plain),
			requests.map(({ name }) => name),
			accounts,
			accounts * 6,
		),
	});
	return [
		// The HTTP Request node has the requests of all 50 items on their way at once: here both have.
		contest('snapshot', 'Concurrency 50', 3, { concurrency: 50 }),
		// 251 requests at 20 ms: the automatic pace begins with 10 and has to find out that there may be more.
		contest('snapshot-default', 'as it comes', 1, {}),
	];
}

function side(workflow: WorkflowInput, nodes: string[], items: number, requests: number): Side {
	return { workflow, nodes, items, requests };
}

function format(count: number): string {
	return count.toLocaleString('en');
}
