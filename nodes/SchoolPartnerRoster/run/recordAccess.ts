/** Record Access: what events say goes into the ledger, at any time and beside any run, in one insert and without reading it. */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { failureItem } from '../../shared/actions/nodeFailure';
import { outcomeOf } from '../../shared/engine/unexpected';
import { failureOfItem, inputFailure, success, ThrownFailure } from '../../shared/failure';
import { accessEventIn, accessRow } from '../reading/accessEvent';

import { CLOCK } from './clock';
import { addRows, openExisting } from './existingLedger';

export async function recordAccess(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const at = new Date(CLOCK.wall()).toISOString();
	const inputs = context.getInputData();
	const events = inputs.map(({ json }) => accessEventIn(json, at));
	const noEvent = events.indexOf(undefined);
	if (noEvent >= 0 && !context.continueOnFail()) throw new ThrownFailure(failureOfItem(NO_EVENT, noEvent));
	const rows = events.flatMap((event) => (event === undefined ? [] : accessRow(event, at)));
	const recorded = await outcomeOf('unknown', async () => {
		if (rows.length > 0) await addRows(await openExisting(context), rows);
		return success(undefined);
	});
	// Whoever has chosen another way for items that fail sees each of them there: none is lost.
	if (!recorded.ok && !context.continueOnFail()) throw new ThrownFailure(recorded.failure);
	const given = events.map((event, item) => {
		if (event === undefined) return failureItem(context, inputs[item], NO_EVENT, item);
		if (!recorded.ok) return failureItem(context, inputs[item], recorded.failure, item);
		const { detail, ...shown } = event;
		const { request_id, class_id, tenant_id } = detail;
		return { json: { ...shown, class_id, tenant_id, request_id }, pairedItem: { item } };
	});
	return [given];
}

const NO_EVENT = inputFailure({
	code: 'noEvent',
	message: 'The item is no access event, or one that names no user',
	next: 'Connect the outputs User Access and Revocation of School Partner Trigger, or the output of Event: Get. Nothing was recorded for it.',
});
