/** The action node beside the HTTP Request node: the same work, in turns. */
import { createWorkflow, deleteWorkflow } from '../../../playground/n8n-client.mts';

import { contestsOf, type Contest, type Side } from '../contests.mts';
import { openHall, type Hall } from '../hall.mts';
import { ratiosOf, spreadOf } from '../measuring/statistics.mts';
import { runToItsEnd, timesOf, type TimedRun } from '../measuring/runs.mts';
import type { Comparison, Plan } from '../results.mts';

/** What the service answers when it did what was asked. */
const SUCCESSFUL = [200, 201, 204];

/** Measures every contest; one n8n and one sandbox serve them all. */
export async function measureWork(plan: Plan): Promise<Comparison[]> {
	const { rounds, say } = plan;
	const hall = await openHall(2_000);
	try {
		const results: Comparison[] = [];
		for (const contest of contestsOf(hall).filter(({ id }) => plan.wants(id))) {
			say(contest.what);
			const { comparison } = await measure(hall, contest, rounds);
			say(`  ${comparison.ratio.median.toFixed(2)} x`);
			results.push(comparison);
		}
		return results;
	} finally {
		await hall.end();
	}
}

/** Both sides in turns, and the most that the service had in flight of ours in each round. */
export async function measure(
	hall: Hall,
	contest: Contest,
	rounds: number,
): Promise<{ comparison: Comparison; highestInFlight: number[] }> {
	const { admin } = hall.sandbox;
	const { latencyMs, connectionLatencyMs = 0 } = contest;
	await admin.changeSettings({ latencyMs, connectionLatencyMs });
	const [ours, theirs] = [await prepared(hall, contest.ours), await prepared(hall, contest.theirs)];
	// One round that does not count: tokens are fetched, code is compiled.
	await ours.run();
	await theirs.run();
	const measured: Array<{ ours: PacedRun; theirs: PacedRun }> = [];
	for (let round = 0; round < rounds; round++) {
		// Who begins changes, so that neither always runs on what the other left behind.
		const [first, second] = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
		const one = await first.run();
		const other = await second.run();
		measured.push(round % 2 === 0 ? { ours: one, theirs: other } : { ours: other, theirs: one });
	}
	await Promise.all([ours.remove(), theirs.remove()]);
	await admin.changeSettings({ latencyMs: 0, connectionLatencyMs: 0 });
	const node = {
		ours: measured.map((round) => round.ours.nodeMs),
		theirs: measured.map((round) => round.theirs.nodeMs),
	};
	const whole = {
		ours: measured.map((round) => round.ours.wholeMs),
		theirs: measured.map((round) => round.theirs.wholeMs),
	};
	const comparison: Comparison = {
		id: contest.id,
		what: contest.what,
		against: contest.against,
		unit: 'ms',
		target: { atLeast: contest.target },
		ours: spreadOf(node.ours),
		theirs: spreadOf(node.theirs),
		ratio: spreadOf(ratiosOf(node.theirs, node.ours)),
		wholeRun: spreadOf(ratiosOf(whole.theirs, whole.ours)),
	};
	return { comparison, highestInFlight: measured.map(({ ours }) => ours.highestInFlight) };
}

interface PacedRun extends TimedRun {
	/** At the service, tokens left out. */
	highestInFlight: number;
}

interface Prepared {
	run(): Promise<PacedRun>;
	remove(): Promise<void>;
}

async function prepared(
	{ session, sandbox }: Hall,
	{ workflow, nodes, items, requests }: Side,
): Promise<Prepared> {
	const { admin } = sandbox;
	const stored = await createWorkflow(session, workflow);
	return {
		async run() {
			await admin.clearRequests();
			await admin.resetPace();
			const times = await timesOf(session, await runToItsEnd(session, stored.id), nodes);
			// A fast run that did not do the work would be worth nothing.
			const { highestInFlight } = await admin.pace();
			const [all, tokens, ...successful] = await Promise.all([
				admin.countRequests(),
				admin.countRequests({ path: '/identity' }),
				...SUCCESSFUL.map(async (status) => await admin.countRequests({ status })),
			]);
			const refused = all - successful.reduce((sum, count) => sum + count, 0);
			if (times.items !== items || all - tokens !== requests || refused !== 0) {
				throw new Error(
					`${workflow.name}: ${times.items} items for ${items}, ${all - tokens} requests for ${requests}, ${refused} refused`,
				);
			}
			return { ...times, highestInFlight };
		},
		remove: async () => await deleteWorkflow(session, stored.id),
	};
}
