/** The built logout trigger in n8n-core's own webhook context: logouts of the sandbox's certified sign-on, and of its variants. */
import { SandboxBrowser } from '../../sandbox/browser.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import type { Variant } from '../../sandbox/variants.mts';
import { CredentialStore } from '../support/engine.mts';
import { useHosts, type Host, type HostOptions } from './trigger-host.mts';

const host = useHosts();

describe('A logout that the sign-on of the sandbox sends', () => {
	let sandbox: Sandbox;
	let browser: SandboxBrowser;
	beforeAll(async () => {
		sandbox = await startSandbox({ students: 12, strict: true });
		browser = new SandboxBrowser(sandbox.baseUrl);
	});
	afterAll(async () => {
		browser.close();
		await sandbox.stop();
	});

	/** A student signs in, and its session is ended: the account, and how the trigger answered. */
	async function logOut(started: Host, variants: Variant[] = []) {
		await sandbox.admin.changeSettings({ variants });
		const redirectUri = 'http://localhost:9/callback';
		await sandbox.admin.changeRegistration({
			redirectUris: [redirectUri],
			logoutUri: started.url,
			logoutChannel: 'back',
		});
		const query = new URLSearchParams({
			response_type: 'code',
			client_id: sandbox.clientId,
			redirect_uri: redirectUri,
			code_challenge_method: 'S256',
			code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
			scope: 'openid profile',
		});
		await browser.signIn(`${sandbox.issuerUrl}/connect/authorize?${query.toString()}`, 'student1');
		const accountId = (await sandbox.admin.facts()).students[0]?.accountId ?? '';
		return { accountId, delivered: await sandbox.admin.logOut({ accountId }) };
	}

	const sandboxTrigger = async (options: HostOptions = {}) =>
		await host({
			trigger: { node: 'schoolPartnerLogoutTrigger', parameters: {} },
			credentials: await CredentialStore.of('schoolPartnerOidcApi', {
				issuerUrl: sandbox.issuerUrl,
				clientId: sandbox.clientId,
				clientSecret: 'a-made-up-secret',
			}),
			...options,
		});

	const accepting = (...acceptWithout: string[]) => ({ parameters: { options: { acceptWithout } } });

	test('is taken, and names the account whose session ended', async () => {
		const started = await sandboxTrigger();
		const { accountId, delivered } = await logOut(started);
		expect(delivered).toMatchObject([{ channel: 'back', status: 200 }]);
		expect(started.runs[0]?.[0]?.[0]?.json).toMatchObject({
			sub: accountId,
			iss: sandbox.issuerUrl,
			claims: {},
		});
	});

	test('may have further claims, which the item has under a name of their own', async () => {
		const started = await sandboxTrigger();
		const { accountId } = await logOut(started, ['logout-extra-claims']);
		const { tenantId } = await sandbox.admin.facts();
		expect(started.runs[0]?.[0]?.[0]?.json.claims).toEqual({ account_id: accountId, tenant_id: tenantId });
	});

	test.each([
		['exp', 'logout-without-exp', {}],
		['jti', 'logout-without-jti', { jti: null }],
		['events', 'logout-without-events', {}],
		['subAndSid', 'logout-without-sub-and-sid', { sub: null, sid: null }],
	] as Array<[string, Variant, object]>)(
		'is taken without %s only where the user accepts such tokens',
		async (claim, variant, item) => {
			const strict = await sandboxTrigger();
			expect((await logOut(strict, [variant])).delivered).toMatchObject([{ status: 400 }]);
			expect(strict.runs).toEqual([]);
			const started = await sandboxTrigger(accepting(claim));
			expect((await logOut(started, [variant])).delivered).toMatchObject([{ status: 200 }]);
			expect(started.runs[0]?.[0]?.[0]?.json).toMatchObject({ iss: sandbox.issuerUrl, ...item });
		},
	);
});
