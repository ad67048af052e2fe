/** How the node ends when nothing may come out. */
import type { IExecuteFunctions } from 'n8n-workflow';

/**
 * Makes what is thrown next the end of the run, whatever the node's On Error says.
 *
 * Trap: with On Error set to Continue, n8n (2.4.8 to 2.40.7) passes the **input** items through the first output of a node that throws: the files
 * of the roster would come out of Summary, and who reads that would take the night for done. n8n looks at the setting after the throw, on the
 * node of this execution; the saved workflow is another object.
 */
export function endsTheRun(context: IExecuteFunctions): void {
	const { node } = context.getExecuteData();
	node.onError = 'stopWorkflow';
	node.continueOnFail = false;
}
