/** The service as a run has it: with which token, at which pace, how patiently, and for which changes. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { asNodeFailure } from '../../shared/actions/nodeFailure';
import { boundsOf } from '../../shared/actions/sending';
import { logRequests } from '../../shared/actions/logRequests';
import { readReply, unwrapped } from '../../shared/calls/answer';
import { outcomesOf } from '../../shared/engine/engine';
import type { Work } from '../../shared/engine/tasks';
import { NOT_BEGUN, success, type Outcome } from '../../shared/failure';
import { steadyNow } from '../../shared/pace/clock';
import { GIVES_UP_AFTER_MS, Pace } from '../../shared/pace/pace';
import { Gate } from '../../shared/transport/gate';
import type { ServiceRequest } from '../../shared/transport/request';
import { senderOf, type Send } from '../../shared/transport/send';
import { Session } from '../../shared/transport/session';
import type { Change } from '../planning/change';
import type { CheckWithService } from '../planning/options';
import { callOf } from '../planning/send';
import type { SendStep } from '../sending/batch';
import type { Result } from '../sending/result';
import { offeredBy, type Means } from '../service/ask';
import { refusalOf } from '../service/offered';
import { saysNo } from '../service/saysNo';

import { inputFailure } from './failures';
import type { NightSettings } from './settings';

export interface Sending extends Pick<Session, 'baseUrl' | 'clientId'> {
	means: Means;
	gate: Gate;
	/** Whether a request may leave; asked right before it is handed to n8n's helper. Open until a run sets what it depends on. */
	fence: { maySend: () => boolean };
}

/** How it is sent. */
type SendingSettings = Pick<NightSettings, 'concurrency' | 'maxConcurrency' | 'timeout' | 'maxRetries'> &
	Partial<Pick<NightSettings, 'creationsAgainOn503'>>;

/** Reads the credential. Throws what n8n throws when the node has none. */
export async function openSending(context: IExecuteFunctions, settings: SendingSettings): Promise<Sending> {
	const session = await Session.open(context, 'schoolPartnerOAuth2Api');
	const signal = context.getExecutionCancelSignal();
	// The last request of a step is not the last of its run: what needs it comes behind it.
	const gate = new Gate(new Pace(boundsOf(settings)), signal, GIVES_UP_AFTER_MS);
	const { timeout: timeoutMs, maxRetries, creationsAgainOn503 } = settings;
	const policy = { timeoutMs, maxRetries, creationsAgainOn503 };
	const fence: Sending['fence'] = { maySend: () => true };
	const mayLeave = () => fence.maySend();
	const means: Means = {
		send: senderOf(context, session, policy, signal, gate, mayLeave),
		signal,
		simplify: true,
		batchSize: 1,
		begunAtOnce: gate.pace.ceiling,
		// One that fails is told, and the others go on.
		stopsAtFailure: false,
	};
	return { baseUrl: session.baseUrl, clientId: session.clientId, means, gate, fence };
}

/** Nothing is asked before something is to be created. Throws when the service does not answer. */
export function checkWith(context: IExecuteFunctions, { means, gate }: Sending): CheckWithService {
	return async (records) => {
		const offered = await offeredBy(means, records);
		logRequests(context, gate.pace.state.summary);
		if (offered.ok) return (record) => refusalOf(record, offered.value);
		const { failure } = offered;
		throw asNodeFailure(context, {
			...failure,
			message: `The service could not be asked what it has. ${failure.message}`,
			next: `${failure.next}\nNothing was sent. Without asking the service, run with the option Check With Service off.`,
		});
	};
}

type OwnWork = Extract<Work, { kind: 'own' }>;

/** @param maySend asked before each request leaves, retries included */
export function stepSender({ means, gate, fence }: Sending, maySend: () => boolean): SendStep {
	fence.maySend = maySend;
	gate.mayLetOut = maySend;
	return async (changes, onResult) => {
		// What the service refuses to one step for ever, it may refuse to that step alone.
		gate.pace.beginAnew(steadyNow());
		const results = new Map<unknown, Result>();
		const perform: OwnWork['perform'] = async (change, { send }) => {
			const result = await sendChange(send, change as Change);
			results.set(change, result);
			onResult(result);
			return success([]);
		};
		const outcomes = await outcomesOf({
			...means,
			count: changes.length,
			inputOf: (item) => success(changes[item]),
			work: { kind: 'own', perform },
			resultOf: success,
		});
		return changes.map((change, index) => results.get(change) ?? undone(outcomes[index]));
	};
}

async function sendChange(send: Send, { action, kind, send: fields }: Change): Promise<Result> {
	const { contract, work } = callOf(action === 'remove' ? 'remove' : 'create', kind, fields ?? {});
	const checked = contract.safeParse(fields);
	if (!checked.success) return { kind: 'failed', failure: NOT_OF_CONTRACT };
	const request = (work.request as (input: unknown) => ServiceRequest)(checked.data);
	const reply = await send(request);
	const read = readReply(reply, work.answer, { simplify: false });
	if (!read.ok) return undone(read);
	const [body = {}] = read.value;
	const objection = reply.ok ? saysNo(body, reply.value.status) : undefined;
	if (objection !== undefined) return { kind: 'failed', failure: objection };
	const { id, user_id, account_id } = unwrapped(body);
	return { kind: 'done', serviceId: idOf(id ?? user_id), accountId: idOf(account_id) };
}

export function idOf(id: unknown): string | undefined {
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Of a change that was not done; without a failure, one that the engine did not come to. */
function undone(outcome: Outcome<unknown>): Result {
	if (outcome.ok || outcome.failure === NOT_BEGUN) return { kind: 'notTried' };
	return { kind: 'failed', failure: outcome.failure };
}

const NOT_OF_CONTRACT = inputFailure({
	code: 'notOfContract',
	message: 'The record is not as the service wants it',
	next: 'Nothing was sent for this one. Please report this to the maintainers of this node.',
});
