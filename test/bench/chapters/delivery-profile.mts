/**
 * Where the time of an accepted delivery goes, with the trigger and with the Webhook node: what a node can spare, and what n8n
 * does for every run whichever node began it.
 */
import { deliveryPartsOf, type DeliveryParts } from '../measuring/delivery-parts.mts';
import { profiled } from '../measuring/profiled.mts';
import { oneN8n } from '../places.mts';
import { rateOf, receiversAt, type Side } from '../receivers.mts';
import type { DeliveryPart, Plan } from '../results.mts';

const DELIVERIES = 1_500;

export async function profileDeliveries({ say }: Plan): Promise<DeliveryPart[]> {
	say('an accepted delivery: the profiles');
	const theirs = await partsWith('plain');
	const ours = await partsWith('everyTime');
	return Object.keys(theirs).map((name) => {
		const part = name as keyof DeliveryParts;
		return { part, theirsMs: theirs[part], oursMs: ours[part] };
	});
}

async function partsWith(side: Side): Promise<DeliveryParts> {
	const { result: window, profile } = await profiled(async (env) => {
		const place = await oneN8n({ ...env, N8N_EXPRESSION_ENGINE_LAZY_ACQUIRE: 'true' });
		try {
			const receiver = (await receiversAt(place))[side];
			await rateOf(place, receiver, DELIVERIES / 3, 0);
			const from = monotonic();
			await rateOf(place, receiver, DELIVERIES, 0);
			return { from, to: monotonic() };
		} finally {
			await place.end();
		}
	});
	return deliveryPartsOf(profile, window, DELIVERIES);
}

/** Microseconds by the clock of CPU profiles. */
function monotonic(): number {
	return Number(process.hrtime.bigint() / 1_000n);
}
