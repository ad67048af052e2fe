/** A credential that somebody edits while a run is under way. */
import type { IDataObject } from 'n8n-workflow';

import { Deadline } from '../../../nodes/shared/transport/deadline.ts';
import { Session } from '../../../nodes/shared/transport/session.ts';

/** What the run over the connected user sends as its second request, whose first was refused. */
async function secondAfter(edit: IDataObject) {
	const before = { issuerUrl: 'https://login.test.example', clientId: 'club', clientSecret: 'secret' };
	const read = [
		{ ...before, oauthTokenData: { access_token: 'of the test' } },
		{ ...before, oauthTokenData: { access_token: 'the next one' }, ...edit },
	];
	const context = { getCredentials: async () => await Promise.resolve(read.shift()), helpers: {} };
	const session = await Session.open(context as never, 'schoolPartnerOidcOAuth2Api');
	const deadline = new Deadline(Infinity);
	const first = await session.sign(deadline);
	const reply = { status: 401, headers: {}, text: '' };
	session.settle(first as never, { kind: 'answered', reply } as never);
	return await session.sign(deadline);
}

test('who signs in again goes on with the new token', async () => {
	expect(await secondAfter({})).toMatchObject({ kind: 'signed', authorization: 'Bearer the next one' });
});

test.each([{ issuerUrl: 'https://login.school.example' }, { clientId: 'another' }])(
	'a token of another sign-on is not sent to the one that the run began with: %j',
	async (edit) => {
		const message = 'The credential was changed during the run: it has another address or Client ID now';
		expect(await secondAfter(edit)).toMatchObject({ kind: 'unsigned', reason: { failure: { message } } });
	},
);
