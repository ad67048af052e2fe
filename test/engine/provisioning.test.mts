import { startSandbox, type Sandbox } from '../../sandbox/start.mts';
import { CredentialStore, runNode } from '../support/engine.mts';

let sandbox: Sandbox;
let credentials: CredentialStore;

beforeAll(async () => {
	sandbox = await startSandbox({});
});
afterAll(async () => await sandbox.stop());
beforeEach(async () => {
	await sandbox.admin.reset();
	await sandbox.admin.clearRequests();
	const { baseUrl, issuerUrl, clientId, clientSecret } = sandbox;
	credentials = await CredentialStore.of('schoolPartnerOAuth2Api', { baseUrl, issuerUrl, clientId, clientSecret });
});

test('profiles come as one item each', async () => {
	const { items, error } = await runNode({ parameters: { resource: 'profile', operation: 'getAll' }, credentials });
	expect(error).toBeUndefined();
	expect(items.map(({ type }) => type)).toContain('student');
});
