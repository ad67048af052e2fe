/**
 * What to do with a delivery whose key was accepted: refuse it, acknowledge it without a run, or take it. Pure:
 * the clock's time is passed in, and the same delivery always gets the same verdict.
 */
import { hash } from 'node:crypto';

import { EVENTS, type EventName } from '../../shared/contract/events/events';
import { readEnvelope, type Envelope } from '../../shared/contract/events/readEnvelope';
import { momentOf } from './age';
import { readBody, type SentBody } from './body';
import type { KeyUsed } from './keyCheck';
import { malformed, type Refused } from './verdict';

/** What happens with an action that has no output of its own. */
export type OtherActions = 'acknowledge' | 'reject' | 'passOn';

/** What the user chose in the trigger's parameters. */
export interface DeliverySettings {
	events: readonly EventName[];
	otherActions: OtherActions;
	includeRawBody: boolean;
	/** Bytes after content decoding. */
	maxBodyBytes: number;
}

/** What every item says about the delivery it came with, for audit. */
export interface DeliveryFacts {
	/** ISO 8601, UTC. */
	received_at: string;
	/** SHA-256 of the body after content decoding, lower-case hexadecimal. */
	sha256: string;
	/** Whole seconds between `header.created_at` and `received_at`; negative where the clocks differ. */
	age_seconds: number;
	/** Which of the credential's keys the delivery carried. */
	key: KeyUsed;
	/** The body as it was sent, where asked for. */
	raw?: string;
}

/** The item of an accepted delivery: the canonical envelope and the facts of the delivery. */
export type DeliveryItem = Envelope & { delivery: DeliveryFacts };

export type Verdict =
	| Refused
	/** An action without an output, acknowledged. */
	| { accepted: true; output: undefined }
	/** The item, and the position of the output it leaves by. */
	| { accepted: true; output: number; item: DeliveryItem };

/** The events that have an output, in the order of the outputs. An output for other actions comes after them. */
export function chosenEvents(events: readonly EventName[]) {
	return EVENTS.filter(({ value }) => events.includes(value));
}

/**
 * Judges a delivery, refusing in the order 413, 415, 400.
 * @param receivedAt milliseconds
 */
export function readDelivery(
	body: SentBody,
	key: KeyUsed,
	settings: DeliverySettings,
	receivedAt: number,
): Verdict {
	const read = readBody(body, settings.maxBodyBytes);
	if (!read.accepted) return read;
	const envelope = readEnvelope(read.json);
	if (!envelope.accepted) return malformed(envelope.issues);

	const chosen = chosenEvents(settings.events);
	const own = chosen.findIndex((event) => event === envelope.event);
	if (own === -1 && settings.otherActions !== 'passOn') return otherAction(settings.otherActions);
	const delivery = factsOf(read.text, envelope.envelope, key, settings, receivedAt);
	return {
		accepted: true,
		output: own === -1 ? chosen.length : own,
		item: { ...envelope.envelope, delivery },
	};
}

function otherAction(otherActions: 'acknowledge' | 'reject'): Verdict {
	if (otherActions === 'acknowledge') return { accepted: true, output: undefined };
	return malformed([{ path: 'header.action', message: 'is not an action that this address takes' }]);
}

function factsOf(
	text: string,
	envelope: Envelope,
	key: KeyUsed,
	settings: DeliverySettings,
	receivedAt: number,
): DeliveryFacts {
	return {
		received_at: new Date(receivedAt).toISOString(),
		sha256: hash('sha256', text, 'hex'),
		age_seconds: Math.floor((receivedAt - momentOf(envelope.header.created_at)) / 1000),
		key,
		...(settings.includeRawBody ? { raw: text } : {}),
	};
}
