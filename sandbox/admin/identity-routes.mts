import express, { type Router } from 'express';
import type { AccessRequest, RegistrationState } from '../admin-types.mts';
import { isObject } from '../checks/check-fields.mts';
import { findUser } from '../events/access.mts';
import type { Registration } from '../identity/clients.mts';
import type { SandboxParts } from '../sandbox.mts';

/** The partner's registration, logout by the operator, and tokens signed to order. */
export function identityRoutes({ registration, issuer, testIssuer, world }: SandboxParts): Router {
	const router = express.Router();
	const issuers = [issuer, testIssuer];
	router.get('/registration', (_req, res) => void res.json(shown(registration)));
	router.patch('/registration', async (req, res) => {
		const before = { ...registration };
		Object.assign(registration, readChange(req.body));
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
		const { accountId } = findUser(world(), objectIn(req.body) as AccessRequest);
		const delivered = await Promise.all(issuers.map(async (one) => await one.endSessions(accountId)));
		res.json(delivered.flat());
	});
	router.post('/tokens/sign', async (req, res) => {
		const { claims, header = {}, issuer: which = 'normal' } = objectIn(req.body);
		if (!isObject(claims) || !isObject(header)) throw new Error('"claims" and "header" must be objects.');
		res.json({ token: await (which === 'test' ? testIssuer : issuer).sign(claims, header) });
	});
	return router;
}

function objectIn(body: unknown): Record<string, unknown> {
	if (!isObject(body)) throw new Error('The body must be a JSON object.');
	return body;
}

function shown({ clientSecret: _clientSecret, ...rest }: Registration): RegistrationState {
	return rest;
}

function reasonOf(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return 'error_description' in error ? String(error.error_description) : error.message;
}

const isTextList = (value: unknown): boolean =>
	Array.isArray(value) && value.every((one) => typeof one === 'string');

const isAddress = (value: unknown): boolean => typeof value === 'string' && URL.canParse(value);

const changeChecks: Record<string, (value: unknown) => boolean> = {
	applicationName: (value) => typeof value === 'string' && value !== '' && value.length <= 50,
	redirectUris: (value) => isTextList(value) && (value as string[]).length > 0,
	postLogoutRedirectUris: isTextList,
	logoutUri: (value) => value === null || isAddress(value),
	logoutChannel: (value) => value === 'front' || value === 'back',
};

function readChange(body: unknown): Partial<Registration> {
	const change = objectIn(body);
	for (const [name, value] of Object.entries(change)) {
		if (!Object.hasOwn(changeChecks, name)) {
			throw new Error(
				`A registration has no "${name}" to change. It has: ${Object.keys(changeChecks).join(', ')}.`,
			);
		}
		if (!changeChecks[name](value)) throw new Error(`The value of "${name}" does not fit.`);
	}
	return change;
}
