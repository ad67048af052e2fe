import { asked, PROFILES_PATH, TOKEN_PATH, useBench, wordsOf } from './bench.mts';

const bench = useBench();

const profiles = { resource: 'profile', operation: 'getAll', options: { maxRetries: 0 } };

test.each([
	['without anything around them', (address: string) => address],
	['with a slash at the end', (address: string) => `${address}/`],
	['with slashes and spaces', (address: string) => `  ${address}//  `],
])('Base URL and Issuer URL work %s, also when the token is renewed', async (_how, typed) => {
	const { baseUrl, issuerUrl } = bench.sandbox;
	const credentials = await bench.credentialWith({ baseUrl: typed(baseUrl), issuerUrl: typed(issuerUrl) });
	const first = await bench.run(profiles, undefined, { credentials });
	await bench.admin.expireTokens();
	const second = await bench.run(profiles, undefined, { credentials });
	expect([first.error, second.error]).toEqual([undefined, undefined]);
	expect(new Set((await bench.received()).map(asked).map(({ path }) => path))).toEqual(
		new Set([PROFILES_PATH]),
	);
	expect(await bench.admin.countRequests({ path: TOKEN_PATH })).toBe(2);
});

test.each([
	['no scheme', '127.0.0.1:4010', 'Base URL in the credential is not an address'],
	['nothing', '', 'Base URL in the credential is not an address'],
	['no host', 'http://', 'Base URL in the credential is not an address'],
	['https where http is spoken', 'https', 'no secure connection could be agreed'],
])('A Base URL with %s fails with a message of its own', async (_what, typed, expected) => {
	await bench.storeToken();
	const { oauthTokenData } = bench.credentials.data;
	const baseUrl = typed === 'https' ? bench.sandbox.baseUrl.replace('http:', 'https:') : typed;
	const credentials = await bench.credentialWith({ baseUrl });
	credentials.data = { ...credentials.data, oauthTokenData };
	const { message, description } = wordsOf(await bench.run(profiles, undefined, { credentials }));
	expect(message).toContain(expected);
	expect(`${message} ${description}`).toContain('Base URL');
});

test('A Base URL with a path too many fails with 404 and names Base URL', async () => {
	const credentials = await bench.credentialWith({ baseUrl: `${bench.sandbox.baseUrl}/api` });
	const { message, description } = wordsOf(await bench.run(profiles, undefined, { credentials }));
	expect(message).toContain('(404)');
	expect(description).toContain('Base URL');
});

test('A node without a credential fails before anything is sent', async () => {
	const { error } = await bench.run(profiles, undefined, { credentials: undefined });
	expect(error?.message).toContain('credentials');
	expect(await bench.received()).toEqual([]);
});
