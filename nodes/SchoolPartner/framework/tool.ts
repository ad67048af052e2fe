/** What an AI agent may do with the node as its tool. A model cannot choose resource or operation: n8n evaluates no expression there. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { failed, type Outcome } from '../../shared/failure';

import type { Operation } from './operation';

/** Refuses what gives tokens, where n8n runs the node as a tool. The list of operations does not offer it; an imported workflow may name it. */
export function refusedToAgents(
	context: IExecuteFunctions,
	{ label, givesSecrets }: Operation,
): Outcome<never> | undefined {
	// n8n gives the node of a tool another type, by this ending.
	if (givesSecrets !== true || !context.getNode().type.endsWith('Tool')) return undefined;
	return failed({
		origin: 'input',
		effect: 'none',
		code: 'not_for_agents',
		message: `The operation ${label} gives tokens or secrets, and is not for AI agents`,
		next: 'Do it in a workflow without a model, and hand the model what it needs to know of the user. Nothing was sent.',
	});
}
