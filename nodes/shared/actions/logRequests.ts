import type { IExecuteFunctions } from 'n8n-workflow';

import type { RunSummary } from '../pace/pace';

/** One debug line in n8n's log: how the requests of a run were paced. Nothing where there were none. */
export function logRequests(context: IExecuteFunctions, summary: RunSummary): void {
	if (summary.requests === 0) return;
	const { name, parameters } = context.getNode();
	const { resource, operation } = parameters;
	context.logger.debug('School Partner: the requests of a run', {
		workflowId: context.getWorkflow().id,
		nodeName: name,
		...(resource !== undefined && { resource }),
		operation,
		...summary,
	});
}
