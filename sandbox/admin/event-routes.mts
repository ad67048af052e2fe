import { randomUUID } from 'node:crypto';
import express, { type Router } from 'express';
import type { ShownWebhook, Webhook } from '../delivery-types.mts';
import { runLoad } from '../events/load.mts';
import type { SandboxParts } from '../sandbox.mts';
import { deliveryQuery } from './queries.mts';
import { read } from './read.mts';

/** Webhook registration, access events, deliveries of one's own, load. */
export function eventRoutes({ access, accessParts, deliveries }: SandboxParts): Router {
	const router = express.Router();
	router.get('/webhook', (_req, res) => void res.json(deliveries.webhook ? shown(deliveries.webhook) : null));
	router.post('/webhook', (req, res) => {
		deliveries.webhook = read.webhook(req.body, deliveries.webhook?.apiKey);
		res.json(shown(deliveries.webhook));
	});
	router.delete('/webhook', (_req, res) => {
		deliveries.webhook = undefined;
		res.status(204).end();
	});
	router.post('/access/grant', async (req, res) => void res.json(await access.grant(read.person(req.body))));
	router.post(
		'/access/revoke',
		async (req, res) => void res.json(await access.revoke(read.person(req.body))),
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
		const { body, requestId = randomUUID(), apiKey, headers } = read.delivery(req.body);
		const text = typeof body === 'string' ? body : JSON.stringify(body ?? null);
		res.json(await deliveries.deliver({ requestId, action: 'raw', text, apiKey, headers }));
	});
	router.post('/deliveries/load', async (req, res) => {
		res.json(await runLoad(accessParts, read.load(req.body)));
	});
	return router;
}

function shown({ apiKey, ...rest }: Webhook): ShownWebhook {
	return { ...rest, apiKeyLength: apiKey.length };
}
