/**
 * Reads a delivered envelope (the document's "Event resources"): judged by the tables, healed into the
 * canonical shape. Pure: the same body always gives the same verdict.
 */
import * as z from 'zod/v4-mini';

import { isFields, type Fields } from '../tolerances';
import { canonicalEnvelope, documentedEnvelope } from './canonicalEnvelope';
import { eventOfAction, type AccessEvent } from './events';
import { jsonPath, MOST_ISSUES, type Issue } from './issues';
import { header, unknownPayload } from './tables';

/** An envelope in its canonical shape. Unknown fields are kept. */
export interface Envelope extends Fields {
	header: Fields & { request_id: string; client_id: string; action: string; created_at: string };
	payload: Fields;
}

export interface ReadEnvelope {
	accepted: true;
	envelope: Envelope;
	/** Undefined when the document does not know the action. */
	event: AccessEvent | undefined;
}

export interface RefusedEnvelope {
	accepted: false;
	issues: Issue[];
}

/**
 * Judges a body that was parsed from JSON. Refused with at most {@link MOST_ISSUES} findings when a required
 * field is absent, null or empty, a field has another type than its table says, or is too long.
 */
export function readEnvelope(body: unknown): ReadEnvelope | RefusedEnvelope {
	if (!isFields(body)) return { accepted: false, issues: [{ path: '', message: 'must be a JSON object' }] };
	const documented = documentedEnvelope(body) as Fields;
	const event = eventOf(documented);
	const issues = [
		...findings(header, documented, 'header'),
		...findings(event?.payload ?? unknownPayload, documented, 'payload'),
	];
	if (issues.length > 0) return { accepted: false, issues: issues.slice(0, MOST_ISSUES) };
	return { accepted: true, envelope: canonicalEnvelope(documented) as Envelope, event };
}

function eventOf(envelope: Fields): AccessEvent | undefined {
	const action = isFields(envelope.header) ? envelope.header.action : undefined;
	return typeof action === 'string' ? eventOfAction(action) : undefined;
}

function findings(schema: z.ZodMiniType, envelope: Fields, name: string): Issue[] {
	const { error } = z.safeParse(schema, envelope[name]);
	return (error?.issues ?? []).map(({ path, message }) => ({ path: jsonPath([name, ...path]), message }));
}
