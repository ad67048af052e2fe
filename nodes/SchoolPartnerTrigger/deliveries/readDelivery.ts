/**
 * What to do with a delivery whose key was accepted: refuse it, acknowledge it without a run, or take it. Pure:
 * the clock's time is passed in, and the same delivery always gets the same result.
 */
import { hash } from 'node:crypto';

import { isUtcTimestamp, timeOfUtc } from '../../shared/contract/blocks';
import { EVENTS, type EventName } from '../../shared/contract/events/kinds';
import { failed, success, type Outcome } from '../../shared/failure';

import { readBody, type SentBody } from './body';
import type { KeyUsed } from './keys';
import { readEnvelope, type Envelope, type ReadEnvelope } from './readEnvelope';
import { malformed, type DeliveryIssue, type DeliveryRefusal } from './refusal';

/** What the user chose in the trigger's parameters. */
export interface DeliverySettings {
	events: readonly EventName[];
	/** What happens with an action that has no output of its own. */
	otherActions: 'acknowledge' | 'reject' | 'passOn';
	/** What happens with an event that the tables of the service's document do not allow. */
	deviations: 'accept' | 'reject';
	includeRawBody: boolean;
	/** Bytes after content decoding. */
	maxBodyBytes: number;
}

/** The item of an accepted delivery: the canonical envelope, and what an audit wants to know of the delivery. */
export type DeliveryItem = Envelope & {
	delivery: {
		/** ISO 8601, UTC. */
		received_at: string;
		/** SHA-256 of the body after content decoding, lower-case hexadecimal. */
		sha256: string;
		/**
		 * Whole seconds between `header.created_at` and `received_at`; negative where the clocks differ, null where the first
		 * cannot be read.
		 */
		age_seconds: number | null;
		key: KeyUsed;
		/** Where it differs from the tables of the service's document. */
		deviations: DeliveryIssue[];
		/** The body as it was sent, where asked for. */
		raw?: string;
	};
};

/** What is done with a delivery that is not refused. */
export type TakenDelivery =
	/** An action without an output is acknowledged; `unknown` is one that the service's document does not know. */
	| { output: undefined; unknown?: { action: string; requestId: string } }
	/** The item, and the position of the output it leaves by. */
	| { output: number; item: DeliveryItem };

/** The outputs in their order: the chosen events, then other actions. */
export function outputsOf({ events, otherActions }: DeliverySettings) {
	return [
		...EVENTS.map(({ value }) => value).filter((value) => events.includes(value)),
		...(otherActions === 'passOn' ? (['other'] as const) : []),
	];
}

/**
 * Reads a delivery, refusing in the order 413, 415, 400.
 * @param receivedAt milliseconds
 */
export function readDelivery(
	body: SentBody,
	key: KeyUsed,
	settings: DeliverySettings,
	receivedAt: number,
): Outcome<TakenDelivery, DeliveryRefusal> {
	const read = readBody(body, settings.maxBodyBytes);
	if (!read.ok) return read;
	const checked = readEnvelope(read.value.json);
	if (!checked.ok) return failed(malformed(checked.failure));
	const { envelope, event, deviations } = checked.value;
	if (deviations.length > 0 && settings.deviations === 'reject') return failed(malformed(deviations));

	const outputs = outputsOf(settings);
	const own = outputs.findIndex((output) => output === event?.value);
	const output = own === -1 ? outputs.indexOf('other') : own;
	if (output === -1) return withoutOutput(checked.value, settings);
	const { text } = read.value;
	const delivery = {
		received_at: new Date(receivedAt).toISOString(),
		sha256: hash('sha256', text, 'hex'),
		age_seconds: ageOf(envelope.header.created_at, receivedAt),
		key,
		deviations,
		...(settings.includeRawBody ? { raw: text } : {}),
	};
	return success({ output, item: { ...envelope, delivery } });
}

function withoutOutput(
	{ envelope, event }: ReadEnvelope,
	{ otherActions }: DeliverySettings,
): Outcome<TakenDelivery, DeliveryRefusal> {
	if (otherActions === 'reject') {
		return failed(
			malformed([{ path: 'header.action', message: 'is not an action that this address takes' }]),
		);
	}
	const { action, request_id: requestId } = envelope.header;
	return success({ output: undefined, ...(event === undefined && { unknown: { action, requestId } }) });
}

function ageOf(createdAt: unknown, receivedAt: number): number | null {
	if (typeof createdAt !== 'string' || !isUtcTimestamp(createdAt)) return null;
	return Math.floor((receivedAt - timeOfUtc(createdAt)) / 1000);
}
