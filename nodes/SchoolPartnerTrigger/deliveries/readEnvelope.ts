/**
 * Reads a delivered envelope (the document's "Event resources"): checked by the tables, healed into the
 * canonical shape. Pure: the same body always gives the same result.
 */
import * as z from 'zod/v4-mini';
import { toDotPath } from 'zod/v4/core';

import { isFilledText } from '../../shared/contract/blocks';
import { canonicalEnvelope, documentedEnvelope } from '../../shared/contract/events/canonicalEnvelope';
import { eventOfAction, type AccessEvent } from '../../shared/contract/events/kinds';
import { header, unknownPayload } from '../../shared/contract/events/tables';
import { isJsonObject, type JsonObject } from '../../shared/contract/json';
import { failed, success, type Outcome } from '../../shared/failure';

import { limitedIssues, type DeliveryIssue } from './refusal';

/** An envelope in its canonical shape, as far as it has one: all but what is named here may be anything. Unknown fields are kept. */
export interface Envelope extends JsonObject {
	header: JsonObject & { request_id: string; action: string };
	payload: JsonObject;
}

export interface ReadEnvelope {
	envelope: Envelope;
	/** Undefined when the document does not know the action. */
	event: AccessEvent | undefined;
	/** What the tables do not allow: a required field that is absent, null or empty, another type, too long. */
	deviations: DeliveryIssue[];
}

/**
 * Checks a body that was parsed from JSON. Refused only without what an event cannot do without: `header.request_id` and
 * `header.action` as filled text, and an object as `payload`.
 */
export function readEnvelope(body: unknown): Outcome<ReadEnvelope, DeliveryIssue[]> {
	if (!isJsonObject(body)) return failed([{ path: '', message: 'must be a JSON object' }]);
	const documented = documentedEnvelope(body) as JsonObject;
	const event = eventIn(documented);
	const deviations = limitedIssues([
		...issuesIn(header, documented, 'header'),
		...issuesIn(event?.payload ?? unknownPayload, documented, 'payload'),
	]);
	if (!isEnvelope(documented)) return failed(deviations);
	return success({ envelope: canonicalEnvelope(documented) as Envelope, event, deviations });
}

function isEnvelope(value: JsonObject): value is Envelope {
	const { header: head, payload } = value;
	return (
		isJsonObject(head) && isFilledText(head.request_id) && isFilledText(head.action) && isJsonObject(payload)
	);
}

function eventIn(envelope: JsonObject): AccessEvent | undefined {
	const action = isJsonObject(envelope.header) ? envelope.header.action : undefined;
	return typeof action === 'string' ? eventOfAction(action) : undefined;
}

function issuesIn(schema: z.ZodMiniType, envelope: JsonObject, name: string): DeliveryIssue[] {
	const { error } = z.safeParse(schema, envelope[name]);
	return (error?.issues ?? []).map(({ path, message }) => ({
		path: toDotPath([name, ...path]),
		message,
	}));
}
