/** Deliveries of events, as they travel between the sandbox's admin address and its client: where they go, what was sent, and many at once. */

/** Where events go. */
export interface Webhook {
	url: string;
	/** Sent as x-api-key; 1 to 1024 characters. */
	apiKey: string;
	/** Further attempts when a delivery is not answered, or answered 404, 408, 425, 429 or 5xx. */
	retries: number;
	/** Wait before the second attempt; doubled each time, at most 5 s. */
	backoffMs: number;
	timeoutMs: number;
}

/** What is shown of a registered webhook: never the key. */
export type ShownWebhook = Omit<Webhook, 'apiKey'> & { apiKeyLength: number };

/** A delivery of one's own making: any text, any key, any headers. */
export interface RawDelivery {
	/** Sent as it is; a value that is not text is sent as JSON. */
	body: unknown;
	requestId?: string;
	/** Another key than the registered one; null: none. */
	apiKey?: string | null;
	headers?: Record<string, string>;
}

/** The stored event record with its attempts. */
export interface DeliveryRecord {
	requestId: string;
	action: string;
	/** The event as sent. */
	payload: string;
	/** The answer's body, or why there was none. */
	message: string;
	/** 0: no answer. */
	status: number;
	/** YYYY-MM-DDTHH:mm:ss, UTC. */
	sentAt: string;
	isSuccessful: boolean;
	attempts: Array<{ at: string; status: number; message: string; durationMs: number }>;
}

export interface DeliveryQuery {
	requestId?: string;
	status?: number;
	/** The newest so many. */
	limit?: number;
}

export type DeliveryKind = 'valid' | 'repeat' | 'wrongKey' | 'malformed';

export interface LoadRequest {
	count: number;
	/** Default 10. */
	concurrency?: number;
	/** Shares of `count`, 0 to 1; the rest is valid. */
	repeatShare?: number;
	wrongKeyShare?: number;
	malformedShare?: number;
	/** Every n-th delivery is a USER_ACCESS_REVOCATION. */
	revocationEvery?: number;
	seed?: number;
}

export interface LoadResult {
	durationMs: number;
	perSecond: number;
	/** Final statuses by kind, e.g. `{valid: {"200": 90}}`. */
	statuses: Record<DeliveryKind, Record<string, number>>;
	/** request_ids of the valid deliveries answered 2xx. */
	acceptedIds: string[];
	/** request_ids of all valid deliveries. */
	sentIds: string[];
}
