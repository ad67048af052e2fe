/** Sync: the whole night. The roster is read, and under the lease what differs from the ledger is planned, sent and remembered. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { unfinishedIfAway } from './away';
import { confirmingOf } from './confirmation';
import { connect, ledgerMarks } from './connection';
import { readInput } from './rosterInput';
import { stepSender } from './sending';
import { planner, refuseRetry, runAndReport } from './syncRun';

export async function sync(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	refuseRetry(context);
	return await unfinishedIfAway(context, async () => await syncTonight(context));
}

async function syncTonight(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const input = await readInput(context, 'night');
	const { settings, identity } = input;
	const connection = await connect(context, settings);
	const marks = ledgerMarks(connection, identity);
	return await runAndReport(context, input, {
		options: settings,
		plan: planner(input, connection, marks),
		sender: (maySend) => stepSender(connection, maySend),
		statuses: settings,
		confirming: confirmingOf(settings, connection, marks),
		timeoutMs: settings.timeout,
	});
}
