/** The faults of the matrix, as the sandbox is told to make them. */
import type { FaultAction } from '../../sandbox/admin-types.mts';

export interface Fault {
	action: FaultAction;
	/** The service does the work of a request that the fault strikes. */
	does: boolean;
}

/** Longer than the timeout of the runs that wait for it. */
const SLOW_MS = 6_000;
const YEAR_S = 365 * 24 * 3_600;

/** What the service says when it refuses: the shape of the document's enrollment area, which any area's reader takes. */
export const REFUSAL_WORDS = 'Struck on purpose.';
const refusal = { Errors: [{ Code: 'CHAO-0001', Message: REFUSAL_WORDS }] };
const refuse = (status: number, more: FaultAction = {}): Fault => ({
	action: { status, body: refusal, ...more },
	does: false,
});
const lose = (action: FaultAction, does: boolean): Fault => ({ action, does });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toUTCString();

/** A redirect leads here; nobody may follow it, because the token would travel along. */
export const ELSEWHERE = '/elsewhere';

/** @param goodAnswer what the service would answer, for a fault that only labels it wrongly */
export function faultNamed(name: string, goodAnswer: unknown): Fault {
	if (/^3\d\d$/.test(name)) return lose({ status: Number(name), headers: { location: ELSEWHERE } }, false);
	if (name === '204') return lose({ status: 204, afterwards: true }, true);
	if (/^\d\d\d$/.test(name)) return refuse(Number(name));
	switch (name) {
		case '503 page':
			return lose({ status: 503, htmlPage: true, retryAfter: 1 }, false);
		case '503 done':
			return lose({ status: 503, afterwards: true }, true);
		case '502 page':
			return lose({ htmlPage: true }, false);
		case '502 done':
			return lose({ htmlPage: true, afterwards: true }, true);
		case '504 done':
			return lose({ status: 504, afterwards: true }, true);
		case 'after 1 s':
			return refuse(429, { retryAfter: 1 });
		case 'after date':
			return refuse(503, { retryAfter: inSeconds(4) });
		case 'after -5':
			return refuse(429, { retryAfter: '-5' });
		case 'after junk':
			return refuse(503, { retryAfter: 'after lunch' });
		case 'after past':
			return refuse(503, { retryAfter: inSeconds(-3_600) });
		case 'after 61 s':
			return refuse(429, { retryAfter: 61 });
		case 'after year':
			return refuse(429, { retryAfter: YEAR_S });
		case 'year date':
			return refuse(503, { retryAfter: inSeconds(YEAR_S) });
		case 'slow':
			return lose({ delayMs: SLOW_MS }, false);
		case 'slow done':
			return lose({ delayMs: SLOW_MS, afterwards: true }, true);
		case 'reset':
			return lose({ drop: 'before' }, false);
		case 'reset done':
			return lose({ drop: 'after' }, true);
		case 'cut':
			return lose({ cutBody: true }, true);
		case 'page 200':
			return lose({ htmlPage: true, status: 200 }, false);
		case 'page 200 done':
			return lose({ htmlPage: true, status: 200, afterwards: true }, true);
		case 'words 200':
			return lose({ status: 200, body: 'Created', contentType: 'text/plain', afterwards: true }, true);
		case 'empty 200':
			return lose({ status: 200, afterwards: true }, true);
		case 'wrong type':
			return lose({ status: 200, body: goodAnswer, contentType: 'text/html', afterwards: true }, true);
		default:
			throw new Error(`There is no fault "${name}"`);
	}
}
