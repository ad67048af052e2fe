/** From the service's answer to the items that leave the node. Pure. */
import type { IDataObject } from 'n8n-workflow';
import type * as z from 'zod/v4-mini';

import { readJson } from '../contract/json';
import { failed, success, type Outcome } from '../failure';
import { unreadable } from '../transport/refusedBecause';
import type { Reply, ServiceRequest } from '../transport/request';

/** What an operation expects to come back. */
export interface Answer {
	/** `list`: one item for each entry. `entity`: one item. `anything`: the document does not show it; passed on as it comes. */
	shape: 'list' | 'entity' | 'anything';
	/** The member that holds the answer (`data`), where the document shows one. */
	within?: string;
	/** The message of the contract, for output schemas and documents. */
	schema?: z.ZodMiniType;
	/** Makes names and shapes canonical (the documented deviations healed). */
	canonical?: (raw: Record<string, unknown>) => Record<string, unknown>;
	/** Members that the node adds to what the service answered. */
	adds?: IDataObject;
}

/** Entries, or nothing at all. */
export type Found = IDataObject[];

/**
 * Reads the answer of a request. `simplify` off: exactly what the service sent. A list that answers a GET
 * becomes one item for each entry; whatever answers a write is one item.
 */
export function readAnswer(request: ServiceRequest, reply: Reply, answer: Answer, simplify: boolean): Outcome<Found> {
	if (reply.text.trim() === '') return success([]);
	const body = readJson(reply.text);
	if (body === undefined) return failed(unreadable(request, reply, `The answer of the service is not JSON (${reply.status})`));
	if (answer.shape === 'anything' || !simplify) return success(request.method === 'GET' && Array.isArray(body) ? body.map(asItem) : [asItem(body)]);
	return shaped(request, reply, answer, body);
}

function shaped(request: ServiceRequest, reply: Reply, answer: Answer, body: unknown): Outcome<Found> {
	const { within, shape, canonical = unchanged } = answer;
	let content = body;
	if (within !== undefined) {
		if (!isObject(body) || !(within in body)) {
			return failed(unreadable(request, reply, `The answer of the service has no "${within}"`));
		}
		content = body[within];
		if (content === null) return success([]);
	}
	if (shape === 'list') {
		if (!Array.isArray(content)) return failed(unreadable(request, reply, 'The answer of the service is not a list'));
		return success(content.map((entry) => (isObject(entry) ? asItem(canonical(entry)) : asItem(entry))));
	}
	if (!isObject(content)) return failed(unreadable(request, reply, 'The answer of the service is not an object'));
	return success([asItem(canonical(content))]);
}

/** Any JSON as an item: an item is an object, whatever the service sent. */
function asItem(body: unknown): IDataObject {
	return isObject(body) ? body : { data: body as IDataObject };
}

function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unchanged(raw: Record<string, unknown>): Record<string, unknown> {
	return raw;
}
