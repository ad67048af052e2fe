/**
 * Reads a delivered envelope (the document's "Event resources"): checked by the tables, healed into the
 * canonical shape. Pure: the same body always gives the same result.
 */
import * as z from 'zod/v4-mini';
import { toDotPath } from 'zod/v4/core';

import { isFilledText } from '../../shared/contract/blocks';
import { canonicalEnvelope, documentedEnvelope } from '../../shared/contract/events/canonicalEnvelope';
import { eventOfAction, type AccessEvent } from '../../shared/contract/events/kinds';
import { header, MOST_ISSUES, unknownPayload } from '../../shared/contract/events/tables';
import { isJsonObject, type JsonObject } from '../../shared/contract/json';
import { DOCUMENTED_NAMES } from '../../shared/contract/tolerances';
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
	issues: DeliveryIssue[];
	/** The same, and what was healed. */
	deviations: DeliveryIssue[];
}

/**
 * Checks a body that was parsed from JSON. Refused only without what an event cannot do without: `header.request_id` and
 * `header.action` as filled text, and an object as `payload`. At most {@link MOST_ISSUES} issues of each kind.
 */
export function readEnvelope(body: unknown): Outcome<ReadEnvelope, DeliveryIssue[]> {
	if (!isJsonObject(body)) return failed([{ path: '', message: 'must be a JSON object' }]);
	const documented = documentedEnvelope(body) as JsonObject;
	const event = eventIn(documented);
	const issues = [
		...issuesIn(header, documented, 'header'),
		...issuesIn(event?.payload ?? unknownPayload, documented, 'payload'),
	];
	if (!isEnvelope(documented)) return failed(limitedIssues(issues));
	const envelope = canonicalEnvelope(documented) as Envelope;
	return success({
		envelope,
		event,
		issues: limitedIssues(issues),
		deviations: deviationsOf(issues, body, envelope),
	});
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

/** What is wrong, then what was healed. Of a list of a million healed users no more than the first are looked at. */
function deviationsOf(issues: readonly DeliveryIssue[], sent: JsonObject, healed: JsonObject) {
	const deviations = [...issues];
	for (const healing of healedIn(sent, healed)) {
		if (deviations.length > MOST_ISSUES) break;
		deviations.push(healing);
	}
	return limitedIssues(deviations);
}

/**
 * Where the healed form differs from what was sent, in the order of the body: an audit wants to know what was sent. Trap: most
 * deliveries need no healing, and healing gives back the very part that it did not touch, so the same object costs no walk.
 */
function* healedIn(
	sent: unknown,
	healed: unknown,
	at: readonly PropertyKey[] = [],
): Generator<DeliveryIssue> {
	if (sent === healed) return;
	if (Array.isArray(sent) && Array.isArray(healed)) {
		for (const [index, entry] of sent.entries()) yield* healedIn(entry, healed[index], [...at, index]);
	} else if (isJsonObject(sent) && isJsonObject(healed)) {
		for (const [name, value] of Object.entries(sent)) {
			const path = [...at, name];
			if (Object.hasOwn(healed, name)) yield* healedIn(value, healed[name], path);
			else yield { path: toDotPath(path), message: `arrives as ${documentedName(name)}` };
		}
		// An empty field that another one was taken for is told by the name of that one.
	} else if (typeof sent === 'string' && sent !== '') {
		yield { path: toDotPath([...at]), message: "arrives in the form of the service's document" };
	}
}

function documentedName(name: string): string {
	return DOCUMENTED_NAMES[name as keyof typeof DOCUMENTED_NAMES];
}
