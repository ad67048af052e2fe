/** What can be set while the sandbox runs, and what is counted of it. */
import type { StrictPart } from './strict.mts';
import type { Variant } from './variants.mts';

export interface Settings {
	/** Seconds that an access token lives. */
	tokenLifetime: number;
	/** Milliseconds that every API answer waits. */
	latencyMs: number;
	/** The first request on a connection waits this much longer, as if the connection took so long to open. */
	connectionLatencyMs: number;
	/** So many requests to the API are taken; null: any number. */
	rate: RateLimit | null;
	/** So many requests to the API are worked on at once; null: all that come. */
	capacity: Capacity | null;
	/** The document's sample deviations (`cpnj`, `Zip`, `tagId`, …) in the answers. */
	deviations: boolean;
	/** What happens to a class, user or bond that is there already: refused with 409 (`refuse`), written over (`accept`), or one more beside it (`double`). */
	duplicates: 'refuse' | 'accept' | 'double';
	/** When the accounts of users that are created come; null: with the creation. */
	accounts: AccountCreation | null;
	/** What provisioning and synchronization take in `Authorization`: `bearer`, `token` or `either`. */
	authorization: 'bearer' | 'token' | 'either';
	/** What is refused because the document does not show it. */
	strict: StrictPart[];
	/** Ways in which the service differs where the document is silent. */
	variants: Variant[];
	/** Seconds that an authorization code can be redeemed; documented: 300. */
	codeLifetime: number;
	/** A refresh token is replaced when it is used, and cannot be used again. */
	rotateRefreshTokens: boolean;
}

/** Accounts that come behind the answer to the creation of their user, or not at all. */
export interface AccountCreation {
	/** So long after the creation; default 0. */
	delayMs?: number;
	/** The share of the created users (0 to 1) whose account never comes, drawn from the seed. */
	neverShare?: number;
	/** External ids of users whose account never comes. */
	never?: string[];
}

/** A token bucket: what comes when it is empty is answered 429. */
export interface RateLimit {
	/** Requests that are taken in a second. */
	perSecond: number;
	/** Requests that may come at once after a pause; default: those of one second, at least 1. */
	burst?: number;
	/** Seconds in the `Retry-After` of a 429; default 1, null: no such header. */
	retryAfter?: number | null;
}

/** A service that works on so many requests at once; the others wait in line. */
export interface Capacity {
	/** Requests that are worked on at once. */
	atOnce: number;
	/** How long each is worked on; default 0. */
	workMs?: number;
	/** So many may wait; what comes then is answered 503. Default: any number. */
	queue?: number;
}

/** What the service had to bear, since its start or since the counters were set back. */
export interface PaceCounters {
	/** Requests that had come and were not answered yet, waiting ones included. */
	highestInFlight: number;
	/** Requests that were worked on at once. Counted while there is a capacity, as are the waits. */
	highestAtWork: number;
	highestWaiting: number;
	/** Answered 429, and 503. */
	refused: { rate: number; queue: number };
	queueWaitMs: WaitingTimes;
	/** By others than the admin's client. */
	connectionsOpened: number;
}

/** Milliseconds, of all that were worked on; nobody waited: 0. */
export interface WaitingTimes {
	count: number;
	p50: number;
	p95: number;
	max: number;
}
