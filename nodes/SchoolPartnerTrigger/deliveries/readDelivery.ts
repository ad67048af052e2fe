/**
 * What to do with a delivery whose key was accepted: refuse it, acknowledge it without a run, or take it. Pure:
 * the clock's time is passed in, and the same delivery always gets the same verdict.
 */
import { hash } from 'node:crypto';

import { EVENTS, type EventName } from '../../shared/contract/events/kinds';
import type { Issue } from './issues';
import { readEnvelope, type Envelope, type ReadEnvelope } from './readEnvelope';
import { failed, success, type Outcome } from '../../shared/failure';
import { ageOf } from './age';
import { readBody, type SentBody } from './body';
import type { KeyUsed } from './keyCheck';
import { malformed, type Refused } from './verdict';

/** What happens with an action that has no output of its own. */
export type OtherActions = 'acknowledge' | 'reject' | 'passOn';

/** What happens with an event that the tables of the service's document do not allow. */
export type DeviatingDeliveries = 'accept' | 'ownOutput' | 'reject';

/** What the user chose in the trigger's parameters. */
export interface DeliverySettings {
	events: readonly EventName[];
	otherActions: OtherActions;
	deviations: DeviatingDeliveries;
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
	/**
	 * Whole seconds between `header.created_at` and `received_at`; negative where the clocks differ, null where the first
	 * cannot be read.
	 */
	age_seconds: number | null;
	/** Which of the credential's keys the delivery carried. */
	key: KeyUsed;
	/** Where it differs from the tables of the service's document, and what was healed. */
	deviations: Issue[];
	/** The body as it was sent, where asked for. */
	raw?: string;
}

/** The item of an accepted delivery: the canonical envelope and the facts of the delivery. */
export type DeliveryItem = Envelope & { delivery: DeliveryFacts };

/** What is done with a delivery that is not refused. */
export type Done =
	/** An action without an output, acknowledged. */
	| { output: undefined; unknown?: UnknownAction }
	/** The item, and the position of the output it leaves by. */
	| { output: number; item: DeliveryItem };

export type Verdict = Outcome<Done, Refused>;

/** An action that the service's document does not know, as it was sent. */
export interface UnknownAction {
	action: string;
	requestId: string;
}

/** The outputs in their order: the chosen events, other actions, deviating events. */
export function outputsOf({ events, otherActions, deviations }: DeliverySettings) {
	return [
		...EVENTS.map(({ value }) => value).filter((value) => events.includes(value)),
		...(otherActions === 'passOn' ? (['other'] as const) : []),
		...(deviations === 'ownOutput' ? (['deviating'] as const) : []),
	];
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
	if (!read.ok) return read;
	const judged = readEnvelope(read.value.json);
	if (!judged.ok) return failed(malformed(judged.failure));
	const envelope = judged.value;
	const isDeviating = envelope.issues.length > 0;
	if (isDeviating && settings.deviations === 'reject') return failed(malformed(envelope.issues));

	const outputs = outputsOf(settings);
	const own = outputs.findIndex((output) => output === envelope.event?.value);
	const usual = own === -1 ? outputs.indexOf('other') : own;
	if (usual === -1) return otherAction(envelope, settings);
	const delivery = factsOf(read.value.text, envelope, key, settings, receivedAt);
	return success({
		output: isDeviating && settings.deviations === 'ownOutput' ? outputs.indexOf('deviating') : usual,
		item: { ...envelope.envelope, delivery },
	});
}

function otherAction({ envelope, event }: ReadEnvelope, { otherActions }: DeliverySettings): Verdict {
	if (otherActions === 'reject') {
		return failed(
			malformed([{ path: 'header.action', message: 'is not an action that this address takes' }]),
		);
	}
	const { action, request_id: requestId } = envelope.header;
	return success({ output: undefined, ...(event === undefined && { unknown: { action, requestId } }) });
}

function factsOf(
	text: string,
	{ envelope, deviations }: ReadEnvelope,
	key: KeyUsed,
	settings: DeliverySettings,
	receivedAt: number,
): DeliveryFacts {
	return {
		received_at: new Date(receivedAt).toISOString(),
		sha256: hash('sha256', text, 'hex'),
		age_seconds: ageOf(envelope.header.created_at, receivedAt),
		key,
		deviations,
		...(settings.includeRawBody ? { raw: text } : {}),
	};
}
