/** Answers that lead somewhere else. */
import { Findings, type Cell } from '../cell.mts';
import { friendly, json, redirect, TOKEN_PATH } from '../peers/servicePeer.mts';

import { KINDS, runAgainst } from './against.mts';
import { GET_ACCOUNT, rowOf } from './calls.mts';

const REDIRECTS = [301, 302, 303, 307, 308];

export const redirects: Cell = {
	tries: 'redirects of the service to another address, for lookups, updates and creations',
	holds: 'nothing goes there, and the item fails',
	attempts: REDIRECTS.length * KINDS.length,
	attack: async (stage) => {
		const elsewhere = await stage.peer(friendly);
		const found = new Findings();
		for (const call of KINDS) {
			for (const status of REDIRECTS) {
				const before = elsewhere.received.length;
				const peer = await stage.peer(redirect(status, `${elsewhere.url}/elsewhere`));
				const seen = await runAgainst(stage, call, peer);
				const followed = elsewhere.received.length - before;
				found.hold(followed === 0, `${call.name}, ${status}: ${followed} requests went to the other address`);
				found.hold(seen.failure.length === 1, `${call.name}, ${status}: ${seen.failure.length} failures`);
			}
		}
		return found.list;
	},
};

export const tokenRedirects: Cell = {
	tries: 'redirects of the sign-on when a token is fetched, for a run and for the Test of the credential',
	holds: 'neither the form nor the client secret goes to the other address',
	attempts: REDIRECTS.length * 2,
	attack: async (stage) => {
		const elsewhere = await stage.peer(friendly, json(200, { access_token: 'elsewhere', expires_in: 60 }));
		const found = new Findings();
		for (const status of REDIRECTS) {
			const peer = await stage.peer(friendly, redirect(status, `${elsewhere.url}${TOKEN_PATH}`));
			const credential = await stage.machineCredential(peer.url);
			const leaks = () => elsewhere.received.filter(({ body }) => body !== '').length;
			const before = leaks();
			await stage.run({ parameters: GET_ACCOUNT.parameters(), rows: [rowOf('one', 0)], credential });
			const byRun = leaks() - before;
			found.hold(byRun === 0, `${status}: the run sends ${byRun} forms to the other address`);
			await stage.test(credential).catch(() => undefined);
			const byTest = leaks() - before - byRun;
			found.hold(byTest === 0, `${status}: the test sends ${byTest} forms to the other address`);
		}
		return found.list;
	},
};

export const testRedirects: Cell = {
	tries: 'redirects of the service when a credential is tested',
	holds: 'no token goes to the other address',
	attempts: REDIRECTS.length,
	attack: async (stage) => {
		const elsewhere = await stage.peer(friendly);
		const found = new Findings();
		for (const status of REDIRECTS) {
			const peer = await stage.peer(redirect(status, `${elsewhere.url}/elsewhere`));
			const credential = await stage.machineCredential(peer.url);
			await stage.test(credential).catch(() => undefined);
			const withToken = elsewhere.received.filter(
				({ headers }) => headers.authorization !== undefined,
			).length;
			found.hold(withToken === 0, `${status}: ${withToken} tokens went to the other address`);
			elsewhere.received.splice(0);
		}
		return found.list;
	},
};
