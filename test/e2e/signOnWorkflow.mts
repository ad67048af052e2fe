/** Small workflows for the sign-on's tests: a manual trigger and nodes one after another. */
import type { INode, INodeParameters } from 'n8n-workflow';

import type { WorkflowInput } from '../../playground/n8n-client.mts';

export interface Step {
	name: string;
	type: string;
	version?: number;
	parameters: INodeParameters;
	credentials?: INode['credentials'];
}

/** Start, and the steps behind it in a row. */
export function stepByStep(name: string, steps: readonly Step[]): WorkflowInput {
	const first: Step = { name: 'Start', type: 'n8n-nodes-base.manualTrigger', parameters: {} };
	const all = [first, ...steps];
	return {
		name,
		nodes: all.map((step, index) => ({
			id: `node-${index}`,
			name: step.name,
			type: step.type,
			typeVersion: step.version ?? 1,
			position: [220 * index, 0],
			parameters: step.parameters,
			...(step.credentials && { credentials: step.credentials }),
		})),
		connections: Object.fromEntries(
			steps.map((step, index) => [
				all[index].name,
				{ main: [[{ node: step.name, type: 'main' as const, index: 0 }]] },
			]),
		),
		settings: { executionOrder: 'v1' },
	};
}

/** A logout trigger by itself. */
export function logoutTrigger(
	channel: 'back' | 'front',
	webhookId: string,
	credentials: INode['credentials'],
): WorkflowInput {
	return {
		name: `Logout, ${channel} channel`,
		nodes: [
			{
				id: 'trigger',
				name: 'Logout',
				type: 'n8n-nodes-school-partner.schoolPartnerLogoutTrigger',
				typeVersion: 2,
				position: [0, 0],
				// As the editor saves it: a value that equals the default is left out.
				parameters: channel === 'front' ? { channel } : {},
				webhookId,
				credentials,
			},
		],
		connections: {},
		settings: { executionOrder: 'v1' },
	};
}
