/**
 * oidc-provider 9 is written for Node 22 and calls `URL.parse`, which Node 20 does not have. Everything else
 * that it needs is there. Imported for its effect, before the provider is.
 */
if (typeof URL.parse !== 'function') {
	Object.defineProperty(URL, 'parse', {
		configurable: true,
		value: (url: string, base?: string): URL | null => (URL.canParse(url, base) ? new URL(url, base) : null),
	});
}
