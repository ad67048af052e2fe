/** What happens to the service while a roster is applied, and which states the ledger may have then. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultAction, FaultMatch } from '../../sandbox/admin-types.mts';
import { TOKEN_PATH, USER_PATH, type Workroom } from '../engine/workroom.mts';
import { until } from '../support/eventually.mts';

import type { PROMISES_OF_ROSTERS } from './expectations.mts';

export interface RosterFault {
	/** Of the promise that it tries. */
	promise: keyof typeof PROMISES_OF_ROSTERS;
	name: string;
	/** Of Apply Changes. */
	options?: INodeParameters;
	/** Called when everything is planned and nothing is applied. Tells afterwards whether it did happen. */
	strike: (workroom: Workroom, changes: readonly IDataObject[]) => Promise<() => Promise<boolean>>;
	/** Beside `applied`, the states that changes of the run must have. */
	states: string[];
	/** And may have, by what was on its way when it happened. No other is right. */
	also?: string[];
}

const WRITES: FaultMatch = { method: 'POST', path: '/integration' };

/** Something that strikes requests; it did happen when it struck at least so often. */
function striking(...faults: Array<[FaultMatch, FaultAction]>): RosterFault['strike'] {
	return async ({ admin }) => {
		for (const [match, fault] of faults) await admin.addFault(match, fault);
		return async () => (await admin.faults()).every(({ used }) => used > 0);
	};
}

const answered = ({ admin }: Workroom, status: number) => async () => (await admin.countRequests({ status })) > 0;

/** After so many requests the service goes away, and comes back after so long. */
const BEGUN = 60;
const AWAY_MS = 60_000;

/** A load of few people has not more troubles than that. */
const FEW_TROUBLES: INodeParameters = { stopAfterTroubles: 20 };

export const ROSTER_FAULTS: readonly RosterFault[] = [
	{
		// It takes longest: two minutes.
		promise: 'gone',
		name: '503 until the end',
		options: FEW_TROUBLES,
		strike: striking([{ ...WRITES, after: BEGUN }, { status: 503 }]),
		states: ['failed', 'not tried'],
		also: ['blocked'],
	},
	{
		promise: 'busy',
		name: '429 storm',
		strike: async (workroom) => {
			await workroom.admin.changeSettings({ rate: { perSecond: 30, burst: 10, retryAfter: 1 } });
			return answered(workroom, 429);
		},
		states: [],
	},
	{
		promise: 'busy',
		name: '503 storm',
		strike: async (workroom) => {
			await workroom.admin.changeSettings({ capacity: { atOnce: 4, workMs: 50, queue: 4 } });
			return answered(workroom, 503);
		},
		states: [],
	},
	{
		promise: 'away',
		name: 'dies and comes back',
		strike: async ({ admin }) => {
			// So that something is on its way when it goes.
			await admin.changeSettings({ latencyMs: 200 });
			const goesAway = until(async () => (await admin.countRequests({ path: '/integration' })) > BEGUN).then(async () => await admin.refuseConnections(AWAY_MS));
			return async () => await goesAway.then(() => true);
		},
		states: ['uncertain'],
		also: ['failed', 'blocked'],
	},
	{
		promise: 'lost',
		name: 'cut after the work',
		strike: striking([{ ...WRITES, every: 12 }, { drop: 'after' }]),
		states: ['uncertain'],
	},
	{
		promise: 'lost',
		name: '500, done or not',
		strike: striking([{ ...WRITES, nth: [3, 30, 90] }, { status: 500, afterwards: true }], [{ ...WRITES, nth: [20, 50, 100] }, { status: 500 }]),
		states: ['uncertain', 'failed', 'blocked'],
	},
	{
		promise: 'refused',
		name: '5 % refused',
		strike: striking([{ ...WRITES, every: 20 }, { status: 422 }]),
		states: ['failed', 'blocked'],
	},
	{
		promise: 'refused',
		name: 'a responsible person',
		strike: async ({ admin }, changes) => {
			const responsible = responsibleIn(changes);
			await admin.addFault({ path: USER_PATH, bodyContains: `"external_id":"${responsible}"` }, { status: 422 });
			return async () => (await admin.countRequests({ status: 422 })) === 1;
		},
		states: ['failed', 'blocked'],
	},
	{
		promise: 'token',
		name: 'token taken back',
		strike: striking([{ ...WRITES, nth: [40, 90] }, { expireToken: true }]),
		states: [],
	},
	{
		promise: 'noToken',
		name: 'no token any more',
		options: FEW_TROUBLES,
		strike: striking([{ ...WRITES, nth: 40 }, { expireToken: true }], [{ path: TOKEN_PATH }, { status: 400, body: { error: 'invalid_client' } }]),
		states: ['failed', 'not tried'],
		also: ['blocked'],
	},
];

/** One whom a student of a later batch needs. */
function responsibleIn(changes: readonly IDataObject[]): string {
	const batchOf = new Map(changes.map(({ key, batch }) => [key, Number(batch)]));
	for (const { send, batch } of changes) {
		for (const id of (send as { responsible_external_id?: string[] } | null)?.responsible_external_id ?? [])
			if ((batchOf.get(`u:${id}`) ?? Infinity) < Number(batch)) return id;
	}
	throw new Error('Every student is in the batch of its responsible persons');
}
