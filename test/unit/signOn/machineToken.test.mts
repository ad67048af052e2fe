/** A token for the client itself, which no user has anything to do with. */
import { failed, NOT_BEGUN } from '../../../nodes/shared/failure.ts';
import { askForTokens } from '../../../nodes/shared/signOn/tokens.ts';
import { CLIENT_ID, ISSUER } from './peer.mts';

test('A request that was not begun, since the run is over, is known as that: the item that ended the run is named', async () => {
	const client = { issuer: ISSUER, clientId: CLIENT_ID, clientSecret: 'secret', scope: '' };
	// Stands in for a run that another item has ended at this moment, which no real sign-on can be made to do.
	const ask = async () => await Promise.resolve(failed(NOT_BEGUN));
	const tokens = await askForTokens({ client, ask }, 'client_credentials', {});
	expect(!tokens.ok && tokens.failure).toBe(NOT_BEGUN);
});
