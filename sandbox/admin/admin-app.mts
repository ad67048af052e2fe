import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import type { SandboxParts } from '../sandbox.mts';
import { driftRoutes } from './drift-routes.mts';
import { factsOf } from './facts.mts';
import { eventRoutes } from './event-routes.mts';
import { identityRoutes } from './identity-routes.mts';
import { paceRoutes } from './pace-routes.mts';
import { rosterRoutes } from './roster-routes.mts';
import { liveParts } from './live.mts';
import { pageHtml } from './page.mts';
import { ownPageOnly } from './own-page.mts';
import { logQuery, stateQuery } from './queries.mts';
import { read } from './read.mts';
import { stateKinds, stateOf, type StateKind } from './state.mts';

/** What a person or a test can do with the sandbox, under `/_sandbox/`. Plain HTTP, no key: it listens on this machine unless told otherwise, and not to other web pages. */
export function createAdmin(parts: SandboxParts): Express {
	const { log, faults, settings } = parts;
	const app = express();
	app.disable('x-powered-by');
	app.disable('etag');
	const admin = express.Router();
	admin.use(ownPageOnly(parts.options.host, new URL(parts.addresses.baseUrl).hostname));
	admin.use(express.json({ limit: '32mb', type: () => true, strict: false }));
	admin.get('/', (_req, res) => void res.type('html').send(pageHtml(parts)));
	admin.get('/live', (_req, res) => void res.json(liveParts(parts)));
	admin.get('/health', (_req, res) => void res.json(parts.health()));
	admin.get('/facts', (_req, res) => void res.json(factsOf(parts.world(), parts.addresses)));

	admin.get('/requests', (req, res) => void res.json(log.query(logQuery(req.query))));
	admin.delete('/requests', (_req, res) => {
		log.clear();
		res.status(204).end();
	});

	admin.get('/faults', (_req, res) => void res.json(faults.list()));
	admin.post('/faults', (req, res) => void res.status(201).json(faults.add(read.fault(req.body))));
	admin.delete('/faults', (_req, res) => void res.json({ removed: faults.remove() }));
	admin.delete('/faults/:id', (req, res) => void res.json({ removed: faults.remove(req.params.id) }));

	admin.get('/state/:kind', (req, res) => {
		const kind = stateKinds.find((known): known is StateKind => known === req.params.kind);
		if (!kind) throw new Error(`There is no such state. There is: ${stateKinds.join(', ')}.`);
		res.json(stateOf(parts.world(), kind, stateQuery(req.query)));
	});

	admin.post('/reset', (req, res) => {
		parts.reset(read.reset(req.body));
		res.json(parts.health());
	});
	admin.post('/tokens/expire', (_req, res) => {
		for (const { tokens } of [parts.issuer, parts.testIssuer]) tokens.expireAll();
		res.status(204).end();
	});
	admin.patch('/settings', (req, res) => {
		Object.assign(settings, read.settings(req.body));
		res.json(settings);
	});
	admin.post('/outage', (req, res) => {
		const { ms } = read.outage(req.body);
		parts.refuseConnections(ms);
		res.json({ refusingForMs: ms });
	});
	admin.delete('/outage', async (_req, res) => {
		await parts.endOutage();
		res.status(204).end();
	});

	admin.use(driftRoutes(parts));
	admin.use(eventRoutes(parts));
	admin.use(identityRoutes(parts));
	admin.use(paceRoutes(parts));
	admin.use(rosterRoutes(parts));

	app.use('/_sandbox', admin);
	app.use((_req, res) => void res.status(404).json({ message: 'The sandbox has no such admin path.' }));
	app.use((error: unknown, _req: Request, res: Response, _next: NextFunction) => {
		res.status(400).json({ message: error instanceof Error ? error.message : String(error) });
	});
	return app;
}
