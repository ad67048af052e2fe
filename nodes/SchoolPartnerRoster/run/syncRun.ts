/** One run under the lease, with n8n and the service around what is pure: for Sync and Take Over. */
import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { inputFailure, ThrownFailure, type Failure } from '../../shared/failure';
import { runNight, type NightInput } from '../night/night';
import { bytesOfHolds } from '../night/compaction';
import type { Sent } from '../night/changeSender';
import type { PlanOptions } from '../planning/options';
import { planNight, type Plan } from '../planning/plan';
import type { FileRead } from '../roster/roster';
import { Turns } from '../roster/turns';

import { attentionReport, type AttentionReport } from './attention';
import { CLOCK, HOST } from './clock';
import type { Connection } from './connection';
import { nothingSent, unwritten } from './failures';
import { storeOf } from './openStore';
import { addHoldHint, busyOutputs, nightOutputs } from './outputs';
import type { RosterInput } from './rosterInput';
import { runFindings } from './runFindings';
import { checkWith } from './sending';
import type { NightSettings } from './settings';

/** Plans tonight for a ledger. */
export function planner(
	{ settings, roster, asOf, today }: RosterInput<NightSettings>,
	connection: Connection,
	marks: Parameters<typeof planNight>[0]['marks'],
): NightInput['plan'] {
	const check = settings.checkWithService ? checkWith(connection, roster) : undefined;
	const input = { roster, options: settings, asOf, today, newSalt: newSalt(), marks, check, host: HOST };
	return async (ledger, rowsExpected) => await planNight({ ...input, ledger, rowsExpected });
}

export const newSalt = () => randomUUID().slice(-12);

/** A sheet has no files, and says nothing of those that the next export has to have. */
const fileNames = (files: readonly FileRead[]) =>
	files.length === 0 ? undefined : files.map(({ name }) => name);

export interface SyncWork
	extends Pick<NightInput, 'plan' | 'timeoutMs' | 'sender' | 'statuses' | 'confirming'> {
	options: PlanOptions;
}

export async function runAndReport(
	context: IExecuteFunctions,
	input: RosterInput,
	{ options, ...work }: SyncWork,
): Promise<INodeExecutionData[][]> {
	const store = storeOf(context);
	const { files, completenessBySchool } = input.roster;
	const turns = new Turns(HOST);
	let report: AttentionReport = { settled: [], attention: [], causes: [], namesOf: () => ({}), rows: [] };
	const ran = await runNight({
		...{ ...work, store, tail: randomUUID().slice(0, 8), turns, clock: CLOCK },
		...{ cancel: context.getExecutionCancelSignal(), onProgress: progressLog(context) },
		// Exports come and go, each with its files.
		files: completenessBySchool === undefined ? fileNames(files) : [],
		tell: async (planned, sent, { told, notes, runBytes, decisions }, rows) => {
			const findings = runFindings(context, planned, sent, {
				...{ roster: input.roster, rows: rows + notes, now: CLOCK.wall() },
				runBytes: runBytes + bytesOfHolds(decisions.holds.values()),
			});
			const ofRun = { plan: planned, done: sent.done, findings, isPreview: false, told };
			report = await attentionReport({ ...input, ...ofRun, options, turns });
			return report.rows;
		},
	}).catch(nothingSent);
	const tookMs = CLOCK.steady() - input.began;
	if (ran.kind === 'cancelled') throw new ThrownFailure(CANCELLED);
	if (ran.kind === 'busy') return busyOutputs(ran.holder, store.name, tookMs);
	const { runId, plan: planned, sent, rows, isLeaseLost } = ran;
	if (sent.failure !== undefined) throw new ThrownFailure(unwritten(sent, sent.failure));
	addHoldHint(context, planned.holds);
	const isUnfinished = isLeaseLost || hasUntried(planned, sent);
	const ledger = { name: store.name, rows };
	return nightOutputs(context, { runId, plan: planned, report, isUnfinished, ledger, files, tookMs });
}

function progressLog(context: IExecuteFunctions): NightInput['onProgress'] {
	const { name: nodeName } = context.getNode();
	return (sent, of) =>
		context.logger.info(`School Partner Roster: ${sent} of ${of} changes sent`, { nodeName, sent, of });
}

function hasUntried({ changes }: Plan, { done }: Sent): boolean {
	return done.length < changes.length || done.some(({ result }) => result.kind === 'notTried');
}

const CANCELLED: Failure = {
	origin: 'n8n',
	effect: 'none',
	code: 'cancelled',
	message: 'The execution was cancelled while it waited for another run',
	next: 'Nothing was sent.',
};

/** A retried execution brings the roster of its old night. */
export function refuseRetry(context: IExecuteFunctions): void {
	if (context.getMode() === 'retry') throw new ThrownFailure(RETRIED);
}

const RETRIED = inputFailure({
	code: 'retriedExecution',
	message: 'This execution is retried: it would bring the roster of its night, and not that of tonight',
	next: 'Start the workflow anew instead: it reads from the ledger what was done, and goes on with the rest. Nothing was sent.',
});
