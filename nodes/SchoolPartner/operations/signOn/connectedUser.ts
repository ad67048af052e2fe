/** Requests as the user who was connected in the credential. n8n keeps that user's tokens and renews them. */
import { failed, success, type Failure, type Outcome } from '../../../shared/failure';
import { Session } from '../../../shared/transport/session';
import type { Signer } from '../../../shared/transport/signer';
import type { RunTools } from '../../framework/operation';

import { CREDENTIAL, type Client } from './client';

export const NOT_CONNECTED: Failure = {
	origin: 'n8n',
	effect: 'none',
	code: 'not_connected',
	message: 'Nobody is connected in the credential',
	next: 'Open the credential, click Connect and log in. Or fill in Access Token to read the user of that token.',
};

async function openSession({ context }: RunTools): Promise<Session> {
	return await Session.open(context, CREDENTIAL);
}

/** Signs as the connected user. One session for all items of a run, so that one renewal serves them all. */
export async function connectedUser(client: Client, { once }: RunTools): Promise<Outcome<Signer>> {
	return client.isConnected ? success(await once(openSession)) : failed(NOT_CONNECTED);
}
