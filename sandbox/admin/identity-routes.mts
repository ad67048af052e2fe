import express, { type Router } from 'express';
import type { RegistrationState } from '../admin-types.mts';
import { findUser } from '../events/access.mts';
import type { Registration } from '../identity/clients.mts';
import type { SandboxParts } from '../sandbox.mts';
import { read } from './read.mts';

/** The partner's registration, logout by the operator, and tokens signed to order. */
export function identityRoutes({ registration, issuer, testIssuer, world }: SandboxParts): Router {
	const router = express.Router();
	const issuers = [issuer, testIssuer];
	router.get('/registration', (_req, res) => void res.json(shown(registration)));
	router.patch('/registration', async (req, res) => {
		const before = { ...registration };
		Object.assign(registration, read.registration(req.body));
		try {
			// The provider has rules of its own for addresses: a registration that it refuses is taken back.
			await issuer.provider.Client.find(registration.clientId);
		} catch (error) {
			Object.assign(registration, before);
			throw new Error(`The registration is refused: ${reasonOf(error)}.`);
		}
		res.json(shown(registration));
	});
	router.get('/logout', (_req, res) => void res.json(issuers.flatMap(({ logouts }) => logouts.list())));
	router.post('/logout', async (req, res) => {
		const { accountId } = findUser(world(), read.person(req.body));
		const delivered = await Promise.all(issuers.map(async (one) => await one.endSessions(accountId)));
		res.json(delivered.flat());
	});
	router.post('/tokens/sign', async (req, res) => {
		const { claims, header, issuer: which } = read.signature(req.body);
		res.json({ token: await (which === 'test' ? testIssuer : issuer).sign(claims, header) });
	});
	return router;
}

function shown({ clientSecret: _clientSecret, ...rest }: Registration): RegistrationState {
	return rest;
}

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return 'error_description' in error ? String(error.error_description) : error.message;
}
