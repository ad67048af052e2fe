/** Sync: the whole night. The roster is read, and under the lease what differs from the ledger is planned, sent and remembered. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failed, type Outcome } from '../../shared/failure';

import { unfinishedIfAway } from './away';
import { confirmingOf } from './confirmation';
import { connect, ledgerMarks } from './connection';
import { readInput } from './rosterInput';
import { stepSender } from './sending';
import { isRetry, planner, RETRIED, runAndReport } from './syncRun';

export async function sync(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	if (isRetry(context)) return failed(RETRIED);
	return await unfinishedIfAway(context, async () => await syncTonight(context));
}

async function syncTonight(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const read = await readInput(context, 'night');
	if (!read.ok) return read;
	const { settings, identity } = read.value;
	const connection = await connect(context, settings);
	const marks = ledgerMarks(connection, identity);
	return await runAndReport(context, read.value, {
		options: settings,
		plan: planner(read.value, connection, marks),
		sender: (maySend) => stepSender(connection, maySend),
		statuses: settings,
		confirming: confirmingOf(settings, connection, marks),
		timeoutMs: settings.timeout,
	});
}
