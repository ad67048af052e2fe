import { createLocalJWKSet, jwtVerify, type JSONWebKeySet } from 'jose';

const MOST_REMEMBERED = 10_000;

/**
 * Knows which access tokens may call the API: signed by the issuer, for this service, not expired, and not
 * taken back. A token's text is checked once; after that it costs a lookup.
 */
export class TokenRegister {
	/** Text of a checked token to the millisecond at which it expires. */
	readonly #checked = new Map<string, number>();

	/** Ids of the tokens that were issued and not taken back. */
	readonly #live = new Set<string>();

	readonly #takenBack = new Set<string>();

	readonly #keys: ReturnType<typeof createLocalJWKSet>;

	constructor(
		private readonly issuer: string,
		private readonly audience: string,
		publicKeys: JSONWebKeySet,
	) {
		this.#keys = createLocalJWKSet(publicKeys);
	}

	/** To be told of every token that the issuer gives out. */
	issued(jti: string): void {
		this.#live.add(jti);
	}

	isValid(token: string): boolean | Promise<boolean> {
		const expiresAt = this.#checked.get(token);
		if (expiresAt !== undefined) return expiresAt > Date.now();
		if (token === '' || this.#takenBack.has(token)) return false;
		return this.#check(token);
	}

	/** Takes one token back. */
	expire(token: string): void {
		this.#checked.delete(token);
		this.#takenBack.add(token);
	}

	/** Takes back every token issued so far. */
	expireAll(): void {
		this.#checked.clear();
		this.#live.clear();
	}

	async #check(token: string): Promise<boolean> {
		try {
			const { payload } = await jwtVerify(token, this.#keys, {
				issuer: this.issuer,
				audience: this.audience,
				typ: 'at+jwt',
			});
			const { jti, exp } = payload;
			if (jti === undefined || exp === undefined || !this.#live.has(jti)) return false;
			if (this.#checked.size >= MOST_REMEMBERED) this.#checked.clear();
			this.#checked.set(token, exp * 1000);
			return true;
		} catch {
			// Whatever is wrong with a token, the answer is the same 401.
			return false;
		}
	}
}
