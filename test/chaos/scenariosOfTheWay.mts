/** Runs for which nobody answers at the address of the service, for a moment or for good. */
import { createServer, type AddressInfo, type Socket } from 'node:net';

import { freePort } from '../../playground/child-process.mts';

import { longestRequest } from './expectations.mts';
import type { OperationCase } from './operations.mts';
import { rowsOf, run, seenRun, seenRunOf, workflowOf } from './runs.mts';
import {
	counts,
	FEW,
	Findings,
	freshKeys,
	IMPATIENT,
	PATIENT,
	SLACK_MS,
	type Scenario,
} from './scenario.mts';
import { newCredential } from './stage.mts';

const OUTAGE_MS = 2_000;

/** Once a second, and a quarter more by chance. */
const LONGEST_PAUSE_MS = 1_250;

export const refusedForAMoment: Scenario = {
	column: 'refused 2 s',
	perform: async (session, lane, operation) => {
		const keys = await freshKeys(lane, operation, FEW);
		const workflow = workflowOf(operation, keys, lane.credentials[operation.credential], PATIENT);
		// The run itself begins the outage, so that it cannot be over before the node sends.
		const outage = { ms: OUTAGE_MS };
		workflow.nodes.push({
			id: 'outage',
			name: 'Outage',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			position: [100, 0],
			parameters: {
				method: 'POST',
				url: `${lane.sandbox.adminUrl}outage`,
				sendBody: true,
				specifyBody: 'json',
				jsonBody: JSON.stringify(outage),
			},
		});
		workflow.connections.Start = { main: [[{ node: 'Outage', type: 'main', index: 0 }]] };
		workflow.connections.Outage = { main: [[{ node: 'Rows', type: 'main', index: 0 }]] };
		const ended = seenRun(await run(session, workflow), rowsOf(operation, keys).length);
		const findings = new Findings();
		findings.allItems(ended, 'success');
		const seen = await counts(lane, keys);
		findings.hold(
			seen.every((count) => count === 1),
			`the requests arrived ${seen.join(', ')} times`,
		);
		findings.hold(ended.nodeMs >= 250, `the node took ${ended.nodeMs} ms: it was never refused`);
		await findings.allDone(lane, operation, keys);
		findings.within(ended.nodeMs, longestRequest(0, PATIENT.maxRetries) + OUTAGE_MS + SLACK_MS);
		return {
			short: `ok after ${(ended.nodeMs / 1_000).toFixed(1)} s`,
			findings: findings.list,
			details: ended,
		};
	},
};

/** The address in the credential of an operation: the service's, or the sign-on's. */
const addressOf = ({ credential }: OperationCase, url: string) =>
	credential === 'machine' ? { baseUrl: url } : { issuerUrl: url };

/**
 * Every request has its retries. The first ones leave together; then one at a time asks, about once a second. A code waits for the keys of the
 * sign-on, which are asked for first: two addresses in a row.
 */
function longestAway(operation: OperationCase, keys: number): number {
	if (operation.kind === 'redeem') return 2 * longestRequest(IMPATIENT.timeout, IMPATIENT.maxRetries);
	const requests = requestsOf(operation, keys);
	const asks = requests * (1 + IMPATIENT.maxRetries) - Math.min(requests, IMPATIENT.concurrency);
	return asks * LONGEST_PAUSE_MS;
}

/** A snapshot asks for five things of each account, and once for the tenant. */
function requestsOf({ kind }: OperationCase, keys: number): number {
	return kind === 'parts' ? keys * 5 + 1 : keys;
}

export const refusedForGood: Scenario = {
	column: 'refused',
	perform: async (session, lane, operation) => {
		const keys = await freshKeys(lane, operation, FEW);
		const nowhere = addressOf(operation, `http://127.0.0.1:${await freePort()}`);
		const credential = await newCredential(session, operation.credential, lane.sandbox, nowhere);
		const ended = await seenRunOf(session, operation, keys, credential, IMPATIENT);
		const findings = new Findings();
		findings.allItems(ended, 'failure', /Nothing answers at|cannot be reached/);
		findings.hold(
			ended.items.every(({ message }) => !/may exist|may count as used/.test(message)),
			'a message says that the work may be done',
		);
		findings.hold(ended.nodeMs >= 250, `the node took ${ended.nodeMs} ms: nothing was tried again`);
		findings.within(ended.nodeMs, longestAway(operation, keys.length) + SLACK_MS);
		return { short: 'fail0', findings: findings.list, details: ended };
	},
};

/** Takes connections and breaks them before anything is read. */
async function slammingServer(): Promise<{ url: string; connections: () => number; close: () => void }> {
	let connections = 0;
	const server = createServer((socket: Socket) => {
		connections++;
		socket.on('error', () => undefined);
		socket.resetAndDestroy();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		url: `http://127.0.0.1:${port}`,
		connections: () => connections,
		close: () => void server.close(),
	};
}

export const closedUnread: Scenario = {
	column: 'reset unread',
	perform: async (session, lane, operation) => {
		const keys = await freshKeys(lane, operation, FEW);
		const server = await slammingServer();
		try {
			const address = addressOf(operation, server.url);
			const credential = await newCredential(session, operation.credential, lane.sandbox, address);
			const ended = await seenRunOf(session, operation, keys, credential, IMPATIENT);
			const findings = new Findings();
			const isCreation = operation.kind === 'create';
			findings.allItems(ended, 'failure', isCreation ? /may exist/ : /connection/);
			// A code asks for the discovery document, once for all, and is not sent at all without it.
			const requests = operation.kind === 'redeem' ? undefined : requestsOf(operation, keys.length);
			const attempts = isCreation ? 1 : 1 + IMPATIENT.maxRetries;
			const connections = server.connections();
			if (requests !== undefined) {
				findings.hold(
					connections === requests * attempts,
					`${connections} connections for ${requests} requests`,
				);
			}
			findings.within(ended.nodeMs, 2 * longestRequest(IMPATIENT.timeout, IMPATIENT.maxRetries) + SLACK_MS);
			return {
				short: `fail${isCreation ? '?' : ''}${requests === undefined ? '' : connections / requests}`,
				findings: findings.list,
				details: { connections, ...ended },
			};
		} finally {
			server.close();
		}
	},
};
