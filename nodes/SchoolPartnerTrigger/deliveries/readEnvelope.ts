/**
 * Reads a delivered envelope (the document's "Event resources"): judged by the tables, healed into the
 * canonical shape. Pure: the same body always gives the same verdict.
 */
import * as z from 'zod/v4-mini';

import { isEmpty } from '../../shared/contract/empty';
import { jsonPath } from '../../shared/contract/jsonPath';
import { isFields, type Fields } from '../../shared/contract/tolerances';
import { canonicalEnvelope, documentedEnvelope } from '../../shared/contract/events/canonicalEnvelope';
import { eventOfAction, type AccessEvent } from '../../shared/contract/events/kinds';
import { healedIn } from './healed';
import { listed, type Issue } from './issues';
import { header, MOST_ISSUES, unknownPayload } from '../../shared/contract/events/tables';

/** An envelope in its canonical shape, as far as it has one: all but what is named here may be anything. Unknown fields are kept. */
export interface Envelope extends Fields {
	header: Fields & { request_id: string; action: string };
	payload: Fields;
}

export interface ReadEnvelope {
	accepted: true;
	envelope: Envelope;
	/** Undefined when the document does not know the action. */
	event: AccessEvent | undefined;
	/** What the tables do not allow: a required field that is absent, null or empty, another type, too long. */
	issues: Issue[];
	/** The same, and what was healed. */
	deviations: Issue[];
}

export interface RefusedEnvelope {
	accepted: false;
	issues: Issue[];
}

/**
 * Judges a body that was parsed from JSON. Refused only without what an event cannot do without: `header.request_id` and
 * `header.action` as filled text, and an object as `payload`. At most {@link MOST_ISSUES} findings of each kind.
 */
export function readEnvelope(body: unknown): ReadEnvelope | RefusedEnvelope {
	if (!isFields(body)) return { accepted: false, issues: [{ path: '', message: 'must be a JSON object' }] };
	const documented = documentedEnvelope(body) as Fields;
	const event = eventOf(documented);
	const issues = [
		...findings(header, documented, 'header'),
		...findings(event?.payload ?? unknownPayload, documented, 'payload'),
	];
	if (!isEnvelope(documented)) return { accepted: false, issues: listed(issues) };
	const envelope = canonicalEnvelope(documented) as Envelope;
	return {
		accepted: true,
		envelope,
		event,
		issues: listed(issues),
		deviations: deviationsOf(issues, body, envelope),
	};
}

function isEnvelope(value: Fields): value is Envelope {
	const { header: head, payload } = value;
	return isFields(head) && isFilledText(head.request_id) && isFilledText(head.action) && isFields(payload);
}

function isFilledText(value: unknown): boolean {
	return typeof value === 'string' && !isEmpty(value);
}

/** What is wrong, then what was healed. Of a list of a million healed users no more than the first are looked at. */
function deviationsOf(issues: readonly Issue[], sent: Fields, healed: Fields): Issue[] {
	const deviations = [...issues];
	for (const healing of healedIn(sent, healed)) {
		if (deviations.length > MOST_ISSUES) break;
		deviations.push(healing);
	}
	return listed(deviations);
}

function eventOf(envelope: Fields): AccessEvent | undefined {
	const action = isFields(envelope.header) ? envelope.header.action : undefined;
	return typeof action === 'string' ? eventOfAction(action) : undefined;
}

function findings(schema: z.ZodMiniType, envelope: Fields, name: string): Issue[] {
	const { error } = z.safeParse(schema, envelope[name]);
	return (error?.issues ?? []).map(({ path, message }) => ({ path: jsonPath([name, ...path]), message }));
}
