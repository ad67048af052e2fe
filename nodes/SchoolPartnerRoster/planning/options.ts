/** What a person decides about a plan. */
import type { UserKeys } from '../ledger/key';
import type { Finding } from '../roster/finding';
import type { RosterRecord } from '../roster/record';

export interface PlanOptions {
	/** Days for which a bond must be missing before it is removed. */
	gracePeriodDays: number;
	/** Held above so many percent of what is there, and from so many on. 100 percent: never. */
	holdCreationsPercent: number;
	holdCreationsFrom: number;
	holdRemovalsPercent: number;
	holdRemovalsFrom: number;
	/** A bond to a class of an earlier year that is gone from the roster is left alone. */
	keepPastYears: boolean;
	changedRecords: 'report' | 'sendAgain';
	/** What counts as ours where the service says that it exists: nothing; or everything, so that what is uncertain can be sent again. */
	existing: 'report' | 'adopt';
	/** What makes a user that was created one that is there: the answer to the creation, or the account that was seen. */
	confirmation: 'answer' | 'callback';
	/** External ids; empty: all. */
	onlySchools: readonly string[];
	userIdsUniqueWithin: UserKeys;
}

export const PLAN_DEFAULTS: PlanOptions = {
	gracePeriodDays: 0,
	keepPastYears: false,
	holdCreationsPercent: 25,
	holdCreationsFrom: 50,
	holdRemovalsPercent: 10,
	holdRemovalsFrom: 20,
	changedRecords: 'report',
	existing: 'report',
	confirmation: 'answer',
	onlySchools: [],
	userIdsUniqueWithin: 'school',
};

/** What a record is refused for before anything is sent: `code`, `message` and `what_to_do` of its finding. */
export type NotOffered = Pick<Finding, 'code' | 'message' | 'what_to_do'>;

/** Looks up what the service would take of what is to be created; says of each of them why it would refuse it. */
export type CheckWithService = (
	records: readonly RosterRecord[],
) => Promise<(record: RosterRecord) => NotOffered | undefined>;
