/** What an AI agent may do with this node: look, and nothing else. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { failed, type Outcome } from '../../shared/failure';
import type { OperationName } from '../panel/operation';
import { labelOf } from '../panel/properties';

import { inputFailure } from './failures';

const FOR_AGENTS: readonly OperationName[] = ['preview', 'readFiles'];

/** A failure where an agent asks for what it may not do. */
export function refusedToAgents(context: IExecuteFunctions, name: OperationName): Outcome<never> | undefined {
	// n8n gives the node of a tool another type, by this ending.
	const isTool = context.getNode().type.endsWith('Tool');
	if (!isTool || FOR_AGENTS.includes(name)) return undefined;
	return failed(
		inputFailure({
			code: 'notForAgents',
			message: `The operation ${labelOf(name)} is not for AI agents`,
			next: 'As a tool, this node has Preview and Read Files. Start what sends from a schedule, and let a person approve. Nothing was sent.',
		}),
	);
}
