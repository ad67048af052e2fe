/** From what came back, or did not, to a failure that a person can act on. Pure. */
import { firstOf } from '../contract/quoted';
import { readRefusal, type Refusal } from '../contract/refusal';
import type { Failure, FailureCause } from '../failure';

import type { Method, Reply, ServiceRequest } from './request';
import { inWords, retryAfterMs } from './retryAfter';
import { inWords as troubleInBrackets } from './tokenFailure';
import { mayHaveArrived, type Trouble } from './trouble';

/** What to do about a record that may have been created. */
export const CHECK_FIRST = 'Look for the record before you send it again, so that it is not created twice.';
const CHECK_VALUES =
	'Check every value of this item against the field tables in the documentation of this node, and that the ids in it exist.';

/** Who is spoken to, in the words of the failures. */
export interface Place {
	/** At the beginning of a sentence. */
	name: string;
	/** The field of the credential that holds its address. */
	addressField: string;
}

export const SERVICE: Place = { name: 'The service', addressField: 'Base URL' };

export const SIGN_ON: Place = { name: 'The sign-on', addressField: 'Issuer URL' };

/** What was asked, and of whom. */
interface Asked {
	method: Method;
	url: string;
	place: Place;
	/** Whether a POST answered 503 may have been done, in the eyes of the user who forbids to send it again. */
	distrusts503?: boolean;
}

/** What a status says of itself. */
export function natureOf(
	{ status, headers }: Reply,
	now: number,
): Pick<Failure, 'status' | 'cause' | 'retryAfterMs'> {
	const cause = causeOf(status);
	return {
		status,
		...(cause && { cause }),
		...(cause === 'rate-limited' && { retryAfterMs: retryAfterMs(headers['retry-after'], now) }),
	};
}

function causeOf(status: number): FailureCause | undefined {
	if (status >= 300 && status < 400) return 'configuration-invalid';
	if (status === 401 || status === 403) return 'credential-invalid';
	if (status === 429) return 'rate-limited';
	return status >= 500 ? 'temporarily-unavailable' : undefined;
}

/** A status outside 200 to 299. */
export function refusedByStatus(asked: Asked, reply: Reply, now: number): Failure {
	const refusal = readRefusal(reply.text);
	const [fact, nextStep] = statusInWords(asked, reply.status, saysSomething(refusal));
	return {
		origin: 'service',
		message: inServiceWords(fact, refusal),
		description: [...firstOf(refusal.details.map(inOneLine)), nextStep].join('\n'),
		...natureOf(reply, now),
	};
}

/** `Retry-After` asks for more than we wait. */
export function refusedForLong({ name }: Place, reply: Reply, waitMs: number): Failure {
	return {
		origin: 'service',
		message: `${name} asks to wait ${inWords(waitMs)} before the next request`,
		description:
			'Run the workflow again after that time, or lower the concurrency in the options of this node.',
		status: reply.status,
		cause: reply.status === 429 ? 'rate-limited' : 'temporarily-unavailable',
		retryAfterMs: waitMs,
	};
}

/** No answer at all. */
export function refusedByTrouble({ method, url, place }: Asked, trouble: Trouble): Failure {
	const origin = URL.canParse(url) ? new URL(url).origin : 'its address';
	const uncertain = method === 'POST' && mayHaveArrived(trouble);
	if (place === SIGN_ON) return signOnLost(trouble, origin, uncertain);
	const [fact, nextStep, cause] = troubleInWords(trouble, origin);
	return {
		origin: 'service',
		message: uncertain ? `${fact}. The record may exist all the same` : fact,
		description: uncertain ? `A request that creates a record is not sent twice. ${CHECK_FIRST}` : nextStep,
		cause,
	};
}

function signOnLost(trouble: Trouble, origin: string, uncertain: boolean): Failure {
	const spent =
		' A code or refresh token that was on its way may count as used: the user may have to log in again.';
	return {
		origin: 'service',
		message: `The sign-on cannot be reached at ${origin} (${troubleInBrackets[trouble]})`,
		description: `Check Issuer URL in the credential, and that n8n can reach it.${uncertain ? spent : ''}`,
		cause: 'temporarily-unavailable',
	};
}

/** An answer of 200 to 299 that is not what the document shows. `fact` says in which way. */
export function unreadable(request: ServiceRequest, reply: Reply, fact: string): Failure {
	const written = request.method !== 'GET';
	return {
		origin: 'service',
		message: written ? `${fact}. The service accepted the request, so the record may exist` : fact,
		description: written
			? CHECK_FIRST
			: 'Check that Base URL in the credential is the address of the service, and that no proxy answers in its place.',
		status: reply.status,
	};
}

function inServiceWords(fact: string, refusal: Refusal): string {
	const words = [refusal.code, refusal.message].filter((part) => part !== undefined).join(': ');
	return words === '' ? fact : `${fact}: ${words}`;
}

function inOneLine({ field, message }: Refusal['details'][number]): string {
	return [field, message].filter((words) => words !== '').join(': ');
}

function saysSomething({ code, message, details }: Refusal): boolean {
	return code !== undefined || message !== undefined || details.length > 0;
}

type Words = [fact: string, nextStep: string];

/** @param said whether the service says what it objects to: without a body, there is nothing that it names */
function statusInWords(
	{ place: { name, addressField }, method, distrusts503 }: Asked,
	status: number,
	said: boolean,
): Words {
	const uncertain = method === 'POST' ? ` The record may exist all the same. ${CHECK_FIRST}` : '';
	if (status >= 300 && status < 400) {
		return [
			`${name} answers with a redirect (${status}), which is not followed`,
			`A token must not travel to another address. Enter the address that the service really has as ${addressField} in the credential.`,
		];
	}
	switch (status) {
		case 400:
			return [
				`${name} refuses the data (400)`,
				said
					? 'Correct the values that the service names and run the item again.'
					: `${name} does not say which value. ${CHECK_VALUES}`,
			];
		case 401:
			return [
				`${name} does not accept the token (401)`,
				'Check Client ID and Client Secret in the credential, and that Authorization Scheme is the one your service expects.',
			];
		case 403:
			return [
				`${name} does not allow this (403)`,
				'Ask the operator of the service to give your client access to this school and this area.',
			];
		case 404:
			return [
				`${name} does not know this address or record (404)`,
				`Check the ids, and ${addressField} in the credential.`,
			];
		case 409:
			return [
				`${name} refuses the request because it conflicts with its data (409)`,
				said
					? 'Correct the values that the service names, or skip records that exist already.'
					: `${name} does not say with what. Skip the record if it exists already. ${CHECK_VALUES}`,
			];
		case 429:
			return [
				`${name} receives too many requests (429)`,
				'Lower the concurrency in the options of this node, or run the workflow later.',
			];
		case 503:
			return [
				`${name} is not available at the moment (503)`,
				`Run the item again later.${distrusts503 ? uncertain : ''}`,
			];
		default:
			return status >= 500
				? [`${name} could not complete the request (${status})`, `Run the item again later.${uncertain}`]
				: [
						`${name} refuses the request (${status})`,
						'Check the values of this item and the addresses in the credential.',
					];
	}
}

function troubleInWords(trouble: Trouble, origin: string): [...Words, cause?: FailureCause] {
	switch (trouble) {
		case 'refused':
			return [
				`Nothing answers at ${origin}`,
				'Check Base URL in the credential, and that the service is running and reachable from n8n.',
				'temporarily-unavailable',
			];
		case 'unresolved':
			return [
				`There is no host of the name in ${origin}`,
				'Check Base URL in the credential for typing slips, and that n8n can resolve the name.',
				'configuration-invalid',
			];
		case 'timeout':
			return [
				'The service did not answer in time',
				'Raise the timeout in the options of this node, or lower the concurrency.',
				'temporarily-unavailable',
			];
		case 'untrusted':
			return [
				`The certificate of ${origin} is not trusted, or no secure connection could be agreed`,
				'Check that Base URL in the credential starts with https only where the service speaks it, and that n8n trusts its certificate.',
				'configuration-invalid',
			];
		case 'invalidAddress':
			return [
				'Base URL in the credential is not an address',
				'Enter an address that starts with https://, for example https://api.school-partner.example.',
				'configuration-invalid',
			];
		case 'blocked':
			return [
				`n8n does not allow requests to ${origin}`,
				'Ask the administrator of n8n to allow the host of the service (server-side request forgery protection).',
				'configuration-invalid',
			];
		case 'oversized':
			return [
				'The answer of the service is longer than 16 MB and was not read',
				'Check that Base URL in the credential is the address of the service, and that no proxy answers in its place.',
			];
		case 'cancelled':
			return ['The run was cancelled', 'Run the workflow again.'];
		case 'broken':
			return [
				'The connection to the service ended before its answer was complete',
				'Run the item again.',
				'temporarily-unavailable',
			];
	}
}
