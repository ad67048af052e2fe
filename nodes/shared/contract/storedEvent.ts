/** Event query: the stored record of a delivery (the service's document, "Stored event record"). */
import * as z from 'zod/v4-mini';

import { canonicalEnvelope, documentedEnvelope } from './events/canonicalEnvelope';
import { presentGuid } from './blocks';
import { isJsonObject, readJson, type JsonObject } from './json';

export const storedEventQuery = z.object({
	request_id: presentGuid(),
});

/** `payload` is the event as text, as it was sent; `event` is what that text says. */
export const storedEvent = z.looseObject({
	payload: z.string(),
	message: z.string(),
	status: z.int(),
	sentAt: z.string(),
	isSuccessful: z.boolean(),
	event: z.nullable(z.looseObject({ header: z.looseObject({}), payload: z.looseObject({}) })),
});

/** The record with `event`, the canonical envelope beside its text; null when the text is not JSON. */
export function canonicalStoredEvent(record: JsonObject): JsonObject {
	return { ...record, event: eventOf(record.payload) };
}

function eventOf(payload: unknown): unknown {
	// Where the text is not JSON it stays beside it: whoever audits the delivery sees what was stored.
	const sent = typeof payload === 'string' ? readJson(payload) : payload;
	return isJsonObject(sent) ? canonicalEnvelope(documentedEnvelope(sent)) : null;
}
