import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import axios, { type AxiosInstance } from 'axios';
import type { DeliveryRecord, Webhook } from '../delivery-types.mts';

const MOST_KEPT = 50_000;
const LONGEST_BACKOFF_MS = 5_000;
const LONGEST_MESSAGE = 2_000;

/** Not answered, not there (yet), too busy or broken: worth another attempt. A refusal is not. */
const isTransient = (status: number): boolean =>
	status === 0 || status === 404 || status === 408 || status === 425 || status === 429 || status >= 500;

const NOBODY_LISTENS =
	'No webhook is registered. Register one first: on the page, or with POST {"url": …, "apiKey": …} to webhook.';

export interface Shipment {
	/** Id under which the stored record can be queried. */
	readonly requestId: string;
	readonly action: string;
	/** The body as it goes out. */
	readonly text: string;
	/** Another key than the registered one; null: no key at all. */
	readonly apiKey?: string | null;
	readonly headers?: Record<string, string>;
}

/** Sends events to the registered webhook and keeps the stored record of each ("Event query" of the document). */
export class Deliveries {
	webhook: Webhook | undefined;

	readonly #records = new Map<string, DeliveryRecord>();

	readonly #http: AxiosInstance = axios.create({
		httpAgent: new HttpAgent({ keepAlive: true }),
		httpsAgent: new HttpsAgent({ keepAlive: true }),
		proxy: false,
		maxRedirects: 0,
		maxBodyLength: Infinity,
		responseType: 'text',
		transformRequest: (data: string) => data,
		transformResponse: (data: unknown) => data,
		validateStatus: () => true,
	});

	/** Sends with retries and backoff as the webhook was registered. Resolves with the record, whatever came of it. */
	async deliver(shipment: Shipment): Promise<DeliveryRecord> {
		const { webhook } = this;
		if (!webhook) throw new Error(NOBODY_LISTENS);
		const record = this.#begin(shipment);
		for (let attempt = 0; ; attempt += 1) {
			await this.#attempt(webhook, shipment, record);
			if (record.isSuccessful || attempt >= webhook.retries || !isTransient(record.status)) return record;
			await wait(Math.min(webhook.backoffMs * 2 ** attempt, LONGEST_BACKOFF_MS));
		}
	}

	/** What can be queried: it has the answer of the receiver, and is not there before. */
	find(requestId: string): DeliveryRecord | undefined {
		const record = this.#records.get(requestId.toLowerCase());
		return record && record.attempts.length > 0 ? record : undefined;
	}

	/** Oldest first. */
	list(): DeliveryRecord[] {
		return [...this.#records.values()];
	}

	clear(): void {
		this.#records.clear();
	}

	#begin({ requestId, action, text }: Shipment): DeliveryRecord {
		const known = this.#records.get(requestId.toLowerCase());
		if (known) return known;
		const record: DeliveryRecord = {
			requestId,
			action,
			payload: text,
			message: '',
			status: 0,
			sentAt: '',
			isSuccessful: false,
			attempts: [],
		};
		if (this.#records.size >= MOST_KEPT) {
			for (const oldest of this.#records.keys()) {
				this.#records.delete(oldest);
				break;
			}
		}
		this.#records.set(requestId.toLowerCase(), record);
		return record;
	}

	async #attempt(webhook: Webhook, shipment: Shipment, record: DeliveryRecord): Promise<void> {
		const startedAt = Date.now();
		const { status, message } = await this.#post(webhook, shipment);
		const at = new Date(startedAt).toISOString();
		record.attempts.push({ at, status, message, durationMs: Date.now() - startedAt });
		record.payload = shipment.text;
		record.status = status;
		record.message = message;
		record.sentAt = at.slice(0, 19);
		record.isSuccessful = status >= 200 && status < 300;
	}

	async #post(webhook: Webhook, shipment: Shipment): Promise<{ status: number; message: string }> {
		const apiKey = shipment.apiKey === undefined ? webhook.apiKey : shipment.apiKey;
		try {
			const { status, data } = await this.#http.post<unknown>(webhook.url, shipment.text, {
				timeout: webhook.timeoutMs,
				headers: {
					'content-type': 'application/json',
					...(apiKey === null ? {} : { 'x-api-key': apiKey }),
					...shipment.headers,
				},
			});
			return { status, message: typeof data === 'string' ? data.slice(0, LONGEST_MESSAGE) : '' };
		} catch (error) {
			// No answer at all: the record says why, with status 0.
			const code = axios.isAxiosError(error) && error.code ? `${error.code}: ` : '';
			return { status: 0, message: code + (error instanceof Error ? error.message : String(error)) };
		}
	}
}
