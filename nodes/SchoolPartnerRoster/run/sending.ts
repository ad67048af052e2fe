/** How the requests of a run are sent: with which token, how many at a time, how patiently. */
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Job } from '../../shared/engine/engine';
import type { Policy } from '../../shared/transport/persevere';
import { senderOf } from '../../shared/transport/send';
import { Session } from '../../shared/transport/session';

export interface SendingSettings {
	/** 0: automatic. */
	concurrency: number;
	/** Milliseconds. */
	timeout: number;
	maxRetries: number;
}

/** What the engine needs for every job of a run. */
export type Means = Pick<Job, 'send' | 'signal' | 'simplify' | 'batchSize' | 'concurrency' | 'stopsAtFailure'>;

export interface Sending {
	/** Address of the service, without a slash at its end. */
	baseUrl: string;
	means: Means;
}

const AUTOMATIC = 0;
const BEGINS_WITH = 10;

/** Reads the credential. Throws what n8n throws when the node has none. */
export async function sendingOf(context: IExecuteFunctions, { concurrency, timeout, maxRetries }: SendingSettings): Promise<Sending> {
	const session = await Session.open(context, 'schoolPartnerOAuth2Api');
	const signal = context.getExecutionCancelSignal();
	const policy: Policy = { timeoutMs: timeout, maxRetries };
	const means: Means = {
		send: senderOf(context, session, policy, signal),
		signal,
		simplify: true,
		batchSize: 1,
		concurrency: concurrency === AUTOMATIC ? BEGINS_WITH : concurrency,
		// One that fails is told, and the others go on.
		stopsAtFailure: false,
	};
	return { baseUrl: session.baseUrl, means };
}
