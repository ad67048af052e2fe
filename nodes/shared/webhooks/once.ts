/**
 * "Once": what came in and started a run starts no second one, over restarts and for copies that come at the same
 * time.
 *
 * Something is taken when n8n has recorded its run, whoever is still there to be answered. That moment is when n8n
 * reads `webhookResponse`, which is why it is a getter here. n8n then saves what the getter wrote into static data,
 * and answers only after that: what was answered is known after a crash too.
 */
import type { IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import QuickLRU from 'quick-lru';

import { isJsonObject } from '../contract/json';
import { ALREADY_ANSWERED } from './webhook';
import { idDigest, SeenIds } from './seenIds';

/** Something that came in and may be taken. */
export interface Incoming {
	/** What tells it from everything else that this trigger takes. */
	readonly id: string | readonly string[];
	/** What is remembered with it; see {@link SeenIds}. */
	readonly note: string;
	/** Notes that sort before this one are no longer worth keeping. */
	readonly worthFrom?: string;
	/** The run that it starts, and the answer that n8n then gives. */
	readonly run: IWebhookResponseData;
	/** The answer when it was taken before, with the note of that time. */
	readonly repeated: (note: string) => IWebhookResponseData;
}

/** Triggers whose memory stays in this process at least; what is forgotten is still with the workflow. */
const MOST_TRIGGERS = 500;

/** What is kept with the workflow stands under this name in the static data of the node. */
const KEPT_AS = 'taken';

/** n8n makes a new context for every request, so the memory lives here, once for all triggers of a bundle. */
const memories = new QuickLRU<string, SeenIds>({ maxSize: MOST_TRIGGERS });

/** What n8n has in hand: the run is being recorded, or the answer is on its way. */
const inHand = new Map<string, Promise<void>>();

type Response = ReturnType<IWebhookFunctions['getResponseObject']>;

/** Starts the run of what came in, unless it was taken before. */
export async function takeOnce(
	context: IWebhookFunctions,
	incoming: Incoming,
): Promise<IWebhookResponseData> {
	// While a person listens for a test event, the same sample may well be sent twice.
	if (context.getMode() === 'manual') return incoming.run;
	const response = context.getResponseObject();
	const digest = idDigest(incoming.id);
	const place = memoryKey(context, digest);
	const closed = isClosed(response);
	for (let ahead = inHand.get(place); ahead !== undefined && !isGone(response); ahead = inHand.get(place)) {
		await Promise.race([ahead, closed]);
	}
	// Nothing is recorded yet: whoever has hung up will send it again.
	if (isGone(response)) return ALREADY_ANSWERED;
	const note = memoryOf(context).noteOf(digest);
	if (note !== undefined) return incoming.repeated(note);
	takeInHand(place, response);
	return takenWhenRecorded(context, digest, incoming);
}

function memoryKey(context: IWebhookFunctions, digest = ''): string {
	return JSON.stringify([context.getWorkflow().id, context.getNode().id, digest]);
}

function isGone(response: Response): boolean {
	return response.closed || response.destroyed;
}

async function isClosed(response: Response): Promise<void> {
	await new Promise<void>((resolve) => response.once('close', resolve));
}

/**
 * Has copies wait until n8n ends its answer, whatever it says. Trap: a sender who hangs up ends nothing, for the run
 * may still be recorded; and "finish" never comes for an answer that nobody waits for, "prefinish" does.
 */
function takeInHand(place: string, response: Response): void {
	const ended = new Promise<void>((resolve) => response.once('prefinish', resolve));
	inHand.set(
		place,
		ended.then(() => void inHand.delete(place)),
	);
}

function takenWhenRecorded(
	context: IWebhookFunctions,
	digest: string,
	{ note, worthFrom, run }: Incoming,
): IWebhookResponseData {
	let isRecorded = false;
	return {
		workflowData: run.workflowData,
		// n8n reads it more than once.
		get webhookResponse(): unknown {
			if (!isRecorded) {
				isRecorded = true;
				const taken = memoryOf(context);
				taken.add(digest, note);
				keep(context, taken.toText(worthFrom));
			}
			return run.webhookResponse;
		},
	};
}

/** What this process remembers for the trigger, and what is kept with its workflow. */
function memoryOf(context: IWebhookFunctions): SeenIds {
	const place = memoryKey(context);
	const taken = memories.get(place) ?? new SeenIds();
	memories.set(place, taken);
	const data: unknown = context.getWorkflowStaticData('node');
	if (isJsonObject(data)) taken.merge(data[KEPT_AS]);
	return taken;
}

/**
 * Writes into what n8n keeps with the workflow. Trap: asked for anew, because n8n wraps static data anew when the run
 * starts; what was written before that is lost.
 */
function keep(context: IWebhookFunctions, text: string): void {
	const data: unknown = context.getWorkflowStaticData('node');
	// By now the run is recorded: whatever is wrong with this object must not become the sender's trouble.
	if (isJsonObject(data)) data[KEPT_AS] = text;
}
