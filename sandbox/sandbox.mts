import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Express } from 'express';
import type { Health, ResetRequest } from './admin-types.mts';
import type { PaceCounters, Settings } from './settings-types.mts';
import { createAdmin } from './admin/admin-app.mts';
import type { Addresses } from './admin/facts.mts';
import { createApi, presentedToken } from './areas/api.mts';
import { enrollmentRoutes } from './areas/enrollment.mts';
import { eventQueryRoutes } from './areas/event-query.mts';
import { provisioningRoutes } from './areas/provisioning.mts';
import type { Route } from './areas/route.mts';
import { synchronizationRoutes } from './areas/synchronization.mts';
import type { SandboxOptions } from './command-line.mts';
import { Access, type AccessParts } from './events/access.mts';
import { Deliveries } from './events/deliveries.mts';
import { sendText } from './http/answer.mts';
import type { Exchange } from './http/exchange.mts';
import { Faults } from './http/faults.mts';
import { makeCertificate } from './http/certificate.mts';
import { Listener } from './http/listener.mts';
import { Pace } from './http/pace.mts';
import { createPipeline } from './http/pipeline.mts';
import { RequestLog } from './http/request-log.mts';
import { CLIENT_ID, clientSecretOf, type Registration } from './identity/clients.mts';
import type { IssuerOptions } from './identity/configuration.mts';
import { createIssuer, type Issuer } from './identity/issuer.mts';
import { mountIssuer } from './identity/mount.mts';
import { testFrontPage } from './identity/pages.mts';
import { settingsOf } from './settings.mts';
import { seedWorld, type WorldSize } from './world/seed-world.mts';
import type { Store } from './world/store.mts';

/** Everything that is alive in a running sandbox. */
export interface SandboxParts {
	readonly options: SandboxOptions;
	readonly addresses: Addresses;
	readonly settings: Settings;
	readonly registration: Registration;
	readonly log: RequestLog;
	readonly faults: Faults;
	readonly pace: Pace;
	readonly issuer: Issuer;
	readonly testIssuer: Issuer;
	readonly deliveries: Deliveries;
	readonly access: Access;
	readonly accessParts: AccessParts;
	readonly world: () => Store;
	/** What the world was made from. */
	readonly size: () => WorldSize;
	/** PEM of the certificate, when it speaks HTTPS. */
	readonly certificate: string | undefined;
	health(): Health;
	readonly paceCounters: () => PaceCounters;
	readonly resetPaceCounters: () => void;
	/** Back to the state after the start; another size or seed when given. */
	reset(change?: ResetRequest): void;
	refuseConnections(ms: number): void;
	isRefusing(): boolean;
	/** Takes connections again before the time is over. */
	endOutage(): Promise<void>;
}

export interface RunningSandbox {
	readonly parts: SandboxParts;
	readonly adminUrl: string;
	stop(): Promise<void>;
}

/** Starts a sandbox in this process. Rejects with the system's error when the port is taken. */
export async function runSandbox(options: SandboxOptions): Promise<RunningSandbox> {
	let handler = (_req: IncomingMessage, res: ServerResponse): void => {
		sendText(res, 503, 'text/plain', 'The sandbox is starting.\n');
	};
	const made = options.tls ? await makeCertificate() : undefined;
	const listener = new Listener((req, res) => handler(req, res), made);
	const port = await listener.listen(options.port, options.host);
	try {
		const ownUrl = `${made ? 'https' : 'http'}://${reachableHost(options.host)}:${port}`;
		const baseUrl = options.publicUrl ?? ownUrl;
		const parts = await assemble(options, { baseUrl, certificate: made?.certificate }, listener);
		handler = createHandler(parts, listener);
		return { parts, adminUrl: `${ownUrl}/_sandbox/`, stop: () => listener.close() };
	} catch (error) {
		await listener.close();
		throw error;
	}
}

/** Where programs of this machine reach what listens on this address. */
function reachableHost(host: string): string {
	if (host === '0.0.0.0' || host === '::') return '127.0.0.1';
	return host.includes(':') ? `[${host}]` : host;
}

async function assemble(
	options: SandboxOptions,
	{ baseUrl, certificate }: { baseUrl: string; certificate: string | undefined },
	listener: Listener,
): Promise<SandboxParts> {
	const registration = registrationOf(options);
	const addresses: Addresses = {
		baseUrl,
		issuerUrl: `${baseUrl}/identity`,
		testIssuerUrl: `${baseUrl}/identity-test`,
		testSsoUrl: baseUrl + TEST_FRONT,
		clientId: registration.clientId,
	};
	const settings = settingsOf(options);
	let size: WorldSize = options;
	let world = seedWorld(size);
	const [issuer, testIssuer] = await createIssuers(addresses, { registration, settings, world: () => world });
	const log = new RequestLog();
	const faults = new Faults();
	const pace = new Pace(settings);
	const deliveries = new Deliveries();
	const accessParts: AccessParts = {
		world: () => world,
		deliveries,
		clientId: registration.clientId,
		deviations: () => settings.deviations,
		variants: () => settings.variants,
	};
	const access = new Access(accessParts);
	const startedAt = Date.now();
	const resetPaceCounters = (): void => {
		pace.resetCounters();
		log.resetMaximum();
		listener.resetOpened();
	};
	return {
		options,
		addresses,
		settings,
		registration,
		log,
		faults,
		pace,
		certificate,
		issuer,
		testIssuer,
		deliveries,
		access,
		accessParts,
		world: () => world,
		size: () => size,
		health: () => ({
			status: 'ok',
			uptimeSeconds: Math.round((Date.now() - startedAt) / 1000),
			openConnections: listener.openConnections,
			maxConnections: listener.maxConnections,
			memoryMb: Math.round(process.memoryUsage().rss / 1_048_576),
			settings: { ...settings },
		}),
		paceCounters: () => ({
			highestInFlight: log.maxInFlight,
			...pace.counters,
			connectionsOpened: listener.connectionsOpened,
		}),
		resetPaceCounters,
		reset: ({ keepConnections = false, ...change } = {}) => {
			const { seed, students, schools, empty } = options;
			size = { seed, students, schools, empty, ...change };
			world = seedWorld(size);
			Object.assign(settings, settingsOf(options));
			faults.remove();
			log.clear();
			access.clear();
			deliveries.clear();
			if (!keepConnections) {
				deliveries.webhook = undefined;
				Object.assign(registration, registrationOf(options));
			}
			for (const { memory, logouts } of [issuer, testIssuer]) {
				memory.forget('Session');
				logouts.clear();
			}
			listener.resetMaximum();
			resetPaceCounters();
		},
		refuseConnections: (ms) => listener.refuseFor(ms),
		isRefusing: () => listener.isRefusing,
		endOutage: async () => await listener.endRefusing(),
	};
}

/** The normal issuer and the test environment's, with the same client. */
async function createIssuers(
	{ baseUrl, issuerUrl, testIssuerUrl }: Addresses,
	shared: Pick<IssuerOptions, 'registration' | 'settings' | 'world'>,
): Promise<[Issuer, Issuer]> {
	return await Promise.all([
		createIssuer({ ...shared, baseUrl, issuerUrl, loginPath: '/identity/login', cookiePrefix: 'platform' }),
		createIssuer({
			...shared,
			baseUrl,
			issuerUrl: testIssuerUrl,
			loginPath: `${TEST_FRONT}/login`,
			cookiePrefix: 'platform_test',
		}),
	]);
}

const TEST_FRONT = '/sso-test';

function createHandler(
	parts: SandboxParts,
	listener: Listener,
): (req: IncomingMessage, res: ServerResponse) => void {
	const { settings, log, faults, pace, issuer, testIssuer } = parts;
	const admin = createAdmin(parts);
	const api: Express = createApi(routesOf(parts), issuer.tokens, settings);
	const identity = mountIssuer('/identity', issuer, parts.options.publicUrl);
	const testIdentity = mountIssuer('/identity-test', testIssuer, parts.options.publicUrl);
	const testFront = testFrontPage(parts.addresses.testIssuerUrl);
	const isUnder = (path: string, area: string): boolean => path.startsWith(`${area}/`) || path === area;
	const pipeline = createPipeline({
		log,
		faults,
		pace,
		variants: () => settings.variants,
		expireToken: async (exchange: Exchange) => await issuer.tokens.expire(presentedToken(exchange)),
		dispatch: ({ req, res, path }) => {
			if (isUnder(path, '/identity')) identity(req, res);
			else if (isUnder(path, '/identity-test') || isUnder(path, `${TEST_FRONT}/login`))
				testIdentity(req, res);
			else if (isUnder(path, TEST_FRONT)) sendText(res, 200, 'text/html; charset=utf-8', testFront);
			else api(req, res);
		},
	});
	return (req, res) => {
		if (!isUnder((req.url ?? '').split('?', 1)[0], '/_sandbox')) return pipeline(req, res);
		listener.isAdmins(req.socket);
		admin(req, res);
	};
}

function routesOf({ world, settings, deliveries }: SandboxParts): Route[] {
	return [
		...provisioningRoutes(world, settings),
		...synchronizationRoutes(world, settings),
		...enrollmentRoutes(world),
		...eventQueryRoutes(deliveries),
	];
}

function registrationOf({ seed, redirectUris }: SandboxOptions): Registration {
	return {
		clientId: CLIENT_ID,
		clientSecret: clientSecretOf(seed),
		applicationName: 'Partner App',
		redirectUris: [
			'http://localhost:5678/rest/oauth2-credential/callback',
			'http://127.0.0.1:5678/rest/oauth2-credential/callback',
			...redirectUris,
		],
		postLogoutRedirectUris: [],
		logoutUri: null,
		logoutChannel: 'back',
	};
}
