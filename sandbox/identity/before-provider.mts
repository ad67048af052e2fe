/**
 * What has to be in place before oidc-provider is loaded. Imported for its effect, above every import of it.
 *
 * 1. It is written for Node 22 and calls `URL.parse`, which Node 20 does not have. Everything else is there.
 * 2. It tells the console what it thinks of the runtime, of its configuration, and of bodies that were read
 *    before it (which is on purpose here: the log and the faults read them). Nobody who runs a sandbox can do
 *    anything about that. Its failures come as events, and those are printed.
 */
if (typeof URL.parse !== 'function') {
	Object.defineProperty(URL, 'parse', {
		configurable: true,
		value: (url: string, base?: string): URL | null => (URL.canParse(url, base) ? new URL(url, base) : null),
	});
}

const isProviders = (said: readonly unknown[]): boolean =>
	/oidc-provider (WARNING|NOTICE):/.test(String(said[0]));

for (const level of ['info', 'warn'] as const) {
	const print = console[level].bind(console);
	console[level] = (...said: unknown[]): void => {
		if (!isProviders(said)) print(...said);
	};
}
