/** What a person decides about a plan. */
import type { UserKeys } from '../ledger/key';
import type { Host } from '../roster/turns';
import type { Finding } from '../roster/finding';
import type { RosterRecord } from '../roster/record';

export interface PlanOptions {
	/** The ledger must be empty, and nothing is held for being new. */
	firstRun: boolean;
	/** Plan ids: of the whole plan, or of the part of one school. */
	approvedPlan: readonly string[];
	/** What the ledger learns to be there as it is, so that nothing is sent for it. */
	takeAsDone: 'nothing' | 'everything' | 'uncertain' | 'changed';
	/** Exports in a row, with different content, without a bond before it is removed. */
	removeAfter: number;
	/** Held above so many percent of what is there, and from so many on. 100 percent: never. */
	holdCreationsPercent: number;
	holdCreationsFrom: number;
	holdRemovalsPercent: number;
	holdRemovalsFrom: number;
	changedRecords: 'report' | 'sendAgain';
	uncertainCreations: 'report' | 'sendAgain';
	afterInterruption: 'hold' | 'goOn';
	/** Minutes since the last row of a run without an end, before it counts as interrupted and not as under way. */
	unfinishedAfter: number;
	mostChanges: number;
	batchSize: number;
	/** External ids; empty: all. */
	onlySchools: readonly string[];
	userKeys: UserKeys;
}

export const PLAN_DEFAULTS: PlanOptions = {
	firstRun: false,
	approvedPlan: [],
	takeAsDone: 'nothing',
	removeAfter: 1,
	holdCreationsPercent: 25,
	holdCreationsFrom: 50,
	holdRemovalsPercent: 10,
	holdRemovalsFrom: 20,
	changedRecords: 'report',
	uncertainCreations: 'report',
	afterInterruption: 'hold',
	unfinishedAfter: 60,
	mostChanges: 20_000,
	batchSize: 500,
	onlySchools: [],
	userKeys: 'network',
};

/** What a record is refused for before anything is sent: `code`, `message` and `what_to_do` of its finding. */
export type NotOffered = Pick<Finding, 'code' | 'message' | 'what_to_do'>;

/** What is around a plan: which service it is for, the clock, and what n8n gives. */
export interface PlanMeans {
	/**
	 * The address of the service, the client, and the options that say where ids come from: another one means another ledger. Empty: not known,
	 * and nothing is compared.
	 */
	service: string;
	client: string;
	identity: Readonly<Record<string, unknown>>;
	/** The day for which the roster was read, YYYY-MM-DD. */
	asOf: string;
	/** Milliseconds since 1970. */
	now: () => number;
	/** Random letters and digits that make the run's id its own. */
	tail: string;
	pause: Host['pause'];
	/** Looks up whether the service would take what is to be created; gives those that it would refuse. */
	check?: (records: readonly RosterRecord[]) => Promise<ReadonlyMap<RosterRecord, NotOffered>>;
}
