/** How the requests of a run are sent: with which token, at which pace, how patiently. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { boundsOf } from '../../shared/actions/sending';
import { GIVES_UP_AFTER_MS, Pace } from '../../shared/pace/pace';
import { Gate } from '../../shared/transport/gate';
import { senderOf } from '../../shared/transport/send';
import { Session } from '../../shared/transport/session';

import type { Means } from '../service/ask';

export interface SendingSettings {
	/** 0: automatic, at most `maxConcurrency`. */
	concurrency: number;
	maxConcurrency: number;
	/** Milliseconds. */
	timeout: number;
	maxRetries: number;
	creationsAgainOn503: boolean;
}

/** Whether a request may leave; asked right before it is handed to n8n's helper. */
export interface Fence {
	maySend: () => boolean;
}

export interface Sending {
	/** Address of the service, without a slash at its end. */
	baseUrl: string;
	clientId: string;
	means: Means;
	gate: Gate;
	/** Open until a run sets what it depends on. */
	fence: Fence;
}

/** Reads the credential. Throws what n8n throws when the node has none. */
export async function openSending(context: IExecuteFunctions, settings: SendingSettings): Promise<Sending> {
	const session = await Session.open(context, 'schoolPartnerOAuth2Api');
	const signal = context.getExecutionCancelSignal();
	// The last request of a step is not the last of its run: what needs it comes behind it.
	const gate = new Gate(new Pace(boundsOf(settings)), signal, GIVES_UP_AFTER_MS);
	const { timeout: timeoutMs, maxRetries, creationsAgainOn503 } = settings;
	const policy = { timeoutMs, maxRetries, creationsAgainOn503 };
	const fence: Fence = { maySend: () => true };
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
