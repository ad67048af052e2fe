import { randomUUID } from 'node:crypto';
import type { DeliveryKind, LoadRequest, LoadResult } from '../delivery-types.mts';
import { createRandom, type Random } from '../world/random.mts';
import type { User } from '../world/types.mts';
import type { AccessParts } from './access.mts';
import type { Shipment } from './deliveries.mts';
import { makeEnvelope, type Envelope, type EventAction } from './envelopes.mts';
import { variedEnvelope } from './varied.mts';

const kinds: readonly DeliveryKind[] = ['valid', 'repeat', 'wrongKey', 'malformed'];

/** What a malformed delivery has wrong: JSON that parses, and an envelope that is none. */
const spoilers: ReadonlyArray<(envelope: Envelope) => unknown> = [
	({ payload }) => ({ payload }),
	({ header }) => ({ header }),
	(envelope) => ({ ...envelope, header: { ...envelope.header, request_id: 'x'.repeat(37) } }),
	(envelope) => ({ ...envelope, header: { ...envelope.header, created_at: 'yesterday' } }),
	(envelope) => ({ ...envelope, header: { ...envelope.header, client_id: 7 } }),
	(envelope) => ({ ...envelope, payload: [] }),
	() => 'text',
	() => null,
];

/**
 * Many deliveries at once: `count` in all, `concurrency` at a time, with exact shares of repeats of what was
 * answered 2xx before, wrong keys and malformed envelopes. Resolves when the last one is done.
 */
export async function runLoad(parts: AccessParts, request: LoadRequest): Promise<LoadResult> {
	const random = createRandom(request.seed ?? 1);
	const users = [...parts.world().users.values()].filter(
		({ bonds, birthDate }) => bonds.size > 0 && birthDate !== null,
	);
	const plan = planOf(request, random);
	const done: Array<{ kind: DeliveryKind; shipment: Shipment; status: number }> = [];
	const accepted: Shipment[] = [];
	let next = 0;
	const startedAt = performance.now();
	const work = async (): Promise<void> => {
		while (next < plan.length) {
			const index = next++;
			if (plan[index] === 'repeat' && accepted.length === 0) postpone(plan, index);
			const kind = plan[index];
			const shipment =
				kind === 'repeat'
					? random.pick(accepted)
					: shipmentOf(parts, kind, users[index % users.length], index, request);
			const { status, isSuccessful } = await parts.deliveries.deliver(shipment);
			done.push({ kind, shipment, status });
			if (kind === 'valid' && isSuccessful) accepted.push(shipment);
		}
	};
	await Promise.all(Array.from({ length: Math.min(request.concurrency ?? 10, plan.length) }, work));
	const durationMs = performance.now() - startedAt;
	return {
		durationMs: Math.round(durationMs),
		perSecond: Math.round((plan.length / durationMs) * 10_000) / 10,
		statuses: Object.fromEntries(
			kinds.map((kind) => [kind, countStatuses(done.filter((one) => one.kind === kind))]),
		) as LoadResult['statuses'],
		acceptedIds: accepted.map(({ requestId }) => requestId),
		sentIds: done.filter(({ kind }) => kind === 'valid').map(({ shipment }) => shipment.requestId),
	};
}

/** Exact counts of every kind, shuffled; the first is valid. */
function planOf(
	{ count, repeatShare = 0, wrongKeyShare = 0, malformedShare = 0 }: LoadRequest,
	random: Random,
): DeliveryKind[] {
	const of = (kind: DeliveryKind, share: number): DeliveryKind[] =>
		Array.from({ length: Math.round(count * share) }, () => kind);
	const others = [
		...of('repeat', repeatShare),
		...of('wrongKey', wrongKeyShare),
		...of('malformed', malformedShare),
	];
	const plan: DeliveryKind[] = [...others, ...of('valid', 1)].slice(0, count);
	for (let index = plan.length - 1; index > 0; index -= 1) {
		const other = random.whole(index + 1);
		[plan[index], plan[other]] = [plan[other], plan[index]];
	}
	const firstValid = plan.indexOf('valid');
	if (firstValid > 0) [plan[0], plan[firstValid]] = [plan[firstValid], plan[0]];
	return plan;
}

/** There is nothing to repeat yet: changes places with a later valid delivery, or becomes one when there is none. */
function postpone(plan: DeliveryKind[], index: number): void {
	const later = plan.indexOf('valid', index + 1);
	plan[index] = 'valid';
	if (later > 0) plan[later] = 'repeat';
}

function shipmentOf(
	parts: AccessParts,
	kind: DeliveryKind,
	user: User,
	index: number,
	request: LoadRequest,
): Shipment {
	const action: EventAction =
		request.revocationEvery !== undefined && (index + 1) % request.revocationEvery === 0
			? 'USER_ACCESS_REVOCATION'
			: 'USER_ACCESS';
	const requestId = randomUUID();
	const envelope = makeEnvelope(action, {
		world: parts.world(),
		clientId: parts.clientId,
		requestId,
		now: new Date(),
		deviations: parts.deviations(),
		user,
	});
	const sent =
		kind === 'malformed'
			? spoilers[index % spoilers.length](envelope)
			: variedEnvelope(envelope, parts.variants());
	const text = JSON.stringify(sent);
	return { requestId, action, text, ...(kind === 'wrongKey' ? { apiKey: `wrong-${index}` } : {}) };
}

function countStatuses(done: ReadonlyArray<{ status: number }>): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { status } of done) counts[status] = (counts[status] ?? 0) + 1;
	return counts;
}
