/** Sync, Preview and Take Over: n8n and the service around what is pure. */
import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failed, success, type Failure, type Outcome } from '../../shared/failure';
import { Session } from '../../shared/transport/session';
import { leaseState } from '../ledger/lease';
import { emptyLedger, type Ledger } from '../ledger/ledger';
import { readLedger } from '../night/reading';
import { runNight, type NightInput } from '../night/night';
import type { Sending } from '../night/sendAll';
import { PLAN_DEFAULTS, type PlanOptions } from '../planning/options';
import { planNight, type Plan } from '../planning/plan';
import { takeOver } from '../planning/takeOver';
import { unconfirmedFindings } from '../planning/unconfirmed';
import { Turns } from '../roster/turns';
import { storeOf } from '../store/openStore';
import type { LedgerStore, Stored } from '../store/store';

import { CLOCK, HOST } from './clock';
import { confirmingOf, findingsOfUnconfirmed } from './confirmation';
import { connect, ledgerMarks } from './connection';
import { inputFailure, unwritten } from './failures';
import { largeLedger, refusedAlike, tellHolds } from './hints';
import { busyOutputs, outputsOf } from './outputs';
import { readInput, type ReadInput } from './roster';
import { checkWith, stepSender } from './sending';
import type { NightSettings } from './settings';
import { tellingOf, type Telling } from './telling';

type Outputs = Outcome<INodeExecutionData[][]>;

export async function sync(context: IExecuteFunctions): Promise<Outputs> {
	if (context.getMode() === 'retry') return failed(RETRIED);
	const read = await readInput(context, 'night');
	if (!read.ok) return read;
	const { settings } = read.value;
	const { plan, connection, marks } = await planning(context, read.value);
	const sender: Sending['sender'] = (maySend) => stepSender(connection, maySend);
	const confirming = confirmingOf(settings, connection, marks);
	const sends = { sender, statuses: settings, confirming, timeoutMs: settings.timeout };
	return await night(context, read.value, settings, plan, sends);
}

export async function preview(context: IExecuteFunctions): Promise<Outputs> {
	const read = await readInput(context, 'night');
	if (!read.ok) return read;
	const { plan } = await planning(context, read.value);
	const store = storeOf(context);
	const found = await ledgerToLookAt(store);
	if (!found.ok) return found;
	const { ledger, rowsExpected } = found.value;
	const planned = await plan(ledger, rowsExpected);
	const isOfMost = ledger.lastRun?.detail.asksFew === true;
	const unconfirmed = unconfirmedFindings(planned.unconfirmed, isOfMost, CLOCK.wall());
	const telling = await tellingOf({
		...{ plan: planned, done: [], findings: [...unconfirmed, ...planned.findings], isPreview: true },
		...{ ...read.value, told: ledger.told, options: read.value.settings, turns: new Turns(HOST) },
	});
	return success(
		outputsOf(context, {
			...{ runId: '', plan: planned, telling, isUnfinished: false },
			...{ isPreview: true, ledger: { name: store.name, rows: ledger.rows } },
			...{ files: read.value.roster.files, tookMs: CLOCK.steady() - read.value.began },
		}),
	);
}

export async function takeOverSchools(context: IExecuteFunctions): Promise<Outputs> {
	if (context.getMode() === 'retry') return failed(RETRIED);
	const read = await readInput(context, 'takeOver');
	if (!read.ok) return read;
	const { roster, asOf, identity, settings } = read.value;
	const options = { ...PLAN_DEFAULTS, ...settings };
	const session = await Session.open(context, 'schoolPartnerOAuth2Api');
	const marks = ledgerMarks(session, identity, options.userIdsUniqueWithin);
	const plan = async (ledger: Ledger) =>
		await takeOver({ roster, ledger, options, asOf, newSalt: newSalt(), marks, host: HOST });
	return await night(context, read.value, options, plan, NOTHING_SENT);
}

const newSalt = () => randomUUID().slice(-12);

/** What is planned is done by being written. */
const NOTHING_SENT: NightSends = {
	sender: () => async () => [],
	statuses: { existsStatuses: [], existing: 'report', goneStatuses: [], confirmation: 'answer' },
	confirming: undefined,
	timeoutMs: 30_000,
};

async function planning(
	context: IExecuteFunctions,
	{ settings, roster, asOf, identity }: ReadInput<NightSettings>,
) {
	const connection = await connect(context, settings);
	const marks = ledgerMarks(connection, identity, settings.userIdsUniqueWithin);
	const check = settings.checkWithService ? checkWith(context, connection) : undefined;
	const input = { roster, options: settings, asOf, newSalt: newSalt(), marks, check, host: HOST };
	const plan: NightInput<Plan>['plan'] = async (ledger, rowsExpected) =>
		await planNight({ ...input, ledger, rowsExpected });
	return { plan, connection, marks };
}

type NightSends = Pick<Sending, 'sender' | 'statuses' | 'confirming'> & Pick<NightInput<Plan>, 'timeoutMs'>;

async function night(
	context: IExecuteFunctions,
	{ roster, asOf, began }: ReadInput,
	options: PlanOptions,
	plan: NightInput<Plan>['plan'],
	{ timeoutMs, ...sends }: NightSends,
): Promise<Outputs> {
	const store = storeOf(context);
	const { files } = roster;
	const { name: nodeName } = context.getNode();
	const turns = new Turns(HOST);
	let telling: Telling = NOTHING_TOLD;
	const tell: NightInput<Plan>['tell'] = async (planned, sent, { told }, rows) => {
		const unconfirmed = findingsOfUnconfirmed(planned, sent, CLOCK.wall());
		const ofRun = [...refusedAlike(sent), ...largeLedger(context, rows)];
		const findings = [...unconfirmed, ...planned.findings, ...ofRun];
		const { done } = sent;
		telling = await tellingOf({
			plan: planned,
			done,
			findings,
			isPreview: false,
			told,
			roster,
			asOf,
			options,
			turns,
		});
		return telling.rows;
	};
	const ran = await runNight({
		...{ store, tail: randomUUID().slice(0, 8), timeoutMs, plan, tell, turns },
		// Exports come and go, each with its files.
		files: roster.completenessBySchool === undefined ? files.map(({ name }) => name) : [],
		sending: {
			...{ ...sends, clock: CLOCK, cancel: context.getExecutionCancelSignal() },
			onProgress: (sent, of) =>
				context.logger.info(`School Partner Roster: ${sent} of ${of} changes sent`, { nodeName, sent, of }),
		},
	});
	if (!ran.ok) return ran;
	const tookMs = CLOCK.steady() - began;
	if (ran.value.kind === 'cancelled') return failed(CANCELLED);
	if (ran.value.kind === 'busy') return success(busyOutputs(ran.value.holder, store.name, tookMs));
	const { runId, plan: planned, sent, rows, isLeaseLost } = ran.value;
	const { done, failure } = sent;
	if (failure !== undefined) return failed(unwritten(sent, failure));
	tellHolds(context, planned.holds);
	const isUnfinished =
		isLeaseLost ||
		done.length < planned.changes.length ||
		done.some(({ result }) => result.kind === 'notTried');
	return success(
		outputsOf(context, {
			...{ runId, plan: planned, telling, isUnfinished, isPreview: false },
			...{ ledger: { name: store.name, rows }, files, tookMs },
		}),
	);
}

/** A run that fails tells nothing. */
const NOTHING_TOLD: Telling = { settled: [], attention: [], causes: [], rows: [] };

/** A ledger as it is, or an empty one where there is none yet. */
async function ledgerToLookAt(store: LedgerStore): Promise<Stored<{ ledger: Ledger; rowsExpected: number }>> {
	const opened = await store.open(false);
	if (!opened.ok) return opened;
	if (opened.value === 'absent') return success({ ledger: emptyLedger(), rowsExpected: 0 });
	const lease = await store.leaseRows();
	if (!lease.ok) return lease;
	const rowsExpected = lease.value.length === 0 ? 0 : leaseState(lease.value[0]).rows;
	const ledger = await readLedger(store, CLOCK, new Turns(HOST));
	return ledger.ok ? success({ ledger: ledger.value, rowsExpected }) : ledger;
}

const CANCELLED: Failure = {
	origin: 'n8n',
	effect: 'none',
	code: 'cancelled',
	message: 'The execution was cancelled while it waited for another run',
	next: 'Nothing was sent.',
};

const RETRIED = inputFailure({
	code: 'retriedExecution',
	message: 'This execution is retried: it would bring the roster of its night, and not that of tonight',
	next: 'Start the workflow anew instead: it reads from the ledger what was done, and goes on with the rest. Nothing was sent.',
});
