/** Answers that lead somewhere else. */
import type { StoredCredential } from '../../../playground/n8n-client.mts';
import { Findings, shown, type Cell } from '../cell.mts';
import { friendly, json, redirect, TOKEN_PATH } from '../peers/servicePeer.mts';
import type { HostileStage } from '../stage.mts';

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

/** Forms with the client secret that reach the other address, by a run and by the Test of the credential. */
async function formsElsewhere(
	stage: HostileStage,
	status: number,
): Promise<{ byRun: number; byTest: number }> {
	const elsewhere = await stage.peer(friendly, json(200, { access_token: 'elsewhere', expires_in: 60 }));
	const forms = () => elsewhere.received.filter(({ body }) => body !== '').length;
	const sent = async (start: (credential: StoredCredential) => Promise<unknown>) => {
		const before = forms();
		const peer = await stage.peer(friendly, redirect(status, `${elsewhere.url}${TOKEN_PATH}`));
		await start(await stage.machineCredential(peer.url));
		return forms() - before;
	};
	const parameters = GET_ACCOUNT.parameters();
	return {
		byRun: await sent(
			async (credential) => await stage.run({ parameters, rows: [rowOf('one', 0)], credential }),
		),
		byTest: await sent(async (credential) => await stage.test(credential).catch(() => undefined)),
	};
}

const WITHOUT_FORM = [301, 302, 303];
const WITH_FORM = [307, 308];

export const tokenRedirects: Cell = {
	tries:
		'redirects of the sign-on, with 301, 302 or 303, when a token is fetched, for a run and for the Test of the credential',
	holds: 'neither the form nor the client secret goes to the other address',
	attempts: WITHOUT_FORM.length * 2,
	attack: async (stage) => {
		const found = new Findings();
		for (const status of WITHOUT_FORM) {
			const { byRun, byTest } = await formsElsewhere(stage, status);
			found.hold(byRun === 0, `${status}: the run sends ${byRun} forms to the other address`);
			found.hold(byTest === 0, `${status}: the test sends ${byTest} forms to the other address`);
		}
		return found.list;
	},
};

export const tokenRedirectsWithForm: Cell = {
	tries: 'the same with 307 or 308',
	holds: 'n8n sends the form with the client secret there, as "What is trusted" says',
	attempts: WITH_FORM.length * 2,
	isKnownNotToHold: true,
	attack: async (stage) => {
		const found = new Findings();
		for (const status of WITH_FORM) {
			const { byRun, byTest } = await formsElsewhere(stage, status);
			const better = 'SECURITY.md and docs/credentials.md can say something better';
			found.hold(byRun > 0, `${status}: the run sends no form to the other address: ${better}`);
			found.hold(byTest > 0, `${status}: the test sends no form to the other address: ${better}`);
		}
		return found.list;
	},
};

export const testRedirects: Cell = {
	tries: 'redirects of the service when a credential is tested',
	holds: 'nothing goes to the other address, and the test is red and says why',
	attempts: REDIRECTS.length,
	attack: async (stage) => {
		const elsewhere = await stage.peer(friendly);
		const found = new Findings();
		for (const status of REDIRECTS) {
			const peer = await stage.peer(redirect(status, `${elsewhere.url}/elsewhere`));
			const credential = await stage.machineCredential(peer.url);
			const verdict = await stage.test(credential);
			const followed = elsewhere.received.splice(0).length;
			const isRed = verdict.status === 'Error' && verdict.message.includes('answers with a redirect');
			found.hold(
				followed === 0 && isRed && peer.calls().length === 1,
				`${status}: ${followed} requests went to the other address, ${shown(verdict)}`,
			);
		}
		return found.list;
	},
};
