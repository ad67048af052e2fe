/** The pace of a run: services that are far, that allow only so much, that can do only so much, and that go away for a while. */
import { Agent } from 'node:https';

import axios from 'axios';
import type { INodeParameters } from 'n8n-workflow';
import pMap from 'p-map';

import { createWorkflow, deleteWorkflow } from '../../../playground/n8n-client.mts';
import type { RateLimit } from '../../../sandbox/settings-types.mts';

import { DRAGGED, farCreations, type Contest } from '../contests.mts';
import { openHall, pupilsAsCode, type Hall } from '../hall.mts';
import { runToItsEnd, timesOf } from '../measuring/runs.mts';
import { ratiosOf, spreadOf } from '../measuring/statistics.mts';
import type { Comparison, Plan, Results } from '../results.mts';
import { OURS, ourWorkflow } from '../workflows.mts';

import { throughOutages } from './outages.mts';
import { measure } from './work.mts';

const COUNT = 2_000;
const USER_PATH = '/integration/partner/v1/user';
/** Max Concurrency, when it is left alone. */
const AT_MOST = 128;

/** Without TLS; the latency, where there is any, is the sandbox's. */
const NEXT_TO_N8N: Part[] = [
	{ id: 'pace-far', measure: farAway },
	{ id: 'pace-next-door', measure: nextDoor },
	{ id: 'pace-capacity', measure: ofCapacity },
	{ id: 'pace-rate', measure: ofRate },
	{
		id: 'pace-away',
		measure: async (hall, plan) => ({ comparisons: [], bounds: await throughOutages(hall, plan) }),
	},
];

type Measured = Pick<Results, 'comparisons' | 'bounds'>;

export async function measurePace(plan: Plan): Promise<Measured> {
	const parts = [
		...(await inHall(plan, { sandbox: { tls: true } }, [{ id: 'pace-tls', measure: overTls }])),
		...(await inHall(plan, {}, NEXT_TO_N8N)),
	];
	return {
		comparisons: parts.flatMap(({ comparisons }) => comparisons),
		bounds: parts.flatMap(({ bounds }) => bounds),
	};
}

/** What is measured in one hall; `--only` names it. */
interface Part {
	id: string;
	measure: (hall: Hall, plan: Plan) => Promise<Measured>;
}

async function inHall(
	plan: Plan,
	options: Parameters<typeof openHall>[1],
	parts: Part[],
): Promise<Measured[]> {
	const wanted = parts.filter(({ id }) => plan.wants(id));
	if (wanted.length === 0) return [];
	const hall = await openHall(100, options);
	try {
		const measured: Measured[] = [];
		for (const { measure: part } of wanted) measured.push(await part(hall, plan));
		return measured;
	} finally {
		await hall.end();
	}
}

async function contested(hall: Hall, { rounds, say }: Plan, contests: Contest[]): Promise<Measured> {
	const measured: Measured = { comparisons: [], bounds: [] };
	for (const contest of contests) {
		say(contest.what);
		const { comparison, highestInFlight } = await measure(hall, contest, rounds);
		say(`  ${comparison.ratio.median.toFixed(2)} x`);
		measured.comparisons.push(comparison);
		if (contest.atMostInFlight !== undefined)
			measured.bounds.push({
				id: `${contest.id}-in-flight`,
				what: `${contest.what}: most in flight`,
				unit: '',
				seen: spreadOf(highestInFlight),
				atMost: contest.atMostInFlight,
			});
	}
	return measured;
}

async function farAway(hall: Hall, plan: Plan): Promise<Measured> {
	const targets = [
		[50, 3],
		[20, 3],
		[100, 2.5],
		[200, 1.2],
	] as const;
	const contests = targets.map(
		([latencyMs, target]): Contest => ({
			...farCreations(hall, COUNT),
			id: `pace-far-${latencyMs}`,
			what: `2,000 user.createStudent, a service ${latencyMs} ms away`,
			target,
			latencyMs,
			atMostInFlight: AT_MOST,
		}),
	);
	return await contested(hall, plan, contests);
}

async function nextDoor(hall: Hall, plan: Plan): Promise<Measured> {
	const automatic = farCreations(hall, COUNT);
	const contest: Contest = {
		...automatic,
		id: 'pace-next-door',
		what: '2,000 user.createStudent, a service that answers at once',
		against: 'the same node with Concurrency 10',
		target: 1,
		latencyMs: 0,
		theirs: farCreations(hall, COUNT, { concurrency: 10 }).ours,
	};
	return await contested(hall, plan, [contest]);
}

/** Every request opens a connection, which takes as long again. */
const TLS_WAY = { latencyMs: 50, connectionLatencyMs: 50 };
const KEPT_ALIVE = 10;

async function overTls(hall: Hall, plan: Plan): Promise<Measured> {
	const what = '2,000 user.createStudent over TLS, a service 50 ms away, and 50 ms for each connection';
	const contest: Contest = {
		...farCreations(hall, COUNT),
		id: 'pace-tls',
		what,
		target: 1.5,
		...TLS_WAY,
		atMostInFlight: AT_MOST,
	};
	const beside = await contested(hall, plan, [contest]);
	plan.say(`${what}: a kept-alive client`);
	await hall.sandbox.admin.changeSettings(TLS_WAY);
	const measured = { ours: [] as number[], theirs: [] as number[] };
	for (let round = 0; round < plan.rounds; round++) {
		measured.ours.push((await paced(hall, {})).nodeMs);
		measured.theirs.push(await timeKeptAlive(hall));
	}
	await hall.sandbox.admin.changeSettings({ latencyMs: 0, connectionLatencyMs: 0 });
	const against = `a client with ${KEPT_ALIVE} kept-alive connections, in a process of its own`;
	return {
		...beside,
		comparisons: [
			...beside.comparisons,
			comparison('pace-tls-kept-alive', what, against, { atLeast: 1 }, measured),
		],
	};
}

async function timeKeptAlive({ sandbox, facts }: Hall): Promise<number> {
	const { certificate: ca, baseUrl, issuerUrl, clientId, clientSecret } = sandbox;
	const httpsAgent = new Agent({ ca, keepAlive: true, maxSockets: KEPT_ALIVE });
	const http = axios.create({ httpsAgent, proxy: false });
	const form = new URLSearchParams({
		grant_type: 'client_credentials',
		client_id: clientId,
		client_secret: clientSecret,
	});
	const { data } = await http.post<{ access_token: string }>(`${issuerUrl}/connect/token`, form);
	const [guardian] = facts.responsibles;
	const headers = { authorization: `Bearer ${data.access_token}` };
	const startedAt = performance.now();
	await pMap(
		Array.from({ length: COUNT }, (_, index) => index),
		async (index) =>
			await http.post(
				baseUrl + USER_PATH,
				{
					school_external_id: guardian?.schoolExternalId,
					external_id: `pupil-${index}`,
					first_name: 'Abelia',
					last_name: 'Fontela',
					responsible_external_id: [guardian?.externalId],
					profiles: ['student'],
				},
				{ headers },
			),
		{ concurrency: KEPT_ALIVE },
	);
	const tookMs = performance.now() - startedAt;
	httpsAgent.destroy();
	return tookMs;
}

async function ofCapacity(hall: Hall, { rounds, say }: Plan): Promise<Measured> {
	const what =
		'2,000 user.createStudent, a service that works on 8 at once (40 ms each), lets 8 wait, and refuses more (503)';
	say(what);
	await hall.sandbox.admin.changeSettings({ capacity: { atOnce: 8, workMs: 40, queue: 8 } });
	const seen = { ours: [] as Paced[], theirs: [] as Paced[] };
	await paced(hall, {});
	for (let round = 0; round < rounds; round++) {
		const order = round % 2 === 0 ? (['ours', 'theirs'] as const) : (['theirs', 'ours'] as const);
		for (const side of order) seen[side].push(await paced(hall, side === 'ours' ? {} : { concurrency: 10 }));
	}
	await hall.sandbox.admin.changeSettings({ capacity: null });
	const figures = (of: (run: Paced) => number) => ({ ours: seen.ours.map(of), theirs: seen.theirs.map(of) });
	const against = 'the same node with Concurrency 10';
	return {
		comparisons: [
			comparison(
				'pace-capacity',
				what,
				against,
				{ atLeast: 1 },
				figures(({ nodeMs }) => nodeMs),
			),
			comparison(
				'pace-capacity-wait',
				`${what}: wait in its line, p95`,
				against,
				{ atMost: 1 },
				figures(({ waitMs }) => waitMs),
			),
		],
		bounds: [],
	};
}

const PER_SECOND = 100;
const IDEAL_MS = (COUNT / PER_SECOND) * 1_000;

async function ofRate(hall: Hall, plan: Plan): Promise<Measured> {
	const told = await atRate(hall, plan, 'pace-rate', 'says Retry-After: 1', { retryAfter: 1 }, 1.15, 3);
	const silent = await atRate(
		hall,
		plan,
		'pace-rate-silent',
		'says nothing of it',
		{ retryAfter: null },
		1.3,
		6,
	);
	return {
		comparisons: [...told.comparisons, ...silent.comparisons],
		bounds: [...told.bounds, ...silent.bounds],
	};
}

async function atRate(
	hall: Hall,
	{ rounds, say }: Plan,
	id: string,
	how: string,
	limit: Pick<RateLimit, 'retryAfter'>,
	slowest: number,
	mostRefused: number,
): Promise<Measured> {
	const what = `2,000 user.createStudent, a service 20 ms away that allows 100 requests a second (burst 20) and ${how}`;
	const runs: Paced[] = [];
	for (let round = 0; round < rounds; round++) {
		say(`${what}, round ${round + 1}`);
		// A limit that is set anew begins with a full bucket.
		await hall.sandbox.admin.changeSettings({
			latencyMs: 20,
			rate: { perSecond: PER_SECOND, burst: 20, ...limit },
		});
		runs.push(await paced(hall, {}));
	}
	await hall.sandbox.admin.changeSettings({ latencyMs: 0, rate: null });
	const times = { ours: runs.map(({ nodeMs }) => nodeMs), theirs: runs.map(() => IDEAL_MS) };
	const shares = runs.map(({ refused, requests }) => (refused / requests) * 100);
	return {
		comparisons: [comparison(id, what, 'the ideal: all of them at that rate', { atMost: slowest }, times)],
		bounds: [
			{
				id: `${id}-refused`,
				what: `${what}: refused`,
				unit: '%',
				seen: spreadOf(shares),
				atMost: mostRefused,
			},
		],
	};
}

/** What a run came to, and what the service had to bear. */
interface Paced {
	nodeMs: number;
	requests: number;
	refused: number;
	/** In the line of the service, p95. */
	waitMs: number;
}

/** One run of our node, in which every pupil has to be created. */
async function paced(
	{ session, sandbox, facts, credential }: Hall,
	options: INodeParameters,
): Promise<Paced> {
	const { admin } = sandbox;
	await admin.clearRequests();
	await admin.resetPace();
	const { id } = await createWorkflow(
		session,
		ourWorkflow(pupilsAsCode(facts, COUNT), { ...DRAGGED, options }, credential),
	);
	const { nodeMs, items } = await timesOf(session, await runToItsEnd(session, id), [OURS]);
	await deleteWorkflow(session, id);
	const [requests, { refused, queueWaitMs }] = await Promise.all([
		admin.countRequests({ path: USER_PATH }),
		admin.pace(),
	]);
	if (items !== COUNT) throw new Error(`${items} items for ${COUNT}`);
	return { nodeMs, requests, refused: refused.rate + refused.queue, waitMs: queueWaitMs.p95 };
}

/** Of times, or other figures of which less is better. `atLeast`: how many times as fast; `atMost`: how much of theirs. */
function comparison(
	id: string,
	what: string,
	against: string,
	target: Comparison['target'],
	{ ours, theirs }: { ours: number[]; theirs: number[] },
): Comparison {
	const ratio = 'atLeast' in target ? ratiosOf(theirs, ours) : ratiosOf(ours, theirs);
	return {
		id,
		what,
		against,
		unit: 'ms',
		target,
		ours: spreadOf(ours),
		theirs: spreadOf(theirs),
		ratio: spreadOf(ratio),
	};
}
