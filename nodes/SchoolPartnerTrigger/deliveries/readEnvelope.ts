/**
 * Reads a delivered envelope (the document's "Event resources"): judged by the tables, healed into the
 * canonical shape. Pure: the same body always gives the same verdict.
 */
import * as z from 'zod/v4-mini';

import { failed, success, type Outcome } from '../../shared/failure';
import { isFilledText } from '../../shared/contract/empty';
import { jsonPath } from '../../shared/contract/jsonPath';
import { isJsonObject, type JsonObject } from '../../shared/contract/json';
import { canonicalEnvelope, documentedEnvelope } from '../../shared/contract/events/canonicalEnvelope';
import { eventOfAction, type AccessEvent } from '../../shared/contract/events/kinds';
import { healedIn } from './healed';
import { listed, type Issue } from './issues';
import { header, MOST_ISSUES, unknownPayload } from '../../shared/contract/events/tables';

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
	issues: Issue[];
	/** The same, and what was healed. */
	deviations: Issue[];
}

/**
 * Judges a body that was parsed from JSON. Refused only without what an event cannot do without: `header.request_id` and
 * `header.action` as filled text, and an object as `payload`. At most {@link MOST_ISSUES} findings of each kind.
 */
export function readEnvelope(body: unknown): Outcome<ReadEnvelope, Issue[]> {
	if (!isJsonObject(body)) return failed([{ path: '', message: 'must be a JSON object' }]);
	const documented = documentedEnvelope(body) as JsonObject;
	const event = eventOf(documented);
	const issues = [
		...findings(header, documented, 'header'),
		...findings(event?.payload ?? unknownPayload, documented, 'payload'),
	];
	if (!isEnvelope(documented)) return failed(listed(issues));
	const envelope = canonicalEnvelope(documented) as Envelope;
	return success({
		envelope,
		event,
		issues: listed(issues),
		deviations: deviationsOf(issues, body, envelope),
	});
}

function isEnvelope(value: JsonObject): value is Envelope {
	const { header: head, payload } = value;
	return (
		isJsonObject(head) && isFilledText(head.request_id) && isFilledText(head.action) && isJsonObject(payload)
	);
}

/** What is wrong, then what was healed. Of a list of a million healed users no more than the first are looked at. */
function deviationsOf(issues: readonly Issue[], sent: JsonObject, healed: JsonObject): Issue[] {
	const deviations = [...issues];
	for (const healing of healedIn(sent, healed)) {
		if (deviations.length > MOST_ISSUES) break;
		deviations.push(healing);
	}
	return listed(deviations);
}

function eventOf(envelope: JsonObject): AccessEvent | undefined {
	const action = isJsonObject(envelope.header) ? envelope.header.action : undefined;
	return typeof action === 'string' ? eventOfAction(action) : undefined;
}

function findings(schema: z.ZodMiniType, envelope: JsonObject, name: string): Issue[] {
	const { error } = z.safeParse(schema, envelope[name]);
	return (error?.issues ?? []).map(({ path, message }) => ({ path: jsonPath([name, ...path]), message }));
}
