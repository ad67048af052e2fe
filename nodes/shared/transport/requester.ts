/**
 * The one way out: a request to the service or to its sign-on area, with everything that may happen on the way: a token that has
 * run out, an area that asks to wait, connections that break, answers without end. Sends only through n8n's own helpers (proxy,
 * protection against server-side request forgery, tracing and cancellation stay n8n's).
 */
import { failed, NOT_BEGUN, type Outcome, type Reason } from '../failure';
import { steadyNow } from '../pace/clock';

import { effectOf, is503NotTaken, isWithLateToken, type Attempt } from './attempt';
import { exchange, type HttpHelpers, type Message } from './exchange';
import { isHeldOff, Standing, type Gate, type Timed } from './gate';
import { isPage } from './page';
import { Patience } from './patience';
import { persevere, type Ending, type Policy } from './persevere';
import {
	refusedByStatus,
	refusedByTrouble,
	refusedForLong,
	SERVICE,
	withSilence,
	type Peer,
} from './refusedBecause';
import type { Reply } from './request';
import { answerWithoutSecrets, refusalWithoutSecrets } from './secrets';
import { NOBODY, type Signer } from './signer';

/** What belongs to one request, beside what goes over the wire. */
export interface Request extends Message {
	/** Who is spoken to: how failures are told. */
	peer: Peer;
	/** Default: nobody. */
	signer?: Signer;
	/** What the message itself holds and must not come back in a text from outside. */
	secrets?: readonly string[];
	/** What this request says of a refusal; by default the usual words. */
	refused?: (reply: Reply) => Reason | undefined;
}

/** Sends a request; gives an answer of 200 to 299, or why there is none. Never throws. */
export type Requester = (request: Request) => Promise<Outcome<Reply>>;

/**
 * A requester for one run, for one delivery, or for one list.
 * @param gate of a run: where its requests wait for their turn
 */
export function requesterOf(
	helpers: HttpHelpers,
	policy: Policy,
	cancel?: AbortSignal,
	gate?: Gate,
): Requester {
	const patience = new Patience(policy.timeoutMs, cancel);
	return async (request) => {
		const { signer = NOBODY } = request;
		const sendInTime = async (): Promise<Timed> => {
			let tookMs = 0;
			const attempt = await patience.during(
				async (deadline) =>
					await signer.attempt(async (authorization) => {
						const sentAt = steadyNow();
						const attempt = await exchange(helpers, request, deadline, authorization);
						tookMs = steadyNow() - sentAt;
						return withoutEchoes(attempt, request);
					}, deadline),
			);
			return { attempt, tookMs };
		};
		const send = async (): Promise<Timed> => {
			const timed = await sendInTime();
			return isWithLateToken(timed.attempt) ? await sendInTime() : timed;
		};
		const standing = gate && new Standing(gate);
		const ending = await persevere(request.method, policy, patience, {
			attemptOnce: async (isRepeated) =>
				gate === undefined ? (await send()).attempt : await gate.pass(isRepeated, send),
			isHeld: (attempt) => gate !== undefined && isHeldOff(attempt),
			// Somebody waits for what is asked of the sign-on, and codes live for minutes.
			isPauseOfRun: (attempt) =>
				request.peer === SERVICE && standing?.isPauseOfRun(attempt, steadyNow()) === true,
		});
		if (isWithoutEffect(request, ending)) return failed(NOT_BEGUN);
		const told = conclusionOf(request, policy, ending);
		return told.ok ? told : failed({ ...told.reason, effect: effectOf(request.method, ending.mayBeDone) });
	};
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

/** The run was over before anything was done. */
function isWithoutEffect({ method }: Request, ending: Ending): boolean {
	return (
		ending.kind === 'ended' &&
		ending.attempt.kind === 'held' &&
		ending.attempt.by === 'end' &&
		effectOf(method, ending.mayBeDone) === 'none'
	);
}

type Conclusion = { ok: true; value: Reply } | { ok: false; reason: Reason };

function conclusionOf(request: Request, policy: Policy, ending: Ending): Conclusion {
	if (ending.kind === 'tooLong') return because(refusedForLong(request.peer, ending.reply, ending.waitMs));
	const { attempt, doneBefore } = ending;
	switch (attempt.kind) {
		case 'held':
			return because(heldBecause(request, policy, attempt));
		case 'unsigned':
			return because(attempt.reason.failure);
		case 'lost':
			return because(refusedByTrouble(request, attempt.trouble));
		case 'answered': {
			const { reply } = attempt;
			if (isAccepted(reply)) return { ok: true, value: reply };
			// The first DELETE did its work, its answer was lost, and the second finds nothing to delete. Trap: a proxy that has lost the
			// service has a page with that status.
			if (request.method === 'DELETE' && reply.status === 404 && doneBefore && !isPage(reply))
				return { ok: true, value: { ...reply, text: '' } };
			const distrusts503 = !is503NotTaken(request.method, reply, policy.creationsAgainOn503 !== false);
			return because(
				request.refused?.(reply) ?? refusedByStatus({ ...request, distrusts503 }, reply, Date.now()),
			);
		}
	}
}

function heldBecause(
	request: Request,
	policy: Policy,
	{ by, refusal }: Extract<Attempt, { kind: 'held' }>,
): Reason {
	if (by === 'end') return refusedByTrouble(request, 'cancelled');
	// What was not sent has no record that may exist: the words are those of a lookup.
	const asked: Request = { ...request, method: 'GET' };
	if (refusal === undefined) return withSilence(refusedByTrouble(asked, 'timeout'));
	const told = conclusionOf(asked, policy, {
		kind: 'ended',
		attempt: refusal,
		doneBefore: false,
		mayBeDone: false,
	});
	return withSilence(told.ok ? refusedByTrouble(asked, 'timeout') : told.reason);
}

function because(reason: Reason): Conclusion {
	return { ok: false, reason };
}

function isAccepted({ status }: Reply): boolean {
	return status >= 200 && status < 300;
}
