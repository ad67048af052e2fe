/** Addresses that can be registered to come back to: web addresses and deep links (OAuth 2.0, RFC 6749 section 3.1.2). */

/** Schemes that browsers run or open instead of handing them to an application. */
const FORBIDDEN_SCHEMES: readonly string[] = ['javascript', 'data', 'vbscript', 'file', 'about', 'blob'];

interface AddressFinding {
	/** Goes on after the name of the address. */
	readonly message: string;
	readonly description: string;
}

const IN_FULL = 'Write it in full, for example https://app.example/callback or my-app://callback.';

/** True for one web address with a host, and nothing else. */
export function isWebAddress(text: string): boolean {
	return /^https?:\/\/[^\s,*]+$/i.test(text) && URL.canParse(text);
}

/** Why the text cannot be registered; nothing when it can. */
export function deepLinkOrWebAddress(text: string): AddressFinding | undefined {
	const [, scheme] = /^([A-Za-z][A-Za-z0-9+.-]*):\S+$/.exec(text) ?? [];
	if (scheme === undefined || !URL.canParse(text))
		return { message: 'is not an absolute address', description: IN_FULL };
	if (FORBIDDEN_SCHEMES.includes(scheme.toLowerCase())) {
		return { message: 'is neither a web address nor a deep link', description: IN_FULL };
	}
	if (text.includes('#')) {
		return {
			message: 'has a fragment (#)',
			description: 'Leave the # and what follows out: it never reaches an application.',
		};
	}
	if (text.includes('*')) {
		return {
			message: 'has a wildcard (*)',
			description: 'List every address by itself: addresses are compared character by character.',
		};
	}
	const url = new URL(text);
	if (/^https?$/i.test(scheme) && !isWebAddress(text))
		return { message: 'is not a web address', description: IN_FULL };
	if (url.username !== '' || url.password !== '') {
		return { message: 'holds a user name or password', description: 'Leave out what stands before the @.' };
	}
	return undefined;
}
