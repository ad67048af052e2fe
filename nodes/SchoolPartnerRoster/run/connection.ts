/** The service as one run reaches it: with which token, at which pace, how patiently; and by which marks its ledger knows it. */
import type { IExecuteFunctions } from 'n8n-workflow';

import { concurrencyBounds } from '../../shared/actions/sending';
import { logRequests } from '../../shared/actions/logRequests';
import { baseAddress, parsedAddress } from '../../shared/contract/address';
import { outcomeOf } from '../../shared/engine/unexpected';
import { success, valueOf } from '../../shared/failure';
import { steadyNow } from '../../shared/pace/clock';
import { GIVES_UP_AFTER_MS, Pace } from '../../shared/pace/pace';
import { Limiter } from '../../shared/transport/limiter';
import { senderOf } from '../../shared/transport/send';
import { Session } from '../../shared/transport/session';
import { markOf } from '../ledger/digest';
import { compared } from '../ledger/row';
import type { LedgerMarks } from '../planning/conditions';
import type { EngineContext } from '../service/lookUp';

import type { NightSettings, SendingSettings } from './settings';

export interface Connection extends Pick<Session, 'baseUrl' | 'clientId'> {
	engine: EngineContext;
	/** Whether a request may leave; asked right before it does. Always, until a run sets what it depends on. */
	maySend: () => boolean;
	/** Writes into n8n's log how the requests were paced. */
	logRequests: () => void;
}

/** Reads the credential. Throws what n8n says when the node has none, and that nothing was sent. */
export async function connect(
	context: IExecuteFunctions,
	settings: SendingSettings & Partial<Pick<NightSettings, 'creationsAgainOn503'>>,
): Promise<Connection> {
	const { timeout: timeoutMs, maxRetries, creationsAgainOn503 } = settings;
	const policy = { timeoutMs, maxRetries, creationsAgainOn503 };
	const session = valueOf(
		await outcomeOf('nothing', async () => success(await Session.open(context, 'schoolPartnerOAuth2Api'))),
	);
	const signal = context.getExecutionCancelSignal();
	// The last request of a step is not the last of its run: what needs it comes behind it.
	const limiter = new Limiter(new Pace(concurrencyBounds(settings)), signal, GIVES_UP_AFTER_MS);
	const { pace } = limiter;
	limiter.mayLeave = () => connection.maySend();
	const engine: EngineContext = {
		send: senderOf(context, session, policy, limiter),
		signal,
		simplify: true,
		batchSize: 1,
		begunAtOnce: pace.ceiling,
		// One that fails is told, and the others go on.
		stopsAtFailure: false,
		beginStep: () => pace.beginAnew(steadyNow()),
	};
	const connection: Connection = {
		baseUrl: session.baseUrl,
		clientId: session.clientId,
		engine,
		maySend: () => true,
		logRequests: () => logRequests(context, pace.summary),
	};
	return connection;
}

/** Whom a ledger is for, as digests: the service, the client, and the choice of ids. */
export function ledgerMarks(
	{ baseUrl, clientId }: Pick<Session, 'baseUrl' | 'clientId'>,
	identity: Readonly<Record<string, string>>,
): LedgerMarks {
	const ids = Object.entries(identity).sort(([one], [other]) => compared(one, other));
	return { service: serviceMark(baseUrl), client: markOf(clientId), ids: markOf(JSON.stringify(ids)) };
}

/** The same for `https://HOST:443/` and `https://host`. */
export function serviceMark(baseUrl: string): string {
	const address = parsedAddress(baseUrl);
	return markOf(address === undefined ? baseUrl : baseAddress(address.origin + address.pathname));
}
