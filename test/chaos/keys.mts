/** What requests are about, one record each, and how the requests for one are told from all others. */
import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import type { AdminClient } from '../../sandbox/admin-client.mts';
import type { FaultMatch, LoggedRequest } from '../../sandbox/admin-types.mts';
import { SandboxBrowser } from '../../sandbox/browser.mts';
import type { Sandbox } from '../../sandbox/start.mts';

/** One thing that a request is about: the fields of its items, and how its requests are told from all others. */
export interface Key {
	id: string;
	fields: IDataObject;
	match: FaultMatch;
}

/** True for a request that a fault with this match would strike. */
export function isOf(
	request: LoggedRequest,
	{ method, path, pathPattern, bodyContains }: FaultMatch,
): boolean {
	if (method !== undefined && method !== request.method) return false;
	if (path !== undefined && !request.path.startsWith(path)) return false;
	if (pathPattern !== undefined && !new RegExp(pathPattern).test(request.path)) return false;
	return bodyContains === undefined || JSON.stringify(request.body).includes(bodyContains);
}

export const LIMIT = 5_000;
export const NEW_STATUS = 'chaos';
export const TOKEN_PATH = '/identity/connect/token';
export const REDIRECT = 'http://localhost:9/callback';
export const VERIFIER = 'v'.repeat(43);
export const NONCE = 'n-0S6_WzA2Mj';

export const field = (name: string) => `={{ $json.${name} }}`;

export function enough<T>(found: readonly T[], count: number): T[] {
	if (found.length < count)
		throw new Error(`The sandbox has ${found.length} of ${count}: start it with more students`);
	return found.slice(0, count);
}

/** Students with a course, one for each account. */
export async function enrolled({ admin }: Sandbox, count: number) {
	const { items } = await admin.courses({ limit: LIMIT });
	const byAccount = new Map(items.map((course) => [course.account_id, course]));
	return enough([...byAccount.values()], count);
}

export async function withStatus(admin: AdminClient): Promise<Set<string>> {
	const { items } = await admin.courses({ limit: LIMIT });
	return new Set(items.filter(({ status }) => status === NEW_STATUS).map(({ account_id }) => account_id));
}

export async function tenantOf({ admin }: Sandbox): Promise<string> {
	return (await admin.facts()).tenantId;
}

/** Keys of a GET that names an account in its path. */
export const accountKeys =
	(pathOf: (account: string) => string) => async (sandbox: Sandbox, count: number) => {
		const tenant = await tenantOf(sandbox);
		return (await enrolled(sandbox, count)).map(
			({ account_id: id }): Key => ({
				id,
				fields: { account: id, tenant },
				match: { method: 'GET', pathPattern: `^${pathOf(id)}$` },
			}),
		);
	};

/** Keys of a write whose body names a record of ours. */
export const newRecords = (path: string, prefix: string) => async (_sandbox: Sandbox, count: number) =>
	Array.from({ length: count }, (_, index): Key => {
		const id = `${prefix}-${index}`;
		return { id, fields: { id }, match: { method: 'POST', path, bodyContains: `"${id}"` } };
	});

export const BONDS = '/integration/partner/v1/bond-user-class';

export const bondKey = (method: string, school: string, group: string, user: string): Key => ({
	id: user,
	fields: { school, group, user },
	match: { method, path: BONDS, bodyContains: `"${user}"` },
});

export const bondFields = {
	schoolExternalId: field('school'),
	classExternalId: field('group'),
	userExternalId: field('user'),
};

/** A visitor signs in for every code. */
export async function codeKeys(sandbox: Sandbox, count: number): Promise<Key[]> {
	await sandbox.admin.changeRegistration({ redirectUris: [REDIRECT] });
	const address = new URL(`${sandbox.issuerUrl}/connect/authorize`);
	address.search = new URLSearchParams({
		response_type: 'code',
		client_id: sandbox.clientId,
		redirect_uri: REDIRECT,
		scope: 'openid profile offline_access',
		nonce: NONCE,
		code_challenge: createHash('sha256').update(VERIFIER).digest('base64url'),
		code_challenge_method: 'S256',
	}).toString();
	const browser = new SandboxBrowser(sandbox.baseUrl);
	const keys: Key[] = [];
	try {
		for (let index = 0; index < count; index++) {
			const code = (await browser.signIn(address.href, 'student1')).searchParams.get('code') ?? '';
			keys.push({ id: code, fields: { code }, match: { path: TOKEN_PATH, bodyContains: code } });
		}
	} finally {
		browser.close();
	}
	return keys;
}
