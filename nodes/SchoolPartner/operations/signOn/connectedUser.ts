/** Requests as the user who was connected in the credential. n8n keeps that user's tokens and renews them. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Attempt } from '../../../shared/transport/attempt';
import { failed, success, type Failure, type Outcome } from '../../../shared/transport/failure';
import { persevere } from '../../../shared/transport/persevere';
import type { Reply } from '../../../shared/transport/request';
import { Session } from '../../../shared/transport/session';
import type { Tools } from '../../framework/operation';

import type { Client } from './client';

export const NOT_CONNECTED: Failure = {
	origin: 'input',
	message: 'Nobody is connected in the credential',
	description:
		'Open the credential, click Connect and log in. Or fill in Access Token to read the user of that token.',
	cause: 'credential-invalid',
};

function unreachable(origin: string): Failure {
	return {
		origin: 'service',
		message: `The sign-on at ${origin} did not answer`,
		description: 'Check Issuer URL in the credential, and that n8n can reach it.',
		cause: 'temporarily-unavailable',
	};
}

/** One attempt, and one more when the token was refused and could be renewed. */
async function attemptOnce(
	session: Session,
	url: string,
	timeout: number,
	abortSignal?: AbortSignal,
): Promise<Attempt> {
	const options = {
		url,
		method: 'GET' as const,
		headers: { Accept: 'application/json' },
		encoding: 'text' as const,
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// Trap: n8n's helper would carry the token along to another origin.
		disableFollowRedirect: true,
		timeout,
		...(abortSignal && { abortSignal }),
	};
	const attempt = await session.send(options);
	if (attempt.kind !== 'answered' || attempt.reply.status !== 401) return attempt;
	const reason = await session.renew(attempt.token);
	return reason === undefined ? await session.send(options) : { kind: 'unsigned', reason };
}

const openedIn = new WeakMap<IExecuteFunctions, Promise<Session>>();

/** One session for all items of a run, so that one renewal serves them all. */
async function sessionOf(context: IExecuteFunctions): Promise<Session> {
	const opened = openedIn.get(context) ?? Session.open(context, 'schoolPartnerOidcOAuth2Api');
	openedIn.set(context, opened);
	return await opened;
}

/** Gets a path below the issuer with the connected user's token. Any status is an answer. */
export async function askAsConnectedUser(
	client: Client,
	path: string,
	tools: Tools,
): Promise<Outcome<Reply>> {
	const { context, policy } = tools;
	const session = await sessionOf(context);
	const signal = context.getExecutionCancelSignal();
	const address = client.issuer + path;
	const ending = await persevere(
		'GET',
		policy,
		signal,
		async () => await attemptOnce(session, address, policy.timeoutMs, signal),
	);
	if (ending.kind === 'tooLong') return success(ending.reply);
	const { attempt } = ending;
	if (attempt.kind === 'answered') return success(attempt.reply);
	return failed(attempt.kind === 'unsigned' ? attempt.reason.failure : unreachable(new URL(address).origin));
}
