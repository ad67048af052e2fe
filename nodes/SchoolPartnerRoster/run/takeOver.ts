/** Take Over: the ledger learns that everything in the roster is in the service already. Nothing is sent. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { inputFailure, ThrownFailure, type Failure } from '../../shared/failure';
import { openMoves, type HoldCondition } from '../planning/conditions';
import { PLAN_DEFAULTS } from '../planning/options';
import { takeOver } from '../planning/takeOver';

import { HOST } from './clock';
import { connect, ledgerMarks } from './connection';
import { readInput } from './rosterInput';
import { SENDING_DEFAULTS } from './settings';
import { newSalt, refuseRetry, runAndReport, type SyncWork } from './syncRun';

export async function takeOverSchools(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	refuseRetry(context);
	const input = await readInput(context, 'takeOver');
	const { roster, asOf, today, identity, settings } = input;
	const options = { ...PLAN_DEFAULTS, ...settings };
	const connection = await connect(context, SENDING_DEFAULTS);
	const marks = ledgerMarks(connection, identity);
	const plan: SyncWork['plan'] = async (ledger) => {
		const moves = openMoves(ledger, marks, HOST.clock());
		if (moves.length > 0) throw new ThrownFailure(notOfLedger(moves));
		return await takeOver({ roster, ledger, options, asOf, today, newSalt: newSalt(), marks, host: HOST });
	};
	return await runAndReport(context, input, { ...NOTHING_SENT, options, plan });
}

/** What is planned is done by being written. */
const NOTHING_SENT: Omit<SyncWork, 'options' | 'plan'> = {
	sender: () => async () => [],
	statuses: { existsStatuses: [], existing: 'report', goneStatuses: [], confirmation: 'answer' },
	confirming: undefined,
	timeoutMs: 30_000,
};

/** In the words with which Sync would be held. */
function notOfLedger(moves: readonly HoldCondition[]): Failure {
	const [{ code }] = moves;
	const message = moves.map(({ reason }) => reason).join('. ');
	const otherwise = moves.map((move) => move.otherwise).join(' ');
	return inputFailure({
		code,
		message,
		next: `${otherwise} What has changed on purpose is approved in a Sync first. Nothing was taken over.`,
	});
}
