/** Record Access: what events say goes into the ledger, at any time and beside any run, in one insert and without reading it. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { asNodeFailure, failureItem } from '../../shared/actions/nodeFailure';
import { failed, success, type Failure, type Outcome } from '../../shared/failure';
import type { LedgerRow } from '../ledger/row';
import { patiently } from '../night/patience';
import { accessEventIn, accessRow, type AccessEvent } from '../reading/accessEvent';
import { storeOf } from '../store/openStore';
import { MOST_ROWS } from '../store/store';

import { CLOCK } from './clock';
import { inputFailures, ledgerAbsent } from './failures';

/** How long a ledger that is locked is tried again. Milliseconds. */
const PATIENCE_MS = 60_000;

export async function recordAccess(context: IExecuteFunctions): Promise<Outcome<INodeExecutionData[][]>> {
	const at = new Date(CLOCK.wall()).toISOString();
	const inputs = context.getInputData();
	const events = inputs.map(({ json }) => accessEventIn(json, at));
	const noEvent = events.indexOf(undefined);
	if (noEvent >= 0 && !context.continueOnFail()) throw asNodeFailure(context, problems.noEvent, noEvent);
	const named = events.filter((event) => event !== undefined);
	const written = await append(
		context,
		named.map((event) => accessRow(event, at)),
	);
	// Whoever has chosen another way for items that fail sees each of them there: none is lost.
	if (!written.ok && !context.continueOnFail()) return written;
	const failureOf = (event: AccessEvent | undefined): Failure | undefined =>
		event === undefined ? problems.noEvent : written.ok ? undefined : written.failure;
	const given = events.map((event, item) => {
		const failure = failureOf(event);
		if (failure !== undefined) return failureItem(context, inputs[item], failure, item);
		return { json: answerOf(event as AccessEvent), pairedItem: { item } };
	});
	return success([given]);
}

async function append(context: IExecuteFunctions, rows: readonly LedgerRow[]): Promise<Outcome<void>> {
	if (rows.length === 0) return success(undefined);
	const store = storeOf(context);
	const opened = await patiently(CLOCK, PATIENCE_MS, async () => await store.open(false));
	if (!opened.ok) return opened;
	if (opened.value === 'absent') return failed(ledgerAbsent(store.name));
	for (let start = 0; start < rows.length; start += MOST_ROWS) {
		const part = rows.slice(start, start + MOST_ROWS);
		// Written twice, a row says the same.
		const written = await patiently(CLOCK, PATIENCE_MS, async () => await store.append(part));
		if (!written.ok) return written;
	}
	return success(undefined);
}

function answerOf({ detail, ...event }: AccessEvent) {
	const { request_id, class_id, tenant_id } = detail;
	return { ...event, class_id, tenant_id, request_id };
}

const problems = inputFailures({
	noEvent: {
		message: 'The item is no access event, or one that names no user',
		next: 'Connect the outputs User Access and Revocation of School Partner Trigger, or the output of Event: Get. Nothing was recorded for it.',
	},
});
