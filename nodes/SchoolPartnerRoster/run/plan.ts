/** Plan Changes: the roster of the first input against the ledger of the second. */
import { randomUUID } from 'node:crypto';

import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outspoken } from '../../shared/actions/expressions';
import { asNodeFailure } from '../../shared/actions/nodeFailure';
import { tellRequests } from '../../shared/actions/told';
import { failed, success, type Failure, type Outcome } from '../../shared/failure';

import type { PlanMeans } from '../planning/options';
import { plan, type Plan } from '../planning/plan';
import type { RosterRecord } from '../roster/record';
import { offeredBy } from '../service/ask';
import { refusalsOf } from '../service/offered';

import { itemsOf, origins } from './items';
import { notePlan, retriedOf } from './misuse';
import { HOST, rosterOf, sourceOf } from './roster';
import { sendingOf, type SendingSettings } from './sending';
import { planSettings } from './settings';

const [ROSTER, LEDGER] = [0, 1];

/** What comes out, in the order of the outputs; or why nothing may. */
export async function planChanges(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const items = context.getInputData(ROSTER);
	const trouble =
		retriedOf(context) ??
		(isWired(context, LEDGER) ? (items.length === 0 ? EMPTY_ROSTER : undefined) : LEDGER_NOT_WIRED);
	if (trouble !== undefined) return failed(trouble);
	const expressions = outspoken(context);
	const settings = planSettings(expressions, items);
	if (!settings.ok) return settings;
	const read = await rosterOf(context, expressions, items, settings.value);
	if (!read.ok) return read;
	const { roster, asOf, identity } = read.value;
	const service = settings.value.checkWithService ? await serviceOf(context) : NOT_ASKED;
	const means = { ...service, identity, asOf, now: HOST.clock, pause: HOST.pause, tail: tail() };
	const ledger = context.getInputData(LEDGER).map(({ json }) => json);
	const planned = await plan(roster, ledger, settings.value, means);
	if (!planned.ok) return planned;
	notePlan(context, planned.value.summary.run_id, planned.value.marks);
	return success(outputsOf(planned.value, sourceOf(context), items));
}

/** The outputs, as panel/ports.ts names them. */
function outputsOf(
	{ changes, ledgerRows, held, findings, summary }: Plan,
	source: string,
	items: readonly INodeExecutionData[],
): INodeExecutionData[][] {
	const origin = origins(source, items.length);
	return [
		itemsOf(changes, ({ source }) => origin(source)),
		itemsOf(ledgerRows, () => origin(null)),
		itemsOf(held, ({ source }) => origin(source)),
		itemsOf(findings, ({ places }) => origin(places[0] ?? null)),
		itemsOf([summary], () => origin(null)),
	];
}

/** Letters and digits that make the id of this run its own. */
export function tail(): string {
	return randomUUID().slice(0, 8);
}

/** n8n gives nothing for an input that no node is wired to, and null for one whose node gave no items. */
function isWired(context: IExecuteFunctions, input: number): boolean {
	// Trap: a node that is executed alone has no sources at all.
	if (context.getExecuteData().source === null) return true;
	return (context.getInputSourceData(input) as unknown) !== undefined;
}

const NOT_ASKED: Pick<PlanMeans, 'service' | 'client' | 'check'> = { service: '', client: '' };

/** The service that the plan is for, and how it says what it has. Nothing is asked before something is to be created. */
async function serviceOf(
	context: IExecuteFunctions,
): Promise<Pick<PlanMeans, 'service' | 'client' | 'check'>> {
	const { baseUrl, clientId, means, gate } = await sendingOf(context, LOOKING_UP);
	return {
		service: baseUrl,
		client: clientId,
		check: async (records: readonly RosterRecord[]) => {
			const offered = await offeredBy(means, records);
			tellRequests(context, gate.pace.state.summary);
			if (!offered.ok) throw asNodeFailure(context, notAsked(offered.failure));
			return refusalsOf(records, offered.value);
		},
	};
}

/** Lookups of a plan are tried as patiently as those of a run. */
const LOOKING_UP: SendingSettings = { concurrency: 0, maxConcurrency: 10, timeout: 30_000, maxRetries: 3 };

function notAsked(failure: Failure): Failure {
	return {
		...failure,
		message: `The service could not be asked what it has. ${failure.message}`,
		next: `${failure.next}\nNothing was planned. Without asking the service, plan with the option Check With Service off.`,
	};
}

const LEDGER_NOT_WIRED: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'ledgerNotWired',
	message: 'No node is connected to the input Ledger',
	next: 'Connect the node that reads the table of the ledger to the second input, such as a Data Table node with the operation Get and Return All on. For the very first run, the table is empty. Nothing was planned.',
};

const EMPTY_ROSTER: Failure = {
	origin: 'input',
	effect: 'none',
	code: 'rosterEmpty',
	message: 'The input Roster has no items',
	next: 'Check the node that is connected to the first input: it gave nothing. An empty roster is never taken for one of which everything is gone. Nothing was planned.',
};
