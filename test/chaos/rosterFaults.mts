/** What happens to the service while a roster is sent, and which states the ledger may have then. */
import type { AdminClient } from '../../sandbox/admin-client.mts';
import type { FaultAction, FaultMatch } from '../../sandbox/admin-types.mts';
import type { Network } from '../e2e/roster/load.mts';
import { until } from '../../playground/eventually.mts';

import type { PROMISES_OF_ROSTERS } from './expectations.mts';
import { TOKEN_PATH } from './keys.mts';

export interface RosterFault {
	/** Of the promise that it tries. */
	promise: keyof typeof PROMISES_OF_ROSTERS;
	name: string;
	/** Called before the night that sends. Tells afterwards whether it did happen. */
	strike: (admin: AdminClient, network: Network) => Promise<() => Promise<boolean>>;
	/** Beside `applied`, the states that records must have after it. */
	states: string[];
	/** And may have, by what was on its way when it happened. No other is right. */
	also?: string[];
}

const WRITES: FaultMatch = { method: 'POST', path: '/integration' };

/** Something that strikes requests; it did happen when it struck at least so often. */
function striking(...faults: Array<[FaultMatch, FaultAction]>): RosterFault['strike'] {
	return async (admin) => {
		for (const [match, fault] of faults) await admin.addFault(match, fault);
		return async () => (await admin.faults()).every(({ used }) => used > 0);
	};
}

const answered = (admin: AdminClient, status: number) => async () =>
	(await admin.countRequests({ status })) > 0;

/** After so many requests the service goes away, and comes back after so long. */
const BEGUN = 70;
const AWAY_MS = 60_000;
/** An answer that would come so late does not come any more. */
const LATE_MS = 5_000;

export const ROSTER_FAULTS: readonly RosterFault[] = [
	{
		// It takes longest: two minutes.
		promise: 'gone',
		name: '503 until the end',
		strike: striking([{ ...WRITES, after: BEGUN }, { documented: 503 }]),
		states: ['failed', 'not tried'],
		also: ['blocked'],
	},
	{
		promise: 'busy',
		name: '429 storm',
		strike: async (admin) => {
			await admin.changeSettings({ rate: { perSecond: 30, burst: 10, retryAfter: 1 } });
			return answered(admin, 429);
		},
		states: [],
	},
	{
		promise: 'busy',
		name: '503 storm',
		strike: async (admin) => {
			await admin.changeSettings({ capacity: { atOnce: 4, workMs: 50, queue: 4 } });
			return answered(admin, 503);
		},
		states: [],
	},
	{
		promise: 'away',
		name: 'dies and comes back',
		strike: async (admin, network) => {
			// When it goes, something has to be on its way: a request that it has not begun with, and one that it has done.
			const hasStruck = await striking(
				[{ ...WRITES, nth: BEGUN }, { delayMs: LATE_MS }],
				[
					{ ...WRITES, nth: BEGUN + 1 },
					{ delayMs: LATE_MS, afterwards: true },
				],
			)(admin, network);
			const goesAway = until(hasStruck).then(async () => await admin.refuseConnections(AWAY_MS));
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
		// Students whose responsible person is uncertain, and their bonds.
		also: ['blocked'],
	},
	{
		promise: 'lost',
		name: '500, done or not',
		strike: striking(
			[
				{ ...WRITES, nth: [3, 30, 90] },
				{ status: 500, afterwards: true },
			],
			[{ ...WRITES, nth: [20, 50, 100] }, { status: 500 }],
		),
		states: ['uncertain', 'blocked'],
		// A bond whose class or user is uncertain is sent, and refused where that is not there.
		also: ['failed'],
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
		strike: async (admin, network) => {
			const responsible = responsibleIn(network);
			await admin.addFault({ ...WRITES, bodyContains: `"external_id":"${responsible}"` }, { status: 422 });
			return async () => (await admin.countRequests({ status: 422 })) === 1;
		},
		states: ['failed', 'blocked'],
	},
	{
		promise: 'forbidden',
		name: 'a school is forbidden',
		strike: async (admin, network) => {
			const school = `"school_external_id":"${schoolIn(network)}"`;
			await admin.addFault({ ...WRITES, bodyContains: school }, { status: 403 });
			// Far fewer than the school has records, and no others.
			return async () => {
				const refused = await admin.countRequests({ status: 403 });
				return refused >= 50 && refused < 150;
			};
		},
		states: ['failed', 'not tried'],
		also: ['blocked'],
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
		strike: striking(
			[{ ...WRITES, nth: 40 }, { expireToken: true }],
			[{ path: TOKEN_PATH }, { status: 400, body: { error: 'invalid_client' } }],
		),
		states: ['failed', 'not tried'],
		also: ['blocked'],
	},
];

/** Id of one whom a student needs. */
function responsibleIn({ needs }: Network): string {
	const [[key = ''] = []] = [...needs]
		.filter(([who, of]) => who.startsWith('u:') && of.length > 0)
		.map(([, of]) => of);
	return decodeURIComponent(key.slice(key.indexOf('|') + 1));
}

/** Id of the school of the first record. */
function schoolIn({ keys }: Network): string {
	return decodeURIComponent(keys[0].slice(2, keys[0].indexOf('|')));
}
