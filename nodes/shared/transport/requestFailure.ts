/** From what came back, or did not, to a failure that a person can act on. Pure. */
import { parsedAddress } from '../contract/address';
import { firstOf, MOST_FINDINGS } from '../contract/quoted';
import { readRefusal, saysSomething, type Refusal } from '../contract/refusal';
import type { Failure, Reason } from '../failure';
import { GIVES_UP_AFTER_MS } from '../pace/pace';

import { isPage, type Reply } from './request';
import { BY_TROUBLE, CHECK_FIRST, NOT_THE_SERVICE, SIGN_ON, statusInWords, type Asked } from './requestWords';
import { inSeconds, waitInWords, waitAskedBy } from './retryAfter';
import { IN_BRACKETS, isTroubleOfN8n, mayHaveArrived, type Trouble } from './trouble';

/** What a refusal says as data. */
export function refusalDetails(
	reply: Reply,
	now: number,
): Pick<Failure, 'status' | 'code' | 'isPage' | 'properties' | 'retryAfterSeconds'> {
	const { status, headers, text } = reply;
	const { code, details } = readRefusal(text);
	const properties = details
		.slice(0, MOST_FINDINGS)
		.map(({ field: property, message }) => ({ property, message }));
	const waitMs = waitAskedBy(headers, now);
	return {
		status,
		...(code !== undefined && { code }),
		...(isPage(reply) && { isPage: true }),
		...(properties.length > 0 && { properties }),
		...(waitMs !== undefined && { retryAfterSeconds: inSeconds(waitMs) }),
	};
}

/** A status outside 200 to 299. */
export function refusedByStatus(asked: Asked, reply: Reply, now: number): Reason {
	const refusal = readRefusal(reply.text);
	const [fact, nextStep] = statusInWords(asked, reply.status, saysSomething(refusal));
	return {
		// RFC 9110 section 15.5.8: only a proxy answers so.
		origin: reply.status === 407 ? asked.peer.way : asked.peer.answers,
		message: inServiceWords(fact, refusal),
		next: [...firstOf(refusal.details.map(inOneLine)), nextStep].join('\n'),
		...refusalDetails(reply, now),
	};
}

/** Endpoints, Sign-on: "The authorization `code` is single use and valid 5 minutes." */
const CODE_LIVES_MS = 300_000;

/** `Retry-After` asks for more than we wait. */
export function refusedForLong(
	{ peer, mayBeSpent }: Pick<Asked, 'peer' | 'mayBeSpent'>,
	reply: Reply,
	waitMs: number,
): Reason {
	return {
		...refusalDetails(reply, Date.now()),
		origin: peer.answers,
		message: `${peer.name} asks to wait ${waitInWords(waitMs)} before the next request`,
		next: `Run the item again after that time${mayBeSpent === undefined || waitMs < CODE_LIVES_MS ? ', or lower the concurrency in the options of this node.' : '. A code is too old by then: who came with one has to log in again.'}`,
		retryAfterSeconds: inSeconds(waitMs),
	};
}

/** The service refused like that for so long that the run gave up. */
export function afterGivingUp(reason: Reason): Reason {
	return {
		...reason,
		message: `${reason.message}, and there was no answer for ${GIVES_UP_AFTER_MS / 60_000} minutes`,
		next: 'The run did not ask any longer. Run the items that failed again later: data and messages say of each what may be done.',
	};
}

/** No answer at all. */
export function refusedByTrouble({ method, url, peer, mayBeSpent }: Asked, trouble: Trouble): Reason {
	const origin = parsedAddress(url)?.origin ?? 'its address';
	const uncertain = method === 'POST' && mayHaveArrived(trouble);
	const lost = { origin: isTroubleOfN8n(trouble) ? ('n8n' as const) : peer.way, code: trouble };
	if (peer === SIGN_ON)
		return { ...lost, ...signOnLost(trouble, origin, uncertain ? mayBeSpent : undefined) };
	const [fact, nextStep] = BY_TROUBLE[trouble](origin);
	return {
		...lost,
		message: uncertain ? `${fact}. The record may exist all the same` : fact,
		next: uncertain ? `A request that creates a record is not sent twice. ${CHECK_FIRST}` : nextStep,
	};
}

function signOnLost(trouble: Trouble, origin: string, spent = ''): Pick<Failure, 'message' | 'next'> {
	return {
		message: `The sign-on cannot be reached at ${origin} (${IN_BRACKETS[trouble]})`,
		next: `Check Issuer URL in the credential, and that n8n can reach it.${spent && ` ${spent}`}`,
	};
}

/** A lookup's answer of 200 to 299 that is not what the document shows. `fact` says in which way. */
export function unreadableAnswer({ status }: Reply, fact: string): Failure {
	return { origin: 'service', effect: 'none', message: fact, next: NOT_THE_SERVICE, status };
}

/** An answer of 200 to 299 to a write that is a web page: it may stand for anything. */
export function pageInstead({ status }: Reply, isCreation: boolean): Failure {
	const fact = `A web page came in the place of an answer (${status})`;
	const [doubt, next] = isCreation
		? ['The record may exist all the same', `${CHECK_FIRST}\n${NOT_THE_SERVICE}`]
		: [
				'Nobody knows whether it was done',
				`${NOT_THE_SERVICE}\nRun the item again once the address is right.`,
			];
	return { origin: 'service', effect: 'unknown', message: `${fact}. ${doubt}`, next, status };
}

function inServiceWords(fact: string, refusal: Refusal): string {
	const words = [refusal.code, refusal.message].filter((part) => part !== undefined).join(': ');
	return words === '' ? fact : `${fact}: ${words}`;
}

function inOneLine({ field, message }: Refusal['details'][number]): string {
	return [field, message].filter((words) => words !== '').join(': ');
}
