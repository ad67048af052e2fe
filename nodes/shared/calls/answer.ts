/** From the service's answer to the items that leave the node. Pure. */
import type { IDataObject } from 'n8n-workflow';
import type * as z from 'zod/v4-mini';

import { DEEPEST, isJsonObject, isTooDeep, readJson, type JsonObject } from '../contract/json';
import { failed, isSaidBy, success, type Outcome } from '../failure';
import { isPage } from '../transport/request';
import { pageInstead, unreadableAnswer } from '../transport/requestFailure';
import type { Reply } from '../transport/request';

/** What an operation expects to come back. */
export interface Answer {
	/** `list`: one item for each entry. `entity`: one item. `written`: one item, of whatever answers a write. */
	shape: 'list' | 'entity' | 'written';
	/** The member that holds the answer to a lookup (`data`), where the document shows one. */
	within?: string;
	/** The message of the contract, for output schemas and documents. */
	schema?: z.ZodMiniType;
	/** Makes names and shapes canonical (the documented deviations healed). */
	canonical?: (raw: Record<string, unknown>) => Record<string, unknown>;
	/** Members that the node adds to what the service answered. */
	adds?: IDataObject;
	/** True for the answer to a creation: what a POST makes would be there twice if it were sent twice. */
	creates?: true;
	/** What the refusal of a write may say, so that it counts as done where the user wants that. */
	already?: Already;
}

/** What is to be created is there already; what is to be deleted is gone. */
export type Already = 'exists' | 'gone';

/** The item that stands for it. */
export const ITEM_OF_ALREADY: Readonly<Record<Already, IDataObject>> = {
	exists: { already_there: true },
	gone: { already_gone: true },
};

/** How the answers of a run are read. */
export interface Reading {
	/** Whether answers are made canonical, or passed on as they come. */
	simplify: boolean;
	/** The statuses by which the service says so: the document shows none. Absent: such a refusal is a failure like any other. */
	already?: Readonly<Partial<Record<Already, readonly number[]>>>;
}

/** Entries, or nothing at all. */
export type Found = IDataObject[];

/** What came of a request. A refusal stays one, unless it says that what was asked is so already, and that counts as done. */
export function readReply(reply: Outcome<Reply>, answer: Answer, reading: Reading): Outcome<Found> {
	if (reply.ok) return readAnswer(reply.value, answer, reading.simplify);
	const { already } = answer;
	if (already === undefined || !isSaidBy(reply.failure, reading.already?.[already] ?? [])) return reply;
	return success([{ ...ITEM_OF_ALREADY[already] }]);
}

/**
 * Reads the answer of a request. `simplify` off: exactly what the service sent. A list that answers a lookup
 * becomes one item for each entry; whatever answers a write is one item.
 */
function readAnswer(reply: Reply, answer: Answer, simplify: boolean): Outcome<Found> {
	const text = reply.text.trim();
	if (text === '') return success([]);
	const body = readJson(text);
	if (answer.shape === 'written') {
		if (body === undefined && isPage(reply)) return failed(pageInstead(reply, answer.creates === true));
		const item = asItem(body === undefined ? text : body);
		return success([simplify ? unwrapped(item) : item]);
	}
	if (body === undefined) return failed(unreadableAnswer(reply, whyUnread(reply)));
	if (!simplify) return success(Array.isArray(body) ? body.map(asItem) : [asItem(body)]);
	return shaped(reply, answer, body);
}

function whyUnread({ text, status }: Reply): string {
	return isTooDeep(text)
		? `The answer of the service is nested deeper than ${DEEPEST} levels`
		: `The answer of the service is not JSON (${status})`;
}

/**
 * A write that was answered 2xx is done, and what the document shows of its answers is too little to hold one to it: an object under
 * `data` is the item, with what stands beside it, and everything else is left as it is.
 */
export function unwrapped(item: IDataObject): IDataObject {
	const { data, ...beside } = item;
	return isJsonObject(data) ? ({ ...beside, ...data } as IDataObject) : item;
}

function shaped(reply: Reply, answer: Answer, body: unknown): Outcome<Found> {
	const { within, shape, canonical = (raw: JsonObject) => raw } = answer;
	let content = body;
	if (within !== undefined) {
		if (!isJsonObject(body) || !(within in body)) {
			return failed(unreadableAnswer(reply, `The answer of the service has no "${within}"`));
		}
		content = body[within];
		if (content === null) return success([]);
	}
	if (shape === 'list') {
		if (!Array.isArray(content))
			return failed(unreadableAnswer(reply, 'The answer of the service is not a list'));
		return success(content.map((entry) => (isJsonObject(entry) ? asItem(canonical(entry)) : asItem(entry))));
	}
	if (!isJsonObject(content))
		return failed(unreadableAnswer(reply, 'The answer of the service is not an object'));
	return success([asItem(canonical(content))]);
}

/** Any JSON as an item: an item is an object, whatever the service sent. */
function asItem(body: unknown): IDataObject {
	return isJsonObject(body) ? (body as IDataObject) : { data: body as IDataObject };
}
