import express, { type Router } from 'express';
import type { SandboxParts } from '../sandbox.mts';

/** What the service had to bear, and the certificate that its clients must trust. */
export function paceRoutes({ paceCounters, resetPaceCounters, certificate }: SandboxParts): Router {
	const router = express.Router();
	router.get('/pace', (_req, res) => void res.json(paceCounters()));
	router.delete('/pace', (_req, res) => {
		resetPaceCounters();
		res.status(204).end();
	});
	router.get('/certificate', (_req, res) => {
		if (certificate === undefined) throw new Error('There is no certificate: start the sandbox with --tls.');
		res.type('application/x-pem-file').send(certificate);
	});
	return router;
}
