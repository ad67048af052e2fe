/** The trigger beside n8n's Webhook node with header auth: deliveries that are accepted, and such that are refused. */
import { Meter } from '../measuring/spent.mts';
import { ratiosOf, spreadOf } from '../measuring/statistics.mts';
import { oneN8n, oneWebhookProcess, type Place } from '../places.mts';
import { rateOf, receiversAt, type Receiver, type Side } from '../receivers.mts';
import type { Comparison, DeliveryCost, Plan, Results } from '../results.mts';

/** One n8n with a setting of its expression engine, or queue mode. */
interface Setting {
	id: 'default' | 'lazy' | 'queue';
	name: string;
	open: () => Promise<Place>;
	/** Deliveries of one measurement: some seconds' worth. */
	accepted: number;
	refused: number;
	/** How many rounds beside the Webhook node, for every one that the plan asks for. */
	turns: number;
	targets: { accepted: number; refused: number };
}

const SETTINGS: Setting[] = [
	{
		id: 'default',
		name: 'default settings',
		open: async () => await oneN8n({}),
		// Trap: what n8n needs to open its expression sandboxes varies by a tenth from one second to the next, for both
		// sides alike and far more than the sides differ. Short measurements, and many of them, tell them apart.
		accepted: 40,
		refused: 60,
		turns: 2,
		targets: { accepted: 1, refused: 1 },
	},
	{
		id: 'lazy',
		name: 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true',
		open: async () => await oneN8n({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }),
		accepted: 200,
		refused: 1_500,
		turns: 1,
		targets: { accepted: 1.1, refused: 1.3 },
	},
	{
		id: 'queue',
		name: 'queue mode with the same setting, one webhook process',
		open: oneWebhookProcess,
		accepted: 200,
		refused: 1_500,
		turns: 1,
		targets: { accepted: 1.1, refused: 1.3 },
	},
];

export async function measureDeliveries(plan: Plan): Promise<Pick<Results, 'comparisons' | 'deliveryCosts'>> {
	const measured: Measured[] = [];
	for (const setting of SETTINGS) {
		const contests = contestsOf(setting).filter(({ id }) => plan.wants(id));
		if (contests.length > 0) measured.push(...(await measureAt(setting, contests, plan)));
	}
	return {
		comparisons: measured.map(({ comparison }) => comparison),
		deliveryCosts: measured.flatMap(({ cost }) => cost ?? []),
	};
}

interface Measured {
	comparison: Comparison;
	/** Beside the Webhook node, where n8n is one process. */
	cost: DeliveryCost | undefined;
}

interface Contest {
	id: string;
	what: string;
	ours: Side;
	theirs: Side;
	against: string;
	count: number;
	wrongKeyShare: number;
	/** How many rounds, for every one that the plan asks for. */
	turns: number;
	target: number;
}

function contestsOf({ id, name, accepted, refused, turns, targets }: Setting): Contest[] {
	const against = 'Webhook node with header auth';
	const accepting = { count: accepted, wrongKeyShare: 0 };
	return [
		{
			// The Webhook node does not look for repeats: the same work on both sides.
			id: `accepted-${id}`,
			what: `deliveries accepted, repeats not ignored, ${name}`,
			...accepting,
			ours: 'everyTime',
			theirs: 'plain',
			against,
			turns,
			target: targets.accepted,
		},
		{
			id: `refused-${id}`,
			what: `deliveries refused, ${name}`,
			ours: 'once',
			theirs: 'plain',
			against,
			count: refused,
			wrongKeyShare: 1,
			turns,
			target: targets.refused,
		},
		{
			id: `once-${id}`,
			what: `deliveries accepted, repeats ignored, ${name}`,
			...accepting,
			ours: 'once',
			theirs: 'everyTime',
			against: 'the same trigger, repeats not ignored',
			turns: 1,
			target: 0.9,
		},
	];
}

async function measureAt(setting: Setting, contests: Contest[], { rounds, say }: Plan): Promise<Measured[]> {
	const place = await setting.open();
	try {
		const receivers = await receiversAt(place);
		const results: Measured[] = [];
		for (const contest of contests) {
			say(contest.what);
			results.push(await alternate(place, receivers, contest, rounds * contest.turns));
		}
		return results;
	} finally {
		await place.end();
	}
}

async function alternate(
	place: Place,
	receivers: Record<Side, Receiver>,
	{ id, what, ours: oursName, theirs: theirsName, against, count, wrongKeyShare, target }: Contest,
	rounds: number,
): Promise<Measured> {
	const [ours, theirs] = [receivers[oursName], receivers[theirsName]];
	const unmetered = async (receiver: Receiver) => await rateOf(place, receiver, count, wrongKeyShare);
	// Trap: n8n gets faster for minutes after its start, so both are warmed first.
	await unmetered(ours);
	await unmetered(theirs);
	const meter = new Meter<Receiver>(theirsName === 'plain' ? place.spent : undefined);
	const rate = async (receiver: Receiver) =>
		await meter.during(receiver, count, async () => await unmetered(receiver));
	const measured = { ours: [] as number[], theirs: [] as number[] };
	for (let round = 0; round < rounds; round++) {
		// Trap: n8n also gets slower and faster in waves (garbage, write-ahead log). One, other, other, one
		// takes a slow change out of the round's ratio; who is in the middle changes with every round.
		const [outer, inner] = round % 2 === 0 ? [ours, theirs] : [theirs, ours];
		const first = await rate(outer);
		const between = meanRate([await rate(inner), await rate(inner)]);
		const around = meanRate([first, await rate(outer)]);
		measured.ours.push(outer === ours ? around : between);
		measured.theirs.push(outer === ours ? between : around);
	}
	const comparison: Comparison = {
		id,
		what,
		against,
		unit: 'deliveries/s',
		target: { atLeast: target },
		ours: spreadOf(measured.ours),
		theirs: spreadOf(measured.theirs),
		ratio: spreadOf(ratiosOf(measured.ours, measured.theirs)),
	};
	const [spentOnOurs, spentOnTheirs] = [meter.perDelivery(ours), meter.perDelivery(theirs)];
	if (spentOnOurs === undefined || spentOnTheirs === undefined) return { comparison, cost: undefined };
	return { comparison, cost: { id, what, theirs: spentOnTheirs, ours: spentOnOurs } };
}

/** Of as many deliveries each: all of them by all of the time. */
function meanRate(rates: readonly number[]): number {
	return rates.length / rates.reduce((time, rate) => time + 1 / rate, 0);
}
