/** How the cost of a run grows: one factor at a time, from 1,000 items, 10 in flight, a service that answers at once. */
import { createWorkflow, deleteWorkflow } from '../../../playground/n8n-client.mts';

import { DRAGGED } from '../contests.mts';
import { openHall, pupilsAsCode, type Hall } from '../hall.mts';
import { forgetPeak, openConnectionsTo, peakMemoryMb } from '../measuring/machine.mts';
import { runToItsEnd, timesOf } from '../measuring/runs.mts';
import { spreadOf } from '../measuring/statistics.mts';
import type { Curve, Plan, Point } from '../results.mts';
import { OURS, ourWorkflow } from '../workflows.mts';

interface Load {
	items: number;
	inFlight: number;
	latencyMs: number;
}

const FROM: Load = { items: 1_000, inFlight: 10, latencyMs: 0 };

const FACTORS: Array<{ id: Curve['id']; factor: string; values: number[]; load: (value: number) => Load }> = [
	{
		id: 'items',
		factor: 'items',
		values: [100, 1_000, 5_000, 20_000, 50_000],
		load: (items) => ({ ...FROM, items }),
	},
	{
		id: 'inFlight',
		factor: 'requests in flight',
		values: [1, 2, 5, 10, 20, 50],
		load: (inFlight) => ({ ...FROM, inFlight }),
	},
	{
		id: 'latency',
		factor: 'latency of the service, ms',
		values: [0, 20, 50, 200],
		// As it comes, with the automatic pace.
		load: (latencyMs) => ({ ...FROM, inFlight: 0, latencyMs }),
	},
];

export async function measureGrowth({ rounds, say }: Plan): Promise<Curve[]> {
	const curves: Curve[] = [];
	for (const { id, factor, values, load } of FACTORS) {
		// Ascending, and an n8n of its own for each curve: memory that a large run took stays with the process.
		const hall = await openHall(100);
		try {
			await measure(hall, FROM);
			const points: Point[] = [];
			for (const value of values) {
				say(`user.createStudent, ${factor}: ${value.toLocaleString('en')}`);
				points.push(await pointOf(hall, value, load(value), rounds));
			}
			curves.push({ id, factor, points });
		} finally {
			await hall.end();
		}
	}
	return curves;
}

/** Three rounds tell the shape of a curve; loads that take most of a minute tell it in one. */
const MOST_ROUNDS = 3;
const LARGE = 20_000;

async function pointOf(hall: Hall, value: number, load: Load, rounds: number): Promise<Point> {
	const times = load.items >= LARGE ? 1 : Math.min(rounds, MOST_ROUNDS);
	const measured = [];
	for (let round = 0; round < times; round++) measured.push(await measure(hall, load));
	return {
		value,
		msPerItem: spreadOf(measured.map(({ nodeMs }) => nodeMs / load.items)),
		peakMb: Math.max(...measured.map(({ peakMb }) => peakMb)),
		connections: Math.max(...measured.map(({ connections }) => connections)),
	};
}

async function measure({ session, sandbox, facts, credential, n8n }: Hall, load: Load) {
	await sandbox.admin.changeSettings({ latencyMs: load.latencyMs });
	await sandbox.admin.clearRequests();
	const parameters = { ...DRAGGED, options: { concurrency: load.inFlight } };
	const workflow = ourWorkflow(pupilsAsCode(facts, load.items), parameters, credential);
	const { id } = await createWorkflow(session, workflow);
	const { pid } = n8n.process;
	forgetPeak(pid);
	const watch = watchConnections(Number(new URL(sandbox.baseUrl).port));
	const execution = await runToItsEnd(session, id);
	const connections = watch.end();
	const peakMb = peakMemoryMb(pid);
	const { nodeMs, items } = await timesOf(session, execution, [OURS]);
	await deleteWorkflow(session, id);
	if (items !== load.items) throw new Error(`${items} items for ${load.items}`);
	return { nodeMs, peakMb, connections };
}

/** The most connections to a port, beyond those that are open already (this process keeps some for its questions). */
function watchConnections(port: number) {
	let most = 0;
	const before = openConnectionsTo(port);
	const timer = setInterval(() => {
		most = Math.max(most, openConnectionsTo(port) - before);
	}, 20);
	return {
		end(): number {
			clearInterval(timer);
			return most;
		},
	};
}
