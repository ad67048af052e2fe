/** What a status that refuses, or no answer at all, means in words, and what to do then. Pure. */
import type { Method } from './request';
import type { Trouble } from './trouble';

/** What to do about a record that may have been created. */
export const CHECK_FIRST = 'Look for the record before you send it again, so that it is not created twice.';
const EXISTS_ALREADY =
	'Where it is only that the record exists already, a creation may let that pass: When It Exists Already in its options.';
const CHECK_VALUES =
	'Check every value of this item against the field tables in the documentation of this node, and that the ids in it exist.';

/** Who is spoken to, in the words of the failures. */
export interface Peer {
	/** At the beginning of a sentence. */
	name: string;
	/** The field of the credential that holds its address. */
	addressField: string;
	/** Where a failure comes from that it answers with, and one of the way there. */
	answers: 'service' | 'signOn';
	way: 'network' | 'signOn';
}

export const SERVICE: Peer = {
	name: 'The service',
	addressField: 'Base URL',
	answers: 'service',
	way: 'network',
};

export const SIGN_ON: Peer = {
	name: 'The sign-on',
	addressField: 'Issuer URL',
	answers: 'signOn',
	way: 'signOn',
};

/** What was asked, and of whom. */
export interface Asked {
	method: Method;
	url: string;
	/** Who is spoken to: how failures are told. */
	peer: Peer;
	/** Whether a POST answered 503 may have been done. */
	distrusts503?: boolean;
	/** What a POST to the sign-on has spent where nobody knows whether it was taken, in a sentence; by default nothing. */
	mayBeSpent?: string;
}

export const NOT_THE_SERVICE =
	'Check that Base URL in the credential is the address of the service, and that no proxy answers in its place.';

type FactAndStep = [fact: string, nextStep: string];

/** What the words for a status depend on. */
interface StatusContext extends Peer {
	status: number;
	isLookup: boolean;
	whatToCorrect: string;
}

type StatusWords = (context: StatusContext) => FactAndStep;

const REDIRECT: StatusWords = ({ name, addressField, status }) => [
	`${name} answers with a redirect (${status}), which is not followed`,
	`A token must not travel to another address. Enter the address that the service really has as ${addressField} in the credential.`,
];
const SERVER_ERROR: StatusWords = ({ name, status }) => [
	`${name} could not complete the request (${status})`,
	'Run the item again later.',
];
const OTHER_STATUS: StatusWords = ({ name, status }) => [
	`${name} refuses the request (${status})`,
	'Check the values of this item and the addresses in the credential.',
];

/** RFC 9110 section 15.5.8: only a proxy answers 407. */
export const OF_PROXY: FactAndStep = [
	'A proxy on the way wants to know who asks (407)',
	'Check the user and the password in the proxy settings of n8n (HTTP_PROXY, HTTPS_PROXY).',
];
const BY_STATUS: Partial<Record<number, StatusWords>> = {
	400: ({ name, whatToCorrect }) => [`${name} refuses the data (400)`, whatToCorrect],
	401: ({ name }) => [
		`${name} does not accept the token (401)`,
		'Check Client ID and Client Secret in the credential, and for provisioning and synchronisation that Authorization Scheme is the one your service expects.',
	],
	403: ({ name }) => [
		`${name} does not allow this (403)`,
		'Ask the operator of the service to give your client access to this school and this area.',
	],
	404: ({ name, addressField }) => [
		`${name} does not know this address or record (404)`,
		`Check the ids, and ${addressField} in the credential.`,
	],
	407: () => OF_PROXY,
	// A lookup conflicts with nothing: there the document has 409 for wrong parameters.
	409: ({ name, isLookup, whatToCorrect }) => [
		isLookup
			? `${name} finds wrong parameters in the request (409)`
			: `${name} refuses the request because it conflicts with its data (409)`,
		whatToCorrect,
	],
	429: ({ name }) => [
		`${name} receives too many requests (429)`,
		'Lower the concurrency in the options of this node, or run the item again later.',
	],
	503: ({ name }) => [`${name} is not available at the moment (503)`, 'Run the item again later.'],
};

/** @param isExplained whether the service says what it objects to: without a body, there is nothing that it names */
export function statusInWords(asked: Asked, status: number, isExplained: boolean): FactAndStep {
	const { peer, method } = asked;
	const isRedirect = status >= 300 && status < 400;
	const words = isRedirect ? REDIRECT : (BY_STATUS[status] ?? (status >= 500 ? SERVER_ERROR : OTHER_STATUS));
	const [fact, nextStep] = words({
		...peer,
		status,
		isLookup: method === 'GET',
		whatToCorrect: isExplained
			? 'Correct the values that the service names and run the item again.'
			: `${peer.name} does not say which value. ${CHECK_VALUES}`,
	});
	const already = method === 'POST' ? whatIsDone(asked, status) : '';
	return [fact, already === '' ? nextStep : `${nextStep} ${already}`];
}

/** What a POST may have done all the same, or found done; '' where that is nothing. */
function whatIsDone({ peer, url, distrusts503, mayBeSpent = '' }: Asked, status: number): string {
	// Only what is provisioned can be there already: a status that is posted to the enrollment area cannot.
	if (status === 409) return peer === SERVICE && !url.includes('/enrollment/') ? EXISTS_ALREADY : '';
	const mayBeDone = status === 503 ? distrusts503 : status === 303 || status >= 500;
	if (!mayBeDone) return '';
	return peer === SIGN_ON ? mayBeSpent : `The record may exist all the same. ${CHECK_FIRST}`;
}

export const BY_TROUBLE: Readonly<Record<Trouble, (origin: string) => FactAndStep>> = {
	refused: (origin) => [
		`Nothing answers at ${origin}`,
		'Check Base URL in the credential, and that the service is running and reachable from n8n.',
	],
	unresolved: (origin) => [
		`There is no host of the name in ${origin}`,
		'Check Base URL in the credential for typing slips, and that n8n can resolve the name.',
	],
	timeout: () => [
		'The service did not answer in time',
		'Raise the timeout in the options of this node, or lower the concurrency.',
	],
	untrusted: (origin) => [
		`The certificate of ${origin} is not trusted, or no secure connection could be agreed`,
		'Check that Base URL in the credential starts with https only where the service speaks it, and that n8n trusts its certificate.',
	],
	invalidAddress: () => [
		'Base URL in the credential is not an address',
		'Enter an address that starts with https://, for example https://api.school-partner.example.',
	],
	blocked: (origin) => [
		`n8n does not allow requests to ${origin}`,
		'Ask the administrator of n8n to allow the host of the service (server-side request forgery protection).',
	],
	oversized: () => ['The answer of the service is longer than 16 MB and was not read', NOT_THE_SERVICE],
	cancelled: () => ['The run was cancelled', 'Run the item again.'],
	broken: () => ['The connection to the service ended before its answer was complete', 'Run the item again.'],
};
