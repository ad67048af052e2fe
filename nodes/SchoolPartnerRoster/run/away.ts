/**
 * A night that finds the service away before anything was sent. Where the ledger was written for this address, that is an outage and not a
 * mistake: it ends as one in the middle does.
 */
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { outcomeOf } from '../../shared/engine/unexpected';
import { success, ThrownFailure, type Failure } from '../../shared/failure';
import type { Trouble } from '../../shared/transport/trouble';
import { findingTypes } from '../roster/finding';

import { CLOCK, HOST } from './clock';
import { connect, serviceMark } from './connection';
import { AT_ONCE, readExisting } from './existingLedger';
import { storeOf } from './openStore';
import { awayOutputs } from './outputs';
import { dayIn } from './rosterInput';
import { SENDING_DEFAULTS } from './settings';

/** The outputs of an unfinished run where the run has failed because the service is away. */
export async function unfinishedIfAway(
	context: IExecuteFunctions,
	run: () => Promise<INodeExecutionData[][]>,
): Promise<INodeExecutionData[][]> {
	const began = CLOCK.steady();
	const ran = await outcomeOf('unknown', async () => success(await run()));
	if (ran.ok) return ran.value;
	const { failure } = ran;
	if (!isAway(failure) || !(await isKnownToLedger(context))) throw new ThrownFailure(failure);
	const since = dayIn(context.getTimezone(), HOST.clock());
	const ofRun = { name: storeOf(context).name, since, tookMs: CLOCK.steady() - began };
	return awayOutputs(serviceAway(failure.message), ofRun);
}

/** No answer of the service or of its sign-on. A certificate, or n8n's own rules, do not pass by waiting. */
const PASSING: ReadonlySet<string> = new Set<Trouble>(['refused', 'unresolved', 'timeout', 'broken']);

function isAway({ origin, effect, status = 0, code = '' }: Failure): boolean {
	if (effect !== 'none' || origin === 'n8n') return false;
	return PASSING.has(code) || status >= 500 || status === 429;
}

async function isKnownToLedger(context: IExecuteFunctions): Promise<boolean> {
	const { baseUrl } = await connect(context, SENDING_DEFAULTS);
	const read = await outcomeOf('nothing', async () => success(await readExisting(context, AT_ONCE)));
	return read.ok && read.value.ledger.lastDetail.service === serviceMark(baseUrl);
}

const { serviceAway } = findingTypes('error', 'any', {
	serviceAway: (message: string) => ({
		message: `The service was away, and nothing was sent. ${message}`,
		what_to_do:
			'Nothing for now: the next run does it all that its roster holds. For a list that comes only once, start Sync again with it when the service is back. If it stays so, look whether n8n reaches the service.',
	}),
});
