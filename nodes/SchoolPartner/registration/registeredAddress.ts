/** Addresses that can be registered to come back to: web addresses and deep links (OAuth 2.0, RFC 6749 section 3.1.2). */
import { parsedAddress } from '../../shared/contract/address';

/** Schemes that browsers run or open instead of handing them to an application. */
const FORBIDDEN_SCHEMES: readonly string[] = ['javascript', 'data', 'vbscript', 'file', 'about', 'blob'];

const IN_FULL = 'Write it in full, for example https://app.example/callback or my-app://callback.';

/**
 * The addresses in a text: on lines of their own, or with commas between them. A comma ends an address only before a
 * space, before another address, and at the end: it may stand in a path or a query.
 */
export function addressesIn(text: string): string[] {
	return text
		.split(/\n|,(?=[\s,]|$|[A-Za-z][A-Za-z0-9+.-]{0,50}:\/)/)
		.map((address) => address.trim())
		.filter((address) => address !== '');
}

/** True for one web address with a host, and nothing else. */
export function isWebAddress(text: string): boolean {
	return (
		/^https?:\/\/[^\s*]+$/i.test(text) && addressesIn(text).length === 1 && parsedAddress(text) !== undefined
	);
}

/** The origins of the web addresses, each once; deep links have none. */
export function originsOf(addresses: readonly string[]): string[] {
	return [...new Set(addresses.filter(isWebAddress).map((address) => new URL(address).origin))];
}

/** Why the text cannot be registered, to be said after its name, and what to do; undefined when it can. */
export function addressFault(text: string): readonly [fact: string, nextStep: string] | undefined {
	const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):\S+$/.exec(text) ?? [];
	const url = parsedAddress(text);
	if (scheme === undefined || url === undefined) return ['is not an absolute address', IN_FULL];
	if (FORBIDDEN_SCHEMES.includes(scheme.toLowerCase()))
		return ['is neither a web address nor a deep link', IN_FULL];
	// An application reads its deep links as it likes, with all that stands in them.
	if (!/^https?$/i.test(scheme)) return undefined;
	if (text.includes('#')) {
		const next = 'Leave the # and what follows out: OAuth 2.0 forbids it in a web address to come back to.';
		return ['has a fragment (#)', next];
	}
	if (text.includes('*')) {
		const next = 'List every address by itself: addresses are compared character by character.';
		return ['has a wildcard (*)', next];
	}
	if (!isWebAddress(text)) return ['is not a web address', IN_FULL];
	return url.username === '' && url.password === ''
		? undefined
		: ['holds a user name or password', 'Leave out what stands before the @.'];
}
