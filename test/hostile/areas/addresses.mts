/** Addresses in credentials that are none, or that hold more than an address. */
import { Findings, shown, type Area, type Cell } from '../cell.mts';
import { friendly } from '../peers/servicePeer.mts';
import type { Seen } from '../runs.mts';
import type { HostileStage } from '../stage.mts';

import { GET_ACCOUNT, rowOf } from './calls.mts';

const PASSWORD = 'Hidden-Password-Xk55';

/** @param host of a peer that would answer, so that what is sent is seen */
const ADDRESSES: ReadonlyArray<[string, (host: string) => string]> = [
	['a user and a password', (host) => `http://bob:${PASSWORD}@${host}`],
	['a user', (host) => `http://${PASSWORD}@${host}`],
	['a question mark', (host) => `http://${host}/?key=${PASSWORD}`],
	['a question mark and nothing', (host) => `http://${host}?`],
	['a fragment', (host) => `http://${host}/#${PASSWORD}`],
	['file:', () => 'file:///etc/passwd'],
	['ftp:', (host) => `ftp://${host}`],
	['javascript:', () => 'javascript:alert(1)'],
	['data:', () => 'data:application/json,{}'],
	['a unix socket', () => 'unix:/var/run/docker.sock'],
	['no scheme', (host) => host],
	['no host', () => 'http://'],
	['a port that is none', () => 'http://127.0.0.1:99999'],
	['a space in it', (host) => `http://${host} .example`],
	['a line break in it', (host) => `http://${host}\r\nx-evil: 1`],
	['words', () => 'the address of the service'],
];

type Field = 'baseUrl' | 'issuerUrl';
const LABELS: Record<Field, RegExp> = { baseUrl: /Base URL/, issuerUrl: /Issuer URL/ };

async function used(
	stage: HostileStage,
	field: Field,
	address: string,
	good: string,
	isSignOn: boolean,
): Promise<Seen> {
	if (isSignOn) {
		const parameters = {
			resource: 'signOn',
			operation: 'getDiscovery',
			options: { maxRetries: 0, timeout: 3_000 },
		};
		return await stage.run({
			parameters,
			rows: [{ n: 0 }],
			credential: await stage.signOnCredential(address),
		});
	}
	const credential = await stage.machineCredential(good, { [field]: address });
	const parameters = GET_ACCOUNT.parameters({ timeout: 3_000 });
	return await stage.run({ parameters, rows: [rowOf('one', 0)], credential });
}

const inRuns = (field: Field, isSignOn: boolean): Cell => ({
	tries: `addresses that are none as ${isSignOn ? 'Issuer URL of a sign-on' : field === 'baseUrl' ? 'Base URL' : 'Issuer URL'}, in a run`,
	holds: 'the item fails and names the field, nothing is sent, and no password is quoted',
	attempts: ADDRESSES.length,
	attack: async (stage) => {
		stage.secrets.set('a password in an address', PASSWORD);
		const found = new Findings();
		for (const [what, make] of ADDRESSES) {
			const peer = await stage.peer(friendly);
			const seen = await used(stage, field, make(new URL(peer.url).host), peer.url, isSignOn);
			const words = seen.failure.length === 1 ? String(seen.failure[0]?.json.error) : seen.error;
			const one = new Findings();
			one.hold(seen.success.length === 0, 'it looks done');
			one.hold(LABELS[field].test(words), `does not name the field: ${shown(words)}`);
			one.hold(!seen.text.includes(PASSWORD), 'the password stands in the execution');
			// A token may be fetched at the other, right address.
			const sent = field === 'baseUrl' ? peer.calls() : peer.received;
			one.hold(sent.length === 0, `${sent.length} requests were sent`);
			found.hold(one.list.length === 0, `${what}: ${one.list.join('; ')}`);
		}
		return found.list;
	},
});

/** For what can be read as an address, but says more than one, or another kind: the field must be named. The others are red by themselves. */
const SAYS_MORE = /[@?#]|^(file|ftp):/;

const inTests = (field: Field): Cell => ({
	tries: `addresses that are none as ${field === 'baseUrl' ? 'Base URL' : 'Issuer URL'}, when the credential is tested`,
	holds: 'the test is red and quotes no password, and names the field where the address says too much',
	attempts: ADDRESSES.length,
	attack: async (stage) => {
		const found = new Findings();
		for (const [what, make] of ADDRESSES) {
			const peer = await stage.peer(friendly);
			const credential = await stage.machineCredential(peer.url, { [field]: make(new URL(peer.url).host) });
			const { status, message } = await stage
				.test(credential)
				.catch((error: unknown) => ({ status: 'Error', message: String(error) }));
			const one = new Findings();
			one.hold(status === 'Error', 'it is green');
			one.hold(
				LABELS[field].test(message) || !SAYS_MORE.test(make('host')),
				`does not name the field: ${shown(message)}`,
			);
			one.hold(!message.includes(PASSWORD), 'the password is quoted');
			found.hold(one.list.length === 0, `${what}: ${one.list.join('; ')}`);
		}
		return found.list;
	},
});

export const addresses: Area = {
	name: 'addresses',
	cells: [
		inRuns('baseUrl', false),
		inRuns('issuerUrl', false),
		inRuns('issuerUrl', true),
		inTests('baseUrl'),
		inTests('issuerUrl'),
	],
};
