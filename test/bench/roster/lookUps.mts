/** What Verify asks of the service, by nodes School Partner alone: the account of everybody, its sponsors where there are any, and its classes. */
import type { INodeParameters } from 'n8n-workflow';

import {
	credentialReference,
	type StoredCredential,
	type WorkflowInput,
} from '../../../playground/n8n-client.mts';
import type { UserState } from '../../../sandbox/admin-types.mts';
import { ACTION_NODE } from '../../support/stage.mts';
import { wired, type Step } from '../../support/wired.mts';
import { rowsAsCode } from '../workflows.mts';

const LOOKUPS = [
	{ name: 'Accounts', operation: 'get', isAsked: () => true },
	{
		name: 'Sponsors',
		operation: 'getSponsors',
		isAsked: ({ responsible_external_id: ids }: UserState) => ids.length > 0,
	},
	{ name: 'Classes', operation: 'getClasses', isAsked: () => true },
];

/** The nodes that look up. */
export const LOOKING_UP = LOOKUPS.map(({ name }) => name);

/** How many requests they are: a person in several schools has one account, which is asked for once. */
export function lookUpCount(users: readonly UserState[]): number {
	const accounts = LOOKUPS.map(
		({ isAsked }) => new Set(users.filter(isAsked).map((user) => user.account_id)),
	);
	return accounts.reduce((sum, { size }) => sum + size, 0);
}

/** One lookup after another, each with rows of its own, so that none waits for a list to be taken apart. */
export function lookUps(
	users: readonly UserState[],
	tenantId: string,
	credential: StoredCredential,
): WorkflowInput {
	const steps: Step[] = [{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} }];
	for (const { name, operation, isAsked } of LOOKUPS) {
		const rows = users.filter(isAsked).map(({ account_id }) => ({ account_id }));
		const parameters: INodeParameters = {
			...{ resource: 'account', operation, accountId: '={{ $json.account_id }}', tenantId },
		};
		const jsCode = `${rowsAsCode(rows)}.map((json) => ({ json }));`;
		const from = [`Rows of ${name}`];
		steps.push(
			{ name: from[0], type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode }, from: ['Start'] },
			{ name, type: ACTION_NODE, parameters, from, credentials: credentialReference(credential) },
		);
	}
	return { name: 'Lookups alone', ...wired(steps), settings: { executionOrder: 'v1' } };
}
