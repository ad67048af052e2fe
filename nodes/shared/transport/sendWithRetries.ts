/**
 * The one way out: a request to the service or to its sign-on area waits for its turn, is signed and sent, and is sent again where that
 * is safe (retry.ts). Sends only through n8n's own helpers: proxy, protection against server-side request forgery, tracing and
 * cancellation stay n8n's.
 */
import { failed, NOT_BEGUN, success, type Outcome, type Reason } from '../failure';
import { steadyNow } from '../pace/clock';

import { is503NotTaken, isAccepted, isHeldOff, mayHaveBeenDone, type Attempt } from './attempt';
import { Deadlines, type Deadline } from './deadline';
import { exchange, type HttpHelpers, type Message } from './exchange';
import { Limiter } from './limiter';
import { isPage, type Reply } from './request';
import { afterGivingUp, refusedByStatus, refusedByTrouble, refusedForLong } from './requestFailure';
import { SERVICE, type Asked } from './requestWords';
import { NONE_SPENT, nextStep, type RetryPolicy } from './retry';
import { answerWithoutSecrets, refusalWithoutSecrets } from './secrets';
import { NOBODY, type Signer } from './signer';

/** What belongs to one request, beside what goes over the wire. */
export interface Request extends Message, Pick<Asked, 'peer' | 'mayBeSpent'> {
	/** Default: nobody. */
	signer?: Signer;
	/** Signed as `Bearer`, whatever the credential says. */
	asBearer?: boolean;
	/** What the message itself holds and must not come back in a text from outside. */
	secrets?: readonly string[];
	/** A refusal in words of its own; undefined for those that are told as everywhere. */
	refused?: (reply: Reply) => Reason | undefined;
}

/** What the requests of a run share. */
type RequestContext = ReturnType<typeof requestContext>;

/** @param limiter by default one for a few requests */
export function requestContext(helpers: HttpHelpers, policy: RetryPolicy, limiter = new Limiter()) {
	return { helpers, policy, limiter, deadlines: new Deadlines(policy.timeoutMs, limiter.cancel) };
}

/** What all attempts came to: the last of them. */
interface SendResult {
	attempt: Attempt;
	/** An attempt before the last may have done what was asked. */
	doneBefore: boolean;
	/** That, or the last. */
	mayBeDone: boolean;
	/** The service asks to wait longer than we do, so long. */
	tooLongMs?: number;
}

/** How often one request may find the token refused with which it was sent: once for its age, once more for one that was withdrawn meanwhile. */
const MOST_REFUSED_TOKENS = 2;

/** Sends a request until its answer is final; gives an answer of 200 to 299, or why there is none. Never throws. */
export async function sendWithRetries(request: Request, context: RequestContext): Promise<Outcome<Reply>> {
	const result = await attemptUntilFinal(request, context);
	// A lookup changes nothing.
	const effect = result.mayBeDone && request.method !== 'GET' ? 'unknown' : 'none';
	const { attempt } = result;
	if (attempt.kind === 'held' && attempt.by === 'closed' && effect === 'none') return failed(NOT_BEGUN);
	const answer = concludedFrom(request, context, result);
	return answer.ok ? answer : failed({ ...answer.failure, effect });
}

async function attemptUntilFinal(request: Request, context: RequestContext): Promise<SendResult> {
	const { policy, limiter } = context;
	const { method } = request;
	const pauses = new PausesOfRun(request, limiter);
	let last: Attempt | undefined;
	let doneBefore = false;
	for (let spent = 0, isRepeated = false; ; isRepeated = true) {
		const attempt = await attemptOnce(request, context, isRepeated);
		// The run ended while it waited to try again: what its last attempt came to is what there is to tell.
		if (attempt.kind === 'held' && attempt.by === 'closed' && doneBefore && last !== undefined)
			return { attempt: last, doneBefore, mayBeDone: true };
		last = attempt;
		const retries = pauses.include(attempt, steadyNow()) ? NONE_SPENT : spent++;
		const next = nextStep(method, retries, attempt, policy, Date.now(), Math.random());
		const mayBeDone: boolean = doneBefore || mayHaveBeenDone(attempt, policy);
		if (next.step === 'done') return { attempt, doneBefore, mayBeDone };
		if (next.step === 'tooLong') return { attempt, doneBefore, mayBeDone, tooLongMs: next.waitMs };
		doneBefore = mayBeDone;
		// What the service asks for after a refusal of the whole run, the limiter waits for.
		await limiter.sleep(isHeldOff(attempt) ? next.backoffMs : next.waitMs);
	}
}

/** Waits for its turn, and sends. */
async function attemptOnce(request: Request, context: RequestContext, isRepeated: boolean): Promise<Attempt> {
	const { limiter } = context;
	const permit = await limiter.acquire(isRepeated);
	if (typeof permit === 'string') return { kind: 'held', by: permit };
	let sent: { attempt: Attempt; tookMs: number } | undefined;
	try {
		sent = await sendSigned(request, context);
		return sent.attempt;
	} finally {
		const { attempt, tookMs } = sent ?? { attempt: { kind: 'lost', trouble: 'cancelled' }, tookMs: 0 };
		limiter.release(permit, attempt, tookMs, isRepeated);
	}
}

/** Sends with a token, and with another one when the service does not take it. */
async function sendSigned(
	request: Request,
	context: RequestContext,
): Promise<{ attempt: Attempt; tookMs: number }> {
	const { signer = NOBODY, asBearer } = request;
	const { deadlines } = context;
	for (let refused = 0; ; ) {
		const signature = await deadlines.during(async (deadline) => await signer.sign(deadline, asBearer));
		if (signature.kind === 'unsigned') return { attempt: signature, tookMs: 0 };
		const sentAt = steadyNow();
		let attempt: Attempt = { kind: 'lost', trouble: 'cancelled' };
		let verdict: ReturnType<Signer['settle']>;
		try {
			attempt = await deadlines.during(
				async (deadline) => await exchangeIfOpen(request, context, deadline, signature.authorization),
			);
		} finally {
			// Trap: others wait, without a deadline, for the request that tries a token.
			verdict = signer.settle(signature, attempt);
		}
		const tookMs = steadyNow() - sentAt;
		if (verdict === 'refused') refused++;
		if (verdict === 'settled' || refused > MOST_REFUSED_TOKENS) return { attempt, tookMs };
	}
}

async function exchangeIfOpen(
	request: Request,
	{ helpers, limiter }: RequestContext,
	deadline: Deadline,
	authorization: string | undefined,
): Promise<Attempt> {
	// Trap: while a token was waited for, the process may have slept for minutes.
	if (!limiter.mayLeave()) return { kind: 'held', by: 'closed' };
	return withoutEchoes(await exchange(helpers, request, deadline, authorization), request);
}

/** Trap: services quote what they were sent. Only an answer that gives tokens (it was asked for with a form) has them rightly. */
function withoutEchoes(attempt: Attempt, { signer = NOBODY, secrets = [] }: Request): Attempt {
	if (attempt.kind !== 'answered') return attempt;
	const { reply } = attempt;
	const text = isAccepted(reply)
		? answerWithoutSecrets(reply.text, signer.secrets)
		: refusalWithoutSecrets(reply.text, [...signer.secrets, ...secrets]);
	return text === reply.text ? attempt : { kind: 'answered', reply: { ...reply, text } };
}

/**
 * Tells apart, for one request, what holds the whole run from what is about the request itself. Pauses of the run spend no retries.
 * A request that is refused again although the service has worked on later ones meanwhile stands alone; so does every one before
 * the service has worked on any: a wrong address is no pause.
 */
export class PausesOfRun {
	private refusedAt: number | undefined;

	private standsAlone = false;

	constructor(
		private readonly request: Pick<Request, 'peer'>,
		private readonly limiter: Limiter,
	) {}

	include(attempt: Attempt, now: number): boolean {
		// Somebody waits for what is asked of the sign-on, and codes live for minutes.
		if (!isHeldOff(attempt) || this.request.peer !== SERVICE) return false;
		const { pace, isAlone, waitsAloneMs } = this.limiter;
		const before = this.refusedAt;
		this.refusedAt = now;
		if (before !== undefined && pace.hasServedSince(before)) this.standsAlone = true;
		// Nobody else waits for it: somebody may wait for this one.
		if (isAlone && pace.outageMs(now) > waitsAloneMs) this.standsAlone = true;
		return pace.hasServedSince() && !this.standsAlone;
	}
}

function concludedFrom(
	request: Request,
	{ policy, limiter }: RequestContext,
	{ attempt, doneBefore, tooLongMs }: SendResult,
): Outcome<Reply, Reason> {
	switch (attempt.kind) {
		case 'held':
			if (attempt.by === 'closed') return failed(refusedByTrouble(request, 'cancelled'));
			return failed(afterGivingUp(reasonOfOutage(request, policy, limiter.lastRefusal)));
		case 'unsigned':
			return failed(attempt.reason.failure);
		case 'lost':
			return failed(refusedByTrouble(request, attempt.trouble));
		case 'answered': {
			const { reply } = attempt;
			if (tooLongMs !== undefined) return failed(refusedForLong(request, reply, tooLongMs));
			if (isAccepted(reply)) return success(reply);
			// The first DELETE did its work, its answer was lost, and the second finds nothing to delete. Trap: a proxy that has lost the
			// service has a page with that status.
			if (request.method === 'DELETE' && reply.status === 404 && doneBefore && !isPage(reply))
				return success({ ...reply, text: '' });
			return failed(refusedByReply(request, policy, reply));
		}
	}
}

function refusedByReply(request: Request, policy: RetryPolicy, reply: Reply): Reason {
	const distrusts503 = !is503NotTaken(reply, policy);
	return request.refused?.(reply) ?? refusedByStatus({ ...request, distrusts503 }, reply, Date.now());
}

/** What the service refused last, as the reason of a request that was not sent: no record of it may exist, so that the words are those of a lookup. */
function reasonOfOutage(request: Request, policy: RetryPolicy, refusal: Attempt | undefined): Reason {
	const asked: Request = { ...request, method: 'GET' };
	if (refusal?.kind === 'answered') return refusedByReply(asked, policy, refusal.reply);
	return refusedByTrouble(asked, refusal?.kind === 'lost' ? refusal.trouble : 'timeout');
}
