/** The operations of the matrix: one of every kind of work that the node does, with what they need of the service. */
import { randomUUID } from 'node:crypto';

import type { INodeParameters } from 'n8n-workflow';

import type { AdminClient } from '../../sandbox/admin-client.mts';
import type { Sandbox } from '../../sandbox/start.mts';

import type { Kind } from './expectations.mts';
import {
	type Key,
	LIMIT,
	NEW_STATUS,
	REDIRECT,
	VERIFIER,
	NONCE,
	field,
	enough,
	enrolled,
	withStatus,
	accountKeys,
	newRecords,
	bondKey,
	bondFields,
	codeKeys,
} from './keys.mts';

export interface OperationCase {
	name: string;
	kind: Kind;
	credential: 'machine' | 'signOn';
	parameters: INodeParameters;
	/** Items that one request serves. */
	itemsPerKey: number;
	/** Every key is the same request: faults are tried one by one. */
	alone?: boolean;
	/** So many different keys, free to be used. */
	keys: (sandbox: Sandbox, count: number) => Promise<Key[]>;
	/** Ids of the keys whose work the service has done; absent for work that leaves nothing behind. */
	done?: (admin: AdminClient, keys: readonly Key[]) => Promise<Set<string>>;
	/** What the service answers when all is well, by its document. Absent where it cannot be made up. */
	goodAnswer?: unknown;
}

const options = { whenNothingFound: 'fail' };

export const OPERATIONS: readonly OperationCase[] = [
	{
		name: 'profile.getAll',
		kind: 'read',
		credential: 'machine',
		parameters: { resource: 'profile', operation: 'getAll', options },
		itemsPerKey: 3,
		alone: true,
		keys: async (_sandbox, count) =>
			Array.from({ length: count }, () => ({
				id: 'all',
				fields: {},
				match: { method: 'GET', path: '/data/v1/profiles' },
			})),
		goodAnswer: { data: [{ code: 1, name: 'Student', type: 'student', description: 'A student' }] },
	},
	{
		name: 'account.get',
		kind: 'read',
		credential: 'machine',
		parameters: {
			resource: 'account',
			operation: 'get',
			accountId: field('account'),
			tenantId: field('tenant'),
			options,
		},
		// The same account twice: the answer is shared.
		itemsPerKey: 2,
		keys: accountKeys((id) => `/sync/v1/accounts/${id}`),
		goodAnswer: { id: '1', account_id: '1', name: 'Iolanda Prado' },
	},
	{
		name: 'account.getSnapshot',
		kind: 'parts',
		credential: 'machine',
		parameters: {
			resource: 'account',
			operation: 'getSnapshot',
			accountId: field('account'),
			tenantId: field('tenant'),
			options,
		},
		itemsPerKey: 1,
		keys: accountKeys((id) => `/sync/v1/accounts/${id}/sponsors`),
		goodAnswer: [{ id: '1', account_id: '1', name: 'Iolanda Prado' }],
	},
	{
		name: 'event.get',
		kind: 'read',
		credential: 'machine',
		parameters: { resource: 'event', operation: 'get', requestId: field('request'), options },
		itemsPerKey: 1,
		keys: async ({ admin }, count) => {
			// Nobody listens there: the record is stored all the same.
			await admin.registerWebhook({ url: 'http://127.0.0.1:9/', apiKey: 'key' });
			const users = enough((await admin.users({ profile: 'student', limit: LIMIT })).items, count);
			const keys: Key[] = [];
			for (const { user_id: userId } of users) {
				const id = randomUUID();
				await admin.grantAccess({ userId, requestId: id });
				keys.push({
					id,
					fields: { request: id },
					match: { pathPattern: `^/webhook/v1/webhooks/callback/${id}$` },
				});
			}
			return keys;
		},
		goodAnswer: {
			payload: '{}',
			message: '',
			status: 200,
			sentAt: '2026-03-09T12:30:00',
			isSuccessful: true,
		},
	},
	{
		name: 'enrollment.updateByAccount',
		kind: 'change',
		credential: 'machine',
		parameters: {
			resource: 'enrollment',
			operation: 'updateByAccount',
			accountId: field('account'),
			schoolId: field('school'),
			courseCode: field('course'),
			status: NEW_STATUS,
			options: {},
		},
		itemsPerKey: 2,
		keys: async (sandbox, count) =>
			(await enrolled(sandbox, count)).map(({ account_id: id, school_id: school, code: course }) => ({
				id,
				fields: { account: id, school, course },
				match: { method: 'PUT', pathPattern: `^/enrollment/v1/accounts/${id}$` },
			})),
		done: withStatus,
		goodAnswer: { data: { updated: 2 } },
	},
	{
		name: 'bond.delete',
		kind: 'remove',
		credential: 'machine',
		parameters: { resource: 'bond', operation: 'delete', ...bondFields, profileName: 'student', options: {} },
		itemsPerKey: 1,
		keys: async ({ admin }, count) =>
			enough((await admin.bonds({ profile: 'student', limit: LIMIT })).items, count).map((bond) =>
				bondKey('DELETE', bond.school_external_id, bond.class_external_id, bond.user_external_id),
			),
		done: async (admin, keys) => {
			const { items } = await admin.bonds({ profile: 'student', limit: LIMIT });
			const left = new Set(items.map(({ user_external_id: user }) => user));
			return new Set(keys.map(({ id }) => id).filter((id) => !left.has(id)));
		},
		goodAnswer: { data: { status: 'unbonded' } },
	},
	{
		name: 'bond.create',
		kind: 'create',
		credential: 'machine',
		parameters: {
			resource: 'bond',
			operation: 'create',
			...bondFields,
			profileName: 'coordinator',
			options: {},
		},
		itemsPerKey: 1,
		keys: async ({ admin }, count) => {
			const classes = (await admin.classes({ limit: LIMIT })).items;
			const users = (await admin.users({ profile: 'student', limit: LIMIT })).items;
			return enough(users, count).map(({ external_id: user, school_external_id: school }) => {
				const group = classes.find((each) => each.school_external_id === school)?.external_id ?? '';
				return bondKey('POST', school, group, user);
			});
		},
		done: async (admin) => {
			const { items } = await admin.bonds({ profile: 'coordinator', limit: LIMIT });
			return new Set(items.map(({ user_external_id: user }) => user));
		},
		goodAnswer: { data: { status: 'bonded' } },
	},
	{
		name: 'class.create',
		kind: 'create',
		credential: 'machine',
		parameters: {
			resource: 'class',
			operation: 'create',
			schoolExternalId: 'school-001',
			externalId: field('id'),
			educationalStage: 'EF1',
			grade: '5º ano',
			year: '2026',
			code: '5A',
			name: 'Grade 5 A',
			options: {},
		},
		itemsPerKey: 1,
		keys: newRecords('/integration/partner/v1/class', 'class-chaos'),
		done: async (admin) =>
			new Set(
				(await admin.classes({ provisioned: true, limit: LIMIT })).items.map(({ external_id: id }) => id),
			),
		goodAnswer: { data: { id: '1', external_id: 'class-chaos', name: 'Grade 5 A', status: 'active' } },
	},
	{
		name: 'user.createStudent',
		kind: 'create',
		credential: 'machine',
		parameters: {
			resource: 'user',
			operation: 'createStudent',
			schoolExternalId: 'school-001',
			externalId: field('id'),
			firstName: 'Nina',
			lastName: 'Torres',
			options: {},
		},
		itemsPerKey: 1,
		keys: newRecords('/integration/partner/v1/user', 'student-chaos'),
		done: async (admin) =>
			new Set(
				(await admin.users({ provisioned: true, limit: LIMIT })).items.map(({ external_id: id }) => id),
			),
		goodAnswer: { data: { id: '1' } },
	},
	{
		name: 'enrollment.postCourseStatus',
		kind: 'create',
		credential: 'machine',
		parameters: {
			resource: 'enrollment',
			operation: 'postCourseStatus',
			schoolId: field('school'),
			courseCode: field('course'),
			userId: field('user'),
			status: NEW_STATUS,
			options: {},
		},
		itemsPerKey: 1,
		keys: async (sandbox, count) =>
			(await enrolled(sandbox, count)).map(
				({ account_id: id, school_id: school, code: course, user_id: user }) => ({
					id,
					fields: { school, course, user },
					match: { method: 'POST', path: '/enrollment/v1/schools', bodyContains: `"${user}"` },
				}),
			),
		done: withStatus,
		goodAnswer: { data: { updated: 1 } },
	},
	{
		name: 'signOn.exchangeCode',
		kind: 'redeem',
		credential: 'signOn',
		parameters: {
			resource: 'signOn',
			operation: 'exchangeCode',
			code: field('code'),
			redirectUri: REDIRECT,
			startedBy: 'other',
			codeVerifier: VERIFIER,
			options: { nonce: NONCE },
		},
		itemsPerKey: 1,
		keys: codeKeys,
	},
];
