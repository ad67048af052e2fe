/** The trigger beside n8n's Webhook node with header auth: deliveries that are accepted, and such that are refused. */
import { added, NOTHING, perDelivery, since, type Spent } from '../measuring/spent.mts';
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
	/** Rounds beside the Webhook node, for every one that the plan asks for. */
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
		accepted: 80,
		refused: 120,
		turns: 3,
		targets: { accepted: 1, refused: 1 },
	},
	{
		id: 'lazy',
		name: 'N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE=true',
		open: async () => await oneN8n({ N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' }),
		accepted: 300,
		refused: 3_000,
		turns: 1,
		targets: { accepted: 1.1, refused: 1.3 },
	},
	{
		id: 'queue',
		name: 'queue mode with the same setting, one webhook process',
		open: oneWebhookProcess,
		accepted: 300,
		refused: 3_000,
		turns: 1,
		targets: { accepted: 1.1, refused: 1.3 },
	},
];

export type Deliveries = Pick<Results, 'comparisons' | 'deliveryCosts'>;

export async function measureDeliveries(plan: Plan): Promise<Deliveries> {
	const results: Deliveries = { comparisons: [], deliveryCosts: [] };
	for (const setting of SETTINGS) {
		const contests = contestsOf(setting).filter(({ id }) => plan.wants(id));
		if (contests.length === 0) continue;
		const { comparisons, deliveryCosts } = await measureAt(setting, contests, plan);
		results.comparisons.push(...comparisons);
		results.deliveryCosts.push(...deliveryCosts);
	}
	return results;
}

interface Contest {
	id: string;
	what: string;
	ours: Side;
	theirs: Side;
	against: string;
	count: number;
	wrongKeyShare: number;
	target: number;
}

function contestsOf({ id, name, accepted, refused, targets }: Setting): Contest[] {
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
			target: targets.refused,
		},
		{
			id: `once-${id}`,
			what: `deliveries accepted, repeats ignored, ${name}`,
			...accepting,
			ours: 'once',
			theirs: 'everyTime',
			against: 'the same trigger, repeats not ignored',
			target: 0.9,
		},
	];
}

async function measureAt(
	setting: Setting,
	contests: Contest[],
	{ rounds, say }: Plan,
): Promise<Deliveries> {
	const place = await setting.open();
	try {
		const receivers = await receiversAt(place);
		const results: Deliveries = { comparisons: [], deliveryCosts: [] };
		for (const contest of contests) {
			say(contest.what);
			const isBesideWebhookNode = contest.theirs === 'plain';
			const turns = isBesideWebhookNode ? setting.turns : 1;
			const { comparison, cost } = await alternate(place, receivers, contest, rounds * turns);
			results.comparisons.push(comparison);
			if (cost !== undefined && isBesideWebhookNode) results.deliveryCosts.push(cost);
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
): Promise<{ comparison: Comparison; cost: DeliveryCost | undefined }> {
	const [ours, theirs] = [receivers[oursName], receivers[theirsName]];
	const spent = new Map<Receiver, Spent>();
	const rate = async (receiver: Receiver) => {
		const before = await place.spent?.();
		const perSecond = await rateOf(place, receiver, count, wrongKeyShare);
		const now = await place.spent?.();
		if (before !== undefined && now !== undefined)
			spent.set(receiver, added(spent.get(receiver) ?? NOTHING, since(before, now)));
		return perSecond;
	};
	// Trap: n8n gets faster for minutes after its start, so both are warmed first.
	await rate(ours);
	await rate(theirs);
	spent.clear();
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
	const cost = (receiver: Receiver) => perDelivery(spent.get(receiver) ?? NOTHING, 2 * rounds * count);
	const isOfOneN8n = spent.size > 0;
	return { comparison, cost: isOfOneN8n ? { id, what, theirs: cost(theirs), ours: cost(ours) } : undefined };
}

/** Of as many deliveries each: all of them by all of the time. */
function meanRate(rates: readonly number[]): number {
	return rates.length / rates.reduce((time, rate) => time + 1 / rate, 0);
}
