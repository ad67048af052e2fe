/** The sandbox over TLS: everything under https, trusted by whoever has its certificate and by nobody else. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { SandboxBrowser } from '../../sandbox/browser.mts';
import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { codeOfFailure, send, type Reply } from './support.mts';
import { listedScope, redirectUri } from './sign-in.mts';

let sandbox: Sandbox;
let httpsAgent: Agent;

beforeAll(async () => {
	sandbox = await startSandbox({ students: 12, tls: true });
	httpsAgent = new Agent({ ca: sandbox.certificate, keepAlive: false });
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => await sandbox.admin.reset());

const token = async (): Promise<string> => {
	const data = new URLSearchParams({
		grant_type: 'client_credentials',
		client_id: sandbox.clientId,
		client_secret: sandbox.clientSecret,
	});
	const url = `${sandbox.issuerUrl}/connect/token`;
	return (await send<{ access_token: string }>({ method: 'POST', url, data, httpsAgent })).data.access_token;
};
const profiles = async (agent = httpsAgent): Promise<Reply<unknown>> =>
	await send({
		url: `${sandbox.baseUrl}/data/v1/profiles`,
		headers: { authorization: `Bearer ${await token()}` },
		httpsAgent: agent,
	});

test('Every address is https, and the certificate that was given out opens them', async () => {
	for (const address of [sandbox.baseUrl, sandbox.issuerUrl, sandbox.testIssuerUrl, sandbox.adminUrl])
		expect(address).toMatch(/^https:\/\/127\.0\.0\.1:/);
	expect((await profiles()).status).toBe(200);
	const { data } = await send<Record<string, unknown>>({
		url: `${sandbox.issuerUrl}/.well-known/openid-configuration`,
		httpsAgent,
	});
	expect([data.issuer, data.token_endpoint]).toEqual([
		sandbox.issuerUrl,
		`${sandbox.issuerUrl}/connect/token`,
	]);
});

test('A client without the certificate does not trust it', async () => {
	const stranger = new Agent({ keepAlive: false });
	expect(await codeOfFailure(profiles(stranger))).toBe('DEPTH_ZERO_SELF_SIGNED_CERT');
});

test('The admin gives the certificate, and NODE_EXTRA_CA_CERTS makes a whole program trust it', async () => {
	const { data } = await send<string>({ url: `${sandbox.adminUrl}certificate`, httpsAgent });
	expect(data).toBe(sandbox.certificate);
	const folder = await mkdtemp(join(tmpdir(), 'sandbox-'));
	const file = join(folder, 'certificate.pem');
	await writeFile(file, data);
	const program = `fetch(${JSON.stringify(`${sandbox.adminUrl}health`)}).then((answer) => console.log(answer.status))`;
	const run = promisify(execFile);
	const env = { ...process.env, NODE_EXTRA_CA_CERTS: file };
	const { stdout } = await run(process.execPath, ['--eval', program], { env });
	await rm(folder, { recursive: true });
	expect(stdout.trim()).toBe('200');
});

test('A user signs on over https', async () => {
	await sandbox.admin.changeRegistration({ redirectUris: [redirectUri] });
	const browser = new SandboxBrowser(sandbox.baseUrl, sandbox.certificate);
	const query = {
		response_type: 'code',
		client_id: sandbox.clientId,
		redirect_uri: redirectUri,
		code_challenge_method: 'S256',
		code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
		scope: listedScope,
	};
	const url = `${sandbox.issuerUrl}/connect/authorize?${new URLSearchParams(query).toString()}`;
	const back = await browser.signIn(url, 'student1');
	browser.close();
	expect(back.searchParams.get('code')).toBeTruthy();
});

test('Faults break connections over TLS as they do without', async () => {
	const authorization = `Bearer ${await token()}`;
	const url = `${sandbox.baseUrl}/data/v1/profiles`;
	await sandbox.admin.addFault({ path: '/data', times: 1 }, { drop: 'before' });
	const broken = send({ url, headers: { authorization }, httpsAgent });
	expect(await codeOfFailure(broken)).toBe('ECONNRESET');
	await sandbox.admin.addFault({ path: '/data', times: 1 }, { cutBody: true });
	const cut = send({ url, headers: { authorization }, httpsAgent });
	expect(await codeOfFailure(cut)).toMatch(/^ERR_BAD_RESPONSE|ECONNRESET$/);
	expect((await send({ url, headers: { authorization }, httpsAgent })).status).toBe(200);
});

test('Connections can be refused over TLS, and the admin keeps its own', async () => {
	await sandbox.admin.health();
	await sandbox.admin.refuseConnections(1_000);
	expect(await codeOfFailure(profiles())).toBe('ECONNREFUSED');
	expect((await sandbox.admin.health()).status).toBe('ok');
});

test('Without TLS there is no certificate, and the admin says how to get one', async () => {
	const plain = await startSandbox({ students: 3 });
	const answer = await send<{ message: string }>({ url: `${plain.adminUrl}certificate` });
	await plain.stop();
	expect([plain.certificate, answer.status, answer.data.message]).toEqual([
		undefined,
		400,
		'There is no certificate: start the sandbox with --tls.',
	]);
});
