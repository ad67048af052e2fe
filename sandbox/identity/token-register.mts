import { createLocalJWKSet, jwtVerify, type JSONWebKeySet, type JWTPayload } from 'jose';

const MOST_REMEMBERED = 10_000;

interface Checked {
	readonly jti: string;
	readonly expiresAt: number;
}

/**
 * Knows which access tokens are good: signed by the issuer, for this service, not expired, and not taken
 * back. A token's text is checked once; after that it costs a lookup.
 */
export class TokenRegister {
	readonly #checked = new Map<string, Checked>();

	/** Ids of the tokens that were issued and not taken back. */
	readonly #live = new Set<string>();

	/** Ids of the tokens of a grant, to be taken back with it. */
	readonly #ofGrant = new Map<string, string[]>();

	readonly #keys: ReturnType<typeof createLocalJWKSet>;

	constructor(
		private readonly issuer: string,
		private readonly audience: string,
		publicKeys: JSONWebKeySet,
	) {
		this.#keys = createLocalJWKSet(publicKeys);
	}

	/** To be told of every token that the issuer gives out. */
	issued(jti: string, grantId?: string): void {
		this.#live.add(jti);
		if (grantId !== undefined) this.#ofGrant.set(grantId, [...(this.#ofGrant.get(grantId) ?? []), jti]);
	}

	/** True when the token may call the API. A promise only for a token that was not seen before. */
	isValid(token: string): boolean | Promise<boolean> {
		const checked = this.#checked.get(token);
		if (checked) return checked.expiresAt > Date.now() && this.#live.has(checked.jti);
		return token === '' ? false : this.claimsOf(token).then((claims) => claims !== undefined);
	}

	/** The claims of a good token. Whatever is wrong with another, the answer is the same. */
	async claimsOf(token: string): Promise<(JWTPayload & { jti: string }) | undefined> {
		try {
			const { payload } = await jwtVerify(token, this.#keys, {
				issuer: this.issuer,
				audience: this.audience,
				typ: 'at+jwt',
			});
			const { jti, exp } = payload;
			if (jti === undefined || exp === undefined || !this.#live.has(jti)) return undefined;
			if (this.#checked.size >= MOST_REMEMBERED) this.#checked.clear();
			this.#checked.set(token, { jti, expiresAt: exp * 1000 });
			return { ...payload, jti };
		} catch {
			return undefined;
		}
	}

	/** Takes one token back. */
	async expire(token: string): Promise<void> {
		const jti = this.#checked.get(token)?.jti ?? (await this.claimsOf(token))?.jti;
		if (jti !== undefined) this.#live.delete(jti);
	}

	/** Takes back what was issued on a grant. */
	expireGrant(grantId: string): void {
		for (const jti of this.#ofGrant.get(grantId) ?? []) this.#live.delete(jti);
		this.#ofGrant.delete(grantId);
	}

	/** Takes back every token issued so far. */
	expireAll(): void {
		this.#checked.clear();
		this.#live.clear();
		this.#ofGrant.clear();
	}
}
