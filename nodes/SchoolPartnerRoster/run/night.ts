/** Sync, Preview and Take Over: n8n and the service around what is pure. */
import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { failed, success, type Failure, type Outcome } from '../../shared/failure';
import { leaseState } from '../ledger/lease';
import { emptyLedger, type Ledger } from '../ledger/ledger';
import { readLedger } from '../night/reading';
import { runNight, type Night } from '../night/night';
import type { StatusOptions } from '../sending/result';
import { planNight, type Plan, type PlanInput } from '../planning/plan';
import { PLAN_DEFAULTS } from '../planning/options';
import { takeOver } from '../planning/takeOver';
import { Turns } from '../roster/turns';
import { storeOf } from '../store/openStore';
import type { LedgerStore, Stored } from '../store/store';

import { CLOCK } from './clock';
import { tellHolds, tellProgress } from './hints';
import { largeLedger } from './largeLedger';
import { marksOf } from './marks';
import { busyOutputs, outputsOf } from './outputs';
import { HOST, rosterOf, type ReadRoster, type ReadingSettings } from './roster';
import { openSending, type Sending } from './sending';
import { checkWith } from './serviceCheck';
import { nightSettings, takeOverSettings, type NightSettings } from './settings';
import { stepSender } from './stepSender';
import { unwritten } from './unwritten';

type Outputs = Promise<Outcome<INodeExecutionData[][]>>;

export async function sync(context: IExecuteFunctions): Outputs {
	const began = CLOCK.steady();
	if (context.getMode() === 'retry') return failed(RETRIED);
	const read = await readNight(context);
	if (!read.ok) return read;
	const { settings, roster } = read.value;
	const sending = await openSending(context, settings);
	const plan = async (ledger: Ledger, rowsExpected: number) =>
		await planNight(planInput(context, read.value, sending, ledger, rowsExpected));
	const night = await nightOf(context, roster, plan, settings.timeout, settings, (maySend) =>
		stepSender(sending, maySend),
	);
	return finished(context, roster, night, began);
}

export async function preview(context: IExecuteFunctions): Outputs {
	const began = CLOCK.steady();
	const read = await readNight(context);
	if (!read.ok) return read;
	const sending = await openSending(context, read.value.settings);
	const store = storeOf(context);
	const found = await ledgerToLookAt(store);
	if (!found.ok) return found;
	const { ledger, rowsExpected } = found.value;
	const plan = await planNight(planInput(context, read.value, sending, ledger, rowsExpected));
	return success(
		outputsOf(context, {
			...{ runId: '', plan, done: [], isUnfinished: false, isPreview: true },
			...{ ledger: { name: store.name, rows: ledger.rows }, files: read.value.roster.roster.files },
			tookMs: CLOCK.steady() - began,
		}),
	);
}

export async function takeOverSchools(context: IExecuteFunctions): Outputs {
	const began = CLOCK.steady();
	if (context.getMode() === 'retry') return failed(RETRIED);
	const expressions = outspoken(context);
	const settings = takeOverSettings(expressions, context.getInputData());
	if (!settings.ok) return settings;
	const roster = await rosterOf(context, expressions, context.getInputData(), settings.value);
	if (!roster.ok) return roster;
	const sending = await openSending(context, NOTHING_SENT);
	const options = { ...PLAN_DEFAULTS, ...settings.value };
	const marks = marksOf(sending, roster.value.identity, options.userIdsUniqueWithin);
	const plan = async (ledger: Ledger) =>
		await takeOver({
			roster: roster.value.roster,
			ledger,
			options,
			asOf: roster.value.asOf,
			marks,
			host: HOST,
		});
	const night = await nightOf(context, roster.value, plan, NOTHING_SENT.timeout, NO_STATUSES, (maySend) =>
		stepSender(sending, maySend),
	);
	return finished(context, roster.value, night, began);
}

interface ReadNight {
	settings: NightSettings;
	roster: ReadRoster;
}

async function readNight(context: IExecuteFunctions): Promise<Outcome<ReadNight>> {
	const items = context.getInputData();
	const expressions = outspoken(context);
	const settings = nightSettings(expressions, items);
	if (!settings.ok) return settings;
	const reading: ReadingSettings = settings.value;
	const roster = await rosterOf(context, expressions, items, reading);
	return roster.ok ? success({ settings: settings.value, roster: roster.value }) : roster;
}

function planInput(
	context: IExecuteFunctions,
	{ settings, roster: { roster, asOf, identity } }: ReadNight,
	sending: Sending,
	ledger: Ledger,
	rowsExpected: number,
): PlanInput {
	const marks = marksOf(sending, identity, settings.userIdsUniqueWithin);
	const check = settings.checkWithService ? checkWith(context, sending) : undefined;
	return { roster, ledger, options: settings, asOf, marks, rowsExpected, check, host: HOST };
}

async function nightOf(
	context: IExecuteFunctions,
	{ roster }: ReadRoster,
	plan: (ledger: Ledger, rowsExpected: number) => Promise<Plan>,
	timeoutMs: number,
	statuses: StatusOptions,
	sender: Parameters<typeof runNight>[0]['sending']['sender'],
): Promise<Stored<Night<Plan>>> {
	return await runNight({
		...{ store: storeOf(context), tail: randomUUID().slice(0, 8), timeoutMs, plan },
		files: roster.files.map(({ name }) => name),
		sending: {
			...{ sender, statuses, clock: CLOCK, cancel: context.getExecutionCancelSignal() },
			onProgress: (sent, of) => tellProgress(context, sent, of),
		},
		turns: new Turns(HOST),
	});
}

/** The outputs of a night; or why there are none. */
function finished(
	context: IExecuteFunctions,
	{ roster }: ReadRoster,
	night: Stored<Night<Plan>>,
	began: number,
): Outcome<INodeExecutionData[][]> {
	if (!night.ok) return night;
	const { name } = storeOf(context);
	const tookMs = CLOCK.steady() - began;
	if (night.value.kind === 'cancelled') return failed(CANCELLED);
	if (night.value.kind === 'busy') return success(busyOutputs(night.value.holder, name, tookMs));
	const { runId, plan, sent, rows, isLeaseLost } = night.value;
	if (sent.failure !== undefined) return failed(unwritten(sent, sent.failure));
	tellHolds(context, plan.holds);
	plan.findings.push(...largeLedger(context, rows));
	return success(
		outputsOf(context, {
			...{
				runId,
				plan,
				done: sent.done,
				isPreview: false,
				ledger: { name, rows },
				files: roster.files,
				tookMs,
			},
			isUnfinished: isLeaseLost || sent.done.length < plan.changes.length || sent.done.some(isNotTried),
		}),
	);
}

function isNotTried({ result }: { result: { kind: string } }): boolean {
	return result.kind === 'notTried';
}

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

const NOTHING_SENT = {
	concurrency: 0,
	maxConcurrency: 1,
	timeout: 30_000,
	maxRetries: 0,
	creationsAgainOn503: false,
};
const NO_STATUSES: StatusOptions = { existsStatuses: [], existing: 'report', goneStatuses: [] };

const CANCELLED: Failure = {
	origin: 'n8n',
	effect: 'none',
	code: 'cancelled',
	message: 'The execution was cancelled while it waited for another run',
	next: 'Nothing was sent.',
};

const RETRIED: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'retriedExecution',
	message: 'This execution is retried: it would bring the roster of its night, and not that of tonight',
	next: 'Start the workflow anew instead: it reads from the ledger what was done, and goes on with the rest. Nothing was sent.',
};
