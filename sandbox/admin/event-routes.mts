import { randomUUID } from 'node:crypto';
import express, { type Router } from 'express';
import type { AccessRequest, LoadRequest, RawDelivery, ShownWebhook, Webhook } from '../admin-types.mts';
import { isObject } from '../checks/check-fields.mts';
import { runLoad } from '../events/load.mts';
import type { SandboxParts } from '../sandbox.mts';
import { deliveryQuery } from './queries.mts';

const LONGEST_KEY = 1024;

/** Webhook registration, access events, deliveries of one's own, load. */
export function eventRoutes({ access, accessParts, deliveries }: SandboxParts): Router {
	const router = express.Router();
	router.get('/webhook', (_req, res) => void res.json(deliveries.webhook ? shown(deliveries.webhook) : null));
	router.post('/webhook', (req, res) => {
		deliveries.webhook = readWebhook(req.body);
		res.json(shown(deliveries.webhook));
	});
	router.delete('/webhook', (_req, res) => {
		deliveries.webhook = undefined;
		res.status(204).end();
	});
	router.post(
		'/access/grant',
		async (req, res) => void res.json(await access.grant(objectIn(req.body) as AccessRequest)),
	);
	router.post(
		'/access/revoke',
		async (req, res) => void res.json(await access.revoke(objectIn(req.body) as AccessRequest)),
	);

	router.get('/deliveries', (req, res) => {
		const { requestId, status, limit } = deliveryQuery(req.query);
		const found = deliveries
			.list()
			.filter(
				(record) =>
					(requestId === undefined || record.requestId === requestId) &&
					(status === undefined || record.status === status),
			);
		res.json(limit === undefined ? found : found.slice(-limit));
	});
	router.delete('/deliveries', (_req, res) => {
		deliveries.clear();
		res.status(204).end();
	});
	router.post('/deliveries/send', async (req, res) => {
		const { body, requestId = randomUUID(), apiKey, headers } = objectIn(req.body) as unknown as RawDelivery;
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
		res.json(await deliveries.deliver({ requestId, action: 'raw', text, apiKey, headers }));
	});
	router.post('/deliveries/load', async (req, res) => {
		res.json(await runLoad(accessParts, readLoad(objectIn(req.body))));
	});
	return router;
}

function objectIn(body: unknown): Record<string, unknown> {
	if (!isObject(body)) throw new Error('The body must be a JSON object.');
	return body;
}

function shown({ apiKey, ...rest }: Webhook): ShownWebhook {
	return { ...rest, apiKeyLength: apiKey.length };
}

function readWebhook(body: unknown): Webhook {
	const { url, apiKey, retries = 0, backoffMs = 200, timeoutMs = 30_000 } = objectIn(body);
	if (typeof url !== 'string' || !/^https?:\/\//.test(url) || !URL.canParse(url)) {
		throw new Error('"url" must be a web address.');
	}
	if (typeof apiKey !== 'string' || apiKey === '' || apiKey.length > LONGEST_KEY) {
		throw new Error(`"apiKey" must be a text of 1 to ${LONGEST_KEY} characters.`);
	}
	return {
		url,
		apiKey,
		retries: atLeastZero('retries', retries),
		backoffMs: atLeastZero('backoffMs', backoffMs),
		timeoutMs: atLeastZero('timeoutMs', timeoutMs),
	};
}

function atLeastZero(name: string, value: unknown): number {
	if (typeof value !== 'number' || !(value >= 0)) throw new Error(`"${name}" must be a number from 0.`);
	return value;
}

function readLoad(body: Record<string, unknown>): LoadRequest {
	const { count, ...rest } = body;
	if (!Number.isInteger(count) || Number(count) < 1)
		throw new Error('"count" must be a whole number from 1.');
	const shares = ['repeatShare', 'wrongKeyShare', 'malformedShare'].map((name) =>
		atLeastZero(name, rest[name] ?? 0),
	);
	if (shares.reduce((sum, share) => sum + share, 0) > 1)
		throw new Error('The shares are more than the whole.');
	return { ...rest, count: Number(count) };
}
