import type { IExecuteFunctions } from 'n8n-workflow';

/** True for a node that is the tool of an AI agent. n8n gives it a type of its own, by this ending. */
export function isTool(context: Pick<IExecuteFunctions, 'getNode'>): boolean {
	return context.getNode().type.endsWith('Tool');
}
