/** What n8n's log gets of a run, for who looks into it at its level "debug". */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { RunSummary } from '../pace/pace';

/** One line that names workflow, node and operation, and the resource of a node that has several. @param facts nothing of whom the run was about, and no value */
export function tell(context: IExecuteFunctions, message: string, facts: object): void {
	const { name, parameters } = context.getNode();
	const { resource, operation } = parameters;
	const where = {
		workflowId: context.getWorkflow().id,
		nodeName: name,
		...(resource !== undefined && { resource }),
		operation,
	};
	context.logger.debug(message, { ...where, ...facts });
}

/** How the requests of a run were paced; nothing where there were none. @param summary that of its pace */
export function tellRequests(context: IExecuteFunctions, summary: Readonly<RunSummary>): void {
	if (summary.requests > 0) tell(context, 'School Partner: the requests of a run', summary);
}
