/** How the requests of a run are sent: with which token, at which pace, how patiently. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { boundsOf } from '../../shared/actions/sending';
import { GIVES_UP_AFTER_MS, Pace, type PaceState } from '../../shared/pace/pace';
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
}

export interface Sending {
	/** Address of the service, without a slash at its end. */
	baseUrl: string;
	clientId: string;
	means: Means;
	/** Its pace has what the run has found out of the service so far: plain data, for the next batch. */
	gate: Gate;
}

/**
 * Reads the credential. Throws what n8n throws when the node has none.
 * @param pace what an earlier batch of the same run has left
 */
export async function sendingOf(
	context: IExecuteFunctions,
	settings: SendingSettings,
	pace?: PaceState,
): Promise<Sending> {
	const session = await Session.open(context, 'schoolPartnerOAuth2Api');
	const signal = context.getExecutionCancelSignal();
	// The last request of a step is not the last of its run: what needs it comes behind it.
	const gate = new Gate(new Pace(boundsOf(settings), pace), signal, GIVES_UP_AFTER_MS);
	const policy = { timeoutMs: settings.timeout, maxRetries: settings.maxRetries };
	const means: Means = {
		send: senderOf(context, session, policy, signal, gate),
		signal,
		simplify: true,
		batchSize: 1,
		begunAtOnce: gate.pace.ceiling,
		// One that fails is told, and the others go on.
		stopsAtFailure: false,
	};
	return { baseUrl: session.baseUrl, clientId: session.clientId, means, gate };
}
