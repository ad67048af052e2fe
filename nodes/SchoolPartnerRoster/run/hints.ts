/** What a person sees of a run in n8n's log and in the editor. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Hold } from '../planning/holds';

/** One line a minute: how many changes of a long run were sent so far. */
export function tellProgress(context: IExecuteFunctions, sent: number, of: number): void {
	const { name } = context.getNode();
	context.logger.info(`School Partner Roster: ${sent} of ${of} changes sent`, { nodeName: name, sent, of });
}

/** Above the outputs of the node. */
export function tellHolds(context: IExecuteFunctions, holds: readonly Hold[]): void {
	if (holds.length === 0) return;
	const [{ hold_id: id, reason }] = holds;
	const others = holds.length === 1 ? '' : ` And ${holds.length - 1} more: see Summary.`;
	context.addExecutionHints({
		type: 'warning',
		location: 'outputPane',
		message: `Held: ${reason}. To let it go: a node School Partner Roster with the operation Approve, an item with hold_id ${id}, approve true and by; then start Sync again.${others}`,
	});
}
