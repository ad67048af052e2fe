/** A service that is away for a while in the middle of a run: how it is asked meanwhile, and how soon it is used again. */
import { setTimeout as wait } from 'node:timers/promises';

import {
	createWorkflow,
	deleteWorkflow,
	getExecution,
	nodeRun,
	type Execution,
} from '../../../playground/n8n-client.mts';

import { DRAGGED } from '../contests.mts';
import { pupilsAsCode, type Hall } from '../hall.mts';
import { runToItsEnd } from '../measuring/runs.mts';
import { spreadOf } from '../measuring/statistics.mts';
import type { Bound, Plan } from '../results.mts';
import { OURS, ourWorkflow } from '../workflows.mts';

const USER_PATH = '/integration/partner/v1/user';
/** Max Concurrency, when it is left alone. */
const AT_MOST = 128;
const OUTAGE_MS = 20_000;
const MANY = 10_000;

export async function throughOutages(hall: Hall, { rounds, say }: Plan): Promise<Bound[]> {
	const { admin } = hall.sandbox;
	const ways: Array<[id: string, what: string, outage: () => Promise<void>]> = [
		[
			'pace-503',
			'a service 50 ms away that answers 503 for 20 s',
			async () => {
				const fault = await admin.addFault({ path: USER_PATH }, { documented: 503 });
				await wait(OUTAGE_MS);
				await admin.clearFaults(fault);
			},
		],
		[
			'pace-no-connection',
			'a service 50 ms away that refuses connections for 20 s',
			async () => {
				await admin.refuseConnections(OUTAGE_MS);
				await wait(OUTAGE_MS);
			},
		],
	];
	const bounds: Bound[] = [];
	for (const [id, what, outage] of ways) {
		const seen: Outage[] = [];
		for (let round = 0; round < rounds; round++) {
			say(`${what}, round ${round + 1}`);
			seen.push(await throughOutage(hall, outage));
		}
		const bound = (
			name: string,
			unit: Bound['unit'],
			atMost: number,
			of: (run: Outage) => number,
		): Bound => ({
			id: `${id}-${name}`,
			what: `${MANY.toLocaleString('en')} user.createStudent, ${what}: ${name}`,
			unit,
			seen: spreadOf(seen.map(of)),
			atMost,
		});
		bounds.push(
			bound('requests meanwhile', '', AT_MOST + (2 * OUTAGE_MS) / 1_000, ({ meanwhile }) => meanwhile),
			bound('until its pace is full again', 's', 5, ({ backAfterS }) => backAfterS),
			bound('items that failed, but for answers that were cut', '', 0, ({ failed }) => failed),
		);
	}
	return bounds;
}

interface Outage {
	/** Requests that arrived and were refused, or could not be taken. */
	meanwhile: number;
	backAfterS: number;
	failed: number;
}

async function throughOutage(hall: Hall, outage: () => Promise<void>): Promise<Outage> {
	const { session, sandbox, facts, credential } = hall;
	const { admin } = sandbox;
	await admin.changeSettings({ latencyMs: 50 });
	await admin.clearRequests();
	const workflow = ourWorkflow(pupilsAsCode(facts, MANY), DRAGGED, credential);
	for (const node of workflow.nodes) if (node.name === OURS) node.onError = 'continueErrorOutput';
	const { id } = await createWorkflow(session, workflow);
	const running = runToItsEnd(session, id);
	while ((await admin.countRequests({ path: USER_PATH })) < MANY / 5) await wait(20);
	const from = Date.now();
	await outage();
	const until = Date.now();
	const execution = await getExecution(session, await running);
	const arrived = (await admin.requests({ path: USER_PATH })).map(({ at, status }) => ({
		at: Date.parse(at),
		status,
	}));
	await deleteWorkflow(session, id);
	await admin.changeSettings({ latencyMs: 0 });
	const doneIn = (start: number, end: number) =>
		arrived.filter(({ at, status }) => status < 300 && status > 0 && at >= start && at < end).length;
	const before = doneIn(from - 1_000, from);
	let back = until;
	while (doneIn(back, back + 1_000) < before * 0.8 && back < until + 60_000) back += 100;
	return {
		meanwhile: arrived.filter(({ at }) => at > from && at < until).length,
		backAfterS: (back - until) / 1_000,
		failed: failuresOf(execution).filter((code) => code !== 'broken').length,
	};
}

function failuresOf(execution: Execution): Array<string | undefined> {
	const items = nodeRun(execution, OURS)?.data?.main[1] ?? [];
	return items.map(({ json }) => (json.failure as { code?: string } | undefined)?.code);
}
